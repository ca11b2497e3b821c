package heapmap

import (
	"image/color"
	"math"
	"strconv"

	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// What small marks mean stands in a line below the picture: a sign, and what it says.

// key is a sign with its words.
type key struct {
	wide float64 // of the sign
	sign func(d *scene.Drawing, at scene.Point)
	text string
}

const (
	keyGap  = 14.0
	keySign = 5.0 // between a sign and its words
)

func (k *key) width() float64 {
	return k.wide + keySign + scene.Measure(scene.Sans, labelSize, k.text)
}

// drawKeys writes keys from x on, as many as fit before end, and gives where the last one ends.
func drawKeys(d *scene.Drawing, ink color.NRGBA, x, end, base float64, keys []key) float64 {
	for i := range keys {
		k := &keys[i]
		from := x
		if i > 0 {
			from += keyGap
		}
		if from+k.width() > end {
			break
		}
		k.sign(d, scene.Point{X: from, Y: base - 3.5})
		d.Add(scene.Text{At: scene.Point{X: from + k.wide + keySign, Y: base}, Size: labelSize, Color: ink, S: k.text})
		x = from + k.width()
	}
	return x
}

// errorKeys are the marks of errors in the log: a dot, and a ring where nothing was ever allocated. Among bins only
// those of blocks are marked, in a bin alone only those of its own.
func errorKeys(s *State) (keys []key) {
	dots, strays := 0, 0
	for i := range s.Heap.Errors {
		switch e := &s.Heap.Errors[i]; {
		case (s.Page != MapPage || s.Bin > 0) && e.Block < 0:
		case s.Page == MapPage && s.Bin > 0 && s.Heap.Bin(e.Block) != s.Bin-1:
		case s.stray(e):
			strays++
		default:
			dots++
		}
	}
	add := func(hole bool, text string) {
		keys = append(keys, key{2 * errorDot, func(d *scene.Drawing, at scene.Point) {
			center := []scene.Point{{X: at.X + errorDot, Y: at.Y}}
			d.Add(scene.Discs{Centers: center, Radii: []float64{errorDot}, Colors: []color.NRGBA{s.Theme.Text}})
			if hole {
				d.Add(scene.Discs{Centers: center, Radii: []float64{errorDot - 1.25}, Colors: []color.NRGBA{s.Theme.Panel}})
			}
		}, text})
	}
	if dots > 0 {
		add(false, words.Plural(uint64(dots), "error")+" in the log")
	}
	switch {
	case strays > 0 && dots > 0:
		add(true, words.Count(uint64(strays))+" where nothing was allocated")
	case strays > 0:
		add(true, words.Plural(uint64(strays), "error")+" where nothing was allocated")
	}
	return keys
}

// swatchKey is a small box of a colour.
func swatchKey(c color.NRGBA, text string) key {
	return key{swatch, func(d *scene.Drawing, at scene.Point) {
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(at.X, at.Y-swatch/2, swatch, swatch), 2), Color: c})
	}, text}
}

// occupancyRamp is the length of the map of the occupancy bar's colours.
const occupancyRamp = 40.0

// occupancyKey says what the colours of an occupancy bar stand for.
func occupancyKey(t palette.Theme, before, text string) key {
	wide := scene.Measure(scene.Sans, labelSize, before) + keySign
	return key{wide + occupancyRamp, func(d *scene.Drawing, at scene.Point) {
		d.Add(scene.Text{At: scene.Point{X: at.X, Y: at.Y + 3.5}, Size: labelSize, Color: t.Dim, S: before})
		drawRamp(d, scene.R(at.X+wide, at.Y-4, occupancyRamp, 8), func(v float64) color.NRGBA { return occupancyColor(t, v) })
	}, text}
}

// keyRoom is the height of the line of keys below a page of bins.
const keyRoom = 16.0

// gridKeys reports whether a page of bins has room for that line.
func gridKeys(size scene.Size) bool { return size.H >= tallEnough }

// drawGridKeys says below a page of bins what its bars mean.
func drawGridKeys(d *scene.Drawing, s *State, l *layout, size scene.Size) {
	if !gridKeys(size) {
		return
	}
	keys := []key{swatchKey(usedColor(s.Theme), "in use "+when(s, l)),
		swatchKey(freeColor(s.Theme), "free, of the bin's peak")}
	if s.Page == AddressPage {
		keys = append(keys, occupancyKey(s.Theme, "below each: 0", "its peak"))
	}
	keys = append(keys, errorKeys(s)...)
	drawKeys(d, s.Theme.Dim, l.plot.Min.X, size.W-pad, size.H-9, keys)
}

// usedColor and freeColor are those of the bar that tells how full a bin is: red for what is free alone, as in the
// paper, and grey for the rest, since blue is empty in the occupancy bar below.
func usedColor(t palette.Theme) color.NRGBA { return palette.Mix(t.Dim, t.Panel, 0.3) }

func freeColor(t palette.Theme) color.NRGBA {
	return palette.Mix(palette.Diverging(t, 1), t.Panel, 0.15)
}

// shortCount is a number in at most three digits and a unit: "86 K".
func shortCount(n uint64) string {
	v := float64(n)
	for _, unit := range [...]string{"", " K", " M", " G"} {
		switch {
		case unit == "" && n < 1000:
			return strconv.FormatUint(n, 10)
		case unit != "" && v < 9.95:
			return strconv.FormatFloat(v, 'f', 1, 64) + unit
		case unit != "" && v < 999.5 || unit == " G":
			return strconv.FormatFloat(math.Round(v), 'f', 0, 64) + unit
		}
		v /= 1000
	}
	return ""
}
