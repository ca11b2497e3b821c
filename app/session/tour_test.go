package session

import (
	"slices"
	"testing"
)

// TestTourLeadsToWhatShips checks that every stop of the tour is a shipped recording, or the design space of the
// example.
func TestTourLeadsToWhatShips(t *testing.T) {
	for _, s := range Tour() {
		known := s.File == "" || slices.ContainsFunc(Examples(), func(e Example) bool { return e.File == s.File })
		if !known || s.Pane == "" || s.Title == "" || len(s.Look) < 80 {
			t.Errorf("the stop %+v leads nowhere or says little", s)
		}
	}
}
