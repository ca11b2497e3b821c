package palette

import "image/color"

// Maps for the objectives of designs, light for what is good and dark for what is bad, so that they read without any colour
// vision too. The first two are the paper's; the others keep away from their hues and from that of generations.
var objectives = [...][samples + 1]color.NRGBA{
	flame, violet,
	sample(func(t float64) color.NRGBA { return polar(0.90-0.48*t, 0.045+0.045*t, 205+15*t) }),
	sample(func(t float64) color.NRGBA { return polar(0.90-0.48*t, 0.030+0.050*t, 60) }),
	sample(func(t float64) color.NRGBA { return polar(0.90-0.50*t, 0.012, 80) }),
}

// Objective is the colour of a normalised value v of objective i, 0 (good, light) to 1 (bad, dark): Flame for the first, Violet
// for the second. Objectives beyond the fifth begin again.
func Objective(i int, v float64) color.NRGBA {
	return objectives[max(0, i)%len(objectives)][int(unit(v)*samples+0.5)]
}
