package palette

import (
	"image/color"
	"math"
	"testing"
)

func linear(v uint8) float64 {
	c := float64(v) / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

type vec [3]float64

func lin(c color.NRGBA) vec { return vec{linear(c.R), linear(c.G), linear(c.B)} }

// contrast is the ratio of WCAG 2.1.
func contrast(a, b color.NRGBA) float64 {
	lum := func(c color.NRGBA) float64 { v := lin(c); return 0.2126*v[0] + 0.7152*v[1] + 0.0722*v[2] }
	x, y := lum(a)+0.05, lum(b)+0.05
	return max(x, y) / min(x, y)
}

// oklab goes the way opposite to the product's own conversion.
func oklab(v vec) vec {
	l := math.Cbrt(0.4122214708*v[0] + 0.5363325363*v[1] + 0.0514459929*v[2])
	m := math.Cbrt(0.2119034982*v[0] + 0.6806995451*v[1] + 0.1073969566*v[2])
	s := math.Cbrt(0.0883024619*v[0] + 0.2817188376*v[1] + 0.6299787005*v[2])
	return vec{0.2104542553*l + 0.7936177850*m - 0.0040720468*s, 1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s}
}

func away(a, b vec) float64 { return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]) }

// Severity 1 of Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision
// deficiency", 2009, for linear RGB.
var vision = map[string][9]float64{
	"full":         {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

// promised reports whether a theme's colours are said to be told apart by that vision.
func promised(th Theme, vision string) bool { return th.Universal || vision != "tritanopia" }

var themes = []Theme{Dark(), Light(), Dark().ForAll(), Light().ForAll()}

func seen(m [9]float64, c color.NRGBA) vec {
	v, out := lin(c), vec{}
	for i := range out {
		out[i] = unit(m[3*i]*v[0] + m[3*i+1]*v[1] + m[3*i+2]*v[2])
	}
	return oklab(out)
}

func TestTextCanBeRead(t *testing.T) {
	for _, th := range themes {
		for name, c := range map[string]color.NRGBA{"text": th.Text, "dim": th.Dim} {
			for surface, bg := range map[string]color.NRGBA{"panel": th.Panel, "background": th.Background} {
				if got := contrast(c, bg); got < 4.5 {
					t.Errorf("%s: %s on %s has contrast %.2f, want 4.5", th.Name, name, surface, got)
				}
			}
		}
		for name, c := range map[string]color.NRGBA{"accent": th.Accent, "miss": th.Miss, "others": Others(th)} {
			if got := contrast(c, th.Panel); got < 3 {
				t.Errorf("%s: %s on panel has contrast %.2f, shapes need 3", th.Name, name, got)
			}
		}
		for i := range Distinct {
			if got := contrast(Qualitative(th, i), th.Panel); got < 2.9 {
				t.Errorf("%s: colour %d on panel has contrast %.2f, shapes need 3", th.Name, i, got)
			}
		}
	}
}

// Distances in OKLab: 0.02 is just noticeable side by side; Okabe and Ito's own set with these additions reaches 0.03.
func TestQualitativeSetCanBeToldApart(t *testing.T) {
	for _, th := range themes {
		for name, m := range vision {
			if !promised(th, name) {
				continue
			}
			for i := 0; i <= Distinct; i++ {
				for j := range i {
					if d := away(seen(m, Qualitative(th, i)), seen(m, Qualitative(th, j))); d < 0.085 {
						t.Errorf("%s theme, %s vision: colours %d and %d are %.3f apart, want 0.085", th.Name, name, i, j, d)
					}
				}
				if d := away(seen(m, Qualitative(th, i)), seen(m, th.Miss)); d < 0.07 && name == "full" {
					t.Errorf("%s theme: colour %d is %.3f from the red of a miss", th.Name, i, d)
				}
			}
		}
		if Qualitative(th, Distinct) != Others(th) || Qualitative(th, 1000) != Others(th) ||
			Qualitative(th, -1) != Others(th) {
			t.Errorf("%s: ranks beyond the set do not share the grey", th.Name)
		}
	}
}

func TestSequentialGetsLighterEvenly(t *testing.T) {
	const n = 100
	first, last := oklab(lin(Sequential(0)))[0], oklab(lin(Sequential(1)))[0]
	if last-first < 0.6 {
		t.Errorf("lightness spans %.2f only", last-first)
	}
	for i := range n {
		a, b := oklab(lin(Sequential(float64(i)/n))), oklab(lin(Sequential(float64(i+1)/n)))
		if step := b[0] - a[0]; step <= 0 || math.Abs(step-(last-first)/n) > 0.004 {
			t.Errorf("step %d changes lightness by %.4f, want %.4f", i, step, (last-first)/n)
		}
		for name, m := range vision {
			if seen(m, Sequential(float64(i+1)/n))[0] <= seen(m, Sequential(float64(i)/n))[0]-0.001 {
				t.Errorf("%s vision: step %d gets darker", name, i)
			}
		}
	}
}

// Equal steps look equally long, and angles that are far apart look so to everyone.
func TestC12CyclicClosesIsEvenAndCanBeReadWithoutRedOrGreen(t *testing.T) {
	for _, th := range themes {
		if a, b := Cyclic(th, 0), Cyclic(th, 1); a != b {
			t.Errorf("%s: a whole turn changes %v into %v", th.Name, a, b)
		}
		if a, b := Cyclic(th, -0.25), Cyclic(th, 2.75); a != b {
			t.Errorf("%s: -1/4 turn is %v, 2 3/4 turns are %v", th.Name, a, b)
		}
		const n = 48
		mean := 0.0
		at := func(i int) vec { return oklab(lin(Cyclic(th, float64(i)/n))) }
		for i := range n {
			mean += away(at(i), at(i+1)) / n
		}
		for i := range n {
			if d := away(at(i), at(i+1)); d < 0.75*mean || d > 1.25*mean {
				t.Errorf("%s: step %d of %d is %.4f long, the mean %.4f", th.Name, i, n, d, mean)
			}
			if got := contrast(Cyclic(th, float64(i)/n), th.Panel); got < 1.9 {
				t.Errorf("%s: %d/%d of a turn has contrast %.2f on the panel", th.Name, i, n, got)
			}
		}
		for name, m := range vision {
			if !promised(th, name) {
				continue
			}
			for i := range n {
				for j := range i {
					apart := min(i-j, n-i+j)
					if d := away(seen(m, Cyclic(th, float64(i)/n)), seen(m, Cyclic(th, float64(j)/n))); apart >= n/6 && d < 0.085 {
						t.Errorf("%s theme, %s vision: %d/%d and %d/%d of a turn are %.3f apart", th.Name, name, i, n, j, n, d)
					}
				}
			}
		}
		if Cyclic(th, math.NaN()).A != 255 || Cyclic(th, math.Inf(1)).A != 255 {
			t.Errorf("%s: no colour for an angle that is not a number", th.Name)
		}
	}
}

func TestDivergingArmsAreEqual(t *testing.T) {
	for _, th := range themes {
		before := 0.0
		for i := range 21 {
			v := float64(i) / 20
			cold, hot := oklab(lin(Diverging(th, -v))), oklab(lin(Diverging(th, v)))
			if math.Abs(cold[0]-hot[0]) > 0.015 {
				t.Errorf("%s: lightness at -%.2f is %.3f, at +%.2f %.3f", th.Name, v, cold[0], v, hot[0])
			}
			if v > 0.2 && (cold[2] >= 0 || hot[1] <= 0) {
				t.Errorf("%s: %.2f is not blue against red", th.Name, v)
			}
			d := away(hot, oklab(lin(Diverging(th, 0))))
			if d < before {
				t.Errorf("%s: %.2f is nearer to neutral than what comes before", th.Name, v)
			}
			before = d
		}
	}
}

func TestMapsTakeAnyNumber(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -5, 5, 1e300} {
		for _, c := range []color.NRGBA{Sequential(v), Cyclic(Light(), v), Diverging(Dark(), v)} {
			if c.A != 255 {
				t.Errorf("%v gives %v", v, c)
			}
		}
	}
}

// With strong contrast captions reach 7:1, guides 3:1, and nothing is weaker than before.
func TestStrongContrast(t *testing.T) {
	for _, plain := range []Theme{Dark(), Light()} {
		s := plain.Strong()
		if s.Name == plain.Name {
			t.Errorf("%s: views would take it for the same theme", s.Name)
		}
		if c := contrast(s.Dim, s.Panel); c < 7 {
			t.Errorf("%s: captions have %.1f:1", s.Name, c)
		}
		if c := contrast(s.Faint, s.Panel); c < 3 {
			t.Errorf("%s: guides have %.1f:1", s.Name, c)
		}
		if contrast(s.Text, s.Panel) < contrast(plain.Text, s.Panel) ||
			contrast(s.Line, s.Panel) < contrast(plain.Line, s.Panel) {
			t.Errorf("%s: text or lines are weaker", s.Name)
		}
	}
}
