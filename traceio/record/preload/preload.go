// Package preload records what a program asks its allocator for, and nothing else, while the program runs at nearly its
// own speed: a wrapper around malloc and its kin, mmap and munmap is loaded before the allocator and logs every call
// with its call stack (32 frames), the usable size, the time and how long the allocator took. In: a program. Out: an
// .orr file without references for each process image.
package preload

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/record"
	"orrery/traceio/symbols"
)

// Run records opt.Program until it ends, and then writes the recordings: the program's own to opt.Output, those of what
// it forks and becomes by exec beside it, as record.Run does. Only, From, MaxRefs and KeepLast concern references and
// must be empty. report, which may be nil, is told the bytes of the logs that have been turned into recordings. When
// ctx ends, the program is stopped and what there is becomes a recording. With opt.Running the program's own recording
// is written while it runs, which costs another thread some time; else the log is read when the program has ended. When
// this process is killed, the program runs on unrecorded, and what has been logged becomes the same recordings at once:
// see left.go. The error is for a recording that could not be made; when there is no room for the beginning of a log
// the program is not run.
func Run(ctx context.Context, opt record.Options, report func(done, total int64)) (record.Result, error) {
	return run(ctx, opt, new(symbols.Resolver).Resolve, report)
}

// resolver names what a program's stacks mention.
type resolver func(context.Context, *traceio.Program, []traceio.Addr) error

func run(ctx context.Context, opt record.Options, names resolver,
	report func(done, total int64)) (record.Result, error) {
	if len(opt.Only) > 0 || opt.From != "" || opt.MaxRefs > 0 || opt.KeepLast > 0 {
		return record.Result{},
			errors.New("--only, --from, --max-refs and --keep-last choose among references, of which --heap-only records none")
	}
	path, err := record.FindProgram(opt.Program)
	if err != nil {
		return record.Result{}, err
	}
	lib, cleanup, err := library(ctx)
	if err != nil {
		return record.Result{}, err
	}
	defer cleanup()
	out := opt.Output
	if out == "" {
		out = filepath.Base(path) + ".orr"
	}
	file, err := record.CreateOutput(ctx, out, path)
	if err != nil {
		return record.Result{}, err
	}
	defer file.Discard()
	spare, err := record.KeepSpare()
	if err != nil {
		return record.Result{}, fmt.Errorf("making the log of allocations: %w", record.WithHint(err))
	}
	// The logs stand beside the recording: where that has room, so have they.
	logs, err := logDir(out)
	if err != nil {
		spare()
		return record.Result{}, err
	}
	s := &session{opt: opt, path: path, out: out, lib: lib, logs: logs, file: file, names: names, report: report}
	s.res.Path, s.res.Program = out, opt.Program
	var over func()
	if err = s.room(); err == nil {
		err = s.newControl()
	}
	if err == nil {
		over, err = s.writeHandover()
	}
	if err != nil {
		spare()
		os.RemoveAll(logs)
		return record.Result{}, err
	}
	watched := s.watch()
	err = s.record(ctx)
	spare()
	_ = s.remove()
	watched()
	over()
	s.recoverOthers(ctx)
	return s.res, err
}

// session is one recording under way.
type session struct {
	opt         record.Options
	path, out   string
	lib, logs   string
	file        record.Output
	names       resolver
	report      func(done, total int64)
	started     time.Time
	res         record.Result
	done, total int64             // bytes of logs
	paths       map[uint64]string // recording by process, the latest
	left        bool              // the logs are those that another recorder has left
	cut         map[string]bool   // by path: it was killed before their processes had ended
}

func (s *session) record(ctx context.Context) error {
	cmd := exec.Command(s.path, s.opt.Args...)
	cmd.Args[0] = s.opt.Program
	cmd.Dir, cmd.Env = s.opt.Dir, s.environment()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.opt.Stdin, s.opt.Stdout, s.opt.Stderr
	if s.opt.Stdin == nil {
		cmd.Stdin = os.Stdin
	}
	if s.opt.Stdout == nil {
		cmd.Stdout = os.Stdout
	}
	if s.opt.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
	cmd.WaitDelay = time.Second // grandchildren may keep a pipe open
	s.started = time.Now()
	end := s.grow()
	defer func() { end() }()
	if err := cmd.Start(); err != nil {
		return record.NotStarted(s.opt.Program, err)
	}
	ended, live := make(chan struct{}), make(chan *streamed, 1)
	if s.opt.Running == nil {
		live <- nil
	} else {
		go func() { live <- s.stream(cmd.Process.Pid, ended) }()
	}
	var err error
	s.res.Interrupted, err = record.Follow(ctx, cmd.Process, cmd.Wait)
	s.res.Elapsed = time.Since(s.started)
	close(ended)
	made := <-live
	state := cmd.ProcessState
	if state == nil {
		return err
	}
	s.res.GuestCPU = state.UserTime() + state.SystemTime()
	s.res.ExitCode, s.res.Signal = record.ExitStatus(state)
	s.res.PID = cmd.Process.Pid
	s.waitForOthers(ctx)
	end()
	end = func() {}
	return s.convert(uint64(cmd.Process.Pid), made)
}

// environment is the program's, with the wrapper in front of what it preloads itself.
func (s *session) environment() []string {
	env := s.opt.Env
	if env == nil {
		env = os.Environ()
	}
	preload := s.lib
	var out []string
	for _, e := range env {
		if rest, ok := strings.CutPrefix(e, "LD_PRELOAD="); ok {
			if rest != "" {
				preload += ":" + rest
			}
		} else if !strings.HasPrefix(e, logVariable+"=") {
			out = append(out, e)
		}
	}
	how := ""
	if s.opt.Alone {
		how = "!" // the wrapper then takes itself out of what children get
	}
	if s.opt.NoMappings {
		how += "-"
	}
	if n := filterCount(); n > 0 { // the program has these as well, and may be recorded nevertheless
		how += strconv.Itoa(n)
	}
	return append(out, "LD_PRELOAD="+preload, logVariable+"="+how+filepath.Join(s.logs, "log"))
}

// logVariable tells the wrapper where to put the logs.
const logVariable = "ORRERY_HEAP_LOG"

// convert makes a recording of every log, the program's own first image in front, but for what was made while it ran.
func (s *session) convert(pid uint64, made *streamed) error {
	os.Remove(filepath.Join(s.logs, roomName))
	images, err := s.images()
	if err != nil {
		return err
	}
	s.paths = map[uint64]string{}
	m := s.findMissed()
	first := slices.IndexFunc(images, func(i image) bool { return i.head.pid == pid })
	switch {
	case first < 0 && m.failed == 0:
		s.note("%s is linked statically, brings its own loader or may not be preloaded, so its allocations are not in the "+
			"recording", s.opt.Program)
		fallthrough
	case first < 0:
		if err := s.finish(s.file, &Log{}, &s.res.Image); err != nil {
			return err
		}
	case made != nil && made.path == images[first].path:
		if made.err != nil {
			return made.err
		}
		s.begin(images[first], &s.res.Image)
	default:
		if err := s.write(images[first], s.file, &s.res.Image); err != nil {
			return err
		}
	}
	n := 1
	for i, im := range images {
		if i == first {
			continue
		}
		if empty, err := silent(im); err != nil || empty { // forked only to become something else, or to fork
			if parent, ok := s.paths[im.head.parent]; ok && im.head.forked {
				s.paths[im.head.pid] = parent
			}
			continue
		}
		n++
		other := record.Image{PID: int(im.head.pid)}
		if err := s.writeOther(im, &n, &other); err != nil { // on a disk that is full the others are recorded all the same
			m.failed++
			m.why = err
			continue
		}
		s.res.Others = append(s.res.Others, other)
	}
	s.noteMissed(m)
	s.res.NoteReplaced()
	return nil
}

// writeOther turns a log into the recording of the n-th image. The log's place is free for the next.
func (s *session) writeOther(im image, n *int, other *record.Image) error {
	file, path, err := record.CreateNext(context.Background(), s.out, n, s.path)
	if err != nil {
		return err
	}
	defer file.Discard()
	other.Path = path
	if err := s.write(im, file, other); err != nil {
		return err
	}
	if !stillRunning(im.path) {
		_ = os.Remove(im.path)
	}
	return nil
}

// write turns one log into a recording.
func (s *session) write(im image, file record.Output, res *record.Image) error {
	f, err := os.OpenFile(im.path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("reading the log of allocations: %w", err)
	}
	defer f.Close()
	l, err := OpenLog(f, im.size, im.path)
	if err != nil {
		return err
	}
	if im.head.full != 0 || s.diskLacks(im.size) { // the recording gets the room that the log has taken
		l.read = func(at, n int64) {
			_ = unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, at, n)
		}
	}
	l.cut = s.cut[im.path]
	s.begin(im, res)
	return s.finish(file, l, res)
}

// begin says what a log's header tells of its image.
func (s *session) begin(im image, res *record.Image) {
	if res.Forked = im.head.forked; res.Forked {
		res.Parent = s.paths[im.head.parent]
	}
	s.paths[im.head.pid] = res.Path
	if im.head.full != 0 {
		res.Incomplete = true
		s.note("%s ends early and lacks %d allocator events, because its log could not grow: %v; the program was not "+
			"disturbed", res.Path, im.head.lost,
			record.WithHint(syscall.Errno(im.head.full)))
	}
}

// finish writes what a log holds, names its code and puts the recording in its place.
func (s *session) finish(file record.Output, l *Log, res *record.Image) error {
	out, err := s.create(file, l)
	if err != nil {
		return err
	}
	if s.left {
		if err := s.place(file); err != nil {
			return err
		}
	}
	if l.r != nil {
		s.copy(l, out, res)
	}
	return s.complete(file, out, l, res)
}

// recorder is what recordings say that made them.
const recorder = "preload"

// create begins a recording.
func (s *session) create(file record.Output, l *Log) (*orr.Writer, error) {
	out, err := orr.Create(file, s.program(l))
	if err != nil {
		return nil, fmt.Errorf("making the recording: %w", err)
	}
	return out, nil
}

// program says what is known from the start.
func (s *session) program(l *Log) *traceio.Program {
	p := &traceio.Program{Command: append([]string{s.opt.Program}, s.opt.Args...), Recorder: recorder, Ticking: true,
		Started: s.started.UTC().Truncate(time.Second)}
	if l.head.wall > 0 {
		p.Started = time.Unix(0, int64(l.head.wall)).UTC().Truncate(time.Second)
	}
	return p
}

// complete tells what was lost, names the code, and ends the recording.
func (s *session) complete(file record.Output, out *orr.Writer, l *Log, res *record.Image) error {
	for _, loss := range l.Loss() {
		if loss.Kind == lostEvents && l.head.full != 0 {
			continue // begin has said it
		}
		s.note("%s: %d %s: %s", res.Path, loss.Count, loss.Kind, loss.Why)
	}
	prog := s.program(l)
	prog.Modules, prog.Stacks = l.prog.Modules, l.prog.Stacks
	prog.Lost = l.Loss()
	if why := l.head.full; why != 0 {
		prog.Notes = append(prog.Notes, fmt.Sprintf("ends before its program did, because its log could not grow: %v",
			syscall.Errno(why)))
	}
	if res.Incomplete = res.Incomplete || l.head.lost > 0; s.left {
		prog.Notes = append(prog.Notes, l.leftNote())
	}
	s.describe(prog, res)
	if err := out.Close(prog); err != nil {
		s.broken(res, err)
	}
	err := s.place(file)
	res.Replaced = file.Replaced()
	return err
}

// place gives a file its name. Before the program's own recording has one that is written down: who takes it up when
// this process is killed has to know whose file is there.
func (s *session) place(file record.Output) error {
	if file == s.file {
		_ = os.WriteFile(filepath.Join(s.logs, placedName), nil, 0o600)
	}
	return file.Place()
}

// broken tells that the recording could not be written to its end.
func (s *session) broken(res *record.Image, err error) {
	res.Incomplete = true
	note := fmt.Sprintf("%s ends early, because it could not be written: %v; the program was not disturbed", res.Path,
		record.WithHint(err))
	if !slices.Contains(s.res.Notes, note) { // the end of a file that cannot grow cannot be written either
		s.res.Notes = append(s.res.Notes, note)
	}
}

// copy writes a log's events. One goroutine reads ahead of the one that writes: merging threads and compressing take
// about as long.
func (s *session) copy(l *Log, out *orr.Writer, res *record.Image) {
	full, empty := make(chan *traceio.Block, 3), make(chan *traceio.Block, 3)
	for range cap(empty) {
		empty <- new(traceio.Block)
	}
	stop := make(chan struct{})
	go func() {
		defer close(full)
		for {
			select {
			case b := <-empty:
				if l.Next(b) != nil {
					return
				}
				full <- b // there are as many places as blocks
			case <-stop:
				return
			}
		}
	}()
	var failed error
	for b := range full {
		if failed = out.WriteBlock(b); failed != nil {
			break
		}
		res.Allocs += uint64(len(b.Allocs))
		if s.done += int64(len(b.Allocs)); s.report != nil {
			s.report(min(s.done*bytesPerEvent, s.total), s.total)
		}
		empty <- b
	}
	if failed != nil {
		close(stop)
		for range full { // the reader ends
		}
		s.broken(res, failed)
	}
}

// bytesPerEvent is what most logs come to, for the progress that is reported.
const bytesPerEvent = 10

// leaveOut takes the wrapper from among the modules.
func (s *session) leaveOut(prog *traceio.Program) {
	prog.Modules = slices.DeleteFunc(prog.Modules, func(m traceio.Module) bool { return m.Path == s.lib })
}

// describe names what the stacks mention. The variables of the modules are of no use without references.
func (s *session) describe(prog *traceio.Program, res *record.Image) {
	s.leaveOut(prog)
	for i := range prog.Modules {
		m := &prog.Modules[i]
		if m.Main && res.Program == "" {
			res.Program = m.Path
			prog.Command = []string{m.Path}
		}
		if known, ok := record.ModuleAt(m.Path, uint64(m.Low), 0); ok {
			m.BuildID = known.BuildID
		}
	}
	// Where there are globals Resolve does not look for more: a C library with debug information has thousands.
	prog.Globals = make([]traceio.Global, 1)
	_ = s.names(context.Background(), prog, nil) // the only error is the context's
	prog.Globals, prog.Types = nil, nil
	if dir, err := filepath.Abs(s.opt.Dir); err == nil {
		record.Neutral(prog, dir)
	}
}

func (s *session) note(format string, args ...any) {
	s.res.Notes = append(s.res.Notes, fmt.Sprintf(format, args...))
}
