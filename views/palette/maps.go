package palette

import (
	"image/color"
	"math"
)

// The maps are computed in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), where equal steps
// look about equally large: each is a path of lightness, chroma and hue, sampled once.

const samples = 512

var (
	sequential = sample(func(t float64) color.NRGBA { return polar(0.28+0.64*t, 0.115+0.045*math.Sin(math.Pi*t), 300-195*t) })
	divergeD   = sample(func(t float64) color.NRGBA { return diverge(2*t-1, 0.36, 0.68) })
	divergeL   = sample(func(t float64) color.NRGBA { return diverge(2*t-1, 0.95, 0.5) })
)

func sample(f func(t float64) color.NRGBA) (m [samples + 1]color.NRGBA) {
	for i := range m {
		m[i] = f(float64(i) / samples)
	}
	return m
}

// unit clamps to 0..1; what is not a number is 0.
func unit(t float64) float64 {
	if !(t > 0) {
		return 0
	}
	return min(1, t)
}

// Sequential is the map for amounts, 0 (dark violet) over blue and green to 1 (light yellow): lightness rises evenly,
// so that it reads without any colour vision too.
func Sequential(t float64) color.NRGBA { return sequential[int(unit(t)*samples+0.5)] }

// Diverging is the map for differences, -1 (blue) over 0 (neutral, close to the theme's panel) to 1 (red). Both arms are
// equally light at equal distance from 0.
func Diverging(t Theme, v float64) color.NRGBA {
	i := int(unit((v+1)/2)*samples + 0.5)
	if t.Dark {
		return divergeD[i]
	}
	return divergeL[i]
}

func diverge(v, neutral, end float64) color.NRGBA {
	hue := 255.0
	if v > 0 {
		hue = 27
	}
	a := math.Abs(v)
	return polar(neutral+(end-neutral)*a, 0.005+0.165*math.Pow(a, 0.9), hue)
}

// polar is a colour from OKLab lightness (0..1), chroma (0 to about 0.3) and hue (degrees). Where sRGB has no such
// colour the chroma is lowered until it has; lightness and hue stay.
func polar(l, chroma, hue float64) color.NRGBA {
	h := hue * math.Pi / 180
	low, high := 0.0, chroma
	if c, ok := fromLab(l, chroma*math.Cos(h), chroma*math.Sin(h)); ok {
		return c
	}
	for range 24 {
		mid := (low + high) / 2
		if _, ok := fromLab(l, mid*math.Cos(h), mid*math.Sin(h)); ok {
			low = mid
		} else {
			high = mid
		}
	}
	c, _ := fromLab(l, low*math.Cos(h), low*math.Sin(h))
	return c
}

// fromLab turns OKLab into sRGB and tells whether the colour exists there.
func fromLab(l, a, b float64) (color.NRGBA, bool) {
	x := l + 0.3963377774*a + 0.2158037573*b
	y := l - 0.1055613458*a - 0.0638541728*b
	z := l - 0.0894841775*a - 1.2914855480*b
	x, y, z = x*x*x, y*y*y, z*z*z
	r := 4.0767416621*x - 3.3077115913*y + 0.2309699292*z
	g := -1.2684380046*x + 2.6097574011*y - 0.3413193965*z
	k := -0.0041960863*x - 0.7034186147*y + 1.7076147010*z
	const slack = 1e-4
	ok := min(r, g, k) >= -slack && max(r, g, k) <= 1+slack
	return color.NRGBA{R: encode(r), G: encode(g), B: encode(k), A: 255}, ok
}

// encode is the sRGB transfer function (IEC 61966-2-1), to 8 bits.
func encode(v float64) uint8 {
	v = unit(v)
	if v <= 0.0031308 {
		v *= 12.92
	} else {
		v = 1.055*math.Pow(v, 1/2.4) - 0.055
	}
	return uint8(v*255 + 0.5)
}
