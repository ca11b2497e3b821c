package heapmap

import (
	"math"
	"testing"

	"orrery/analysis/heap"
	"orrery/views/palette"
	"orrery/views/scene"
)

// The bar's twin adds up the live blocks at every moment of a column.
func TestBar(t *testing.T) {
	h := story(t)
	size := scene.Size{W: 500, H: 300, Scale: 1}
	var b barImage
	for _, theme := range []palette.Theme{palette.Dark(), palette.Light()} {
		for _, window := range [][2]heap.Time{{0, 0}, {300, 700}} {
			s := State{Theme: theme, Heap: h, From: window[0], To: window[1]}
			l := newLayout(&s, size)
			img := b.get(&s, &l)
			if again := b.get(&s, &l); again != img {
				t.Fatal("the same bar was drawn again")
			}
			for x := 0; x < img.Rect.Dx(); x += 7 {
				per := float64(l.to-l.from) / float64(img.Rect.Dx())
				from := heap.Time(float64(l.from) + per*float64(x))
				to := heap.Time(math.Ceil(float64(l.from) + per*float64(x) + per))
				most, busy := uint64(0), false
				for at := from; at < max(to, from+1); at++ {
					sum := uint64(0)
					for i := range h.Blocks {
						if k := &h.Blocks[i]; k.From <= at && at < k.To {
							sum += k.Size
						}
						busy = busy || h.Blocks[i].From == at+1 || h.Blocks[i].To == at+1
					}
					most = max(most, sum)
				}
				want := palette.Mix(palette.Diverging(theme, 2*float64(most)/float64(h.PeakBytes)-1), theme.Panel, 0.22)
				got := img.RGBAAt(x, img.Rect.Dy()/2)
				if busy && (got.R != want.R || got.G != want.G || got.B != want.B) {
					t.Errorf("%s, column %d is %v, want %v for %d bytes", theme.Name, x, got, want, most)
				}
			}
		}
	}
}

func TestPlateaus(t *testing.T) {
	q := make([]bool, 20)
	for i := 4; i < 16; i++ {
		q[i] = true
	}
	q[18] = true // too short for a relief
	p := plateaus(q, 3)
	for i, want := range []float64{1, 1, 1, 1, 0.5 / 3, 0.5, 2.5 / 3, 1, 1, 1, 1, 1, 1, 2.5 / 3, 0.5, 0.5 / 3, 1, 1, 1, 1} {
		if math.Abs(p[i]-want) > 1e-9 {
			t.Errorf("column %d has %g, want %g", i, p[i], want)
		}
	}
}
