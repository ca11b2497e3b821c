package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
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

// TestTourNumbersTheTurns: the parameterizations that the tour and the welcome page name are those with these turns.
func TestTourNumbersTheTurns(t *testing.T) {
	c, err := open(t, "../../testdata/recordings/bubble-vector-shuffled.orr").FindCycles(context.Background(),
		CyclesRequest{Count: 1000, Every: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{Tour()[0].Look, Examples()[0].What} {
		for _, row := range []struct {
			words string
			turns float64
		}{{"turns with each", 6}, {"with each", 4}} { // swaps, then pairs left in place
			before, after, ok := strings.Cut(text, row.words)
			var rank int
			if _, err := fmt.Sscanf(before[strings.LastIndex(before, "#")+1:], "%d", &rank); err != nil || !ok {
				t.Fatalf("%q names no parameterization before %q", text, row.words)
			}
			if got := c.Parameterizations[rank-1].Turns; math.Abs(got-row.turns) > 0.5 {
				t.Errorf("%q: #%d has %.1f turns, want %g", text, rank, got, row.turns)
			}
			text = after
		}
	}
}
