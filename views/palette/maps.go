package palette

import (
	"image/color"
	"math"
)

// The maps are computed in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), where equal
// steps look about equally large: each is a path of lightness, chroma and hue, sampled once.

const samples = 512

var (
	sequential = sample(func(t float64) color.NRGBA {
		return polar(0.28+0.64*t, 0.115+0.045*math.Sin(math.Pi*t), 300-195*t)
	})
	divergeD = sample(func(t float64) color.NRGBA { return diverge(2*t-1, 0.36, 0.68) })
	divergeL = sample(func(t float64) color.NRGBA { return diverge(2*t-1, 0.95, 0.5) })
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

// Diverging is the map for differences, -1 (blue) over 0 (neutral, close to the theme's panel) to 1 (red). Both arms
// are equally light at equal distance from 0.
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
	sin, cos := math.Sincos(hue * math.Pi / 180)
	if c := lightOf(l, chroma*cos, chroma*sin); c.shown() {
		return c.encoded()
	}
	low, high := 0.0, chroma
	for range 24 {
		mid := (low + high) / 2
		if lightOf(l, mid*cos, mid*sin).shown() {
			low = mid
		} else {
			high = mid
		}
	}
	return lightOf(l, low*cos, low*sin).encoded()
}

// light is a colour by amounts of red, green and blue light, 0..1 where sRGB has it.
type light struct{ r, g, b float64 }

// lightOf turns OKLab into light.
func lightOf(l, a, b float64) light {
	x := l + 0.3963377774*a + 0.2158037573*b
	y := l - 0.1055613458*a - 0.0638541728*b
	z := l - 0.0894841775*a - 1.2914855480*b
	x, y, z = x*x*x, y*y*y, z*z*z
	return light{
		4.0767416621*x - 3.3077115913*y + 0.2309699292*z,
		-1.2684380046*x + 2.6097574011*y - 0.3413193965*z,
		-0.0041960863*x - 0.7034186147*y + 1.7076147010*z,
	}
}

// shown reports whether sRGB has the colour.
func (c light) shown() bool {
	const slack = 1e-4
	return min(c.r, c.g, c.b) >= -slack && max(c.r, c.g, c.b) <= 1+slack
}

// encoded is the colour in sRGB.
func (c light) encoded() color.NRGBA {
	return color.NRGBA{R: encode(c.r), G: encode(c.g), B: encode(c.b), A: 255}
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
