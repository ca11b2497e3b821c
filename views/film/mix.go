package film

import (
	"cmp"
	"image"
	"math"
	"slices"
)

func fourthRoot(v float64) float64 { return math.Sqrt(math.Sqrt(v)) }

// mixer turns colours into entries of a palette. A colour that is not in it is mixed from two that are, in an ordered
// 8x8 pattern (Bayer's) that is fixed to the picture: a gradient keeps its slope, and a pixel whose colour stays keeps
// its entry.
type mixer struct {
	colors []rgb
	at     [][3]float64
	near   [][]uint8 // by entry: the entries that it is mixed with, the nearest ones
	cells  [][]uint8 // by cell of colours: the entries that may be the nearest there; nil until it is asked for
	memory []recipe  // of colours met before, by their hash
}

// recipe is how a colour is mixed: share 64ths of other, the rest of main.
type recipe struct {
	color       rgb
	known       bool
	main, other uint8
	share       uint8
}

const (
	memoryBits = 18
	partners   = 24 // of an entry: those farther away make too coarse a mix
)

func newMixer(colors []rgb) *mixer {
	m := &mixer{colors: colors, memory: make([]recipe, 1<<memoryBits), cells: make([][]uint8, 1<<(3*cellBits))}
	for _, c := range colors {
		m.at = append(m.at, c.channels())
	}
	for i, a := range m.at {
		list := make([]uint8, 0, len(m.at))
		for k := range m.at {
			if k != i {
				list = append(list, uint8(k))
			}
		}
		slices.SortStableFunc(list, func(x, y uint8) int { return cmp.Compare(distance(a, m.at[x]), distance(a, m.at[y])) })
		m.near = append(m.near, list[:min(partners, len(list))])
	}
	return m
}

// bayer is the threshold pattern: every value from 0 to 63 once, neighbours far apart.
var bayer = func() (m [8][8]uint8) {
	for y := range m {
		for x := range m[y] {
			v := 0
			for bit := range 3 {
				a, b := x>>bit&1, y>>bit&1
				v |= (a ^ b) << (2*(2-bit) + 1)
				v |= b << (2 * (2 - bit))
			}
			m[y][x] = uint8(v)
		}
	}
	return m
}()

// paint writes the entry of every pixel of a frame into out.
func (m *mixer) paint(pixels *image.RGBA, out []uint8) {
	w, h := pixels.Rect.Dx(), pixels.Rect.Dy()
	var r *recipe
	for y := range h {
		row, pattern := pixels.Pix[y*pixels.Stride:], &bayer[y&7]
		for x := range w {
			c := colorAt(row[4*x:])
			if r == nil || r.color != c {
				r = m.recipe(c)
			}
			entry := r.main
			if pattern[x&7] < r.share {
				entry = r.other
			}
			out[y*w+x] = entry
		}
	}
}

// recipe is how a colour is mixed, from the cache where it was asked for before.
func (m *mixer) recipe(c rgb) *recipe {
	r := &m.memory[uint32(c)*2654435761>>(32-memoryBits)]
	if !r.known || r.color != c {
		*r = m.find(c)
	}
	return r
}

// find takes the entry nearest to the colour and the one that, mixed into it, comes closest. A coarse mix is seen as
// grain, so two that lie far apart have to be much better than one alone.
func (m *mixer) find(c rgb) recipe {
	p := c.channels()
	best, least := 0, math.Inf(1)
	for _, i := range m.candidates(c) {
		if d := distance(p, m.at[i]); d < least {
			best, least = int(i), d
		}
	}
	r := recipe{color: c, known: true, main: uint8(best), other: uint8(best)}
	const grain = 0.12
	a := m.at[best]
	for _, i := range m.near[best] {
		b := m.at[i]
		apart := distance(a, b)
		along := 0.0
		for k := range p {
			along += (p[k] - a[k]) * (b[k] - a[k])
		}
		sixtyfourths := int(64*min(0.5, along/apart) + 0.5)
		if sixtyfourths <= 0 {
			continue
		}
		t := float64(sixtyfourths) / 64
		var q [3]float64
		for k := range q {
			q[k] = a[k] + t*(b[k]-a[k])
		}
		if d := distance(p, q) + grain*t*(1-t)*apart; d < least {
			least, r.other, r.share = d, i, uint8(sixtyfourths)
		}
	}
	return r
}

// cellBits cut each channel into 16 parts.
const cellBits = 4

// candidates are the entries of which one is the nearest to a colour: those that are no farther from its cell, at their
// best, than another entry is at its worst.
func (m *mixer) candidates(c rgb) []uint8 {
	const shift = 8 - cellBits
	r, g, b := int(c>>16)>>shift, int(c>>8&0xff)>>shift, int(c&0xff)>>shift
	cell := &m.cells[r<<(2*cellBits)|g<<cellBits|b]
	if *cell != nil {
		return *cell
	}
	low := [3]float64{float64(r << shift), float64(g << shift), float64(b << shift)}
	const side = 1<<shift - 1
	worst := math.Inf(1)
	best := make([]float64, len(m.at))
	for i, q := range m.at {
		var near, far [3]float64
		for k := range q {
			near[k] = min(max(q[k], low[k]), low[k]+side)
			if far[k] = low[k]; q[k] < low[k]+side/2.0 {
				far[k] += side
			}
		}
		best[i] = distance(q, near)
		worst = min(worst, distance(q, far))
	}
	for i, d := range best {
		if d <= worst {
			*cell = append(*cell, uint8(i))
		}
	}
	return *cell
}

// distance is the square of how far two colours look apart: green counts most, blue least.
func distance(a, b [3]float64) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return 0.9*x*x + 1.5*y*y + 0.6*z*z
}
