package heapmap

import (
	"image/color"
	"math"
)

// power raises numbers of 0..1 to a fixed exponent by two small tables, which stay in the processor's first cache: that of a
// number's own exponent, and that of its mantissa with interpolation.
type power struct {
	mantissa [mantissas + 1]float32 // of 1..2
	exponent [128]float32           // of 2 to the -127..0
	one      bool                   // the exponent is 1
}

const mantissas = 1024

func newPower(alpha float64) power {
	p := power{one: alpha == 1}
	for i := range p.mantissa {
		p.mantissa[i] = float32(math.Pow(1+float64(i)/mantissas, alpha))
	}
	for e := range p.exponent {
		p.exponent[e] = float32(math.Pow(2, float64(e-127)*alpha))
	}
	p.exponent[0] = 0 // what is smaller than any block's share
	return p
}

func (p *power) at(x float64) float64 {
	switch {
	case x >= 1:
		return 1
	case x <= 0:
		return 0
	case p.one:
		return x
	}
	bits := math.Float32bits(float32(x))
	if bits >= 127<<23 { // rounded up to 1
		return 1
	}
	const fine = 23 - 10
	i := bits >> fine & (mantissas - 1)
	m := p.mantissa[i]
	m += (p.mantissa[i+1] - m) * (float32(bits&(1<<fine-1)) * (1.0 / (1 << fine)))
	return float64(m * p.exponent[bits>>23])
}

// Linear light and back (IEC 61966-2-1).
func toLinear(c color.NRGBA) [3]float32 {
	f := func(v uint8) float32 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return float32(x / 12.92)
		}
		return float32(math.Pow((x+0.055)/1.055, 2.4))
	}
	return [3]float32{f(c.R), f(c.G), f(c.B)}
}

const srgbSteps = 1 << 14

var srgb = func() (t [srgbSteps + 1]uint8) {
	for i := range t {
		v := float64(i) / srgbSteps
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		t[i] = uint8(v*255 + 0.5)
	}
	return t
}()

func toSRGB(v float32) uint8 { return srgb[int(max(0, min(1, v))*srgbSteps+0.5)] }
