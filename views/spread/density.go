package spread

import (
	"image"
	"image/color"
	"math"
	"runtime"
	"sync"
)

// grid adds up points by pixel: how many, and the sum of their normalised objective. Columns of pixels lie one behind
// the other.
type grid struct {
	w, h       int
	count, sum []float32
	stretch    int // pixels from one column to the next; those between are the mean of their neighbours
}

func newGrid(w, h int) *grid {
	return &grid{w: w, h: h, stretch: 1, count: make([]float32, w*h), sum: make([]float32, w*h)}
}

// bins is the number of steps of an axis between which lines are counted before they are drawn.
const bins = 128

// flow is how many points run from each bin of one axis to each of the next, and the sum of their objective.
type flow struct {
	count [bins * bins]uint32
	sum   [bins * bins]float32
}

// add counts the points of a list, or all when it is nil.
func (f *flow) add(list []int32, norm []float64, a, b *Axis) {
	const shift = 9 // of 65536 to 128
	from, to := a.code, b.code
	if list == nil {
		for p := range from {
			k := int(from[p]>>shift)*bins + int(to[p]>>shift)
			f.count[k]++
			f.sum[k] += float32(norm[p])
		}
		return
	}
	for _, p := range list {
		k := int(from[p]>>shift)*bins + int(to[p]>>shift)
		f.count[k]++
		f.sum[k] += float32(norm[p])
	}
}

// band adds a band of lines from axis to axis into columns [x0, x1) of the grid: at each column the points of a pair of
// bins lie evenly in a stretch as tall as a bin. The columns hold differences down the rows until settle.
func (g *grid) band(f *flow, x0, x1 int) {
	type pair struct{ y, step, count, sum float32 }
	tall := float32(g.h) / bins
	var pairs []pair
	for a := range bins {
		for b := range bins {
			if n := f.count[a*bins+b]; n > 0 {
				step := float32(a-b) * tall / float32(max(1, x1-x0))
				pairs = append(pairs, pair{float32(bins-1-a)*tall + step/2, step, float32(n), f.sum[a*bins+b]})
			}
		}
	}
	for x := x0; x < x1; x++ { // one column at a time: it stays in the cache
		for i := range pairs {
			p := &pairs[i]
			g.edge(x, p.y, p.count, p.sum)
			g.edge(x, p.y+tall, -p.count, -p.sum)
			p.y += p.step
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

// dots adds points of a scatter plot, one pixel each: those of a list, or all when it is nil.
func (g *grid) dots(list []int32, norm []float64, a, b *Axis) {
	wide, tall := uint32(g.w-1), uint32(g.h-1)
	put := func(p int32) {
		x, y := uint32(a.code[p])*wide/top, tall-uint32(b.code[p])*tall/top
		k := x*uint32(g.h) + y
		g.count[k]++
		g.sum[k] += float32(norm[p])
	}
	if list == nil {
		for p := range int32(len(a.code)) {
			put(p)
		}
		return
	}
	for _, p := range list {
		put(p)
	}
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
	full := math.Log1p(float64(g.most()) / least)
	// opacity by the upper bits of an amount as a float32: exponent and 7 bits of the rest
	strength := make([]uint8, 1<<15)
	for k := range strength {
		c := float64(math.Float32frombits(uint32(k) << 16))
		if !(c >= least/64) {
			continue
		}
		a := min(1, weakest+(1-weakest)*math.Log1p(c/least)/max(1e-9, full))
		strength[k] = uint8(255*a*min(1, c/least) + 0.5)
	}
	bands(min(dst.Rect.Dx(), g.w*g.stretch), func(from, to int) {
		for x := from; x < to; x++ {
			left := x / g.stretch * g.h
			right := min(x/g.stretch+x%g.stretch, g.w-1) * g.h
			for y := range g.h {
				c, v := (g.count[left+y]+g.count[right+y])/2, (g.sum[left+y]+g.sum[right+y])/2
				a := strength[math.Float32bits(c)>>16&0x7fff]
				if a == 0 {
					continue
				}
				k := shades[max(0, min(255, int(255*v/c+0.5)))]
				k.A = uint8(uint32(a) * uint32(k.A) / 255)
				over(dst.Pix[dst.PixOffset(x, y):], k)
			}
		}
	})
}

// bands does a piece of work on every processor and waits for all.
func bands(n int, work func(from, to int)) {
	pieces := min(n, runtime.GOMAXPROCS(0))
	var done sync.WaitGroup
	for k := range pieces {
		done.Go(func() { work(n*k/pieces, n*(k+1)/pieces) })
	}
	done.Wait()
}

// over lays a colour on a pixel.
func over(pix []uint8, c color.NRGBA) {
	a := uint32(c.A)
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		pix[i] = uint8((uint32(v)*a + uint32(pix[i])*(255-a)) / 255)
	}
	pix[3] = uint8(a + uint32(pix[3])*(255-a)/255)
}
