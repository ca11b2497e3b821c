package heapmap

import (
	"image/color"
	"math"
)

// power raises numbers of 0..1 to a fixed exponent by table: from 1/64 to 1 by interpolation, below by scaling with 64.
type power struct {
	table [powerSteps + 2]float64
	step  float64 // 64 to the minus exponent
	one   bool    // the exponent is 1
}

const powerSteps = 4096

func newPower(alpha float64) power {
	p := power{step: math.Pow(64, -alpha), one: alpha == 1}
	for i := range p.table {
		p.table[i] = math.Pow(1.0/64+float64(i)/powerSteps*(63.0/64), alpha)
	}
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
	scale := 1.0
	for x < 1.0/64 {
		x *= 64
		scale *= p.step
	}
	at := (x - 1.0/64) * (powerSteps * 64.0 / 63)
	i := int(at)
	return scale * (p.table[i] + (at-float64(i))*(p.table[i+1]-p.table[i]))
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
