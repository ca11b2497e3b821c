package spiral

import (
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"orrery/views/scene"
)

// TestChainPassesEveryPoint draws random walks that go on, turn, zigzag and stand still: every point lies within slack
// of the piece of the polyline that has its colour, in order.
func TestChainPassesEveryPoint(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 11))
		var c scene.Curves
		var h chain
		at, heading := scene.Point{X: 100, Y: 100}, rng.Float64()*7
		h.start(&c, at)
		points, inks := []scene.Point{at}, []color.NRGBA{{}}
		for range 400 {
			switch rng.IntN(12) {
			case 0:
				heading += math.Pi * (0.9 + 0.2*rng.Float64()) // back
			case 1:
				heading += rng.Float64()*2 - 1
			default:
				heading += rng.Float64()*0.02 - 0.01
			}
			step := []float64{0, 0.02, 0.3, 2, 9}[rng.IntN(5)]
			at = scene.Point{X: at.X + step*math.Cos(heading), Y: at.Y + step*math.Sin(heading)}
			ink := color.NRGBA{R: uint8(len(points) / 37), A: 255}
			h.add(at, ink)
			points, inks = append(points, at), append(inks, ink)
		}
		h.flush()
		if len(c.Points) >= len(points)*3/4 {
			t.Errorf("seed %d: %d vertices of %d points", seed, len(c.Points), len(points))
		}
		if c.Points[len(c.Points)-1] != at {
			t.Errorf("seed %d: the line ends at %v, not at %v", seed, c.Points[len(c.Points)-1], at)
		}
		k := 1
		for i := 1; i < len(points); i++ {
			for k < len(c.Points) && (c.Colors[k] != inks[i] || off(points[i], c.Points[k-1], c.Points[k]) > slack+1e-9) {
				k++
			}
			if k == len(c.Points) {
				t.Fatalf("seed %d: the line misses point %d", seed, i)
			}
		}
	}
}

// off is the distance of p from the piece of a line between a and b.
func off(p, a, b scene.Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	f := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		f = max(0, min(1, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/l))
	}
	return math.Hypot(p.X-a.X-f*dx, p.Y-a.Y-f*dy)
}
