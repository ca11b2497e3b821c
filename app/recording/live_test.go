package recording

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"orrery/app/shell"
	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/store"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"

	"golang.org/x/sys/unix"
)

// recorder writes a shipped recording anew, a part at a time, as a recorder at work does.
type recorder struct {
	t    *testing.T
	from *store.Recording
	file *os.File
	out  *orr.Writer
	done traceio.Seq
}

func newRecorder(t *testing.T, shippedName string) *recorder {
	t.Helper()
	from, err := store.Open(context.Background(), shipped+shippedName, store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "live.orr"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close(); from.Close() })
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	out, err := orr.Create(f, from.Program())
	if err != nil {
		t.Fatal(err)
	}
	return &recorder{t: t, from: from, file: f, out: out}
}

// finish writes all references that are left and what a recording ends with.
func (r *recorder) finish() {
	r.t.Helper()
	r.write(1 << 40)
	if err := r.out.Close(r.from.Program()); err != nil {
		r.t.Fatal(err)
	}
	r.file.Close()
}

// write writes the next n references.
func (r *recorder) write(n traceio.Seq) {
	r.t.Helper()
	var b traceio.Block
	src := r.from.Source(r.done, min(r.done+n, r.from.Len()))
	for {
		err := src.Next(&b)
		if err == io.EOF {
			r.done += n
			return
		}
		if err == nil {
			err = r.out.WriteBlock(&b)
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

// until plays the interface's goroutine until a condition holds.
func (b *bench) until(what string, holds func() bool) {
	b.t.Helper()
	late := time.After(2 * time.Minute)
	for !holds() {
		select {
		case f := <-b.queue:
			f()
		case <-late:
			b.t.Fatalf("it never happens that %s", what)
		}
	}
}

func (b *bench) drawAll(size scene.Size) {
	for _, p := range b.Views() {
		if d := p.View.Draw(size, palette.Dark()); len(d.Shapes) == 0 {
			b.t.Errorf("%s draws nothing", p.View.Title())
		}
	}
}

// TestLiveRecordingGrows follows a recording while it is written: the pictures grow, what the user looks at stays, and
// what is at the end follows the end.
func TestLiveRecordingGrows(t *testing.T) {
	rec := newRecorder(t, "list.orr")
	rec.write(5000)
	b := begin(t, rec.file.Name())
	size := scene.Size{W: 500, H: 300, Scale: 1}
	if b.Len() != 5000 || !strings.Contains(b.Facts(), "being recorded") || b.link.State().Cursor != 4999 {
		t.Fatalf("%d references, %q, the cursor at %d", b.Len(), b.Facts(), b.link.State().Cursor)
	}
	b.until("the caches and cycles of the first prefix are drawn", func() bool {
		return b.caches() != nil && b.cycles.found != nil
	})
	b.drawAll(size)
	before := b.draw(shell.Timeline, size)
	rec.write(3000)
	b.until("it grows", func() bool { return b.Len() == 8000 })
	if s := b.link.State(); s.Cursor != 7999 || s.Window != (link.Range{To: 8000}) {
		t.Errorf("after the growth the cursor is at %d and the window %v", s.Cursor, s.Window)
	}
	if reflect.DeepEqual(before, b.draw(shell.Timeline, size)) {
		t.Error("the timeline does not grow")
	}
	b.drawAll(size) // caches and cycles still know the shorter one
	b.until("the caches catch up", func() bool { return b.caches().Of.Len() == 8000 })
	b.until("the cycles catch up", func() bool { return b.cycles.found.Request.From == 7000 && !b.cycles.asking })

	b.link.SetCursor(100)
	b.link.SetWindow(link.Range{From: 50, To: 900})
	rec.write(2000)
	b.until("it grows again", func() bool { return b.Len() == 10000 })
	if s := b.link.State(); s.Cursor != 100 || s.Window != (link.Range{From: 50, To: 900}) {
		t.Errorf("what the user looks at has moved: the cursor to %d, the window to %v", s.Cursor, s.Window)
	}
	b.link.SetWindow(link.Range{From: 9000, To: 10000})
	rec.finish()
	b.until("the recorder is done", func() bool { return !b.rec.Live() })
	b.settle()
	n := rec.from.Len()
	if s := b.link.State(); b.Len() != n || s.Cursor != 100 || s.Window != (link.Range{From: n - 1000, To: n}) ||
		strings.Contains(b.Facts(), "recorded") {
		t.Errorf("at the end %d references, %q, the cursor at %d, the window %v", b.Len(), b.Facts(), s.Cursor, s.Window)
	}
	if b.caches().Of != b.rec || len(b.misses()) == 0 || len(b.notices) > 0 {
		t.Errorf("the caches know %d references, %d lines have misses; %q", b.caches().Of.Len(), len(b.misses()), b.notices)
	}
	b.drawAll(size)
}

// TestLiveRecordingIsClosed closes the document while its recorder is at work.
func TestLiveRecordingIsClosed(t *testing.T) {
	rec := newRecorder(t, "list.orr")
	rec.write(5000)
	b := begin(t, rec.file.Name())
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	rec.write(5000)
	b.settle() // comes to an end although the recorder does not
	if b.Len() != 5000 {
		t.Errorf("a closed document has grown to %d references", b.Len())
	}
}
