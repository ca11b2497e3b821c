package record

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/symbols"
)

// image is the recording of one process image.
type image struct {
	s      *session
	number int // of its ring
	ring   *ring
	pid    int
	watch  int    // a pidfd, readable when the process has ended; -1 where the system has none
	parent *image // that it was forked from, nil when it began with an exec

	file   destination
	path   string
	prog   traceio.Program
	mods   modules
	sel    *selection
	writer *orr.Writer
	put    *plain  // writes blocks to it, unless there is
	keep   *keeper // --keep-last
	sink   *sink
	drain  *drain

	begun    bool // its first instruction was reached
	over     bool // its process has ended or become another
	released bool // it is not recorded any more although it runs
	closed   bool
	err      error
	notes    []string
	res      Image
}

// newImage begins the recording of the image that has created a ring. With an error it must be abandoned.
func newImage(s *session, number int, r *ring) (*image, error) {
	im := &image{s: s, number: number, ring: r, pid: int(*r.word(atPID)), watch: -1}
	if p := *r.word(atParent); p > 0 {
		if im.parent = s.image(int(p - 1)); im.parent == nil {
			return im, fmt.Errorf("process %d was forked from one that is not recorded", im.pid)
		}
	}
	if fd, err := unix.PidfdOpen(im.pid, 0); err == nil {
		im.watch = fd
	}
	im.sel = &selection{patterns: slices.Clone(s.patterns)}
	if s.opt.From != "" {
		im.sel.from = []pattern{{text: s.opt.From}}
	}
	if err := im.identify(); err != nil {
		return im, err
	}
	im.drain = newDrain(r, nil, s.opt.MaxRefs) // openFile adds the sink
	im.drain.known = func(pc uint64) bool { return im.mods.contains(pc) >= 0 }
	im.drain.ours = im.mods.isHidden
	im.drain.start = im.start
	im.drain.code = func(addr uint64) {
		if s.native {
			im.keepErr(im.mods.all())
		} else {
			im.keepErr(im.mods.mapped(addr))
		}
		im.choose()
	}
	if im.parent != nil {
		im.inherit()
	}
	// The file is opened now, since events may come before the start; it gets its name at the start.
	return im, im.openFile()
}

// abandon lets an image that cannot be recorded run on.
func (im *image) abandon() {
	im.ring.stop()
	im.ring.close()
	if im.watch >= 0 {
		unix.Close(im.watch)
	}
	if im.file != nil && im.number > 0 {
		im.file.discard()
	}
}

// identify finds out which program runs.
func (im *image) identify() (err error) {
	s := im.s
	im.prog = traceio.Program{Recorder: "qemu", Started: time.Now().UTC().Truncate(time.Second), Ticking: true,
		KeepLast: im.s.opt.KeepLast}
	commandOf := commandOf
	if s.native {
		im.prog.Recorder, commandOf = "hooks", nativeCommandOf
	}
	im.mods = modules{pid: im.pid, preload: s.preload}
	program := s.path
	im.prog.Command = append([]string{s.opt.Program}, s.opt.Args...)
	if im.number > 0 {
		im.prog.Started = time.Now().UTC().Truncate(time.Second)
	}
	switch {
	case im.parent != nil:
		im.prog.Command, im.mods.program = im.parent.prog.Command, im.parent.mods.program
		return nil
	case im.number > 0:
		if program, im.prog.Command, err = commandOf(im.pid); err != nil {
			return err
		}
	}
	im.mods.program, err = os.Stat(program)
	return err
}

// commandOf reads from the emulator's command line which program it runs and with which arguments.
func commandOf(pid int) (path string, command []string, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return "", nil, err
	}
	args := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	for i := 1; i+1 < len(args); i += 2 {
		switch {
		case args[i] == "-0":
			command = []string{args[i+1]}
		case !strings.HasPrefix(args[i], "-"):
			return args[i], append(command, args[i+1:]...), nil
		case args[i] == "-plugin" && i+2 < len(args):
			return args[i+2], append(command, args[i+3:]...), nil
		}
	}
	return "", nil, fmt.Errorf("process %d is not an emulator", pid)
}

// inherit copies what the child of a fork has in common with its parent.
func (im *image) inherit() {
	p := im.parent
	im.mods.base, im.mods.list, im.mods.hidden = p.mods.base, slices.Clone(p.mods.list), slices.Clone(p.mods.hidden)
	im.sel = p.sel.clone()
	im.drain.interrupts = p.drain.interrupts
	im.drain.hello, im.drain.gateIn, im.drain.gateReturns = p.drain.hello, p.drain.gateIn, p.drain.gateReturns
	im.drain.mark(traceio.Mark{Kind: traceio.Gap,
		Text: fmt.Sprintf("process %d was forked here from process %d; what came before is in %s", im.pid, p.pid, p.path)})
}

func (im *image) openFile() error {
	file, path, err := im.s.open(im.s.path)
	if err != nil {
		return err
	}
	im.file, im.path = file, path
	if im.writer = im.s.head; im.number > 0 {
		if im.writer, err = orr.Create(im.file, &im.prog); err != nil {
			return fmt.Errorf("making the recording: %w", err)
		}
	}
	im.put = &plain{w: im.writer}
	var st storage = im.put
	if n := im.s.opt.KeepLast; n > 0 {
		if im.keep, err = newKeeper(im.file, im.writer, n); err != nil {
			return err
		}
		st = im.keep
	}
	if im.sink, err = newSink(st); err == nil {
		im.drain.out = im.sink
	}
	return err
}

// start is called when the image is loaded, before its first instruction; pc is 0 in the child of a fork.
func (im *image) start(base, pc uint64) {
	im.begun = true
	im.keepErr(im.file.place())
	for _, old := range im.s.images {
		if old != im && old.pid == im.pid && !old.over {
			old.over, old.drain.successor = true, im.path
		}
	}
	switch {
	case pc == 0: // a child, which has its parent's modules
	case im.s.native:
		im.keepErr(im.mods.all())
	default:
		im.keepErr(im.mods.start(base, pc))
	}
	im.choose()
	im.describe()
	if im.number == 0 && im.s.opt.Running != nil {
		im.s.opt.Running(im.path)
	}
}

// describe writes what is known of the program by now, for those who follow the recording: when code has been mapped or
// there are a quarter more stacks.
func (im *image) describe() {
	modules, stacks := len(im.mods.list), len(im.drain.stack)
	if modules == len(im.prog.Modules) && stacks <= len(im.prog.Stacks)+len(im.prog.Stacks)/4 {
		return
	}
	im.prog.Modules, im.prog.Stacks = slices.Clone(im.mods.list), slices.Clone(im.drain.stack)
	prog := im.prog
	im.sink.describe(&prog)
}

// choose sets what the plugin records, now that modules are known.
func (im *image) choose() {
	im.sel.update(&im.mods)
	im.keepErr(im.ring.setRanges(im.sel.recorded(im.mods.hidden)))
	if im.s.native {
		im.ring.setEntries(entrySpans(im.sel.from, im.mods.list))
	} else {
		im.ring.setEntries(im.sel.entries)
	}
}

func (im *image) keepErr(err error) {
	if im.err == nil {
		im.err = err
	}
}

// poll empties the ring and closes the recording when there will be nothing more.
func (im *image) poll() uint64 {
	n := im.drain.poll()
	if n > 0 {
		return n
	}
	if !im.released && im.ring.givenUp() {
		im.released = true
		im.s.failed++
		im.s.why = errSilent
	}
	switch {
	case im.over || im.released:
		if im.ring.skipHole() {
			return 1
		}
		im.finish()
	case im.processEnded():
		im.over = true
		return 1 // poll once more
	}
	return 0
}

// processEnded tells whether the process has ended, with all its threads.
func (im *image) processEnded() bool {
	if im.watch >= 0 {
		fds := []unix.PollFd{{Fd: int32(im.watch), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, 0)
		return err == nil && n > 0
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", im.pid))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) // any other error may be a lack of descriptors
	}
	state := text[bytes.LastIndexByte(text, ')')+1:]
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", im.pid))
	return len(state) > 1 && state[1] == 'Z' && (err != nil || len(tasks) <= 1)
}

// finish ends the recording; closing the file, which takes time, is done on another goroutine.
func (im *image) finish() {
	if im.released && im.drain.replaced == "" {
		im.drain.mark(traceio.Mark{Kind: traceio.Gap, Text: "the recording was ended here, and the program ran on"})
	}
	im.drain.finish()
	im.closed = true
	if im.watch >= 0 {
		unix.Close(im.watch)
	}
	s := im.s
	s.closing.Go(func() {
		s.closer.Lock()
		defer s.closer.Unlock()
		im.close()
	})
}

// close names what was recorded and ends the file.
func (im *image) close() {
	d := im.drain
	im.res = Image{Path: im.path, PID: im.pid, Refs: d.data(), Allocs: d.allocs, Replaced: im.file.replaced()}
	if len(im.prog.Command) > 0 {
		im.res.Program = im.prog.Command[0]
	}
	if im.parent != nil {
		im.res.Forked, im.res.Parent = true, im.parent.path
	}
	err := im.sink.close()
	w := im.writer
	im.prog.Modules, im.prog.Stacks = im.mods.list, d.stack
	im.prog.Notes, im.prog.KeepLast = im.differs(), 0 // the file does not say that any more once it is closed
	im.prog.Limits = im.s.opt.limits(d.data(), im.s.native)
	im.prog.Lost = d.losses()
	full := err // why some of the recording is not in the file
	if im.keep != nil {
		w, err = im.keep.fit(&im.prog, &full)
	}
	// with a context of its own: names are wanted even if the user has interrupted the program
	pcs := w.PCs()
	if err := im.s.names.Resolve(context.Background(), &im.prog, pcs); err != nil {
		im.keepErr(fmt.Errorf("naming what was recorded: %w", err))
	}
	im.nameMade(pcs)
	trim(&im.prog, pcs, im.mods.contains)
	if dir, err := filepath.Abs(im.s.opt.Dir); err == nil {
		neutral(&im.prog, dir)
	}
	if im.keep != nil {
		err = im.endKept(w, err, &full)
	} else if err == nil {
		err = w.Close(&im.prog)
	}
	if err == nil {
		err = im.file.Close()
	}
	if err = cmp.Or(err, full); err != nil {
		im.res.Incomplete = true
		if im.keep == nil {
			_ = im.endOnFullDisk(err) // on failure the file has no end, as after a recorder was killed
			im.res.Refs = uint64(w.Len())
		}
		im.notes = append(im.notes,
			fmt.Sprintf("the recording ends early and keeps %d of %d references, because its file could not be written: %v; "+
				"the program was not disturbed", im.res.Refs, d.data()+d.missed, WithHint(err)))
	}
}

// differs are notes on what the emulator did otherwise than the system would.
func (im *image) differs() (notes []string) {
	if said := unprivileged(im.s.path); im.number == 0 && !im.s.native && said != "" {
		notes = append(notes, said)
	}
	for _, call := range im.drain.differs {
		notes = append(notes, missingCall(call))
	}
	return notes
}

// nameMade names the code that the program generated, from the perf map that it wrote.
func (im *image) nameMade(pcs []traceio.Addr) {
	dir := im.s.opt.Maps
	if dir == "" {
		dir = "/tmp" // where perf itself looks, whatever TMPDIR says
	}
	list, err := symbols.OpenMade(filepath.Join(dir, symbols.MapOf(im.pid)), im.prog.Started)
	if err != nil {
		im.keepErr(fmt.Errorf("naming the code that the program made: %w", err))
		return
	}
	symbols.NameMade(&im.prog, pcs, list)
}

// isEmpty tells whether nothing of the image was recorded, so that there is no reason to keep the file.
func (im *image) isEmpty() bool { return im.number > 0 && im.res.Refs == 0 && im.res.Allocs == 0 }

// release frees what the image holds and removes its file if that is empty.
func (im *image) release() {
	im.ring.close()
	if im.isEmpty() && im.begun {
		os.Remove(im.path)
		if im.res.Replaced != "" {
			_ = os.Rename(im.res.Replaced, im.path)
		}
	}
	im.file.discard()
}

// result fills in the Result: what was recorded, and notes for the user.
func (s *session) result() error {
	var err error
	missed := map[string]int{}  // notes on patterns that named nothing, and in how many images
	differs := map[string]int{} // notes on the emulator, and for how many images
	for i, im := range s.images {
		if i == 0 {
			s.res.Image = im.res
		} else if !im.isEmpty() {
			s.res.Others = append(s.res.Others, im.res)
		}
		for _, n := range im.notes {
			if i > 0 {
				n = filepath.Base(im.path) + ": " + n
			}
			s.note("%s", n)
		}
		for _, n := range im.differs() {
			differs[n]++
		}
		for _, p := range im.sel.unmatched() {
			missed[p]++
		}
		if err == nil {
			err = im.err
		}
		d := im.drain
		// unless the recording stopped before the wrapper started
		if !d.hello && im.parent == nil && !im.released && (i == 0 || !im.isEmpty()) {
			s.note("%s is linked statically or brings its own loader, so its allocations are not in the recording",
				im.res.Program)
		}
		if d.full {
			s.note("recording of %s stopped after %d references as asked; its allocations and threads are recorded to the end",
				im.res.Program, d.data())
		}
		if d.replaced != "" && d.successor == "" {
			s.note("process %d became %s, which is not recorded", im.pid, d.replaced)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(missed)) {
		if missed[p] == len(s.images) {
			s.note("%s", p)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(differs)) {
		if differs[n] > 1 {
			n += fmt.Sprintf(" (so in %d processes)", differs[n])
		}
		s.note("%s", n)
	}
	s.noteGate()
	s.res.NoteReplaced()
	if n := s.failed + int(*s.control.word(ctlFailed)); n > 0 {
		why := s.why
		if code := *s.control.word(ctlWhy); code != 0 && why == nil {
			why = unix.Errno(code)
		}
		s.note("%s", s.res.lose(s.first, n, why))
	}
	return err
}

// noteGate adds the notes on --from.
func (s *session) noteGate() {
	if s.opt.From == "" {
		return
	}
	entered, returns, there := false, false, false
	for _, im := range s.images {
		there = there || slices.ContainsFunc(im.sel.from, func(p pattern) bool { return p.hits > 0 })
		entered = entered || im.drain.gateIn
		returns = returns || im.drain.gateReturns
	}
	switch {
	case !there: // there is a note already
	case !entered:
		s.note("%s was never called, so no reference was recorded", s.opt.From)
	case !returns:
		s.note("the return of %s could not be told, so the recording goes on to the end", s.opt.From)
	}
}
