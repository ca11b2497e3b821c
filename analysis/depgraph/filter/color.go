package filter

import (
	"image/color"
	"math"
	"strconv"
	"strings"
)

// named are the colours that scripts have names for, a little softer than those of the paper, so that text on them can
// be read in either theme.
var named = map[string]color.NRGBA{
	"red": {0xe5, 0x4b, 0x4b, 255}, "green": {0x4c, 0xb0, 0x50, 255}, "blue": {0x4a, 0x7f, 0xd6, 255},
	"yellow": {0xf0, 0xcf, 0x45, 255}, "orange": {0xf0, 0x96, 0x3c, 255}, "cyan": {0x3c, 0xb9, 0xc4, 255},
	"magenta": {0xc6, 0x5a, 0xb8, 255}, "pink": {0xf0, 0xa0, 0xb4, 255}, "purple": {0x8e, 0x63, 0xc8, 255},
	"brown": {0x9c, 0x75, 0x4f, 255}, "lime": {0x9c, 0xc8, 0x3e, 255}, "teal": {0x2f, 0x95, 0x8a, 255},
	"white": {0xff, 0xff, 0xff, 255}, "lightGray": {0xc8, 0xc8, 0xc8, 255}, "gray": {0x90, 0x90, 0x90, 255},
	"darkGray": {0x58, 0x58, 0x58, 255}, "black": {0x20, 0x20, 0x20, 255},
}

// wheel are the colours of values in the order of their appearance; neighbours differ well.
var wheel = []string{"blue", "orange", "green", "red", "purple", "brown", "pink", "teal", "lime", "magenta", "cyan",
	"yellow", "lightGray", "darkGray"}

// parse reads a colour as pages write it: "#f80" or "#ff8800", with two more digits for how opaque it is, or one of the
// names.
func parse(s string) (color.NRGBA, bool) {
	if c, ok := named[s]; ok {
		return c, true
	}
	hex, ok := strings.CutPrefix(s, "#")
	if !ok {
		return color.NRGBA{}, false
	}
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	if len(hex) == 6 {
		hex += "ff"
	}
	v, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 8 {
		return color.NRGBA{}, false
	}
	return color.NRGBA{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8), uint8(v)}, true
}

// ramp is the colour of heat t from 0 to 1: a pale yellow, orange, a dark red, even in lightness.
func ramp(t float64) color.NRGBA {
	stops := [...][3]float64{{255, 243, 196}, {253, 190, 92}, {240, 118, 56}, {203, 48, 44}, {140, 16, 44}}
	at := max(0, min(t, 1)) * float64(len(stops)-1)
	i := min(int(at), len(stops)-2)
	f := at - float64(i)
	mix := func(k int) uint8 { return uint8(math.Round(stops[i][k]*(1-f) + stops[i+1][k]*f)) }
	return color.NRGBA{mix(0), mix(1), mix(2), 255}
}
