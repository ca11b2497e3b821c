package record

import (
	"fmt"
	"slices"
	"testing"

	"orrery/traceio"
	"orrery/traceio/record/recordtest"
)

// TestEventsBeyondLimit: --max-refs ends the references, and allocations with their stacks, threads, marks and children
// are recorded as without it, by one thread and by several.
func TestEventsBeyondLimit(t *testing.T) {
	program := compile(t, "limited.c", recordtest.Events)
	for threads, args := range map[string][]string{"one thread": nil, "several": {"x"}} {
		for _, only := range [][]string{nil, {"program"}} {
			name := fmt.Sprintf("%s, only %v", threads, only)
			whole := run(t, Options{Program: program, Args: args, Only: only})
			few := run(t, Options{Program: program, Args: args, Only: only, MaxRefs: 1000})
			if few.Refs != 1000 || len(few.Others) != 1 || few.Others[0].Refs != 1000 ||
				few.Others[0].Allocs != whole.Others[0].Allocs {
				t.Errorf("%s: %+v, without the limit %+v", name, few.Result, whole.Result)
			}
			recordtest.SameEvents(t, name, few.rec, whole.rec)
			own := slices.DeleteFunc(slices.Clone(few.rec.Marks()), func(m traceio.Mark) bool {
				return m.Kind != traceio.UserMark
			})
			if len(own) != 2 || own[0].Text != "alone" || own[1].Text != "end" {
				t.Errorf("%s: the program's own marks are %+v", name, own)
			}
			if got, want := len(few.other(t, 0).rec.Allocs()), whole.Others[0].Allocs; uint64(got) != want {
				t.Errorf("%s: %d events of the child, want %d", name, got, want)
			}
		}
	}
}
