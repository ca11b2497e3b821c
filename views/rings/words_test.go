package rings

import (
	"math/rand/v2"
	"testing"

	"orrery/views/link"
	"orrery/views/scene"
)

// TestNamesDoNotLieOnEachOther zooms and pans at random: names of levels, numbers of sets and names of regions keep off
// each other, off the corners and off the strip of the caption, below which the picture ends and nothing is found.
func TestNamesDoNotLieOnEachOther(t *testing.T) {
	r := wandering(21, 400)
	rnd := rand.New(rand.NewPCG(9, 9))
	for _, name := range []string{"paper", "split, three"} {
		p, it := replay(t, r, hierarchies()[name]), items(r, 16, false)
		for range 300 {
			size := scene.Size{W: 300 + 900*rnd.Float64(), H: 250 + 600*rnd.Float64(), Scale: 1}
			s := state(t, r, p, it, 300, func(s *State) {
				s.Frac = 1
				s.Zoom = 1.05 + 6*rnd.Float64()*rnd.Float64()
				s.Pan = scene.Point{X: size.W * (rnd.Float64() - 0.5), Y: size.H * (rnd.Float64() - 0.5)}
				s.Tools = scene.R(size.W-90, 26, 82, 120)
			})
			if rnd.IntN(2) == 0 {
				s.Selected = link.Thing{What: link.Set, Name: s.Levels[0].Name, ID: 1}
			}
			type written struct {
				text string
				box  scene.Rect
			}
			all := []written{{"the chips", s.Tools}}
			l := newLayout(&s, size)
			all = append(all, written{"the temperatures", chipBox(&s, l)}, written{"the scale", scaleBox(l)},
				written{"the caption", header(l)})
			for _, shape := range Scene(s, size).Shapes {
				x, ok := shape.(scene.Text)
				// of the corners and the caption
				if !ok || x.Size == 10 || x.Size == 11.5 || x.Face == scene.Bold || x.Face == scene.Mono && x.Size == 11 {
					continue
				}
				w := scene.Measure(x.Face, x.Size, x.S)
				if x.Max > 0 {
					w = min(w, x.Max)
				}
				box := scene.R(x.At.X-x.Align*w, x.At.Y-0.7*x.Size, w, 0.7*x.Size)
				for _, o := range all {
					if overlaps(box, []scene.Rect{o.box}) {
						t.Fatalf("%s, %v, zoom %.2f, pan %v: %q at %v lies on %q at %v", name, size, s.Zoom, s.Pan, x.S,
							box, o.text, o.box)
					}
				}
				all = append(all, written{x.S, box})
			}
			for range 20 {
				at := scene.Point{X: size.W * rnd.Float64(), Y: topRoom * rnd.Float64()}
				if got := Hit(s, size, at); got.Item >= 0 || got.Thing.What != link.Nothing || got.Lines != nil {
					t.Fatalf("%s, %v, zoom %.2f, pan %v: in the caption at %v lies %+v", name, size, s.Zoom, s.Pan, at, got)
				}
			}
		}
	}
}
