package record

import (
	"testing"

	"orrery/traceio"
)

// A recording says what it was limited to, but not of bounds that were never reached.
func TestLimits(t *testing.T) {
	for _, row := range []struct {
		opt   Options
		hooks bool
		want  string
	}{
		{Options{}, false, ""},
		{Options{MaxRefs: 1001, KeepLast: 1000}, false, ""},
		{Options{Only: []string{"program"}}, true, "The recording is limited to references made by the program's own code."},
		{Options{}, true, "The recording is limited to references made by code that was compiled with hooks."},
		{Options{Only: []string{"list.c", "sort*", "jit"}, From: "work", MaxRefs: 1000}, false,
			"The recording is limited to references made by list.c or sort* or code that the program makes, to references " +
				"from the first call of work until it returns, to the first 1000 references."},
		{Options{KeepLast: 999}, false, "The recording is limited to the last 999 references and the blocks and threads " +
			"that lived then or came later."},
	} {
		p := traceio.Program{Limits: row.opt.limits(1000, row.hooks)}
		if got := p.Limited(); got != row.want {
			t.Errorf("%+v: %q, want %q", row.opt, got, row.want)
		}
	}
	if got := (&traceio.Program{Recorder: "hooks"}).Limited(); got !=
		"The recording is limited to references made by code that was compiled with hooks." {
		t.Errorf("an old recording of hooks says %q", got)
	}
}
