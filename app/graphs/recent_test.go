package graphs

import (
	"testing"

	"orrery/app/session"
	"orrery/traceio/irgraph"
)

// The latest drawings are found again, each once, and there are never many.
func TestRecentDrawings(t *testing.T) {
	var r recent
	g := &irgraph.Group{}
	pictures := make([]*session.GraphPictures, 3*mostRecent)
	for i := range pictures {
		pictures[i] = &session.GraphPictures{}
		r.keep(request{group: g, first: i}, pictures[i])
		r.keep(request{group: g, first: i}, pictures[i])
	}
	if len(r) != mostRecent {
		t.Errorf("%d drawings are kept, want %d", len(r), mostRecent)
	}
	for i, want := range pictures {
		if i < len(pictures)-mostRecent {
			want = nil
		}
		if got := r.find(request{group: g, first: i}); got != want {
			t.Errorf("drawing %d of %d: found %v", i, len(pictures), got != nil)
		}
	}
	if r.find(request{group: &irgraph.Group{}, first: len(pictures) - 1}) != nil {
		t.Error("the drawing of another function is found")
	}
}
