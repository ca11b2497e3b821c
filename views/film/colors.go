package film

import (
	"cmp"
	"image"
	"slices"
)

// rgb is an opaque colour, 0xRRGGBB.
type rgb uint32

func (c rgb) channels() [3]float64 {
	return [3]float64{float64(c >> 16), float64(c >> 8 & 0xff), float64(c & 0xff)}
}

// census counts the colours of a film's frames.
type census map[rgb]uint64

// add counts the pixels of a frame, run by run.
func (c census) add(pixels *image.RGBA) {
	pix := pixels.Pix
	for i := 0; i < len(pix); {
		at := colorAt(pix[i:])
		j := i + 4
		for j < len(pix) && colorAt(pix[j:]) == at {
			j += 4
		}
		c[at] += uint64(j-i) / 4
		i = j
	}
}

func colorAt(pix []uint8) rgb { return rgb(pix[0])<<16 | rgb(pix[1])<<8 | rgb(pix[2]) }

// tone is a colour with the weight that it has in the choice of the palette.
type tone struct {
	color  rgb
	at     [3]float64
	weight float64
}

// flats is how many of the most frequent colours are kept exactly: surfaces, text, the colours of things.
const flats = 24

// choose picks at most n colours that stand for all of a film's: the most frequent ones exactly, the others as the
// means of the parts into which what is left is cut, each time the part that is most spread out, across its longest
// extent. The weight of a colour grows only slowly with its frequency, so that the few pixels of a red flash keep their
// red and a large dark ground does not take every entry for itself. The order is that of the colours themselves.
func choose(seen census, n int) []rgb {
	tones := make([]tone, 0, len(seen))
	for c, count := range seen {
		tones = append(tones, tone{c, c.channels(), float64(count)})
	}
	slices.SortFunc(tones, func(a, b tone) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.color, b.color))
	})
	if len(tones) <= n {
		return sorted(tones)
	}
	exact := min(flats, n/2)
	chosen := slices.Clone(tones[:exact])
	rest := tones[exact:]
	for i := range rest {
		rest[i].weight = fourthRoot(rest[i].weight)
	}
	for _, part := range cut(rest, n-exact) {
		chosen = append(chosen, tone{color: part.mean().rounded()})
	}
	return sorted(chosen)
}

func sorted(tones []tone) []rgb {
	out := make([]rgb, len(tones))
	for i, t := range tones {
		out[i] = t.color
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// part is some of the tones with the spread of its widest channel.
type part struct {
	tones  []tone
	axis   int
	spread float64 // weighted sum of squares about the mean
}

type point [3]float64

func (p point) rounded() rgb {
	v := func(i int) rgb { return rgb(min(255, max(0, p[i]+0.5))) }
	return v(0)<<16 | v(1)<<8 | v(2)
}

func (p *part) mean() point {
	var sum point
	total := 0.0
	for _, t := range p.tones {
		for k := range sum {
			sum[k] += t.weight * t.at[k]
		}
		total += t.weight
	}
	for k := range sum {
		sum[k] /= total
	}
	return sum
}

func newPart(tones []tone) part {
	p := part{tones: tones}
	mean := p.mean()
	var square point
	for _, t := range tones {
		for k := range square {
			d := t.at[k] - mean[k]
			square[k] += t.weight * d * d
		}
	}
	for k, v := range square {
		if v > p.spread {
			p.axis, p.spread = k, v
		}
	}
	return p
}

// cut divides tones into at most n parts.
func cut(tones []tone, n int) []part {
	parts := []part{newPart(tones)}
	for len(parts) < n {
		widest := 0
		for i := range parts {
			if parts[i].spread > parts[widest].spread {
				widest = i
			}
		}
		p := parts[widest]
		if p.spread == 0 {
			break
		}
		mean := p.mean()[p.axis]
		slices.SortFunc(p.tones, func(a, b tone) int {
			return cmp.Or(cmp.Compare(a.at[p.axis], b.at[p.axis]), cmp.Compare(a.color, b.color))
		})
		at, _ := slices.BinarySearchFunc(p.tones, mean, func(t tone, m float64) int {
			if t.at[p.axis] <= m {
				return -1
			}
			return 1
		})
		at = min(max(1, at), len(p.tones)-1)
		parts[widest] = newPart(p.tones[:at])
		parts = append(parts, newPart(p.tones[at:]))
	}
	return parts
}
