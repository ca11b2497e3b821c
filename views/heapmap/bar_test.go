package heapmap

import (
	"context"
	"image"
	"maps"
	"math"
	"slices"
	"testing"

	"orrery/analysis/heap"
	"orrery/views/palette"
	"orrery/views/scene"
)

// The bar's twin adds up the live blocks at every moment of a column.
func TestBar(t *testing.T) {
	h := story(t)
	blocks := blocksOf(h)
	size := scene.Size{W: 500, H: 300, Scale: 1}
	for _, window := range [][2]heap.Time{{0, 0}, {300, 700}} {
		s := State{Heap: h, From: window[0], To: window[1]}
		l := newLayout(&s, size)
		type column struct {
			most uint64
			busy bool
		}
		columns := make([]column, int(l.pixels()))
		for x := 0; x < len(columns); x += 7 {
			from := heap.Time((l.left + float64(x)) / l.perTime)
			to := heap.Time(math.Ceil((l.left + float64(x) + 1) / l.perTime))
			c := &columns[x]
			for at := from; at < max(to, from+1); at++ {
				c.most = max(c.most, slowOccupancy(blocks, at))
				for i := range blocks {
					c.busy = c.busy || blocks[i].From == at+1 || blocks[i].To == at+1
				}
			}
		}
		for _, s.Theme = range []palette.Theme{palette.Dark(), palette.Light()} {
			for _, s.Bar = range BarStyles {
				img := barOf(&s, size)
				if img.Rect.Dx() != len(columns) {
					t.Fatalf("%s, %s: %d columns, want %d", s.Theme.Name, s.Bar, img.Rect.Dx(), len(columns))
				}
				for x := 0; x < len(columns); x += 7 {
					c := columns[x]
					want := palette.Mix(palette.Diverging(s.Theme, 2*float64(c.most)/float64(h.PeakBytes)-1), s.Theme.Panel, 0.22)
					got := img.RGBAAt(x, img.Rect.Dy()/2)
					if (c.busy || s.Bar == BarFlat) && !s.Bar.every() && (got.R != want.R || got.G != want.G || got.B != want.B) {
						t.Errorf("%s, %s, column %d is %v, want %v for %d bytes", s.Theme.Name, s.Bar, x, got, want, c.most)
					}
				}
			}
		}
	}
}

// barOf is the bar in a drawing.
func barOf(s *State, size scene.Size) *image.RGBA {
	for _, x := range Scene(*s, size).Shapes {
		if i, ok := x.(scene.Image); ok && i.Name == "occupancy over time" {
			return i.Pixels
		}
	}
	return nil
}

func slowOccupancy(blocks []heap.Block, at heap.Time) (sum uint64) {
	for i := range blocks {
		if k := &blocks[i]; k.From <= at && at < k.To {
			sum += k.Size
		}
	}
	return sum
}

// Where every interval between events counts, the twin goes through the intervals of each column by equation (1).
func TestBarOfAllIntervals(t *testing.T) {
	h := story(t)
	blocks := blocksOf(h)
	for _, style := range []BarStyle{BarPlateauAll, BarParabolicAll} {
		for _, alpha := range []float64{0.2, 1} {
			const w, left, per = 300, 100.0, 0.15
			got := ribbons(context.Background(), h, barLook{style: style, alpha: alpha, scale: 1}, left, per, w, true)[0]
			times := map[heap.Time]bool{0: true, h.Axis.End: true}
			for i := range blocks {
				times[blocks[i].From], times[blocks[i].To] = true, true
			}
			edges := slices.Sorted(maps.Keys(times))
			for x := range w {
				F, occupancy, light := 0.0, 0.0, 0.0
				for i := 1; i < len(edges); i++ {
					x0, x1 := float64(edges[i-1])*per-left, float64(edges[i])*per-left
					f := math.Min(x1, float64(x+1)) - math.Max(x0, float64(x))
					if f <= 0 {
						continue
					}
					p := math.Pow(f, alpha)
					L := 0.75
					u := float64(x) + 0.5
					switch {
					case x1-x0 < 3 && style == BarParabolicAll:
						L = 2.0 / 3
					case x1-x0 < 3:
					case style == BarPlateauAll:
						L = math.Max(0, math.Min(1, math.Min(u-x0, x1-u)/3))
					default:
						v := (u - x0) / (x1 - x0)
						L = math.Max(0, 4*v*(1-v))
					}
					F += p
					occupancy += p * float64(slowOccupancy(blocks, edges[i-1]))
					light += p * L
				}
				if F == 0 {
					continue
				}
				if math.Abs(got.mean[x]-occupancy/F) > 1e-4*(1+occupancy/F) || math.Abs(got.light[x]-light/F) > 1e-4 {
					t.Fatalf("%s, alpha %g, column %d: %g bytes and %g light, want %g and %g", style, alpha, x, got.mean[x],
						got.light[x], occupancy/F, light/F)
				}
			}
		}
	}
}

// The ribbons of the bins against those of heaps that have nothing but the bin.
func TestBarsOfBins(t *testing.T) {
	h := story(t)
	const w, per = 200, 0.1
	own := make([][]heap.Block, len(h.Bins))
	for i, b := range blocksOf(h) {
		own[h.Bin(i)] = append(own[h.Bin(i)], b)
	}
	for bin, got := range ribbons(context.Background(), h, barLook{scale: 1}, 0, per, w, false) {
		for x := range w {
			most := uint64(0)
			for at := heap.Time(x * 10); at < heap.Time(x*10+10); at++ {
				most = max(most, slowOccupancy(own[bin], at))
			}
			if got.most[x] != most {
				t.Fatalf("bin %d, column %d: %d bytes, want %d", bin, x, got.most[x], most)
			}
		}
	}
}

func TestRest(t *testing.T) {
	q := make([]bool, 20)
	for i := 4; i < 16; i++ {
		q[i] = true
	}
	q[18] = true // too short for a relief
	relief, cushion := make([]float64, 20), make([]bool, 20)
	b := barLook{scale: 1}
	b.rest(q, relief, cushion)
	for i, want := range []float64{0, 0, 0, 0, 0.5 / 3, 0.5, 2.5 / 3, 1, 1, 1, 1, 1, 1, 2.5 / 3, 0.5,
		0.5 / 3, 0, 0, 0, 0} {
		if math.Abs(relief[i]-want) > 1e-9 || cushion[i] != (want > 0) {
			t.Errorf("column %d has %g, %v, want %g", i, relief[i], cushion[i], want)
		}
	}
}
