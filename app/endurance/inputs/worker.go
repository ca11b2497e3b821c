package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"orrery/app/cli"
	"orrery/traceio/resultcache"
)

// job is what a worker is asked for: mutants in a row, or a file in the place of one.
type job struct {
	Format      string `json:"format"`
	From, Count uint64
	Only        []int  `json:"only,omitempty"` // these commands of the format, not the first and some others
	File        string `json:"file,omitempty"` // contents in place of the mutant's own
	Save        string `json:"save,omitempty"` // write the mutant there and run nothing
	Good        bool   `json:"good,omitempty"` // run all commands on the good files
}

// answer is what became of one mutant.
type answer struct {
	Index uint64   `json:"index"`
	Name  string   `json:"name"`
	Edits []string `json:"edits,omitempty"`
	Pipe  bool     `json:"pipe,omitempty"`
	Size  int      `json:"size"`
	Runs  []result `json:"runs"`
	Used  float64  `json:"used"`            // seconds of processor time
	Error string   `json:"error,omitempty"` // of the worker itself
}

// result is what became of one command.
type result struct {
	Command int      `json:"command"`
	Status  int      `json:"status"`
	Faults  []string `json:"faults,omitempty"`
	Said    string   `json:"said,omitempty"` // on standard error, where there are faults
	Peak    uint64   `json:"peak,omitempty"` // bytes that the worker had mapped at most
}

// The limits of one run.
const (
	timeLimit  = 10 * time.Second // of processor time
	bombLimit  = 60 * time.Second
	usual      = 256 << 20 // bytes that no good file needs more of
	memoryRoom = 1 << 30   // above that
	maxOutput  = 64 << 20
)

// The statuses with which a worker ends itself; what it writes to standard error says more.
const (
	diedOfTime   = 97
	diedOfMemory = 98
)

// worker runs mutants through commands, in this process, one after the other.
type worker struct {
	root  string
	seed  uint64
	draw  int    // commands beside the first
	dir   string // of its own: in/ is the working directory, tmp/ for temporary files, home/
	cache string // of results

	formats  map[string]*format
	ready    map[string]bool
	baseline map[[3]any][]byte // what commands print for good files: by format, file and command

	began      atomic.Int64 // processor time at which the run that is under way began; 0: none
	since      atomic.Int64 // the same in real time
	limit      atomic.Int64
	peak       atomic.Uint64
	goroutines int
	files      int
}

// work serves jobs from in until it ends.
func work(root, dir string, seed uint64, draw int, in io.Reader, out io.Writer) error {
	w := &worker{
		root:     root,
		seed:     seed,
		draw:     draw,
		dir:      dir,
		cache:    filepath.Join(dir, "cache"),
		formats:  map[string]*format{},
		ready:    map[string]bool{},
		baseline: map[[3]any][]byte{},
	}
	all, err := formats(root)
	if err != nil {
		return err
	}
	for _, f := range all {
		w.formats[f.name] = f
	}
	if err := w.enter(); err != nil {
		return err
	}
	go w.watch()
	answers := json.NewEncoder(out)
	jobs := json.NewDecoder(bufio.NewReader(in))
	for {
		var j job
		if err := jobs.Decode(&j); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for i := range max(1, j.Count) {
			began := processorTime()
			a := w.serve(&j, j.From+i)
			a.Used = float64(processorTime()-began) / 1e9
			if err := answers.Encode(a); err != nil {
				return err
			}
		}
	}
}

// enter makes the worker's directories and everything outside of them unknown to the program.
func (w *worker) enter() error {
	for _, sub := range []string{"in", "tmp", "home", "cache", "out"} {
		if err := os.MkdirAll(filepath.Join(w.dir, sub), 0o700); err != nil {
			return err
		}
	}
	for name, value := range map[string]string{
		"TMPDIR": "tmp", "HOME": "home", "XDG_CACHE_HOME": "home", "XDG_CONFIG_HOME": "home", "XDG_DATA_HOME": "home",
		"DEBUGINFOD_CACHE_PATH": "home",
	} {
		os.Setenv(name, filepath.Join(w.dir, value))
	}
	debug.SetGCPercent(-1) // garbage goes when this much is in use, not after every few runs
	debug.SetMemoryLimit(usual * 3 / 4)
	return os.Chdir(filepath.Join(w.dir, "in"))
}

// mapped is the memory that the Go heap and what belongs to it take from the system.
func mapped() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}

// processorTime is what this process has used.
func processorTime() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// watch ends the process when a run takes too long or too much; the driver begins another one.
func (w *worker) watch() {
	for range time.Tick(50 * time.Millisecond) {
		began := w.began.Load()
		if began == 0 {
			continue
		}
		m := mapped()
		w.peak.Store(max(w.peak.Load(), m))
		if m > usual+memoryRoom {
			w.die(diedOfMemory, fmt.Sprintf("memory: %d MiB are mapped", m>>20))
		}
		used := processorTime() - began
		if used > w.limit.Load() {
			w.die(diedOfTime, fmt.Sprintf("time: the command has used %d s", used/1e9))
		}
		if waited := time.Now().UnixNano() - w.since.Load(); waited > int64(30*time.Second) && used < waited/50 {
			w.die(diedOfTime, fmt.Sprintf("time: the command has not ended after %d s", waited/1e9))
		}
	}
}

// die says why, and what all goroutines do.
func (w *worker) die(status int, why string) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	fmt.Fprintf(os.Stderr, "%s\n%s\n", why, stacks)
	os.Exit(status)
}

// file is the path of what a command line names: a file of the tree, or one beside the mutants' directory with "^" in
// front.
func (w *worker) file(arg string) string {
	switch {
	case strings.HasPrefix(arg, "testdata/") || strings.HasPrefix(arg, "assets/"):
		return filepath.Join(w.root, arg)
	case strings.HasPrefix(arg, "^"):
		return filepath.Join(w.dir, arg[1:])
	}
	return arg
}

// args is a command line of the format for a file of this name.
func (w *worker) args(command []string, name string) (args []string) {
	for _, a := range command {
		switch {
		case a == "@":
			a = name
		case a == "@@":
			a = "@" + name
		case strings.HasPrefix(a, "%"):
			a = filepath.Join(w.dir, "out", "made"+a[1:])
		}
		args = append(args, w.file(a))
	}
	return args
}

// output is a stream that a run may not fill without end.
type output struct{ bytes.Buffer }

func (o *output) Write(p []byte) (int, error) {
	if o.Len() > maxOutput {
		return 0, fmt.Errorf("more than %d MiB were written", maxOutput>>20)
	}
	return o.Buffer.Write(p)
}

// run runs one command line. A panic of the goroutine that it began on is its last line on standard error.
func (w *worker) run(args []string, limit time.Duration) (status int, out, errs []byte) {
	var stdout, stderr output
	w.limit.Store(int64(limit))
	w.peak.Store(mapped())
	w.since.Store(time.Now().UnixNano())
	w.began.Store(max(1, processorTime()))
	defer func() {
		w.peak.Store(max(w.peak.Load(), mapped()))
		w.began.Store(0)
		if p := recover(); p != nil {
			fmt.Fprintf(&stderr, "panic: %v\n%s", p, debug.Stack())
			status = -1
		}
		out, errs = stdout.Bytes(), stderr.Bytes()
	}()
	if call := internal[args[0]]; call != nil {
		return call(args[1:], &stdout, &stderr), nil, nil
	}
	noWindow := func(context.Context, []string, cli.DesktopFlags) error {
		return fmt.Errorf("the campaign opens no window")
	}
	status = cli.Main(
		context.Background(),
		args,
		cli.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr},
		noWindow,
	)
	return status, nil, nil
}

// must runs a command that has to succeed, with what it keeps.
func (w *worker) must(args ...string) ([]byte, error) {
	os.Setenv(resultcache.Variable, w.cache)
	defer os.Setenv(resultcache.Variable, "off")
	status, out, errs := w.run(args, timeLimit)
	if status != cli.Done {
		return nil, fmt.Errorf("orrery %s: status %d: %s", strings.Join(args, " "), status, errs)
	}
	return out, nil
}

// start gets a format ready: the good files that the program itself writes, and what runs beside a command.
func (w *worker) start(f *format) error {
	if w.ready[f.name] {
		return nil
	}
	w.ready[f.name] = true
	if f.prepare != nil {
		if err := f.prepare(w, f); err != nil {
			return err
		}
	}
	if _, err := w.good(f, 0, 0); err != nil {
		return err
	}
	w.goroutines, w.files = runtime.NumGoroutine(), openFiles()
	return nil
}

// good runs a command on a good file and gives what it prints.
func (w *worker) good(f *format, which, command int) ([]byte, error) {
	key := [3]any{f.name, which, command}
	if out, ok := w.baseline[key]; ok {
		return out, nil
	}
	s := &f.seeds[which]
	m := &mutant{format: f, good: which, name: s.name, data: s.data, beside: s.beside}
	if err := w.place(m); err != nil {
		return nil, err
	}
	r, out := w.try(m, command)
	if len(r.Faults) > 0 || command == 0 && r.Status != cli.Done && r.Status != cli.Partial || r.Peak > usual {
		return nil, fmt.Errorf(
			"the good file %s, %v: status %d, %d MiB, %q: %s",
			m.name,
			f.commands[command],
			r.Status,
			r.Peak>>20,
			r.Faults,
			r.Said,
		)
	}
	w.baseline[key] = bytes.Clone(out)
	return out, nil
}

// allGood runs all commands on all good files.
func (w *worker) allGood(f *format) error {
	for which := range f.seeds {
		for command := range f.commands {
			if _, err := w.good(f, which, command); err != nil {
				return err
			}
		}
	}
	return nil
}

// serve runs one mutant through its commands.
func (w *worker) serve(j *job, index uint64) answer {
	f := w.formats[j.Format]
	a := answer{Index: index}
	if f == nil {
		a.Error = "there is no format " + j.Format
		return a
	}
	if err := w.start(f); err != nil {
		a.Error = f.name + ": " + err.Error()
		return a
	}
	if j.Good {
		if err := w.allGood(f); err != nil {
			a.Error = f.name + ": " + err.Error()
		}
		return a
	}
	m := mutantOf(w.seed, f, index)
	if j.File != "" {
		data, err := os.ReadFile(j.File)
		if err != nil {
			a.Error = err.Error()
			return a
		}
		m.data = data
	}
	a.Name, a.Edits, a.Pipe, a.Size = m.name, m.edits, m.pipe, len(m.data)
	if j.Save != "" {
		if err := os.WriteFile(j.Save, m.data, 0o644); err != nil {
			a.Error = err.Error()
		}
		return a
	}
	commands := j.Only
	if commands == nil {
		commands = w.choose(m)
	}
	if m.sealed {
		for _, k := range commands {
			if _, err := w.good(f, m.good, k); err != nil {
				a.Error = err.Error()
				return a
			}
		}
	}
	for n, k := range commands {
		if n == 0 || m.pipe {
			if err := w.place(m); err != nil {
				a.Error = err.Error()
				return a
			}
		}
		r, _ := w.try(m, k)
		if len(r.Faults) == 0 {
			r.Said = ""
		}
		a.Runs = append(a.Runs, r)
		if n == 0 && j.Only == nil && r.Status == cli.Failed && index%8 > 0 {
			break // the others read it in the same way; every eighth shows whether they do
		}
	}
	return a
}

// choose gives the first command and some of the others.
func (w *worker) choose(m *mutant) []int {
	n := len(m.format.commands)
	others := source(w.seed^0x5eed, m.format, m.index).Perm(max(0, n-1))
	chosen := []int{0}
	for _, k := range others[:min(w.draw, len(others))] {
		chosen = append(chosen, k+1)
	}
	if w.draw >= len(others) {
		slices.Sort(chosen)
	}
	return chosen
}

// place puts the files of a mutant into the empty working directory.
func (w *worker) place(m *mutant) error {
	if err := empty("."); err != nil {
		return err
	}
	for _, s := range m.beside {
		if err := os.WriteFile(s.name, s.data, 0o600); err != nil {
			return err
		}
		if err := built(s.name); err != nil {
			return err
		}
	}
	path := m.name
	if m.format.inCache {
		if err := empty(w.cache); err != nil {
			return err
		}
		path = filepath.Join(w.cache, m.name)
	}
	if m.pipe {
		return unix.Mkfifo(path, 0o600)
	}
	if err := os.WriteFile(path, m.data, 0o600); err != nil {
		return err
	}
	return built(path)
}

// built makes a file an hour old, unless it is a log: a program was built before it was recorded.
func built(path string) error {
	if strings.HasSuffix(path, ".lackey") {
		return nil
	}
	long := time.Now().Add(-time.Hour)
	return os.Chtimes(path, long, long)
}

func empty(dir string) error {
	files, err := os.ReadDir(dir)
	for _, f := range files {
		err = os.RemoveAll(filepath.Join(dir, f.Name()))
	}
	return err
}

// feed writes data into a pipe for whoever opens it, and ends where data ends. stop ends it when nobody has.
func feed(path string, data []byte) (stop func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer f.Close()
		_, _ = f.Write(data) // the reader may have had enough
	}()
	return func() {
		for {
			f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
			if err == nil {
				_, _ = io.Copy(io.Discard, f)
				f.Close()
			}
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}
}
