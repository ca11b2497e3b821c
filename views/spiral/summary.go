package spiral

import (
	"fmt"
	"math"

	"orrery/views/palette"
	"orrery/views/scene"
)

// The circular plot is summed up by contours (section 5.1): the arcs between neighbours in time are spread as a soft
// ribbon over a grid, and lines of equal height are drawn where half a pass, two, four, ... passes lie on each other.

const (
	cell    = 4.0 // side of a grid cell in units
	soft    = 7.5 // standard deviation of the ribbon in units
	sectors = 720 // of the circle, to count passes
	levels  = 7   // contours at most
)

// field is heights on a grid of points cell apart; the outermost are 0, so that contours close.
type field struct {
	w, h   int
	origin scene.Point
	v      []float64
}

// drawSummary adds the contours below the curve.
func (p *plot) drawSummary(d *scene.Drawing) {
	if p.l.thumb || !(p.l.r1 > 0) || p.l.r1 > 4000 {
		return
	}
	f := p.passes()
	f.blur(soft / cell)
	tone := palette.Mix(p.s.Theme.Faint, p.s.Theme.Dim, 0.6)
	var lines []scene.Curves
	for _, height := range p.heights() {
		line := f.contour(height)
		if len(line.Points) == 0 {
			break
		}
		p.drawn, lines = append(p.drawn, height), append(lines, line)
	}
	clear := 1.0
	for k, line := range lines { // what lies between two lines, so that nothing is painted twice
		clear *= 1 - 0.09
		band := outline(line, false)
		if k+1 < len(lines) {
			hole := outline(lines[k+1], true)
			band.Ops, band.Points = append(band.Ops, hole.Ops...), append(band.Points, hole.Points...)
		}
		d.Add(scene.Fill{Path: band, Color: palette.Alpha(tone, 1-clear)})
	}
	for k, line := range lines {
		line.Width = 0.75
		ink := palette.Alpha(tone, min(0.9, 0.45+0.1*float64(k)))
		for i := range line.Colors {
			line.Colors[i] = ink
		}
		d.Add(line)
	}
}

// heights are those of the contours: half a pass, which outlines everything, then two, and on by a factor so large that
// the number of turns is reached within the levels.
func (p *plot) heights() []float64 {
	first, last := p.ends()
	turns := math.Abs(p.turn[last] - p.turn[first])
	factor := 2.0
	for 2*math.Pow(factor, levels-2) < turns {
		factor *= 2
	}
	out := []float64{0.5}
	for h := 2.0; len(out) < levels; h *= factor {
		out = append(out, h)
	}
	return out
}

// summaryWords names the heights of the contours that are drawn.
func (p *plot) summaryWords() string {
	words := "contours at ½"
	for k, h := range p.drawn {
		if k > 0 {
			words += fmt.Sprintf(", %g", h)
		}
	}
	return words + " passes"
}

// passes spreads the arcs over a grid, so that a single pass is 1 high once it is blurred. Those of the cycle are
// counted by sectors of the circle first: the work does not grow with the number of turns.
func (p *plot) passes() *field {
	l := p.l
	edge := 3*soft + cell
	f := &field{origin: scene.Point{X: l.c.X - l.r1 - edge, Y: l.c.Y - l.r1 - edge}}
	f.w = int(2*(l.r1+edge)/cell) + 2
	f.h = f.w
	f.v = make([]float64, f.w*f.h)
	first, last := p.ends()
	var rise [sectors + 1]float64
	whole := 0.0
	step := max(cell/2, p.leading(first, last)/samples)
	for i := 1; i < len(p.turn); i++ {
		t0, t1 := p.turn[i-1], p.turn[i]
		if i > first && i <= last {
			whole += count0(&rise, min(t0, t1), max(t0, t1))
			continue
		}
		length := math.Hypot(2*math.Pi*p.r[i]*(t1-t0), p.r[i]-p.r[i-1])
		n := int(length/step) + 1
		for k := range n {
			f.splat(p.mid(i, (float64(k)+0.5)/float64(n)), length/float64(n))
		}
	}
	now := whole
	for k := range sectors {
		now += rise[k]
		at := p.at((float64(k)+0.5)/sectors, p.r[first])
		f.splat(at, now*2*math.Pi*p.r[first]/sectors)
	}
	return f
}

// samples is about how many places the way in and out is taken at, at most: where it is so long that they lie farther
// apart than cells, it passes everywhere so often that they cover it.
const samples = 1 << 13

// leading is the length of the curve before the first and after the last member.
func (p *plot) leading(first, last int) float64 {
	sum := 0.0
	for i := 1; i < len(p.turn); i++ {
		if i <= first || i > last {
			sum += math.Hypot(2*math.Pi*p.r[i]*(p.turn[i]-p.turn[i-1]), p.r[i]-p.r[i-1])
		}
	}
	return sum
}

// count0 adds an interval of angles to the passes of sectors, as differences; it returns the whole turns in it.
func count0(rise *[sectors + 1]float64, low, high float64) float64 {
	whole := math.Floor(high - low)
	high -= whole
	from := low - math.Floor(low)
	to := from + (high - low)
	a, b := from*sectors, to*sectors
	add := func(x, y float64) { // x <= y within one turn
		i, j := int(x), min(int(y), sectors)
		rise[i] += 1 - (x - float64(i))
		if i+1 <= sectors {
			rise[i+1] += x - float64(i)
		}
		rise[j] -= 1 - (y - float64(j))
		if j+1 <= sectors {
			rise[j+1] -= y - float64(j)
		}
	}
	if b > sectors {
		add(a, sectors)
		add(0, b-sectors)
	} else {
		add(a, b)
	}
	return whole
}

// splat adds a piece of a line to the four grid points around it.
func (f *field) splat(at scene.Point, length float64) {
	x, y := (at.X-f.origin.X)/cell, (at.Y-f.origin.Y)/cell
	if !(x >= 1 && y >= 1 && x < float64(f.w-2) && y < float64(f.h-2)) {
		return
	}
	i, j := int(x), int(y)
	u, v := x-float64(i), y-float64(j)
	// A straight line of one pass, spread by a Gaussian of deviation soft, is length/(cell^2) summed along it over
	// sqrt(2 pi) soft: the factor makes its crest 1.
	length *= math.Sqrt(2*math.Pi) * soft / (cell * cell)
	k := j*f.w + i
	f.v[k] += length * (1 - u) * (1 - v)
	f.v[k+1] += length * u * (1 - v)
	f.v[k+f.w] += length * (1 - u) * v
	f.v[k+f.w+1] += length * u * v
}

// blur spreads the field by a Gaussian of the given deviation in cells, and clears its edge.
func (f *field) blur(sigma float64) {
	n := int(3*sigma) + 1
	kernel, sum := make([]float64, n+1), 0.0
	for i := range kernel {
		kernel[i] = math.Exp(-float64(i*i) / (2 * sigma * sigma))
		sum += kernel[i]
		if i > 0 {
			sum += kernel[i]
		}
	}
	tmp, scale := make([]float64, len(f.v)), 1/sum
	pass := func(in, out []float64, stride, count, line, lines int) {
		for b := range lines {
			in := in[b*line:]
			for i := range count {
				at := i * stride
				v := kernel[0] * in[at]
				if i >= n && i+n < count {
					for k, weight := range kernel[1:] {
						away := (k + 1) * stride
						v += weight * (in[at-away] + in[at+away])
					}
				} else {
					for k := 1; k <= n; k++ {
						if i >= k {
							v += kernel[k] * in[at-k*stride]
						}
						if i+k < count {
							v += kernel[k] * in[at+k*stride]
						}
					}
				}
				out[b*line+at] = v * scale
			}
		}
	}
	pass(f.v, tmp, 1, f.w, f.w, f.h)
	pass(tmp, f.v, f.w, f.h, 1, f.w)
	for i := range f.w {
		f.v[i], f.v[(f.h-1)*f.w+i] = 0, 0
	}
	for j := range f.h {
		f.v[j*f.w], f.v[j*f.w+f.w-1] = 0, 0
	}
}
