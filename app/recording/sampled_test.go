package recording

import (
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/traceio"
	"orrery/traceio/resultcache"
	"orrery/views/palette"
	"orrery/views/scene"

	"golang.org/x/sys/unix"
)

// beginning is the first references of a shipped recording in a file of its own, in blocks of so many.
func beginning(t *testing.T, shippedName string, n, block traceio.Seq) (path string) {
	t.Helper()
	rec := newRecorder(t, shippedName)
	for rec.done < n {
		rec.write(min(block, n-rec.done))
	}
	if err := rec.out.Close(rec.from.Program()); err != nil {
		t.Fatal(err)
	}
	if err := unix.Flock(int(rec.file.Fd()), unix.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	return rec.file.Name()
}

// manyBlocks is the beginning of a recording in so many blocks that it is not counted in a blink.
func manyBlocks(t *testing.T) string { return beginning(t, "list.orr", 14_000, 100) }

// TestLongRecordingIsSampledFirst opens a recording of many blocks for the first time: it is there with estimates, says
// so, and gets exact figures while what the user looks at stays. The next time there is nothing to estimate.
func TestLongRecordingIsSampledFirst(t *testing.T) {
	t.Setenv(resultcache.Variable, t.TempDir())
	path := manyBlocks(t)
	b := begin(t, path)
	size := scene.Size{W: 500, H: 300, Scale: 1}
	list := func() string {
		v := b.view(shell.Recording).(*regionsView)
		out := v.Caption()
		for _, g := range v.state(palette.Dark()).Groups {
			for _, row := range g.Rows {
				out += "\n" + row.Name + " " + row.Value
			}
		}
		return out
	}
	if text := list(); !b.rec.Sampled() || !strings.Contains(b.Facts(), "estimated") ||
		!strings.Contains(text, "sampled") || !strings.Contains(text, "≈") {
		t.Fatalf("sampled: %v, %q, %s", b.rec.Sampled(), b.Facts(), text)
	}
	b.drawAll(size)
	b.link.SetCursor(4321)
	b.until("the references are counted", func() bool { return !b.rec.Sampled() })
	b.until("the misses are", func() bool { return b.misses() != nil && b.caches() != nil && b.cycles.found != nil })
	b.drawAll(size)
	exact := list()
	if strings.Contains(exact, "≈") || strings.Contains(exact, "sampled") || strings.Contains(b.Facts(), "estimated") ||
		b.link.State().Cursor != 4321 {
		t.Errorf("exact: %q, cursor at %d, %s", b.Facts(), b.link.State().Cursor, exact)
	}
	again := begin(t, path)
	if again.rec.Sampled() {
		t.Error("what was counted was not kept")
	}
	b = again
	if got := list(); got != exact {
		t.Errorf("the second time\n%s\nthe first\n%s", got, exact)
	}
}

// TestCountingGoesOn cancels the counting and takes it up again.
func TestCountingGoesOn(t *testing.T) {
	t.Setenv(resultcache.Variable, "off")
	path := manyBlocks(t)
	var b *bench
	for range 20 { // on a busy machine all may be counted before anybody can cancel it
		b = begin(t, path)
		b.host.Engine.CancelAll()
		b.Stopped()
		if b.rec.Sampled() {
			break
		}
	}
	if !b.rec.Sampled() {
		t.Fatal("it was not sampled")
	}
	b.drawAll(scene.Size{W: 500, H: 300, Scale: 1}) // the file is still open
	b.again()
	b.until("the references are counted", func() bool { return !b.rec.Sampled() && b.misses() != nil })
}
