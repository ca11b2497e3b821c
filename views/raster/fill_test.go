package raster

import (
	"math"
	"math/rand/v2"
	"testing"

	"orrery/views/scene"
)

// TestOutlinesCoverAsSampled fills random polygons that cross themselves, leave the picture and lie on each other, with
// holes, and holds each pixel against samples of where the winding is not zero. A pixel that several edges cross may
// differ: there shares are added up.
func TestOutlinesCoverAsSampled(t *testing.T) {
	const side, grid = 30, 8
	rng := rand.New(rand.NewPCG(6, 1))
	for try := range 40 {
		var path scene.Path
		var rings [][]scene.Point
		for range 1 + rng.IntN(3) {
			n := 3 + rng.IntN(4)
			ring := make([]scene.Point, n)
			for i := range ring {
				ring[i] = scene.Point{X: rng.Float64()*60 - 15, Y: rng.Float64()*60 - 15}
				if i == 0 {
					path.Move(ring[i].X, ring[i].Y)
				} else {
					path.Line(ring[i].X, ring[i].Y)
				}
			}
			path.Close()
			rings = append(rings, ring)
		}
		winding := func(x, y float64) (n int) {
			for _, ring := range rings {
				for i, p := range ring {
					q := ring[(i+1)%len(ring)]
					if (p.Y <= y) == (q.Y <= y) {
						continue
					}
					if at := p.X + (y-p.Y)*(q.X-p.X)/(q.Y-p.Y); at <= x {
						if n++; p.Y > q.Y {
							n -= 2
						}
					}
				}
			}
			return n
		}
		got := white(side, side, scene.Fill{Path: path, Color: one})
		sum, worst := 0.0, 0.0
		for y := range side {
			for x := range side {
				in, kinds := 0.0, map[int]bool{}
				for k := range grid * grid {
					n := winding(float64(x)+(float64(k%grid)+0.5)/grid, float64(y)+(float64(k/grid)+0.5)/grid)
					kinds[n] = true
					if n != 0 {
						in++
					}
				}
				diff := math.Abs(got[y*side+x] - in/(grid*grid))
				sum += diff
				if len(kinds) == 1 || len(kinds) == 2 && kinds[0] {
					worst = max(worst, diff)
				}
			}
		}
		if mean := sum / (side * side); worst > 0.51 || mean > 0.02 {
			t.Errorf("try %d: pixels differ by %.3f at most where one edge passes, %.4f on average", try, worst, mean)
		}
	}
}

// TestFillerForgets: what is painted once leaves nothing for the next outline.
func TestFillerForgets(t *testing.T) {
	f := newFiller(40, 30)
	rng := rand.New(rand.NewPCG(6, 2))
	for range 50 {
		ring := make([]scene.Point, 3+rng.IntN(9))
		for i := range ring {
			ring[i] = scene.Point{X: rng.Float64()*44 - 2, Y: rng.Float64()*34 - 2}
		}
		f.outline(ring)
		b := brush{opacity: 65536}
		f.paint(&b, func(int) []uint8 { return make([]uint8, 160) })
		for i, v := range f.change {
			if v != 0 || f.some[min(i, len(f.some)-1)] != 0 {
				t.Fatalf("change %d is still %d", i, v)
			}
		}
	}
}
