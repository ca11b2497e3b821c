package spread

import (
	"image"
	"image/color"
	"math"

	"orrery/views/palette"
)

// grid adds up points by pixel: how many, and the sum of their normalised objective. Columns of pixels lie one behind the other.
type grid struct {
	w, h       int
	count, sum []float32
}

func newGrid(w, h int) *grid {
	return &grid{w: w, h: h, count: make([]float32, w*h), sum: make([]float32, w*h)}
}

// bins is the number of steps of an axis between which lines are counted before they are drawn.
const bins = 128

// flow is how many points run from each bin of one axis to each of the next, and the sum of their objective.
type flow struct {
	count [bins * bins]uint32
	sum   [bins * bins]float32
}

// count goes over all points that pass.
func (f *flow) add(s *State, a, b *Axis) {
	norm := s.Table.Space.Norm[s.objective()]
	const shift = 9 // of 65536 to 128
	put := func(p int) {
		k := int(a.code[p]>>shift)*bins + int(b.code[p]>>shift)
		f.count[k]++
		f.sum[k] += float32(norm[p])
	}
	if s.Pass == nil {
		for p := range a.code {
			put(p)
		}
		return
	}
	s.Pass.Each(put)
}

// band adds a band of lines from axis to axis into columns [x0, x1) of the grid: at each column the points of a pair of bins
// lie evenly in a stretch as tall as a bin. The columns hold differences down the rows until settle.
func (g *grid) band(f *flow, x0, x1 int) {
	tall := float32(g.h) / bins
	for a := range bins {
		for b := range bins {
			n := f.count[a*bins+b]
			if n == 0 {
				continue
			}
			c, v := float32(n), f.sum[a*bins+b]
			y := float32(bins-1-a) * tall
			step := float32(a-b) * tall / float32(max(1, x1-x0))
			y += step / 2
			for x := x0; x < x1; x++ {
				g.edge(x, y, c, v)
				g.edge(x, y+tall, -c, -v)
				y += step
			}
		}
	}
}

// edge begins a stretch at height y of column x; the pixel that y cuts gets its share.
func (g *grid) edge(x int, y, c, v float32) {
	i := int(y)
	if i >= g.h {
		return
	}
	part := y - float32(i)
	k := x*g.h + i
	g.count[k] += c * (1 - part)
	g.sum[k] += v * (1 - part)
	if i+1 < g.h {
		g.count[k+1] += c * part
		g.sum[k+1] += v * part
	}
}

// settle turns differences into amounts.
func (g *grid) settle() {
	for x := range g.w {
		var c, v float32
		for i := x * g.h; i < (x+1)*g.h; i++ {
			c += g.count[i]
			v += g.sum[i]
			g.count[i], g.sum[i] = max(0, c), v
		}
	}
}

// dots adds points of a scatter plot, one pixel each.
func (g *grid) dots(s *State, a, b *Axis) {
	norm := s.Table.Space.Norm[s.objective()]
	put := func(p int) {
		x := int(a.code[p]) * (g.w - 1) / top
		y := g.h - 1 - int(b.code[p])*(g.h-1)/top
		g.count[x*g.h+y]++
		g.sum[x*g.h+y] += float32(norm[p])
	}
	if s.Pass == nil {
		for p := range a.code {
			put(p)
		}
		return
	}
	s.Pass.Each(put)
}

// most is the greatest amount of a pixel.
func (g *grid) most() float32 {
	var m float32
	for _, c := range g.count {
		m = max(m, c)
	}
	return m
}

// paint turns amounts into pixels: the colour is that of the mean, the strength grows with the logarithm of the amount.
// least is the amount that can just be seen.
func (g *grid) paint(dst *image.RGBA, ink func(mean float64) color.NRGBA, least, weakest float64) {
	var shades [256]color.NRGBA
	for i := range shades {
		shades[i] = ink(float64(i) / 255)
	}
	scale := (1 - weakest) / math.Log1p(max(1e-9, float64(g.most())/least))
	var strength [1024]float64 // by the logarithm of the amount
	full := math.Log1p(float64(g.most()) / least)
	for i := range strength {
		strength[i] = min(1, weakest+scale*full*float64(i)/1023)
	}
	for x := range g.w {
		for y := range g.h {
			c := float64(g.count[x*g.h+y])
			if c < least/64 {
				continue
			}
			a := strength[min(1023, int(1023*math.Log1p(c/least)/full))]
			if c < least {
				a *= c / least
			}
			k := shades[max(0, min(255, int(255*float64(g.sum[x*g.h+y])/c+0.5)))]
			over(dst.Pix[dst.PixOffset(x, y):], palette.Alpha(k, a*float64(k.A)/255))
		}
	}
}

// over lays a colour on a pixel.
func over(pix []uint8, c color.NRGBA) {
	a := uint32(c.A)
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		pix[i] = uint8((uint32(v)*a + uint32(pix[i])*(255-a)) / 255)
	}
	pix[3] = uint8(a + uint32(pix[3])*(255-a)/255)
}
