package session

import (
	"context"
	"slices"
	"testing"

	"orrery/traceio"
	"orrery/views/link"
)

// TestCodeRunsAgainstEveryReference: the times of a line, a function or instructions are those steps of the stretch,
// and no others, in which one of its references is found by looking at each.
func TestCodeRunsAgainstEveryReference(t *testing.T) {
	rec, err := Load(context.Background(), "../../testdata/recordings/golist.orr", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	met := 0
	some := link.OfInstructions("golist.go", 35, []traceio.Addr{rec.PCs()[1], rec.PCs()[3]})
	for _, thing := range []link.Thing{{What: link.Line, File: "golist.go", Line: 35}, {What: link.Line, File: "golist.go",
		Line: 38}, {What: link.Function, Name: "main.link"}, some} {
		for _, view := range []link.Range{{To: rec.Extent()}, {From: 1500, To: 1700}, {From: 4000, To: 9778}} {
			step := max(1, (view.To-view.From)/coderunSteps)
			from := view.From
			if view.To-view.From > coderunSteps/2*rec.Digest.Grain {
				step, from = rec.Digest.Grain, view.From/rec.Digest.Grain*rec.Digest.Grain
			}
			var want []traceio.Seq // steps, by their beginning
			look := rec.Lines.Lookup()
			rec.eachReference(link.Range{From: from, To: view.To}, func(s traceio.Seq, pc traceio.Addr) {
				l := rec.Lines.At(look.Of(pc))
				is := thing.What == link.Line && l.Line == thing.Line && l.File == thing.File || thing.What == link.Function &&
					l.Function == thing.Name || slices.Contains(thing.PCs(), pc)
				if at := from + (s-from)/step*step; is && !slices.Contains(want, at) {
					want = append(want, at)
				}
			})
			met += len(want)
			var got []traceio.Seq
			for _, r := range rec.CodeRuns(thing, view) {
				for at := r.From; at < r.To; at += step {
					got = append(got, at)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v in %v: %d steps of %d, want %d", thing, view, len(got), step, len(want))
			}
		}
	}
	if met < 100 {
		t.Errorf("only %d steps in all: nothing was tested", met)
	}
	if runs := rec.CodeRuns(link.Thing{What: link.Region, Name: "stack"}, link.Range{To: 100}); runs != nil {
		t.Errorf("a region runs %v", runs)
	}
}
