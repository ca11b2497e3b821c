package recording

import (
	"strings"
	"testing"

	"orrery/analysis/topology"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/vector"
)

// TestOpensWithACycle: where nothing recurs in the first references, a recording opens with what does recur.
func TestOpensWithACycle(t *testing.T) {
	loops := open(t, shipped+"habits-loops.orr") // goes to each element once: by address nothing turns, by line 142 times
	if q := loops.cycles.found.Request; q.Alphabet.Kind != topology.ByLine || loops.cycles.shown().Turns < 100 {
		t.Errorf("habits-loops opens by %v with %.1f turns", q.Alphabet, loops.cycles.shown().Turns)
	}
	once := open(t, shipped+"sharing-packed.orr") // rank 1 of its first references turns once, rank 3 130 times
	if p := once.cycles.shown(); p.Turns < 100 {
		t.Errorf("sharing-packed opens with rank %d of %.1f turns", p.Rank, p.Turns)
	}
	once.link.SetCursor(40000)
	once.settle()
	if p := once.cycles.shown(); p.Rank != 1 {
		t.Errorf("elsewhere it shows rank %d, which nobody has chosen", p.Rank)
	}
}

// TestOffers: where nothing recurs at the cursor the picture offers what does, and each offer does what it says.
func TestOffers(t *testing.T) {
	size := scene.Size{W: 700, H: 400, Scale: 1}
	offered := func(b *bench, word string) (at scene.Point, ok bool) {
		for _, o := range b.cyclesView.offers(palette.Dark(), size) {
			if strings.Contains(o.Word, word) {
				return scene.Point{X: o.At.X + 8, Y: o.At.Y + 8},
					strings.Contains(string(vector.SVG(b.draw(shell.Cycles, size))), word)
			}
		}
		return at, false
	}
	press := func(b *bench, at scene.Point) {
		b.cyclesView.Pressed(pane.Event{Theme: palette.Dark(), At: at, Size: size, Button: pane.Primary})
		b.settle()
	}

	golist := beginning(t, "golist.orr", 4_200, 1_000) // makes the list and goes over it more than twice
	b := open(t, golist)
	if q := b.cycles.found.Request; q.Count != int(b.Len()) || b.cycles.count() == 0 || b.cycles.asking {
		t.Errorf("golist opens with references %d to %d, %d cycles", q.From, int(q.From)+q.Count, b.cycles.count())
	}
	b.cycles.asOne = asOne{}
	b.cycles.follow(b.Document)
	b.settle()
	if b.cycles.count() > 0 {
		t.Fatal("something recurs in the first references")
	}
	at, ok := offered(b, "all of references 0 to")
	if !ok {
		t.Fatal("the whole is not offered")
	}
	press(b, at)
	if b.cycles.count() == 0 || b.cycles.found.Request.Count != int(b.Len()) {
		t.Fatal("what was offered is not shown")
	}
	again := begin(t, golist)
	if err := again.Restore(b.Keep()); err != nil {
		t.Fatal(err)
	}
	again.settle()
	if again.cycles.asked != b.cycles.asked {
		t.Errorf("a session restores it as %+v, was %+v", again.cycles.asked, b.cycles.asked)
	}
	b.link.SetCursor(3000)
	b.settle()
	if b.cycles.found.Request.Count != int(b.Len()) {
		t.Error("it is given up as soon as the cursor moves")
	}
	b.link.Undo()
	b.settle()
	if b.cycles.found.Request.Count == int(b.Len()) {
		t.Error("it cannot be undone")
	}

	c := &b.cycles
	c.take(&session.Cycles{Result: &topology.Result{}}, nil)
	c.elsewhere =
		elsewhere{other: &session.Cycles{Request: session.CyclesRequest{Alphabet: topology.Alphabet{Kind: topology.ByPC}}}}
	if at, ok = offered(b, "compare by instruction"); !ok {
		t.Fatal("no other alphabet is offered")
	}
	press(b, at)
	if c.lens.alphabet.Kind != topology.ByPC || c.count() == 0 {
		t.Error("the other alphabet is not used")
	}
}

// TestNearestIsShown: the nearest stretch is shown with the cursor elsewhere, and says so; the way there is a click or
// a key.
func TestNearestIsShown(t *testing.T) {
	size := scene.Size{W: 700, H: 400, Scale: 1}
	b := open(t, beginning(t, "list.orr", 21_000, 1_000))
	b.link.SetCursor(20000)
	b.settle()
	near, q := b.cycles.found, b.cycles.asked
	b.link.SetCursor(0)
	b.settle()
	b.cycles.elsewhere = elsewhere{nearest: near, shown: true}
	b.cycles.take(near, nil)
	if svg := string(vector.SVG(b.draw(shell.Cycles, size))); !strings.Contains(svg, "no cycle at the cursor") {
		t.Error("the picture does not say that it is elsewhere")
	}
	for _, c := range b.Commands() {
		if c.ID == "cycles.elsewhere" {
			c.Run()
		}
	}
	b.settle()
	if b.cycles.asked != q || b.cycles.elsewhere != (elsewhere{}) {
		t.Errorf("the cursor went to %d, the cycles are of %+v, want %+v", b.link.State().Cursor, b.cycles.asked, q)
	}
}
