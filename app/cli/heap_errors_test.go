package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/orr/orrtest"
)

// TestHeapErrorSites: an error of a recording that knows functions and lines is told with them, as text and as JSON,
// and one of which nothing is known without.
func TestHeapErrorSites(t *testing.T) {
	free := func(stack traceio.StackID, thread traceio.Thread) traceio.Alloc {
		return traceio.Alloc{Op: traceio.Free, Addr: 0x1000, Stack: stack, Thread: thread}
	}
	path := orrtest.File(t, func(w *orr.Writer) (*traceio.Program, error) {
		prog := &traceio.Program{Stacks: [][]traceio.Addr{nil, {0x401001}, {0x402001}}, Sites: []traceio.Site{
			{PC: 0x401000, Frames: []traceio.Frame{{Function: "make", File: "/home/u/src/bad.c", Line: 2}}},
			{PC: 0x402000, Frames: []traceio.Frame{{Function: "drop(int)", File: "/home/u/src/bad.c", Line: 7}}}}}
		return prog, w.WriteBlock(&traceio.Block{Allocs: []traceio.Alloc{{Addr: 0x1000, Size: 24, Stack: 1}, free(2, 0),
			free(2, 3), free(0, 0)}})
	})
	_, text, stderr := run(t, "heap", path)
	for _, want := range []string{"  double-free of 0x1000 at event 2, in drop at bad.c:7\n",
		"  double-free of 0x1000 at event 3\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s%s", want, text, stderr)
		}
	}
	_, text, _ = run(t, "heap", path, "--json")
	var got struct {
		List []errorJSON `json:"error_list"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := []errorJSON{
		{Kind: "double-free", Event: 2, Time: 2, Addr: "0x1000", Thread: 3, Site: "bad.c:7", Function: "drop(int)",
			File: "/home/u/src/bad.c", Line: 7},
		{Kind: "double-free", Event: 3, Time: 3, Addr: "0x1000"},
	}
	if len(got.List) != 2 || got.List[0] != want[0] || got.List[1] != want[1] {
		t.Errorf("the list is %+v, want %+v", got.List, want)
	}
}

// TestHeapOfErrorsAlone: a log that has errors and not one allocation is told as it is, whatever is asked of it.
func TestHeapOfErrorsAlone(t *testing.T) {
	log := filepath.Join(t.TempDir(), "late.mtrace")
	if err := os.WriteFile(log, []byte("= Start\n@ ./l:[0x13] - 0x9999\n= End\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ args, want string }{
		{"", "  unknown-free of 0x9999 at event 0, in l+0x13\nThe log has no allocation, so there is no heap to tell of; " +
			"it may begin late.\n"},
		{"--json", "\"site\": \"l+0x13\""}, {"--sites", "Nothing was allocated."}, {"--leaks", "Everything was freed."},
		{"--temporaries", "No block was freed at once."}, {"--bins threads", "no allocation"},
		{"--against " + log, "Against late.mtrace"}, {"--flame bytes", ""},
	} {
		status, stdout, stderr := run(t, append([]string{"heap", log}, strings.Fields(row.args)...)...)
		if status != Done || !strings.Contains(stdout, row.want) {
			t.Errorf("%s: status %d, %s\n%s", row.args, status, stderr, stdout)
		}
	}
}
