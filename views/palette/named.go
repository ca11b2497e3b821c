package palette

import (
	"hash/fnv"
	"image/color"
)

// Named is a calm colour for large fields with text on them, found from a name alone: the same in every recording,
// whatever else is there. It keeps away from the red that means a miss.
func Named(t Theme, name string) color.NRGBA {
	h := fnv.New32a()
	h.Write([]byte(name))
	x := h.Sum32()
	x ^= x >> 15 // names that differ in their last letter only differ in the low bits alone
	x *= 0x2c1b3c6d
	x ^= x >> 13
	hue := 60 + 300*float64(x&0xffff)/0x10000
	little := float64(x>>16) / 0x10000 * 0.06
	if t.Dark {
		return polar(0.40+little, 0.062, hue)
	}
	return polar(0.84+little, 0.062, hue)
}
