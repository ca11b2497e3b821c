package palette

import "image/color"

var generations = sample(func(t float64) color.NRGBA { return polar(0.93-0.53*t, 0.085+0.055*t, 138+10*t) })

// Generation is the colour of a share of the generations of a search, 0 (light green, early) to 1 (dark green, late).
func Generation(share float64) color.NRGBA { return generations[int(unit(share)*samples+0.5)] }
