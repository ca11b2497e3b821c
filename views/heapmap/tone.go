package heapmap

import (
	"image/color"
	"math"
)

// power raises numbers of 0..1 to a fixed exponent by a table over the first bits of a number's mantissa and of its own
// exponent: to one part in 500, a tenth of a level of a channel at most. What of it is in use stays in the processor's
// first cache.
type power struct {
	table [127<<mantissa + 1]float32
}

const mantissa = 8

func newPower(alpha, least float64) *power {
	p := new(power)
	var of [1 << mantissa]float64
	for i := range of {
		of[i] = math.Pow(1+float64(i)/(1<<mantissa), alpha)
	}
	for i := range 1 << mantissa {
		p.table[i] = float32(least)
	}
	for e := 1; e < 127; e++ { // what is smaller counts as nothing
		scale := math.Pow(2, float64(e-127)*alpha)
		for i, m := range of {
			p.table[e<<mantissa+i] = float32(max(least, scale*m))
		}
	}
	p.table[127<<mantissa] = 1
	return p
}

// of is x to the exponent, 0 <= x <= 1.
func (p *power) of(x float32) float32 {
	const fine = 23 - mantissa
	return p.table[(math.Float32bits(x)+1<<(fine-1))>>fine]
}

// at is x to the exponent to one part in 100,000; what lies outside counts as the end that is next to it.
func (p *power) at(x float64) float64 {
	b := math.Float32bits(float32(max(0, min(1, x))))
	const fine = 23 - mantissa
	i := b >> fine
	low := float64(p.table[i])
	if part := b & (1<<fine - 1); part > 0 {
		low += (float64(p.table[i+1]) - low) * float64(part) / (1 << fine)
	}
	return low
}

// Linear light and back (IEC 61966-2-1).
func toLinear(c color.NRGBA) [3]float32 {
	return [3]float32{float32(linearLight(c.R)), float32(linearLight(c.G)), float32(linearLight(c.B))}
}

func linearLight(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
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

func toSRGB(v float32) uint8 {
	i := int(v*srgbSteps + 0.5)
	if uint(i) > srgbSteps {
		if i < 0 {
			return 0
		}
		return 255
	}
	return srgb[i]
}
