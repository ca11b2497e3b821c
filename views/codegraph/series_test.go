package codegraph

import (
	"context"
	"testing"

	"orrery/traceio/irgraph/graphfile"
	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/scene"
)

// What is new and gone adds up from phase to phase, and the column of a phase is hit where it is drawn.
func TestTimeline(t *testing.T) {
	doc, err := graphfile.Open(context.Background(), "../../testdata/graphs/gomatmul.ssa.gz", nil)
	if err != nil {
		t.Fatal(err)
	}
	steps := Steps(doc.Groups[0])
	for i := 1; i < len(steps); i++ {
		if steps[i-1].Nodes+steps[i].New-steps[i].Deleted != steps[i].Nodes {
			t.Errorf("phase %d: %d nodes, then %d new, %d gone and %d nodes", i, steps[i-1].Nodes, steps[i].New,
				steps[i].Deleted, steps[i].Nodes)
		}
	}
	size := scene.Size{W: 800, H: 110, Scale: 1}
	for _, theme := range []palette.Theme{palette.Dark(), palette.Light()} {
		s := Timeline{Theme: theme, Steps: steps, Now: 20, Base: 3, Over: 30}
		golden.Check(t, "timeline-"+theme.Name, s.Scene(size))
		for i := range steps {
			if got := s.Hit(size, s.column(i, size).Center()); got != i || len(s.Words(got)) < 3 {
				t.Errorf("at phase %d is %d", i, got)
			}
		}
	}
}
