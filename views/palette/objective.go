package palette

import "image/color"

// Maps for the objectives of designs, light for what is good and dark for what is bad, so that they read without any
// colour vision too. The first two are the paper's; the others keep away from their hues.
var objectives = [...][samples + 1]color.NRGBA{
	sample(func(t float64) color.NRGBA { return polar(0.92-0.38*t, 0.135+0.06*t, 102-74*t) }),
	sample(func(t float64) color.NRGBA { return polar(0.90-0.52*t, 0.045+0.125*t, 303) }),
	sample(func(t float64) color.NRGBA { return polar(0.90-0.48*t, 0.045+0.045*t, 205+15*t) }),
	sample(func(t float64) color.NRGBA { return polar(0.91-0.48*t, 0.060+0.050*t, 140) }),
	sample(func(t float64) color.NRGBA { return polar(0.90-0.50*t, 0.012, 80) }),
}

// Objective is the colour of a normalised value v of objective i, 0 (good, light) to 1 (bad, dark): yellow to red for
// the first, violet for the second. Objectives beyond the fifth begin again.
func Objective(i int, v float64) color.NRGBA {
	return objectives[max(0, i)%len(objectives)][int(unit(v)*samples+0.5)]
}
