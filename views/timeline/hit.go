package timeline

import (
	"fmt"
	"math"
	"strings"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/scene"
	"orrery/views/words"
)

// Grip says what a drag that begins at a point takes hold of.
type Grip uint8

// The things that can be dragged.
const (
	None       Grip = iota
	Plot            // anywhere on the lanes or the ruler: scrub, or select with shift
	Cursor          // the cursor's line
	WindowFrom      // the left edge of the selected stretch
	WindowTo        // its right edge
)

// Target is what lies under the pointer.
type Target struct {
	Grip  Grip
	Seq   traceio.Seq // the reference under the pointer; valid unless Grip is None
	Lane  int         // index of the lane, -1 for none
	Mark  int         // index of the mark, -1 for none
	Thing link.Thing  // a phase or a mark gives its time, a point its reference
	Lines []string    // tooltip
}

// reach is how near to a line the pointer must come to take hold of it.
const reach = 4.0

// Hit returns what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target {
	t := Target{Lane: -1, Mark: -1}
	g := place(&s, size)
	if s.Len == 0 || p.X < g.plot.Min.X-reach || p.X > g.plot.Max.X+reach || p.Y < g.plot.Min.Y-14 || p.Y > size.H {
		return t
	}
	t.Seq = SeqAt(s, size, p.X)
	t.Grip = grip(&s, &g, p)
	t.Thing = link.OfTime(link.Range{From: t.Seq, To: t.Seq + 1})
	for i, m := range s.Marks {
		if p.Y < g.plot.Min.Y && math.Abs(g.x(float64(m.Seq))-p.X) <= reach {
			t.Mark, t.Seq = i, m.Seq
			t.Thing.Span = link.Range{From: m.Seq, To: m.Seq + 1}
			t.Lines = []string{m.Text, "t " + words.Count(m.Seq)}
			return t
		}
	}
	for i, r := range g.lanes {
		if p.Y >= r.Min.Y-laneGap/2 && p.Y < r.Max.Y+laneGap/2 {
			t.Lane = i
			describe(&s, &t, g.seq(p.X), float64(g.view.To-g.view.From)/g.plot.W())
		}
	}
	if t.Lines == nil {
		t.Lines = []string{"t " + words.Count(t.Seq)}
	}
	return t
}

func grip(s *State, g *geometry, p scene.Point) Grip {
	near := func(at traceio.Seq) bool { return math.Abs(g.x(float64(at))-p.X) <= reach }
	switch w := s.Window; {
	case near(s.Cursor):
		return Cursor
	case !w.Empty() && w.From > 0 && near(w.From):
		return WindowFrom
	case !w.Empty() && w.To < s.Len && near(w.To):
		return WindowTo
	}
	return Plot
}

// describe writes the tooltip of a lane: "L1 misses 12 per 64 references at t 529". Where a pixel covers several values
// it gives their mean and their peak.
func describe(s *State, t *Target, at, perPixel float64) {
	l := &s.Lanes[t.Lane]
	when := "at t " + words.Count(t.Seq)
	for _, b := range l.Bands {
		if b.Span.Has(t.Seq) {
			t.Thing.Span = b.Span
			t.Lines = []string{b.Name, fmt.Sprintf("t %s to %s, %s %s", words.Count(b.Span.From), words.Count(b.Span.To-1),
				words.Count(b.Span.To-b.Span.From), s.unit())}
			return
		}
	}
	v, ok := l.value(at)
	if !ok {
		t.Lines = []string{l.Name + " not known " + when}
		return
	}
	bytes := l.Unit == "bytes"
	t.Lines = []string{join(l.Name, Amount(v, bytes), unit(l), when)}
	if per := perPixel / float64(max(1, l.Step)); per > 1 {
		first := (at - float64(l.First)) / float64(max(1, l.Step))
		if c, ok := cover(l.Values, int(first), int(math.Ceil(first+per))); ok && c.low != c.top {
			t.Lines = append(t.Lines, join("mean", Amount(c.mean, bytes), "peak", Amount(c.top, bytes), "in this pixel"))
		}
	}
}

func unit(l *Lane) string {
	if l.Unit == "bytes" {
		return ""
	}
	return l.Unit
}

func join(words ...string) string {
	kept := words[:0]
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}
