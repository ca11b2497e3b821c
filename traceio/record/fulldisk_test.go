package record

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// failing is a file on a disk that is full after some bytes.
type failing struct {
	*output
	room int
}

func (f *failing) Write(p []byte) (int, error) {
	n := min(f.room, len(p))
	f.room -= n
	if _, err := f.output.Write(p[:n]); err != nil || n == len(p) {
		return n, err
	}
	return n, &fs.PathError{Op: "write", Path: f.path, Err: unix.ENOSPC}
}

// Truncate gives room back, as a disk does.
func (f *failing) Truncate(size int64) error {
	at, err := f.Seek(0, io.SeekCurrent)
	if f.room = max(f.room, 0) + int(at-size); err != nil {
		return err
	}
	return f.output.Truncate(size)
}

// TestFullDisk: a full disk ends the recording, not the program, and keeps what was written. The file has its end
// nevertheless, which tells the reason and how much of what an endless disk would hold is missing.
func TestFullDisk(t *testing.T) {
	program := compile(t, "busy.c", busy, "-O2")
	tools, cleanup, err := prepare(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	whole := run(t, Options{Program: program, Args: []string{"4"}, Only: []string{"program"}})
	for _, test := range []struct {
		room  int
		limit uint64
		least traceio.Seq
	}{{30000, 0, 1}, {100000, 0, 65536}, {30000, 200000, 1}, {9000, 0, 0}} {
		path := filepath.Join(t.TempDir(), "full.orr")
		file, err := createOutput(context.Background(), path, program)
		if err != nil {
			t.Fatal(err)
		}
		var stdout bytes.Buffer
		s := &session{opt: Options{Program: program, Args: []string{"4"}, Stdout: &stdout, MaxRefs: test.limit},
			path: program, out: path, tools: tools,
			patterns: []pattern{{text: "program"}}, first: &failing{file, test.room}}
		if err := s.record(context.Background()); err != nil {
			t.Fatal(err)
		}
		if !s.res.Incomplete || s.res.ExitCode != 0 || stdout.String() != whole.stdout ||
			!strings.Contains(fmt.Sprint(s.res.Notes), "no space left") {
			t.Errorf("%+v, output %q", s.res, stdout.String())
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := orr.Open(bytes.NewReader(data), int64(len(data)), path)
		if err != nil || len(f.Loss()) > 0 || len(data) > test.room {
			t.Fatalf("%d bytes of %d, %v, %v", len(data), test.room, err, f.Loss())
		}
		events, marks := uint64(0), 0
		var last traceio.Block
		for i := range f.Entries() {
			last = traceio.Block{}
			if err := f.Events(i, &last); err != nil {
				t.Fatal(err)
			}
			events += uint64(len(last.Allocs))
			marks += without(last.Marks, traceio.Enter, traceio.Gap)
		}
		lost := map[string]traceio.Loss{}
		for _, l := range f.Program().Lost {
			lost[l.Kind] = l
		}
		want := whole.Refs
		if test.limit > 0 {
			want = test.limit
		}
		refs := lost["unwritten-references"]
		if f.Len() < test.least || uint64(f.Len()) != s.res.Refs || s.res.Refs+refs.Count != want ||
			!strings.HasSuffix(refs.Why, "written: no space left on device") {
			t.Errorf("room %d: %d references, the recorder tells of %d, want %d or more; lost %+v of %d", test.room, f.Len(),
				s.res.Refs, test.least, lost, want)
		}
		all := whole.Allocs + uint64(without(whole.rec.Marks(), traceio.Enter))
		if n := lost["unwritten-events"].Count; events != s.res.Allocs || n == 0 || events+uint64(marks)+n != all {
			t.Errorf("room %d: %d allocator events, the recorder tells of %d; %d marks, %d lost of %d", test.room, events,
				s.res.Allocs, marks, n, all)
		}
		if m := last.Marks; len(m) == 0 || m[len(m)-1].Kind != traceio.Gap || m[len(m)-1].Value != refs.Count {
			t.Errorf("room %d: the time line ends with %+v", test.room, m[max(len(m)-1, 0):])
		}
	}
}

// without counts marks but those of some kinds.
func without(marks []traceio.Mark, kinds ...traceio.MarkKind) (n int) {
	for _, m := range marks {
		if !slices.Contains(kinds, m.Kind) {
			n++
		}
	}
	return n
}

// TestFullDiskAtOnce: a recording that cannot even begin is an error, and the program is not started.
func TestFullDiskAtOnce(t *testing.T) {
	var out bytes.Buffer
	_, err := Run(context.Background(), Options{Program: "/bin/echo", Args: []string{"hello"},
		Output: "/dev/full", Stdout: &out}, nil)
	if err == nil || !strings.Contains(err.Error(), "no space left") || out.Len() > 0 {
		t.Errorf("%v, output %q", err, out.String())
	}
}
