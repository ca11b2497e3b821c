package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"orrery/traceio/store"
)

// TestLive records a slow program into the window: nothing is there at first, then the pictures grow, and when the
// program has ended they stand and show all of it.
func TestLive(t *testing.T) {
	dir := t.TempDir()
	program, out, log := filepath.Join(dir, "slow"), filepath.Join(dir, "slow.orr"), filepath.Join(dir, "events")
	begin, stop := filepath.Join(dir, "begin"), filepath.Join(dir, "stop")
	if said, err := exec.Command("gcc", "-g", "-O1", "-o", program,
		filepath.Join("testdata", "slow.c")).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, said)
	}
	w := startLogged(t, t.TempDir(), display(t, 1280, 800), log,
		"record", "--live", "--event-log", log, "--only", "slow", "--from", "work", "-o", out, "--", program, begin, stop)
	defer touch(t, stop) // whatever happens, the program ends
	w.ready()
	if !store.Growing(out) {
		t.Fatal("the recording does not grow")
	}
	if e, ok := w.has("document-drawn"); ok {
		t.Errorf("a recording without any reference is drawn: %s", e.Raw)
	}
	touch(t, begin)
	w.wait(0, "document-drawn", named("document-drawn"))

	ends := []int{w.last(0)}
	for range 2 { // each End goes further
		since := w.mark()
		w.drawn(since, "timeline", "heap")
		ends = append(ends, w.last(ends[len(ends)-1]))
	}
	t.Logf("the last reference over time: %d", ends)

	touch(t, stop)
	if !w.until(patience, func() bool { return !store.Growing(out) }) {
		w.fail("the recording does not end")
	}
	rec, err := store.Open(context.Background(), out, store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	w.settled()
	if got := w.last(ends[len(ends)-1]); got != int(rec.Len())-1 {
		w.fail("after the end of the program the cursor does not reach the last reference")
	}
	w.settled()
	w.complete(w.shot())
	since := w.mark()
	w.settled()
	for _, e := range w.events()[since:] {
		if e.Name == "pane-drawn" {
			t.Errorf("the finished recording is drawn again: %s", e.Raw)
		}
	}
	w.quit()
}

// touch makes an empty file.
func touch(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Error(err)
	}
}

// has looks for an event that may be there already.
func (w *window) has(name string) (event, bool) {
	for _, e := range w.events() {
		if e.Name == name {
			return e, true
		}
	}
	return event{}, false
}

// last goes to the end of the recording until that lies behind reference before, and gives the place of the cursor.
func (w *window) last(before int) int {
	w.t.Helper()
	at := 0
	if !w.until(patience, func() bool {
		w.key("End")
		at = w.state().Cursor
		return at > before
	}) {
		w.fail("the recording does not grow in the window")
	}
	return at
}
