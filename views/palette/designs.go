package palette

import "image/color"

// The maps of design spaces have the hues of the VMODEX paper (section 4). Lightness falls evenly along each, so that they read
// without telling red from green.
var (
	flame  = sample(func(t float64) color.NRGBA { return polar(0.93-0.40*t, 0.165+0.035*t, 104-78*t) })
	violet = sample(func(t float64) color.NRGBA { return polar(0.88-0.50*t, 0.055+0.145*t, 302-8*t) })
	leaf   = sample(func(t float64) color.NRGBA { return polar(0.93-0.53*t, 0.085+0.055*t, 138+10*t) })
)

// Flame is the map for the first objective of designs, 0 (yellow, best) over orange to 1 (red, worst).
func Flame(t float64) color.NRGBA { return flame[int(unit(t)*samples+0.5)] }

// Violet is the map for the second objective of designs, 0 (light) to 1 (dark).
func Violet(t float64) color.NRGBA { return violet[int(unit(t)*samples+0.5)] }

// Leaf is the map for generations, 0 (light green, early) to 1 (dark green, late).
func Leaf(t float64) color.NRGBA { return leaf[int(unit(t)*samples+0.5)] }
