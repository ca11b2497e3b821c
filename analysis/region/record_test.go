package region_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/traceio/record"
	"orrery/traceio/record/hooks"
	"orrery/traceio/store"
)

// recorded is a program that was built and recorded for a test.
type recorded struct {
	*store.Recording
	regions *region.Map
	use     *region.Usage
	hints   region.Hints
	stdout  string
}

// recordings are kept for all tests of the package: making one takes a second.
var (
	recordings = map[string]*recorded{}
	workshop   string // where they are made
)

// asRecorder is set in the environment of a test binary that is to record a program: OUTPUT PROGRAM PATTERN...
const asRecorder = "REGION_TEST_RECORDS"

func TestMain(m *testing.M) {
	if os.Getenv(asRecorder) != "" {
		res, err := record.Run(context.Background(), record.Options{Program: os.Args[2], Output: os.Args[1],
			Only: os.Args[3:], Stdout: os.Stdout, Stderr: os.Stderr}, nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(res.ExitCode)
	}
	var err error
	if workshop, err = os.MkdirTemp("", "region"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	for _, r := range recordings {
		r.Close()
	}
	os.RemoveAll(workshop)
	os.Exit(code)
}

// recorder is this test binary, built without the race detector: reading libc's debug information for each recording
// takes most of the time otherwise, and the packages that do it have tests of their own.
func recorder(t testing.TB) string {
	t.Helper()
	path := filepath.Join(workshop, "recorder")
	if _, err := os.Stat(path); err != nil {
		if text, err := exec.Command("go", "test", "-c", "-o", path, ".").CombinedOutput(); err != nil {
			t.Fatalf("building: %v\n%s", err, text)
		}
	}
	return path
}

// recordProgram builds a file of testdata and records it, once.
func recordProgram(t testing.TB, compiler, source string, only []string, flags ...string) *recorded {
	t.Helper()
	key := fmt.Sprint(compiler, source, only, flags)
	if recordings[key] == nil {
		recordings[key] = makeRecording(t, compiler, source, only, flags)
	}
	return recordings[key]
}

func makeRecording(t testing.TB, compiler, source string, only, flags []string) *recorded {
	t.Helper()
	compiler, hooked := strings.CutPrefix(compiler, "hooks ")
	for _, p := range []string{compiler, "qemu-x86_64"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatalf("%s is missing; apt-get install gcc g++ clang qemu-user gcc-12-plugin-dev", p)
		}
	}
	dir, err := os.MkdirTemp(workshop, "")
	if err != nil {
		t.Fatal(err)
	}
	prog := filepath.Join(dir, strings.TrimSuffix(source, filepath.Ext(source)))
	args := append([]string{"-g", "-o", prog, filepath.Join("testdata", source)}, flags...)
	if compiler == "go" {
		args = append(append([]string{"build", "-trimpath", "-o", prog}, flags...), filepath.Join("testdata", source))
	}
	args = append([]string{compiler}, args...)
	if hooked { // by orrery cc --locals
		if args, err = hooks.Command(context.Background(), hooks.Options{Locals: true}, recorder(t), args); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	path := filepath.Join(dir, "a.orr")
	run := exec.Command(recorder(t), append([]string{path, prog}, only...)...)
	run.Env = append(os.Environ(), asRecorder+"=1")
	var errs bytes.Buffer
	run.Stderr = &errs
	out, err := run.Output()
	if err != nil {
		t.Fatalf("recording: %v\n%s", err, errs.String())
	}
	ctx := context.Background()
	r := &recorded{stdout: string(out)}
	if r.Recording, err = store.Open(ctx, path, store.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	h, err := heap.Analyze(ctx, r.Allocs(), r.Len(), r.Program(), nil)
	if err != nil {
		t.Fatal(err)
	}
	look := region.NewSample(r.Program())
	for _, i := range region.Sampled(r.Blocks()) {
		look.Add(r.block(t, i))
	}
	r.hints = look.Hints(h)
	s := region.NewSurvey(r, r.Program(), h, r.hints)
	for i := range r.Blocks() {
		s.Add(r.block(t, i))
	}
	r.regions, r.use = s.Done()
	return r
}

func (r *recorded) block(t testing.TB, i int) *traceio.Block {
	t.Helper()
	b, err := r.Block(i)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// uses lists what was used, "NAME loads stores" each.
func (r *recorded) uses(kind region.Kind) map[string][2]int {
	out := map[string][2]int{}
	for _, x := range r.regions.Regions() {
		if u := r.use.Regions[x.ID]; x.Kind == kind && u.References() > 0 {
			out[x.Name] = [2]int{int(u.Loads), int(u.Stores)}
		}
	}
	return out
}

// The oracle is the program's text: volatile variables are used exactly as written.
func TestLocalsAreCounted(t *testing.T) {
	const n = 100
	calls := 177 // 2 fib(11) - 1 calls of fib(10)
	for _, row := range []struct {
		name     string
		compiler string
		only     []string
		flags    []string
	}{
		{"-O0", "gcc", nil, []string{"-O0"}},
		{"-O2 program only", "gcc", []string{"program"}, []string{"-O2"}},
		{"-O0 clang", "clang", []string{"program"}, []string{"-O0"}},
		{"-O0 hooks of gcc", "hooks gcc", nil, nil},
		{"-O0 hooks of clang", "hooks clang", nil, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := recordProgram(t, row.compiler, "locals.c", row.only, append(row.flags, fmt.Sprintf("-DN=%d", n))...)
			var total, compares int
			if _, err := fmt.Sscan(r.stdout, &total, &compares); err != nil {
				t.Fatalf("the program printed %q", r.stdout)
			}
			got := r.uses(region.Local)
			for name, want := range map[string][2]int{ // loads, stores
				"sum:s":            {2 * (n + 1), 2 * (n + 1)},
				"sum:i":            {2 * (3*n + 1), 2 * (n + 1)},
				"fill:a":           {10, 10},
				"fill:p":           {1, 3},
				"fib:own":          {calls + 88, calls},
				"lend:lent":        {6, 6},
				"give:mine":        {9, 9},
				"compare:left":     {compares, compares},
				"compare:right":    {compares, compares},
				"sorted:before":    {2, 1},
				"leap:deep":        {6, 6},
				"land:landed":      {1, 2},
				"through:kept":     {1, 1},
				"main:total":       {10, 10},
				"handler:noted":    {1, 1},
				"signalled:around": {2, 2},
			} {
				if name == "fill:p" && !strings.HasPrefix(row.name, "-O0") {
					continue // gcc does not tell where a structure of volatile members is
				}
				if name == "handler:noted" && !strings.HasPrefix(row.name, "-O0") {
					want = [2]int{} // the kernel makes no call, and without a push at the entry nothing tells of the frame: no name
				}
				if name == "give:mine" {
					want[0] = got[name][0] // the copy for take may move several parts at once
				}
				if got[name] != want {
					t.Errorf("%s: loads, stores %v, want %v", name, got[name], want)
				}
			}
			t.Log(got, r.uses(region.Stack))
		})
	}
}

// Of a function that calls itself only what was inlined into it is recorded, neither its calls nor its returns.
func TestLocalsOfInlinedCode(t *testing.T) {
	for _, row := range []struct{ compiler, level string }{{"gcc", "-O0"}, {"gcc", "-O2"}, {"clang", "-O0"}} {
		r := recordProgram(t, row.compiler, "inlined.c", []string{"part"}, row.level)
		if got, stack := r.uses(region.Local)["part:own"], r.uses(region.Stack); got != [2]int{32, 32} ||
			r.stdout[:3] != "16 " {
			t.Errorf("%s %s: loads, stores %v, want 32 of each; without a name %v", row.compiler, row.level, got, stack)
		}
		r.anyTime(t)
	}
}

// The stacks of goroutines move. The oracle is the program's text: the table has 333 inversions, and the compiler
// clears two words at a time.
func TestLocalsOfGo(t *testing.T) {
	const calls, size, swaps, deep = 3, 40, 333, 201
	compared := size * (size - 1) / 2
	pairs := [2]int{deep * 8, deep * (8 + 4)}
	for _, row := range []struct {
		name  string
		flags []string
		want  map[string][2]int // loads, stores
	}{
		// of the table the compiler does not tell where it is
		{"optimised", nil, map[string][2]int{"main.deep:pairs": pairs}},
		{"not optimised", []string{"-gcflags=all=-N -l"}, map[string][2]int{
			"main.deep:pairs":   pairs,
			"main.sorted:table": {calls * (2*compared + 2*swaps + size), calls * (size/2 + size + 2*swaps)},
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv("CGO_ENABLED", "0")
			// The counts are to the last store: no signal stops a goroutine between two instructions, on a busy machine
			// either, to go on in another thread.
			t.Setenv("GODEBUG", "asyncpreemptoff=1")
			t.Setenv("GOMAXPROCS", "1")
			r := recordProgram(t, "go", "stacks.go", nil, row.flags...)
			if r.stdout != "117 120600\n" {
				t.Fatalf("the program printed %q", r.stdout)
			}
			got := r.uses(region.Local)
			for name, want := range row.want {
				if got[name] != want {
					t.Errorf("%s: loads, stores %v, want %v", name, got[name], want)
				}
			}
			r.anyTime(t)
		})
	}
}

// C++ has functions that are copied, inlined, left by exceptions and run by several threads at a time.
func TestLocalsOfCpp(t *testing.T) {
	r := recordProgram(t, "g++", "locals.cpp", []string{"program"}, "-O2", "-pthread")
	got := r.uses(region.Local)
	for name, want := range map[string][2]int{
		"shapes::Square::area:twice": {3 * 2, 3 * 2},
		"larger:chosen":              {1, 1}, // of int
		"larger:chosen#2":            {1, 1}, // of long
		"thrower:depth":              {4 + 3, 4},
		"catcher:caught":             {1, 3},
		"worker:own":                 {4 * 1001, 4 * 1001},
		"inlined:inner":              {3, 3},
		"outer:sum":                  {4, 4},
	} {
		if got[name] != want {
			t.Errorf("%s: loads, stores %v, want %v", name, got[name], want)
		}
	}
	t.Log(got, r.uses(region.Stack))
}

// Locate at any time, in any order, says what Classify said on the way through.
func TestLocalsAtAnyTime(t *testing.T) {
	recordProgram(t, "clang", "locals.c", []string{"program"}, "-O0", "-DN=100").anyTime(t)
}

func (r *recorded) anyTime(t *testing.T) {
	t.Helper()
	l := r.regions.Lookup()
	var want []int32
	var refs []traceio.Access
	for i := range r.Blocks() {
		b := r.block(t, i)
		ids := make([]int32, b.Len())
		l.Classify(b, ids, nil)
		want = append(want, ids...)
		for row := range ids {
			refs = append(refs, traceio.Access{Addr: b.Addr[row], Seq: b.First + traceio.Seq(row)})
		}
	}
	other := r.regions.Lookup()
	for k := 0; k < len(refs); k += max(97, len(refs)/200) { // each question walks half a block
		i := k * 7919 % len(refs)
		if id, _ := r.regions.Locate(refs[i].Addr, refs[i].Seq); id != int(want[i]) {
			t.Fatalf("reference %d is in region %d, Classify said %d", i, id, want[i])
		}
		if id, _ := other.Locate(refs[i].Addr, refs[i].Seq); id != want[i] {
			t.Fatalf("reference %d is in region %d, Classify said %d", i, id, want[i])
		}
	}
}

// BenchmarkClassifyLocals compares looking up with variables on the stack to looking up without, on a program that does
// little but use its stack and call itself.
func BenchmarkClassifyLocals(b *testing.B) {
	r := recordProgram(b, "gcc", "locals.c", []string{"program"}, "-O0", "-DN=20000", "-DFIB=22")
	var blocks []*traceio.Block
	rows := 0
	for i := range r.Blocks() {
		k := r.block(b, i)
		blocks = append(blocks, k)
		rows += k.Len()
	}
	ids := make([]int32, traceio.MaxBlock)
	bare := region.New(r.Program(), nil, region.Hints{Stacks: r.hints.Stacks})
	for _, row := range []struct {
		name string
		m    *region.Map
	}{{"stack", bare}, {"locals", r.regions}} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			l := row.m.Lookup()
			for b.Loop() {
				for _, k := range blocks {
					l.Classify(k, ids[:k.Len()], nil)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows*b.N), "ns/row")
		})
	}
	b.Run("survey", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s := region.NewSurvey(r, r.Program(), nil, r.hints)
			for _, k := range blocks {
				s.Add(k)
			}
			s.Done()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows*b.N), "ns/row")
	})
}

// blocksOf counts the blocks of the heap regions that were allocated in a source file.
func (r *recorded) blocksOf(source string) map[string]int {
	out := map[string]int{}
	for _, x := range r.regions.Regions() {
		if x.Kind == region.Heap && strings.HasPrefix(x.Place+x.Name, "heap@"+source) {
			out[x.Name] = int(r.regions.Heap().Sites[x.Site].Blocks)
		}
	}
	return out
}

// The oracle is the comments in the program.
func TestBlocksAreNamedAfterTheirHolders(t *testing.T) {
	r := recordProgram(t, "gcc", "blocks.c", nil, "-O0")
	want := map[string]int{"*main:local": 1, "*C": 1, "*word.text": 1, "*P[*]": 12, "*main:rows[*]": 3,
		"*P[4]": 1, "*make:made": 20,
		"*main:block": 2, "heap@blocks.c:43": 1, "heap@blocks.c:44": 1, "heap@blocks.c:45": 1,
		"heap@blocks.c:64": 1} // the buffer of printf
	if got := r.blocksOf("blocks.c"); !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// Constructors run between the allocation and the store; the oracle is the comments in the program.
func TestBlocksOfCppAreNamedAfterTheirHolders(t *testing.T) {
	for _, row := range []struct {
		compiler, level string
		only            []string
	}{{"clang++", "-O0", nil}, {"g++", "-O2", []string{"program"}}} {
		r := recordProgram(t, row.compiler, "blocks.cpp", row.only, row.level)
		want := map[string]int{"*main:single": 1, "*global": 1, "*main:array": 1, "*slots[*].cells": 3, "*main:taken": 1,
			"*grow:tree": 15, "*main:numbers": 1,
			"heap@blocks.cpp:15": 2, "heap@blocks.cpp:66": 1} // a part of each Whole, and the buffer of printf
		if row.level == "-O0" {
			want["*main:inner"], want["heap@blocks.cpp:61"] = 1, 1
		} else {
			want["heap@blocks.cpp:64"], want["*main:owned"] = 1, 1
		}
		if got := r.blocksOf("blocks.cpp"); !maps.Equal(got, want) {
			t.Errorf("%v\ngot  %v\nwant %v", row, got, want)
		}
	}
}

// Each thread has its own; the oracle is the text.
func TestThreadLocals(t *testing.T) {
	for compiler, level := range map[string]string{"gcc": "-O0", "clang": "-O2"} {
		r := recordProgram(t, compiler, "threads.c", []string{"program"}, level, "-pthread")
		got := r.uses(region.Global)
		sum := 0
		for thread := 1; thread <= 3; thread++ {
			n := got[fmt.Sprintf("count of thread %d", thread)]
			if n[0] != n[1] || n[0]%100 != 0 {
				t.Errorf("%s %s: thread %d has %v", compiler, level, thread, n)
			}
			sum += n[0]
			if n := got[fmt.Sprintf("own of thread %d", thread)]; n != [2]int{0, 1} {
				t.Errorf("%s %s: own of thread %d is used %v", compiler, level, thread, n)
			}
		}
		if got["count"] != [2]int{1000, 1000} || sum != 600 || got["last"] != [2]int{0, 1} {
			t.Errorf("%s %s: %v", compiler, level, got)
		}
		var a uint64
		if _, err := fmt.Sscanf(r.stdout, "0x%x", &a); err != nil {
			t.Fatalf("the program printed %q", r.stdout)
		}
		if _, name := r.regions.At(traceio.Addr(a), 0); name != "own.part[2]" {
			t.Errorf("%s %s: the program's own.part[2] is called %q", compiler, level, name)
		}
	}
}

// A library has its variables of each thread wherever the loader puts them; the oracle is the text.
func TestThreadLocalsOfLibraries(t *testing.T) {
	dir := t.TempDir()
	args := []string{"-g", "-shared", "-fPIC", "-o", filepath.Join(dir, "libcount.so"),
		filepath.Join("testdata", "libcount.c"), "-O0"}
	if text, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc %v: %v\n%s", args, err, text)
	}
	r := recordProgram(t, "gcc", "counted.c", []string{"counted", "libcount.so"}, "-O0", "-pthread", "-L"+dir,
		"-lcount", "-Wl,-rpath,"+dir)
	got := r.uses(region.Global)
	sum := 0
	for thread := 1; thread <= 3; thread++ {
		n := got[fmt.Sprintf("total of thread %d", thread)]
		if n[0] != n[1]+1 || n[1]%100 != 0 {
			t.Errorf("thread %d has %v", thread, n)
		}
		sum += n[1]
		if n := got[fmt.Sprintf("latest of thread %d", thread)]; n[1] != 1 {
			t.Errorf("latest of thread %d is used %v", thread, n)
		}
	}
	if got["total"] != [2]int{1001, 1000} || sum != 600 || got["mine"] != [2]int{4, 4} {
		t.Error(got)
	}
}
