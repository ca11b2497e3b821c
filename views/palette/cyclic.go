package palette

import (
	"image/color"
	"math"
)

// The map for angles is an ellipse in OKLab: along one axis lightness goes with green against purple, along the other
// yellow with blue. Whoever cannot tell red from green still has both axes, lightness and yellow against blue; a circle
// of hues of one lightness folds up for them. It is cut into pieces of equal length, so that equal angles look equally
// far apart.
//
//	           light green
//	               0
//	blue  3/4             1/4  ochre
//	              1/2
//	          dark purple
//
// The map for all has orange against blue instead, of which everyone sees a part.
var (
	cyclicD, cyclicL       = standard.around(0.70), standard.around(0.57)
	cyclicAllD, cyclicAllL = universal.around(0.70), universal.around(0.57)
)

var (
	standard  = ellipse{light: vector{0.155, -0.085, 0}, side: vector{0, 0, 0.125}}
	universal = ellipse{light: vector{0.175, -0.03, 0}, side: vector{0, 0.09, 0.1}}
)

// ellipse is a closed path in OKLab by its half axes: at 0, and at a quarter of a turn.
type ellipse struct{ light, side vector }

// vector is a difference of lightness, of red against green, and of yellow against blue.
type vector struct{ l, a, b float64 }

func (v vector) length() float64 { return math.Hypot(math.Hypot(v.l, v.a), v.b) }

// around samples the map about a mean lightness.
func (e ellipse) around(mean float64) (m [samples]color.NRGBA) {
	const fine = 16 * samples
	length := make([]float64, fine+1) // of the ellipse from angle 0 on
	light, side := e.light.length(), e.side.length()
	for i, sin, cos := 0, 0.0, 1.0; i < fine; i++ {
		s, c := math.Sincos(2 * math.Pi * float64(i+1) / fine)
		length[i+1] = length[i] + math.Hypot(light*(c-cos), side*(s-sin))
		sin, cos = s, c
	}
	at := 0
	for i := range m {
		for want := length[fine] * float64(i) / samples; length[at+1] <= want; at++ {
		}
		sin, cos := math.Sincos(2 * math.Pi * float64(at) / fine)
		l, a, b := mean+e.light.l*cos, e.light.a*cos+e.side.a*sin, e.light.b*cos+e.side.b*sin
		m[i] = polar(l, math.Hypot(a, b), math.Atan2(b, a)*180/math.Pi)
	}
	return m
}

// Cyclic is the map for angles as lines and points on the theme's panel, v in turns of any sign: Cyclic(t, v) =
// Cyclic(t, v+1). It can be read without telling red from green. What is no number is grey.
func Cyclic(t Theme, v float64) color.NRGBA {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Others(t)
	}
	i := int((v-math.Floor(v))*samples+0.5) % samples
	switch {
	case t.Universal && t.Dark:
		return cyclicAllD[i]
	case t.Universal:
		return cyclicAllL[i]
	case t.Dark:
		return cyclicD[i]
	}
	return cyclicL[i]
}
