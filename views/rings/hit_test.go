package rings

import (
	"math"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/scene"
)

// The pointer on any glyph's centre names data that is drawn there.
func TestHitFindsEveryGlyph(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	s := state(t, r, p, it, 3000, func(s *State) { s.Frac = 0.4 })
	all, f := glyphsOf(&s, room)
	for i, g := range all {
		if i%5 > 0 {
			continue
		}
		got := Hit(s, room, g.at)
		if got.Thing.What != link.Address {
			t.Fatalf("on the glyph of %v: %+v", g.addr, got.Thing)
		}
		near := false
		for _, o := range all {
			if o.addr == got.Thing.Low && math.Hypot(o.at.X-g.at.X, o.at.Y-g.at.Y) < 6 {
				near = true
			}
		}
		if !near {
			t.Fatalf("on the glyph of %v the pointer finds %v, which is elsewhere", g.addr, got.Thing.Low)
		}
		if got.Thing.High != got.Thing.Low+8 || len(got.Lines) < 2 {
			t.Fatalf("%+v", got)
		}
	}
	_ = f
}

func TestHitDescribes(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	s := state(t, r, p, it, 3000, func(s *State) { s.Frac = 1 })
	now := s.Refs[len(s.Refs)-1]
	all, f := glyphsOf(&s, room)
	for _, g := range all {
		if g.addr == now.Addr && !g.ghost {
			text := strings.Join(Hit(s, room, g.at).Lines, "\n")
			for _, want := range []string{named{}.Data(now.Addr), "8 bytes", "L1 set", "rank 0 of 4, at the head", "L2 set"} {
				if !strings.Contains(text, want) {
					t.Errorf("the reference in progress: %q lacks %q", text, want)
				}
			}
		}
	}
	// Between two arms of L2, far from glyphs, lies a set.
	k := &f.l.rings[1]
	found := false
	for a := 0.0; a < 6.28 && !found; a += 0.05 {
		at := scene.Point{X: f.l.c.X + (k.r1-1)*math.Cos(a), Y: f.l.c.Y + (k.r1-1)*math.Sin(a)}
		got := Hit(s, room, at)
		if got.Thing.What == link.Set {
			found = true
			if got.Thing.Name != "L2" || got.Thing.ID < 0 || got.Thing.ID >= 4 || !strings.Contains(got.Lines[1],
				"of 8 ways filled, 32-byte lines") {
				t.Errorf("set: %+v", got)
			}
		}
	}
	if !found {
		t.Error("no set is found along L2's outer boundary")
	}
	arc := &f.l.mem.arcs[1]
	a := arc.to - 0.001
	r1 := f.l.mem.r + 14
	got := Hit(s, room, scene.Point{X: f.l.c.X + r1*math.Cos(a), Y: f.l.c.Y + r1*math.Sin(a)})
	if got.Thing.What != link.Region || got.Thing.Name != "B" || got.Lines[1] != "4 096 references, 256 glyphs" {
		t.Errorf("outside the arc of B: %+v", got)
	}
	box := chipBox(&s, f.l)
	chip := Hit(s, room, scene.Point{X: box.Min.X + 5, Y: box.Min.Y + 5})
	if len(chip.Lines) != 3 || !strings.HasPrefix(chip.Lines[0], "L1 temperature -") {
		t.Errorf("chip: %q", chip.Lines)
	}
	if far := Hit(s, room, scene.Point{X: 2, Y: 300}); far.Thing != (link.Thing{}) || far.Lines != nil {
		t.Errorf("nothing: %+v", far)
	}
}

func TestLegendEntriesCanBeClicked(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	wide := scene.Size{W: 1500, H: 800, Scale: 1}
	s := state(t, r, p, items(r, 8, false), 3000, nil)
	l := newLayout(&s, wide)
	box := legendBox(&s, l)
	if box.H() != 3*legendRow {
		t.Fatalf("legend box %+v", box)
	}
	for i := range 3 {
		got := Hit(s, wide, scene.Point{X: box.Min.X + 20, Y: box.Min.Y + (float64(i)+0.5)*legendRow})
		if len(got.Legend) != 1 || got.Legend[0] != i || got.Thing.Name != s.Regions[i].Name {
			t.Errorf("entry %d: %+v", i, got)
		}
	}
	if got := Hit(s, wide, l.c); got.Legend != nil {
		t.Errorf("the centre is legend entry %v", got.Legend)
	}
}

func TestVerdict(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	seen := map[string]int{}
	for at := 2000; at < 2600; at += 7 {
		s := state(t, r, p, it, at, nil)
		served, err := p.Served(s.At)
		if err != nil {
			t.Fatal(err)
		}
		text, miss := newFrame(&s, newLayout(&s, room)).verdict()
		seen[text]++
		want := [...]string{"L1 hit", "L1 miss, L2 hit", "miss in L1 and L2"}[served/2]
		if text != want || miss != (text != "L1 hit") {
			t.Fatalf("reference %d: %q, the replay says %v", at, text, served)
		}
	}
	if len(seen) != 3 {
		t.Errorf("only %v were tried", seen)
	}
}

// Words stay inside the pane and off each other.
func TestLabelsDoNotCollide(t *testing.T) {
	r := wandering(6, 2500)
	p := replay(t, r, hierarchies()["split, three"])
	var touched []traceio.Addr
	for i := range 400 {
		touched = append(touched, traceio.Addr(i*64))
	}
	many := NewItems(8, touched, func(a traceio.Addr) int { return int(a) / 64 / 10 }, nil)
	s := state(t, r, p, many, 2000, nil)
	s.Regions = nil
	for i := range 40 {
		s.Regions = append(s.Regions, Region{Name: "allocation site " + itoa(i), Count: uint64(i * 977), Color: s.Theme.Text})
	}
	for _, size := range []scene.Size{{W: 600, H: 500}, {W: 1900, H: 1000}, {W: 300, H: 600}} {
		var boxes []scene.Rect
		var words []string
		for _, sh := range Scene(s, size).Shapes {
			txt, ok := sh.(scene.Text)
			if !ok {
				continue
			}
			w := scene.Measure(txt.Face, txt.Size, txt.S)
			if txt.Max > 0 {
				w = min(w, txt.Max)
			}
			x := txt.At.X - txt.Align*w
			if x < -0.5 || x+w > size.W+0.5 || txt.At.Y < 8 || txt.At.Y > size.H {
				t.Errorf("%v: %q reaches out of the pane: x %.1f to %.1f, y %.1f", size, txt.S, x, x+w, txt.At.Y)
			}
			box := scene.R(x+1, txt.At.Y-txt.Size*0.6, w-2, txt.Size*0.55)
			for i, o := range boxes {
				if overlaps(box, []scene.Rect{o}) {
					t.Errorf("%v: %q lies on %q", size, txt.S, words[i])
				}
			}
			boxes, words = append(boxes, box), append(words, txt.S)
		}
	}
}
