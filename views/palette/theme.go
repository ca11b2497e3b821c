// Package palette holds every colour of the product: the dark and light themes of the interface, the qualitative set
// that gives regions, lines and functions the same colour in every view, and the colour maps for amounts, differences
// and angles. All are chosen to be told apart with colour-vision deficiency.
package palette

import "image/color"

// Theme is the colours of surfaces, text and the accent that means "now" and "selected".
type Theme struct {
	Name       string
	Background color.NRGBA
	Panel      color.NRGBA
	Line       color.NRGBA // hairlines and borders
	Text       color.NRGBA
	Dim        color.NRGBA // captions, at least 4.5:1 on Panel
	Faint      color.NRGBA // guides; never carries text that must be read
	Accent     color.NRGBA
	Miss       color.NRGBA // red, for misses and nothing else
	Dark       bool
	Universal  bool // colours of data can be told apart without blue cones, too
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// Dark is the theme for dim rooms, the default.
func Dark() Theme {
	return Theme{Name: "dark", Dark: true, Background: rgb(0x12151a), Panel: rgb(0x191d24),
		Line: rgb(0x2a303a), Text: rgb(0xdfe5ec),
		Dim: rgb(0x8b95a5), Faint: rgb(0x4a5361), Accent: rgb(0xf4b942), Miss: rgb(0xef5b4c)}
}

// Light is the mirror of Dark.
func Light() Theme {
	return Theme{Name: "light", Background: rgb(0xf6f7f9), Panel: rgb(0xffffff), Line: rgb(0xd9dee5), Text: rgb(0x1c2128),
		Dim: rgb(0x5b6573), Faint: rgb(0xa9b2be), Accent: rgb(0xb7791f), Miss: rgb(0xc8321f)}
}

// Alpha is c at the given opacity, 0..1.
func Alpha(c color.NRGBA, a float64) color.NRGBA {
	c.A = uint8(min(1, max(0, a))*float64(c.A) + 0.5)
	return c
}

// Mix is a blend of a and b in their stored encoding, 0 gives a and 1 gives b.
func Mix(a, b color.NRGBA, t float64) color.NRGBA {
	t = min(1, max(0, t))
	m := func(x, y uint8) uint8 { return uint8(float64(x)*(1-t) + float64(y)*t + 0.5) }
	return color.NRGBA{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: m(a.A, b.A)}
}

// Strong is the theme with more contrast: captions at least 7:1 on the panel, guides and borders that can be seen by
// weak eyes. What colours mean stays.
func (t Theme) Strong() Theme {
	edge := rgb(0x000000)
	if t.Dark {
		edge = rgb(0xffffff)
	}
	t.Name += " strong"
	t.Text = Mix(t.Text, edge, 0.8)
	t.Dim = Mix(t.Dim, t.Text, 0.5)
	t.Faint = Mix(t.Faint, t.Dim, 0.5)
	t.Line = Mix(t.Line, t.Dim, 0.5)
	return t
}

// ForAll is the theme whose colours of data can be told apart with any one kind of cones missing. The standard ones are
// further apart for those who lack red or green cones, and for everyone else.
func (t Theme) ForAll() Theme {
	t.Name += " universal"
	t.Universal = true
	return t
}

// Brightness is how bright a colour looks, 0 to 255 (the luma of ITU-R BT.601): what decides whether dark or light text
// can be read on it.
func Brightness(c color.NRGBA) float64 {
	return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
}
