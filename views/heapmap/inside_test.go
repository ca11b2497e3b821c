package heapmap

import (
	"strings"
	"testing"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// The references inside a block have shades that no colour of blocks is like, whatever blocks are coloured by, and a
// legend that says what they mean, within the plot.
func TestInsideHasItsOwnLegend(t *testing.T) {
	h := story(t)
	counts := [][]uint32{{0, 1, 0, 0, 9, 9}, {0, 0, 0, 0, 0, 0}, {2, 0, 4, 0, 30, 0}}
	s := State{Heap: h, Low: 0x405000, High: 0x406800, Selected: BlockThing(h, 1),
		Inside: &Inside{1, counts}, NoCursor: true}
	size := scene.Size{W: 900, H: 400, Scale: 1}
	for _, s.Theme = range []palette.Theme{palette.Dark(), palette.Light()} {
		text := writing(Scene(s, size))
		if !strings.Contains(text, "|inside #1: untouched|1|30 references (log)|in 485 B and 1 247 references of time|") {
			t.Errorf("the legend says %q", text)
		}
		for v := range 31 {
			c := insideColor(s.Theme, uint32(v), 30)
			if high, low := max(c.R, c.G, c.B), min(c.R, c.G, c.B); high-low > 24 {
				t.Errorf("%d of 30 has the colour %v", v, c)
			}
		}
		last := insideColor(s.Theme, 0, 30)
		away := func(c uint8) int { return max(int(c)-int(ground(s.Theme).G), int(ground(s.Theme).G)-int(c)) }
		for v := uint32(1); v <= 30; v++ {
			c := insideColor(s.Theme, v, 30)
			if least := map[bool]int{true: 40}[v == 1]; away(c.G) <= away(last.G)+least {
				t.Errorf("%d stands out from the ground by %d, %d by %d", v, away(c.G), v-1, away(last.G))
			}
			last = c
		}
	}
	l := newLayout(&s, size)
	for _, r := range []scene.Rect{l.plot, scene.R(l.plot.Max.X-20, l.plot.Min.Y, 12, 12),
		scene.R(-1000, l.plot.Max.Y-20, 3000, 4000)} {
		for _, most := range []uint32{0, 1, 4000} {
			var d scene.Drawing
			insideLegend(&d, &s, &l, r, most, "in 16 B and 120 references of time")
			if len(d.Shapes) == 0 {
				t.Errorf("of a block at %v nothing is said", r)
			}
			for _, x := range d.Shapes {
				if x, ok := x.(scene.Text); ok && (x.At.X < l.plot.Min.X || x.At.X+scene.Measure(x.Face, x.Size, x.S) >
					l.plot.Max.X || x.At.Y < l.plot.Min.Y || x.At.Y > l.plot.Max.Y) {
					t.Errorf("of a block at %v %q is at %v", r, x.S, x.At)
				}
			}
		}
	}
	s.Selected = link.Thing{}
	if text := writing(Scene(s, size)); strings.Contains(text, "inside") {
		t.Errorf("nothing is selected, and the legend says %q", text)
	}
}
