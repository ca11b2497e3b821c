package heapmap

import (
	"context"
	"image"
	"image/color"
	"math"

	"orrery/analysis/heap"
	"orrery/views/palette"
	"orrery/views/scene"
)

// BarStyle is how the occupancy bar tells rest from activity: figure 5 of the paper, by its text's letters.
type BarStyle uint8

// The styles. The zero value is (c), the one that the paper's figures use. A zone without activity is a run of columns
// without a heap event that is wider than a few pixels; in (d) and (f) every interval between two events has a cushion,
// put together by equation (1) where it is thinner than a pixel.
const (
	BarPlateau      BarStyle = iota // (c) plateau cushions on zones without activity
	BarFlat                         // (a)
	BarOutlined                     // (b) dark bars around zones without activity
	BarPlateauAll                   // (d) plateau cushions on all intervals
	BarParabolic                    // (e) as (c), parabolic
	BarParabolicAll                 // (f) as (d), parabolic
	barStyles
)

// BarStyles lists the styles in the paper's order.
var BarStyles = []BarStyle{BarFlat, BarOutlined, BarPlateau, BarPlateauAll, BarParabolic, BarParabolicAll}

// String names the style for people.
func (b BarStyle) String() string {
	return [...]string{"plateaus where nothing happens", "flat", "dark bars around rest", "plateaus between all events",
		"parabolas where nothing happens", "parabolas between all events"}[min(b, barStyles-1)]
}

// every reports whether all intervals have cushions.
func (b BarStyle) every() bool { return b == BarPlateauAll || b == BarParabolicAll }

// profile is a cushion's at x of a zone from a to b.
func (b BarStyle) profile(x, from, to, scale float64) float64 {
	if b == BarParabolic || b == BarParabolicAll {
		u := (x - from) / (to - from)
		return max(0, 4*u*(1-u))
	}
	return min(1, max(0, min(x-from, to-x)/(3*scale)))
}

// mean is that of the profile, for intervals without room for it.
func (b BarStyle) mean() float64 {
	if b == BarParabolicAll {
		return 2.0 / 3
	}
	return 0.75
}

// ribbon is what a bar shows, by column of pixels: the most bytes that were live, whether nothing happened, and, where
// every interval counts, the mean occupancy and relief by equation (1).
type ribbon struct {
	most  []uint64
	first []uint64 // bytes that were live at the column's left edge; of bins alone
	quiet []bool
	mean  []float64
	light []float64
}

// barLook is how ribbons are painted.
type barLook struct {
	theme palette.Theme
	style BarStyle
	peak  uint64
	scale float64
	alpha float64 // for styles with every interval, else 0
	h     int     // device pixels
}

// barKey is all that a bar depends on.
type barKey struct {
	heap          *heap.Heap
	look          barLook
	left, perTime float64
	w             int
	bin           int // whose it is plus 1, 0 for all
}

// drawBar draws the occupancy bar under the map.
func (r *Renderer) drawBar(d *scene.Drawing, s *State, l *layout) {
	k := barKey{heap: s.Heap, look: s.barLook(l, l.bar.H()), left: l.left, perTime: l.perTime, w: int(l.pixels())}
	k.look.peak = s.most()
	end := s.Heap.Axis.End
	paint := func(ctx context.Context) *image.RGBA { return k.look.paint(wholeRibbon(ctx, &k, end)) }
	if bin := s.Bin - 1; bin >= 0 {
		k.bin = s.Bin
		paint = func(ctx context.Context) *image.RGBA {
			return k.look.paint(ribbons(ctx, k.heap, k.look, k.left, k.perTime, k.w, false)[bin])
		}
	}
	pix := r.image("bar", k, paint)
	if pix != nil {
		d.Add(scene.Image{At: l.bar, Pixels: pix, Name: "occupancy over time"})
	}
}

func (s *State) barLook(l *layout, height float64) barLook {
	b := barLook{theme: s.Theme, style: s.Bar, scale: l.axis.scale, h: int(height*l.axis.scale + 0.5)}
	if s.Bar.every() {
		b.alpha = s.alpha()
	}
	return b
}

// wholeRibbon is the ribbon of the whole heap.
func wholeRibbon(ctx context.Context, k *barKey, end heap.Time) *ribbon {
	if k.look.style.every() {
		return ribbons(ctx, k.heap, k.look, k.left, k.perTime, k.w, true)[0]
	}
	out := &ribbon{most: make([]uint64, k.w), quiet: make([]bool, k.w)}
	for x := range k.w {
		a := (k.left + float64(x)) / k.perTime
		from := heap.Time(a)
		to := max(from+1, heap.Time(math.Ceil(a+1/k.perTime)))
		if from >= end { // after the end of the shorter of two runs
			out.quiet[x] = true
			continue
		}
		_, out.most[x] = k.heap.Occupancy(from, to)
		out.quiet[x] = k.heap.Events(from+1, to+1) == 0
	}
	return out
}

// ribbonBuilder makes the ribbon of one bin, or of all, from the steps of the log.
type ribbonBuilder struct {
	out    *ribbon
	look   *barLook
	pow    *power
	weight []float64
	left   float64
	per    float64
	at     heap.Time // of the last step
	bytes  uint64    // live since then
}

// until takes in the interval from the last step up to time t.
func (v *ribbonBuilder) until(t heap.Time) {
	w := len(v.out.most)
	x0, x1 := float64(v.at)*v.per-v.left, float64(t)*v.per-v.left
	a, b := max(0, int(math.Floor(x0))), min(w, int(math.Ceil(x1)))
	roomy := x1-x0 >= thin
	for x := a; x < b && t > v.at; x++ {
		if v.out.first != nil && float64(x) >= x0 {
			v.out.first[x] = v.bytes
		}
		f := min(x1, float64(x+1)) - max(x0, float64(x))
		v.out.most[x] = max(v.out.most[x], v.bytes)
		if v.pow == nil || f <= 0 {
			continue
		}
		light := v.look.style.mean()
		if roomy {
			light = v.look.style.profile(float64(x)+0.5, x0, x1, v.look.scale)
		}
		p := v.pow.at(f)
		v.weight[x] += p
		v.out.mean[x] += p * float64(v.bytes)
		v.out.light[x] += p * light
	}
	v.at = max(v.at, t)
}

// step is one event: bytes are live from t on.
func (v *ribbonBuilder) step(t heap.Time, bytes uint64) {
	v.until(t)
	v.bytes = bytes
	if x := int(math.Floor(float64(t)*v.per - v.left)); x >= 0 && x < len(v.out.most) {
		v.out.quiet[x] = false
	}
}

// ribbons goes through the log once and makes the ribbons of all bins, or of the whole heap alone.
func ribbons(ctx context.Context, h *heap.Heap, look barLook, left, perTime float64, w int, whole bool) []*ribbon {
	n := len(h.Bins)
	if whole {
		n = 1
	}
	var pow *power
	if look.style.every() {
		pow = newPower(look.alpha, 0)
	}
	weavers := make([]ribbonBuilder, n)
	for i := range weavers {
		o := &ribbon{most: make([]uint64, w), quiet: make([]bool, w)}
		if !whole {
			o.first = make([]uint64, w)
		}
		for x := range o.quiet {
			o.quiet[x] = true
		}
		if pow != nil {
			o.mean, o.light = make([]float64, w), make([]float64, w)
		}
		weavers[i] = ribbonBuilder{out: o, look: &look, pow: pow, weight: make([]float64, w), left: left, per: perTime}
	}
	to := heap.Time(math.Ceil((left + float64(w)) / perTime))
	end := max(h.Axis.End, 1)
	if pow == nil { // else a cushion reaches beyond what is shown, up to the next event
		end = min(end, to)
	}
	steps := 0
	h.Steps(end, func(at heap.Time, bin int, inBin, all uint64) bool {
		if whole {
			weavers[0].step(at, all)
		} else {
			weavers[bin].step(at, inBin)
		}
		steps++
		return steps%4096 != 0 || ctx.Err() == nil
	})
	out := make([]*ribbon, n)
	for i := range weavers {
		v := &weavers[i]
		v.until(end)
		for x, s := range v.weight {
			if s > 0 && pow != nil {
				v.out.mean[x] /= s
				v.out.light[x] /= s
			}
		}
		out[i] = v.out
	}
	return out
}

// paint draws a ribbon: blue where few bytes are live, red at the peak.
func (b barLook) paint(r *ribbon) *image.RGBA {
	w := len(r.most)
	img := image.NewRGBA(image.Rect(0, 0, w, b.h))
	peak := float64(max(b.peak, 1))
	columns, relief, cushion := make([]color.NRGBA, w), make([]float64, w), make([]bool, w)
	for x := range columns {
		v := float64(r.most[x])
		if r.mean != nil {
			v = r.mean[x]
		}
		columns[x] = occupancyColor(b.theme, min(1, v/peak))
		relief[x] = 1
		if r.light != nil {
			relief[x], cushion[x] = r.light[x], true
		}
	}
	if r.light == nil && b.style != BarFlat {
		b.rest(r.quiet, relief, cushion)
	}
	deep := b.theme.Panel
	if b.style == BarOutlined {
		deep = palette.Mix(b.theme.Background, color.NRGBA{A: 255}, 0.5)
	}
	for y := range b.h {
		edge := min(1, (min(float64(y), float64(b.h-1-y))+0.5)/(2*b.scale))
		for x, c := range columns {
			switch {
			case b.style == BarOutlined && cushion[x]:
				c = palette.Mix(deep, c, math.Floor(min(edge*2*b.scale, relief[x])))
			case cushion[x]:
				c = palette.Mix(deep, c, 0.45+0.55*min(edge, relief[x]))
			}
			img.SetRGBA(x, y, color.RGBA{R: c.R, G: c.G, B: c.B, A: 255})
		}
	}
	return img
}

// rest finds the zones without activity that are wide enough and gives their columns a relief.
func (b *barLook) rest(quiet []bool, relief []float64, cushion []bool) {
	border := 3 * b.scale
	for a := 0; a < len(quiet); {
		z := a
		for z < len(quiet) && quiet[z] == quiet[a] {
			z++
		}
		for x := a; quiet[a] && float64(z-a) > 2*border && x < z; x++ {
			cushion[x] = true
			relief[x] = b.style.profile(float64(x)+0.5, float64(a), float64(z), b.scale)
			if b.style == BarOutlined { // a bar of some pixels at each end
				relief[x] = min(1, math.Floor((min(float64(x-a), float64(z-1-x))+0.5)/(1.5*b.scale)))
			}
		}
		a = z
	}
}

// occupancyColor is the colour of a share of the most that is ever in use: blue for nothing, red for all.
func occupancyColor(t palette.Theme, share float64) color.NRGBA {
	return palette.Mix(palette.Diverging(t, 2*share-1), t.Panel, 0.22)
}
