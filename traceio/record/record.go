// Package record makes recordings: it runs an unmodified Linux program under QEMU's user mode with a plugin of our own and
// streams every memory reference and allocation into an .orr file while the program runs.
package record

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/symbols"
)

// Options says what to run and what of it to keep.
type Options struct {
	Program string   // a path, or a name to be found in PATH
	Args    []string // without the program's name
	Output  string   // "": the program's name with .orr in the current directory
	Dir     string   // the program's working directory, "": the current one
	Env     []string // the program's environment, nil: ours

	// Only restricts the references (not the allocations) to those made by the named code: "program" (the main
	// executable), or names of functions, source files or modules, in which * stands for any text and ? for a character.
	// A name that the main executable has is not looked for in libraries. Empty: everything, the C library and the
	// loader included.
	Only []string
	// From, a function, has references recorded from its first call until that call returns. Where the return cannot
	// be told (a tail call, a first call through the lazy linker) the recording goes on to the end.
	From    string
	MaxRefs uint64 // stop recording, not the program, after so many data references; 0: never

	// Running, if not nil, is called once from a goroutine of Run's, when the file has its name and the program is loaded:
	// from then on the recording can be followed.
	Running func(path string)

	Stdin          io.Reader // nil: ours
	Stdout, Stderr io.Writer // nil: ours
}

// Result tells how a recording went.
type Result struct {
	Path        string
	Refs        uint64 // data references in the file
	Allocs      uint64 // allocator events in the file
	ExitCode    int    // the program's; 128 + signal when a signal ended it
	Signal      string // the name of that signal, "" when none
	Elapsed     time.Duration
	GuestCPU    time.Duration // CPU of the program under the recorder
	Notes       []string      // sentences for the user: what is not in the recording, and why
	Incomplete  bool          // the file could not be written to its end
	Interrupted bool          // ctx ended the program
}

// Run records opt.Program until it ends. report, which may be nil, is called from time to time with the data references
// so far and opt.MaxRefs. When ctx ends, the program is stopped and the file is closed properly: that is no error. The
// error is for a recording that could not be made; what became of the program is in the Result.
func Run(ctx context.Context, opt Options, report func(done, total int64)) (Result, error) {
	path, err := checkProgram(opt.Program)
	if err != nil {
		return Result{}, err
	}
	sel := &selection{}
	if sel.patterns, err = parsePatterns(opt.Only); err != nil {
		return Result{}, err
	}
	if opt.From != "" {
		sel.from = []pattern{{text: opt.From}}
	}
	t, cleanup, err := prepare(ctx)
	if err != nil {
		return Result{}, err
	}
	defer cleanup()
	out := opt.Output
	if out == "" {
		out = filepath.Base(path) + ".orr"
	}
	file, err := createOutput(out, path)
	if err != nil {
		return Result{}, err
	}
	defer file.discard()
	s := &session{opt: opt, path: path, tools: t, sel: sel, file: file, place: file.place, report: report}
	s.res.Path = out
	if err := s.record(ctx); err != nil {
		return s.res, err
	}
	if err := file.place(); err != nil {
		return s.res, err
	}
	return s.res, s.close()
}

// session is one recording under way.
type session struct {
	opt    Options
	path   string
	tools  tools
	sel    *selection
	file   io.WriteCloser
	place  func() error // gives the file its name
	report func(done, total int64)

	prog   traceio.Program
	mods   modules
	writer *orr.Writer
	ring   *ring
	drain  *drain
	cmd    *exec.Cmd
	res    Result
	err    error // of work in the program's answers
}

func (s *session) record(ctx context.Context) (err error) {
	s.prog = traceio.Program{
		Command:  append([]string{s.opt.Program}, s.opt.Args...),
		Recorder: "qemu",
		Started:  time.Now().UTC().Truncate(time.Second),
		Ticking:  true,
	}
	if s.writer, err = orr.Create(s.file, &s.prog); err != nil {
		return fmt.Errorf("making the recording: %w", err)
	}
	if s.ring, err = newRing(); err != nil {
		return err
	}
	defer s.ring.close()
	if s.mods.program, err = os.Stat(s.path); err != nil {
		return err
	}
	if s.mods.preload, err = os.Stat(s.tools.preload); err != nil {
		return err
	}
	if len(s.sel.from) > 0 {
		*s.ring.word(atGated) = 1
	}
	if len(s.sel.patterns) > 0 {
		*s.ring.word(atPartial) = 1
	}
	s.drain = newDrain(s.ring, s.writer, s.opt.MaxRefs)
	s.drain.known = func(pc uint64) bool { return s.mods.contains(pc) >= 0 }
	s.drain.ours = s.mods.isHidden
	s.drain.start = func(base, pc uint64) {
		s.ring.unlink()
		s.keep(s.place())
		s.keep(s.mods.start(base, pc))
		s.choose()
		s.describe()
		if s.opt.Running != nil {
			s.opt.Running(s.res.Path)
		}
	}
	s.drain.code = func(addr uint64) {
		s.keep(s.mods.mapped(addr))
		s.choose()
	}
	began := time.Now()
	if err := s.launch(); err != nil {
		return err
	}
	s.mods.pid = s.cmd.Process.Pid
	s.follow(ctx)
	s.res.Elapsed = time.Since(began)
	if s.mods.base == 0 && len(s.mods.list) == 0 && s.drain.data() == 0 {
		return fmt.Errorf("the emulator did not start %s (exit status %d); does it run without the recorder?", s.opt.Program, s.res.ExitCode)
	}
	return nil
}

// describe writes down what is known of the program by now, for those who follow the recording: when code has been mapped
// or there are a quarter more stacks. A failure is the writer's, which tells it with the next block.
func (s *session) describe() {
	modules, stacks := len(s.mods.list), len(s.drain.stack)
	if modules == len(s.prog.Modules) && stacks <= len(s.prog.Stacks)+len(s.prog.Stacks)/4 {
		return
	}
	s.prog.Modules, s.prog.Stacks = slices.Clone(s.mods.list), slices.Clone(s.drain.stack)
	_ = s.writer.WriteProgram(&s.prog)
}

func (s *session) keep(err error) {
	if s.err == nil {
		s.err = err
	}
}

// choose tells the plugin what to record, now that modules are known.
func (s *session) choose() {
	s.sel.update(&s.mods)
	s.keep(s.ring.setRanges(s.sel.recorded(s.mods.hidden)))
	s.ring.setEntries(s.sel.entries)
}

// launch starts the program under the emulator.
func (s *session) launch() error {
	env, guest := splitEnv(s.opt.Env, s.tools.preload)
	args := []string{"-cpu", "max", "-0", s.opt.Program}
	for _, e := range guest {
		args = append(args, "-E", e)
	}
	args = append(args, "-plugin", escape(s.tools.plugin)+",ring="+escape(s.ring.path), s.path)
	s.cmd = exec.Command(s.tools.qemu, append(args, s.opt.Args...)...)
	s.cmd.Dir, s.cmd.Env = s.opt.Dir, env
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = s.opt.Stdin, s.opt.Stdout, s.opt.Stderr
	if s.opt.Stdin == nil {
		s.cmd.Stdin = os.Stdin
	}
	if s.opt.Stdout == nil {
		s.cmd.Stdout = os.Stdout
	}
	if s.opt.Stderr == nil {
		s.cmd.Stderr = os.Stderr
	}
	s.cmd.WaitDelay = time.Second // grandchildren may keep a pipe open
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("starting the emulator: %w", err)
	}
	return nil
}

// escape protects commas in the emulator's option lists.
func escape(path string) string { return strings.ReplaceAll(path, ",", ",,") }

// splitEnv separates the variables that steer the dynamic linker from the rest: they are meant for the program and must
// not reach the emulator. The malloc wrapper comes first in the program's LD_PRELOAD and takes itself out there. The
// emulator splits what it is given for the program at commas, so a value with one has to stay with both.
func splitEnv(env []string, preload string) (emulator, program []string) {
	if env == nil {
		env = os.Environ()
	}
	emulator = []string{}
	for _, e := range env {
		rest, isPreload := strings.CutPrefix(e, "LD_PRELOAD=")
		switch {
		case !strings.HasPrefix(e, "LD_") || strings.Contains(e, ","):
			emulator = append(emulator, e)
		case isPreload && rest != "":
			preload += ":" + rest
		case !isPreload:
			program = append(program, e)
		}
	}
	return emulator, append(program, "LD_PRELOAD="+preload)
}

// follow empties the ring until the program has ended and nothing is left in it.
func (s *session) follow(ctx context.Context) {
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	stopSignals := passSignals(s.cmd.Process)
	defer stopSignals()
	cancel := ctx.Done()
	var kill <-chan time.Time
	strikes := []os.Signal{terminate, os.Kill}
	nap := shortNap
	tick := time.NewTimer(0)
	defer tick.Stop()
	var told time.Time
	flushed := time.Now()
	for over := false; ; {
		if n := s.drain.poll(); n > 0 {
			nap = shortNap
		} else if over {
			if !s.ring.skipHole() {
				break
			}
		} else {
			nap = min(nap*5/4, longNap)
		}
		if s.report != nil && time.Since(told) > 100*time.Millisecond {
			told = time.Now()
			s.report(int64(s.drain.data()), int64(s.opt.MaxRefs))
		}
		if s.drain.n > 0 && time.Since(flushed) > flushEvery {
			s.drain.flush()
			s.describe()
			flushed = time.Now()
		}
		if over {
			continue
		}
		tick.Reset(nap)
		select {
		case err := <-ended:
			s.ended(err)
			over = true
		case <-cancel:
			// the terminal may have told the program already: it gets a moment before it is asked, then told, to go
			cancel, s.res.Interrupted = nil, true
			kill = time.After(300 * time.Millisecond)
		case <-kill:
			_ = s.cmd.Process.Signal(strikes[0])
			strikes, kill = strikes[1:], nil
			if len(strikes) > 0 {
				kill = time.After(2 * time.Second)
			}
		case <-tick.C:
		}
	}
	s.drain.finish()
	if s.report != nil {
		s.report(int64(s.drain.data()), int64(s.opt.MaxRefs))
	}
}

// Pauses between looks into an empty ring: short while the program runs, longer while it waits for something.
const (
	shortNap = 200 * time.Microsecond
	longNap  = 5 * time.Millisecond
)

// flushEvery bounds what is not in the file yet, for those who watch a slow program's recording grow.
const flushEvery = 150 * time.Millisecond

func (s *session) ended(err error) {
	state := s.cmd.ProcessState
	if state == nil {
		s.keep(err)
		return
	}
	s.res.GuestCPU = state.UserTime() + state.SystemTime()
	s.res.ExitCode, s.res.Signal = status(state)
}

// close names what was recorded, ends the file and tells what the user should know.
func (s *session) close() error {
	s.res.Refs, s.res.Allocs = s.drain.data(), s.drain.allocs
	s.prog.Modules, s.prog.Stacks = s.mods.list, s.drain.stack
	// names are wanted although the user has interrupted the program
	pcs := s.writer.PCs()
	if err := symbols.Resolve(context.Background(), &s.prog, pcs); err != nil {
		s.keep(fmt.Errorf("naming what was recorded: %w", err))
	}
	trim(&s.prog, pcs, s.mods.contains)
	if dir, err := filepath.Abs(s.opt.Dir); err == nil {
		neutral(&s.prog, dir)
	}
	err := s.drain.failed
	if err == nil {
		err = s.writer.Close(&s.prog)
	}
	if err == nil {
		err = s.file.Close()
	}
	if err != nil {
		s.res.Incomplete = true
		s.note("the recording ends early, because its file could not be written: %v; the program was not disturbed and what was written can be opened", err)
	}
	s.notes()
	return s.err
}

func (s *session) note(format string, args ...any) {
	s.res.Notes = append(s.res.Notes, fmt.Sprintf(format, args...))
}

func (s *session) notes() {
	d := s.drain
	if !d.hello && !d.full { // or the recording stopped before the wrapper could tell
		s.note("%s is linked statically or brings its own loader, so its allocations are not in the recording", s.opt.Program)
	}
	for _, p := range s.sel.unmatched() {
		s.note("nothing in the program or its libraries is called %q", p)
	}
	if len(s.sel.from) > 0 {
		switch {
		case !d.gateIn:
			s.note("%s was never called, so no reference was recorded", s.opt.From)
		case !d.gateReturns:
			s.note("the return of %s could not be told, so the recording goes on to the end", s.opt.From)
		}
	}
	if d.full {
		s.note("recording stopped after %d references as asked; the program ran on", d.data())
	}
	if d.replaced != "" {
		s.note("the program became %s, which is not recorded", d.replaced)
	}
}
