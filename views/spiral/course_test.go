package spiral

import (
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"orrery/views/palette"
	"orrery/views/scene"
)

// TestCoursePassesEveryWindow draws curves around a centre that go on, fast and slowly, stand still, tremble and go
// back: every window lies so near to the piece of the polyline that has its colour, in order, that nobody sees the
// difference.
func TestCoursePassesEveryWindow(t *testing.T) {
	s := bare(loop(10, 1, 1, palette.Dark()))
	size := scene.Size{W: 900, H: 800, Scale: 1}
	l := newLayout(&s, size)
	for seed := range uint64(80) {
		rng := rand.New(rand.NewPCG(seed, 12))
		p := newPlot(&s, &l)
		b := newBuilder(p)
		var c scene.Curves
		h := &b.course
		now := spot{rng.Float64()*20 - 10, 30 + rng.Float64()*200}
		h.start(&c, now)
		points, inks := []scene.Point{p.at(now.turn, now.r)}, []color.NRGBA{{}}
		pace, outward := 0.002, 0.01
		for range 600 {
			switch rng.IntN(40) {
			case 0:
				pace = []float64{0, -0.0003, 0.0003, 0.002, 0.004, -0.003}[rng.IntN(6)]
			case 1:
				outward = []float64{0, 0.001, 0.01, 0.2}[rng.IntN(4)]
			}
			now.turn += pace + []float64{0, 0, 0.0001, -0.0001}[rng.IntN(4)]
			now.r += outward
			ink := color.NRGBA{R: uint8(len(points) / 97), A: 255}
			h.add(now, ink)
			points, inks = append(points, p.at(now.turn, now.r)), append(inks, ink)
		}
		h.flush()
		if len(c.Points) > len(points)*3/4 {
			t.Errorf("seed %d: %d vertices of %d windows", seed, len(c.Points), len(points))
		}
		if last := points[len(points)-1]; c.Points[len(c.Points)-1] != last {
			t.Errorf("seed %d: the line ends at %v, not at %v", seed, c.Points[len(c.Points)-1], last)
		}
		k := 1
		for i := 1; i < len(points); i++ {
			for k < len(c.Points) && (c.Colors[k] != inks[i] || off(points[i], c.Points[k-1], c.Points[k]) > sag+drift+still) {
				k++
			}
			if k == len(c.Points) {
				t.Fatalf("seed %d: the line misses window %d", seed, i)
			}
		}
	}
}

// TestCourseLeavesOutWhatIsOutside: a magnified spiral keeps the chords that the pane shows, and all of these.
func TestCourseLeavesOutWhatIsOutside(t *testing.T) {
	s := bare(loop(20_000, 40, 3, palette.Dark()))
	whole := length(Scene(s, pane))
	s.Zoom, s.Pan = 6, scene.Point{X: 500, Y: 300}
	d := Scene(s, pane)
	if part := length(d); part > whole {
		t.Errorf("%.0f units of line where the whole spiral has %.0f", part, whole)
	}
	l := newLayout(&s, pane)
	p := newPlot(&s, &l)
	seen := 0
	for i := range p.turn {
		at := p.at(p.turn[i], p.r[i])
		if at.X < 0 || at.Y < 0 || at.X > pane.W || at.Y > pane.H || i%7 > 0 {
			continue
		}
		seen++
		least := math.Inf(1)
		for _, shape := range d.Shapes {
			if c, ok := shape.(scene.Curves); ok {
				for k := 1; k < len(c.Points); k++ {
					if c.Colors[k].A > 0 {
						least = min(least, off(at, c.Points[k-1], c.Points[k]))
					}
				}
			}
		}
		if least > sag+drift {
			t.Fatalf("window %d at %v is %.3f away from the line", i, at, least)
		}
	}
	if seen < 50 {
		t.Errorf("only %d windows are within the pane", seen)
	}
}
