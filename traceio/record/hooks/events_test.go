package hooks_test

import (
	"testing"

	"orrery/traceio/record"
	"orrery/traceio/record/recordtest"
)

// TestEventsBeyondLimit: --max-refs ends the references of a program with hooks, and its allocations, threads and
// children are recorded as without it.
func TestEventsBeyondLimit(t *testing.T) {
	program := build(t, false, "limited.c", recordtest.Events, "--", "gcc", "-O1")
	for name, args := range map[string][]string{"one thread": nil, "several": {"x"}} {
		whole := run(t, record.Options{Program: program, Args: args})
		few := run(t, record.Options{Program: program, Args: args, MaxRefs: 1000})
		if few.Refs != 1000 || len(few.Others) != 1 || few.Others[0].Refs != 1000 ||
			few.Others[0].Allocs != whole.Others[0].Allocs {
			t.Errorf("%s: %+v, without the limit %+v", name, few.Result, whole.Result)
		}
		recordtest.SameEvents(t, name, few.rec, whole.rec)
	}
}
