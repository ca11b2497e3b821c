package heapmap

import (
	"image"
	"image/color"
	"math"

	"orrery/analysis/heap"
	"orrery/views/palette"
)

// barImage is the occupancy bar with all that it depends on.
type barImage struct {
	heap     *heap.Heap
	theme    palette.Theme
	from, to heap.Time
	w, h     int
	scale    float64
	pix      *image.RGBA
}

// get gives the bar, from memory if nothing that it shows has changed.
func (b *barImage) get(s *State, l *layout) *image.RGBA {
	now := barImage{heap: s.Heap, theme: s.Theme, from: l.from, to: l.to, scale: l.axis.scale, w: int(l.bar.W()*l.axis.scale + 0.5), h: int(l.bar.H()*l.axis.scale + 0.5), pix: b.pix}
	if b.pix == nil || *b != now {
		*b = now
		b.pix = now.paint()
	}
	return b.pix
}

// paint draws the bar: blue where few bytes are live, red at the recording's peak. A column of pixels shows the
// most that was live in its time. Stretches without any heap event stand out as plateau cushions, as in (c) of the
// paper's figure 5, so that one sees where the heap rests and where it works.
func (b *barImage) paint() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, b.w, b.h))
	per := float64(b.to-b.from) / float64(b.w)
	peak := float64(max(b.heap.PeakBytes, 1))
	quiet := make([]bool, b.w)
	columns := make([]color.NRGBA, b.w)
	for x := range b.w {
		a := float64(b.from) + per*float64(x)
		from := heap.Time(a)
		to := max(from+1, heap.Time(math.Ceil(a+per)))
		_, most := b.heap.Occupancy(from, to)
		columns[x] = palette.Mix(palette.Diverging(b.theme, 2*float64(most)/peak-1), b.theme.Panel, 0.22)
		quiet[x] = b.heap.Events(from+1, to+1) == 0
	}
	relief := plateaus(quiet, 3*b.scale)
	for y := range b.h {
		light := min(1, (min(float64(y), float64(b.h-1-y))+0.5)/(2*b.scale))
		for x, c := range columns {
			if quiet[x] {
				c = palette.Mix(b.theme.Panel, c, 0.55+0.45*min(light, relief[x]))
			}
			img.SetRGBA(x, y, color.RGBA{R: c.R, G: c.G, B: c.B, A: 255})
		}
	}
	return img
}

// plateaus is the profile of a cushion over every run of true wider than two borders, 1 elsewhere.
func plateaus(quiet []bool, border float64) []float64 {
	out := make([]float64, len(quiet))
	for a := 0; a < len(quiet); {
		b := a
		for b < len(quiet) && quiet[b] == quiet[a] {
			b++
		}
		for x := a; x < b; x++ {
			out[x] = 1
			if quiet[a] && float64(b-a) > 2*border {
				out[x] = min(1, (min(float64(x-a), float64(b-1-x))+0.5)/border)
			}
		}
		a = max(b, a+1)
	}
	return out
}
