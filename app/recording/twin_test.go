package recording

import (
	"testing"

	"orrery/views/link"
)

// Another run of a program has the same lines, functions and regions, wherever its source lay; one of another program
// has not.
func TestTwins(t *testing.T) {
	a, b := open(t, shipped+"matmul-standard.orr"), open(t, shipped+"matmul-standard.orr")
	other := open(t, shipped+"list.orr")
	l := a.rec.Lines.At(0)
	for _, c := range []struct {
		name  string
		thing link.Thing
		want  link.Thing
	}{
		{"a line", link.Thing{What: link.Line, File: l.File, Line: l.Line},
			link.Thing{What: link.Line, File: l.File, Line: l.Line}},
		{"in another folder", link.Thing{What: link.Line, File: "/elsewhere/" + l.File, Line: l.Line},
			link.Thing{What: link.Line, File: l.File, Line: l.Line}},
		{"a line without references", link.Thing{What: link.Line, File: l.File, Line: 1},
			link.Thing{What: link.Line, File: l.File, Line: 1}},
		{"a function", link.Thing{What: link.Function, Name: l.Function}, link.Thing{What: link.Function, Name: l.Function}},
		{"a region", regionThing(a.rec.Regions.Regions()[0].Name), regionThing(a.rec.Regions.Regions()[0].Name)},
		{"no such line", link.Thing{What: link.Line, File: l.File, Line: 99999}, link.Thing{}},
		{"a moment", link.Thing{What: link.Time, Span: link.Range{To: 4}}, link.Thing{}},
	} {
		got, ok := b.Counterpart(c.thing)
		if got != c.want || ok != (c.want != link.Thing{}) {
			t.Errorf("%s: found %+v, %v; want %+v", c.name, got, ok, c.want)
		}
	}
	if got, ok := other.Counterpart(link.Thing{What: link.Line, File: l.File, Line: l.Line}); ok {
		t.Errorf("another program has %+v", got)
	}
}
