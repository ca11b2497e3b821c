package preload

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"orrery/traceio"
	"orrery/traceio/record"
	"orrery/traceio/store"
)

// calls is the program that the tests record, built once.
var calls = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "orrery-calls-")
	if err != nil {
		return "", err
	}
	return compile(dir, "calls.c", "-O2")
})

// compile builds a program of testdata in a directory.
func compile(dir, name string, flags ...string) (string, error) {
	path := filepath.Join(dir, strings.TrimSuffix(name, ".c"))
	args := append([]string{"-g", "-fno-builtin", "-pthread", "-w", "-o", path, filepath.Join("testdata", name)}, flags...)
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s; the tests need: sudo apt install gcc libc6-dev", err, out)
	}
	return path, nil
}

// compiled is a program of testdata.
func compiled(t *testing.T, name string, flags ...string) string {
	t.Helper()
	path, err := compile(t.TempDir(), name, append(flags, "-O1")...)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// unnamed leaves code without names: reading those of the C library takes longer than all the rest. TestNames does it.
func unnamed(context.Context, *traceio.Program, []traceio.Addr) error { return nil }

func TestMain(m *testing.M) {
	if words := strings.Split(os.Getenv(recordEnv), "\n"); len(words) > 1 {
		recorderProcess(words)
		return
	}
	code := m.Run()
	if path, err := calls(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// recorded runs the program and opens its recordings.
func recorded(t *testing.T, args ...string) (res record.Result, recs []*store.Recording, out string) {
	t.Helper()
	path, err := calls()
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	dir := t.TempDir()
	res, err = run(context.Background(), record.Options{Program: path, Args: args, Output: filepath.Join(dir, "out.orr"),
		Stdout: &stdout}, unnamed, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, im := range append([]record.Image{res.Image}, res.Others...) {
		r, err := store.Open(context.Background(), im.Path, store.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		if len(r.Loss()) > 0 && !im.Incomplete || uint64(r.Extent()) != im.Allocs || r.Len() != 0 {
			t.Errorf("%s: lost %v, %d events, the result says %d", im.Path, r.Loss(), r.Extent(), im.Allocs)
		}
		recs = append(recs, r)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != len(recs) {
		t.Errorf("%d files are left, want %d recordings (%v)", len(left), len(recs), err)
	}
	return res, recs, stdout.String()
}

// ours keeps the events of the program itself, those whose innermost frame lies in its executable.
func ours(r *store.Recording) []traceio.Alloc {
	p := r.Program()
	foreign := make([]bool, len(p.Stacks))
	for i, s := range p.Stacks {
		foreign[i] = len(s) == 0 || !slices.ContainsFunc(p.Modules, func(m traceio.Module) bool {
			return m.Main && s[0] >= m.Low && s[0] < m.High
		})
	}
	return slices.DeleteFunc(slices.Clone(r.Allocs()), func(a traceio.Alloc) bool { return foreign[a.Stack] })
}

// sizes are the sizes of blocks that are made, in order.
func sizes(allocs []traceio.Alloc) []uint64 {
	var out []uint64
	for _, a := range allocs {
		if a.Op == traceio.Malloc {
			out = append(out, a.Size)
		}
	}
	return out
}

// TestCalls records one call of each kind.
func TestCalls(t *testing.T) {
	res, recs, _ := recorded(t)
	if res.ExitCode != 7 || len(recs) != 1 {
		t.Errorf("exit status %d, %d recordings", res.ExitCode, len(recs))
	}
	var got []string
	names := map[traceio.Addr]string{}
	for _, a := range ours(recs[0]) {
		if a.Op == traceio.Free {
			got = append(got, "-"+names[a.Addr])
			continue
		}
		names[a.Addr] = strconv.Itoa(int(a.Size))
		got = append(got, "+"+names[a.Addr])
		if a.Usable < a.Size || a.Usable > a.Size+24 && a.Size < 1000 || a.Latency == 0 {
			t.Errorf("a block of %d bytes has %d usable ones and took %d ns", a.Size, a.Usable, a.Latency)
		}
	}
	want := "+10 -10 +1000 -1000 +1001 +5 -5 -1001 +21"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// TestNames tells lines, functions and modules of what was allocated.
func TestNames(t *testing.T) {
	path, err := calls()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.orr")
	if _, err := Run(context.Background(), record.Options{Program: path, Output: out}, nil); err != nil {
		t.Fatal(err)
	}
	r, err := store.Open(context.Background(), out, store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p := r.Program()
	first := ours(r)[0]
	at := p.CallerAt(p.Stacks[first.Stack][0]).Own()
	if at.Function != "main" || filepath.Base(at.File) != "calls.c" || at.Line == 0 || first.Size != 10 {
		t.Errorf("the first block, of %d bytes, is allocated at %+v", first.Size, at)
	}
	if len(p.Sources) != 1 || filepath.Base(p.Sources[0].Path) != "calls.c" || len(p.Globals) > 0 ||
		p.Recorder != "preload" {
		t.Errorf("sources %v, %d globals, recorded by %s", p.Sources, len(p.Globals), p.Recorder)
	}
	for _, m := range p.Modules {
		if m.BuildID == "" || strings.Contains(m.Path, "heaponly") {
			t.Errorf("module %+v", m)
		}
	}
}

// TestThreads compares totals with what the program counted, with threads at once, one after the other, and when the
// program closes descriptors that are not its own.
func TestThreads(t *testing.T) {
	for _, args := range [][]string{{"threads", "8"}, {"generations"}, {"closing"}} {
		_, recs, out := recorded(t, args...)
		var want [4]uint64
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			var c [4]uint64
			if _, err := fmt.Sscan(line, &c[0], &c[1], &c[2], &c[3]); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				want[i] += c[i]
			}
		}
		var got [4]uint64
		live := map[traceio.Addr]uint64{}
		last := traceio.Ticks(0)
		for i, a := range ours(recs[0]) {
			if a.Ticks < last {
				t.Fatalf("%v: event %d is older than the one before", args, i)
			}
			last = a.Ticks
			size, known := live[a.Addr]
			if a.Op == traceio.Free {
				if !known {
					t.Fatalf("%v: event %d frees what was not allocated", args, i)
				}
				got[1]++
				got[3] -= size
				delete(live, a.Addr)
				continue
			}
			if known {
				t.Fatalf("%v: event %d allocates what is allocated", args, i)
			}
			live[a.Addr] = a.Size
			got[0]++
			got[2] += a.Size
			got[3] += a.Size
		}
		if got != want {
			t.Errorf("%v: calls, frees, bytes, live bytes are %v, the program counted %v", args, got, want)
		}
	}
}

// TestStacks compares call stacks with what the C library's backtrace told at the same place.
func TestStacks(t *testing.T) {
	_, recs, out := recorded(t, "stacks")
	stacks := map[uint64][]traceio.Addr{}
	for _, a := range recs[0].Allocs() {
		if a.Op == traceio.Malloc && a.Size >= 100000 {
			stacks[a.Size-100000] = recs[0].Program().Stacks[a.Stack]
		}
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) < 24 {
		t.Fatalf("the program told %d stacks", len(lines))
	}
	byDepth := map[uint64][]string{}
	for _, line := range lines {
		f := strings.Fields(line)
		depth, err := strconv.ParseUint(f[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		byDepth[depth] = f[1:] // the last one counts, as above
	}
	for depth, want := range byDepth {
		var got []string
		for _, ret := range stacks[depth][1:] {
			got = append(got, strconv.FormatUint(uint64(ret), 16))
		}
		if n := len(want); n > 31 {
			want = want[:31]
		}
		if !slices.Equal(got, want) {
			t.Errorf("depth %d:\ngot  %v\nwant %v", depth, got, want)
		}
	}
}

// TestImages records what is forked and what it becomes, each in a file of its own.
func TestImages(t *testing.T) {
	res, recs, _ := recorded(t, "fork")
	if len(recs) != 3 {
		t.Fatalf("%d recordings, want 3: %+v", len(recs), res)
	}
	for i, want := range [][]uint64{{1111, 3333}, {2222}, {4444}} {
		if got := sizes(ours(recs[i])); !slices.Equal(got, want) {
			t.Errorf("image %d allocated %v, want %v", i, got, want)
		}
	}
	if res.Others[0].Parent != res.Path || res.Others[1].Parent != "" || res.Others[0].PID != res.Others[1].PID ||
		res.Others[0].PID == res.PID {
		t.Errorf("images %+v", res)
	}
}

// TestDeaths keeps what was recorded of a program that is killed, and lives with files that may not grow.
func TestDeaths(t *testing.T) {
	for _, row := range []struct{ what, signal string }{{"kill", "SIGKILL"}, {"segv", "SIGSEGV"}} {
		res, recs, _ := recorded(t, row.what)
		if got := sizes(ours(recs[0])); !slices.Equal(got, []uint64{31337}) || res.Signal != row.signal {
			t.Errorf("%s: %v was recorded, ended by %s", row.what, got, res.Signal)
		}
	}
	res, recs, out := recorded(t, "small")
	if strings.Count(out, "\n") != 3 || res.ExitCode != 0 {
		t.Fatalf("the program was disturbed: exit status %d, it wrote %q", res.ExitCode, out)
	}
	// blocks that the program made one thread after the other; how many more fit depends on how sixty threads share the
	// rest
	before := 0
	for _, line := range strings.SplitAfterN(out, "\n", 3)[:2] {
		var calls int
		if _, err := fmt.Sscan(line, &calls); err != nil {
			t.Fatal(err)
		}
		before += calls
	}
	if got := len(sizes(ours(recs[0]))); before < 2000 || got < before {
		t.Errorf("%d blocks of a log that could not grow, of which %d came before it was full", got, before)
	}
	if !res.Incomplete || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "ends early") ||
		!strings.Contains(res.Notes[0], "ulimit -f unlimited") {
		t.Errorf("%d events of a log that could not grow, incomplete %v, notes %q", recs[0].Extent(),
			res.Incomplete, res.Notes)
	}
	loss := recs[0].Loss()
	if len(loss) != 1 || loss[0].Kind != lostEvents ||
		loss[0].Why != "allocator events that the program made after its log could take no more: file too large" {
		t.Errorf("lost %v", loss)
	} else if _, all, _ := recorded(t, "large"); uint64(recs[0].Extent())+loss[0].Count != uint64(all[0].Extent()) {
		t.Errorf("%d events are there and %d are lost, of %d", recs[0].Extent(), loss[0].Count, all[0].Extent())
	}
	if notes := recs[0].Program().Notes; len(notes) != 1 || !strings.Contains(notes[0], "ends before its program did") {
		t.Errorf("the recording says %q", notes)
	}
}

// TestRefusals are sentences.
func TestRefusals(t *testing.T) {
	path, err := calls()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		opt  record.Options
		want string
	}{
		{record.Options{Program: path, MaxRefs: 1},
			"--only, --from, --max-refs and --keep-last choose among references, of which --heap-only records none"},
		{record.Options{Program: path, Output: path}, "the recording would overwrite the program " + path +
			"; name another file with -o"},
	} {
		if _, err := Run(context.Background(), row.opt, nil); err == nil || err.Error() != row.want {
			t.Errorf("got %v, want %s", err, row.want)
		}
	}
}
