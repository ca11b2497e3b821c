package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/symbols"
)

// session is one recording under way.
type session struct {
	opt      Options
	path     string // of the program
	out      string // of its recording
	tools    tools
	native   bool // the program has hooks, and needs no emulator
	patterns []pattern
	first    destination // of its recording
	head     *orr.Writer // has begun that
	prog     traceio.Program
	report   func(done, total int64)

	control          *control
	images           []*image      // in the order in which they began
	pending          []pendingRing // rings that have been begun and have not been taken
	seen             int           // rings looked for so far
	number           int           // of the file that was named last
	preload          os.FileInfo   // the malloc wrapper, which is not part of a program
	cmd              *exec.Cmd
	began            time.Time
	over             bool  // the program has ended
	childrenReported bool  // the user knows that its children have not
	failed           int   // images that could not be recorded
	why              error // of the last of them
	closing          sync.WaitGroup
	closer           sync.Mutex       // one image at a time is closed: names take memory
	names            symbols.Resolver // under closer
	res              Result
}

func (s *session) record(ctx context.Context) (err error) {
	if !s.native {
		if s.preload, err = os.Stat(s.tools.preload); err != nil {
			return err
		}
	}
	if s.control, err = newControl(s.tools); err != nil {
		return err
	}
	defer s.control.close()
	for at, on := range map[int]bool{ctlGated: s.opt.From != "", ctlPartial: len(s.patterns) > 0, ctlAlone: s.opt.Alone} {
		if on {
			*s.control.word(at) = 1
		}
	}
	s.prog = traceio.Program{Command: append([]string{s.opt.Program}, s.opt.Args...), Recorder: "qemu",
		Started: time.Now().UTC().Truncate(time.Second), Ticking: true, KeepLast: s.opt.KeepLast}
	if s.head, err = orr.Create(s.first, &s.prog); err != nil { // before the program does anything
		var of *fs.PathError
		if errors.As(err, &of) {
			err = of // that it was at byte 0 tells nothing
		}
		return fmt.Errorf("making the recording: %w", WithHint(err))
	}
	s.began, s.res.Path = time.Now(), s.out
	if err := s.launch(); err != nil {
		return err
	}
	s.follow(ctx)
	s.res.Elapsed = time.Since(s.began)
	s.closing.Wait()
	for _, im := range s.images {
		im.release()
	}
	if len(s.images) == 0 || !s.images[0].begun {
		return s.notBegun()
	}
	return s.result()
}

// notBegun is the error when nothing of the program was recorded, without a guess at why where the user ended it.
func (s *session) notBegun() error {
	what := "the emulator did not start " + s.opt.Program
	if s.native {
		what = s.opt.Program + " did not begin"
	}
	switch s.res.Signal {
	case "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT":
		return fmt.Errorf("%s before %s ended it; record again", what, s.res.Signal)
	}
	return fmt.Errorf("%s (exit status %d); does it run without the recorder?", what, s.res.ExitCode)
}

// emulated is the command that runs the program under the emulator.
func (s *session) emulated() *exec.Cmd {
	env, guest := splitEnv(s.opt.Env, s.tools.preload)
	args := []string{"-cpu", "max", "-0", s.opt.name()}
	for _, e := range guest {
		args = append(args, "-E", e)
	}
	args = append(args, "-plugin", escape(s.tools.plugin)+",dir="+s.control.dir, s.path)
	cmd := exec.Command(s.tools.qemu, append(args, s.opt.Args...)...)
	cmd.Env = env
	return cmd
}

// launch starts the program.
func (s *session) launch() error {
	if s.native {
		s.cmd = s.hooked()
	} else {
		s.cmd = s.emulated()
	}
	s.cmd.Dir = s.opt.Dir
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
		return NotStarted(s.cmd.Path, err)
	}
	s.res.Started = true
	return nil
}

// Pauses between polls of empty rings: short while a program runs, longer while all wait.
const (
	shortPause = 200 * time.Microsecond
	longPause  = 5 * time.Millisecond
)

// flushEvery is how often incomplete blocks are written, so that the recording of a slow program can be followed.
const flushEvery = 150 * time.Millisecond

// follow empties the rings until the program and its children have ended and nothing is left in them.
func (s *session) follow(ctx context.Context) {
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	stopSignals := passSignals(s.cmd.Process)
	defer stopSignals()
	cancel, heard, left := ctx.Done(), make(chan struct{}), make(chan struct{})
	defer close(left)
	go s.forceInterrupt(cancel, heard, left)
	pause := shortPause
	tick := time.NewTimer(0)
	defer tick.Stop()
	busy := make(chan time.Time)
	close(busy) // a receive never waits
	var reported time.Time
	for flushed := time.Now(); ; {
		s.acceptRings()
		n, open := s.poll()
		if s.over && open == 0 && s.seen == s.control.ringCount() && !s.ringWaits() {
			break
		}
		if pause = min(pause*5/4, longPause); n > 0 {
			pause = shortPause
		}
		if s.report != nil && time.Since(reported) > 100*time.Millisecond {
			reported = time.Now()
			s.report(s.data(), int64(s.opt.MaxRefs))
		}
		if time.Since(flushed) > flushEvery {
			flushed = time.Now()
			s.flush()
		}
		next := (<-chan time.Time)(busy)
		if n < ringSlots { // else an image fills its ring as fast as it is emptied
			tick.Reset(pause)
			next = tick.C
		}
		select {
		case err := <-ended:
			s.ended(err)
			if s.res.Interrupted {
				s.releaseImages()
			}
		case <-cancel:
			cancel = nil
			close(heard)
			if s.programHandlesInterrupt() {
				break
			}
			s.res.Interrupted = true
			go s.endProgram(left)
			if s.over {
				s.releaseImages()
			}
		case <-next:
		}
		s.reportChildren()
	}
	if s.report != nil {
		s.report(s.data(), int64(s.opt.MaxRefs))
	}
}

// interruptTimeout is how long follow may take to notice an interrupt: it may be waiting for a file that cannot be
// written to.
const interruptTimeout = 2 * time.Second

// forceInterrupt ends the program, and the recording of all images, when ctx has ended and follow does not notice it.
func (s *session) forceInterrupt(cancel <-chan struct{}, heard, left <-chan struct{}) {
	select {
	case <-cancel:
	case <-left:
		return
	}
	select {
	case <-heard:
	case <-left:
	case <-time.After(interruptTimeout):
		s.control.releaseAll()
		s.first.giveUp()
		s.endProgram(left)
	}
}

// endProgram ends the program with SIGTERM, then with SIGKILL, after a moment each, as the terminal may have sent it
// SIGINT already.
func (s *session) endProgram(left <-chan struct{}) {
	for _, step := range []struct {
		after  time.Duration
		signal os.Signal
	}{{300 * time.Millisecond, terminate}, {2 * time.Second, os.Kill}} {
		select {
		case <-left:
			return
		case <-time.After(step.after):
			_ = s.cmd.Process.Signal(step.signal) // it may have ended
		}
	}
}

// poll empties the rings; it gives the number of slots and of images that are still recorded.
func (s *session) poll() (slots uint64, open int) {
	for _, im := range s.images {
		if im.closed {
			continue
		}
		slots += im.poll()
		if !im.closed {
			open++
		}
	}
	return slots, open
}

func (s *session) data() (n int64) {
	for _, im := range s.images {
		n += int64(im.drain.data())
	}
	return n
}

func (s *session) flush() {
	for _, im := range s.images {
		if d := im.drain; !im.closed && d.pending() {
			d.flush()
			im.describe()
		}
	}
}

// acceptRings begins to record the images that have created a ring since the last call.
func (s *session) acceptRings() {
	made := s.control.ringCount()
	for ; s.seen < made; s.seen++ {
		s.pending = append(s.pending, pendingRing{number: s.seen})
	}
	room := -1
	for i := 0; i < len(s.pending); {
		a := &s.pending[i]
		if !s.control.ringExists(a.number) { // it is being created, or its image has died or could not create it
			i++
			continue
		}
		if room < 0 {
			room = descriptors(perImage * len(s.images))
		}
		var err error
		if a.number == 0 || room >= perImage+reserve {
			err = s.acceptRing(a.number)
			room -= perImage
		} else if a.waiting.IsZero() || time.Since(a.waiting) < patience { // others may end meanwhile
			if a.waiting.IsZero() {
				a.waiting = time.Now()
			}
			i++
			continue
		} else {
			err = unix.EMFILE
		}
		if err != nil {
			s.control.refuseRing(a.number)
			s.failed++
			s.why = err
		}
		s.pending = slices.Delete(s.pending, i, i+1)
	}
}

// ringWaits tells whether an image waits for the recorder to have descriptors for it.
func (s *session) ringWaits() bool {
	return slices.ContainsFunc(s.pending, func(a pendingRing) bool {
		return !a.waiting.IsZero() && s.control.ringExists(a.number)
	})
}

// pendingRing is a ring that an image has begun to create.
type pendingRing struct {
	number  int
	waiting time.Time // since when there are too few descriptors for it
}

// The descriptors that the recorder needs: for each image that is recorded, its process and its file; and besides, to
// name what was recorded and to copy the last references.
const (
	perImage = 2
	reserve  = 16
)

// patience is how long an image waits for descriptors before it runs on unrecorded.
const patience = time.Second

// descriptors is how many files this process can still open. Open files are counted only where there may be few left.
func descriptors(used int) int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return math.MaxInt
	}
	left := int(min(limit.Cur, math.MaxInt32)) - used
	if left > 1000 {
		return left / 2
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return left + used - len(open)
}

// acceptRing begins to record the image with ring k.
func (s *session) acceptRing(k int) error {
	r, err := s.control.ring(k)
	if err != nil {
		return err
	}
	if r.givenUp() {
		r.close()
		return errSilent
	}
	return s.addImage(k, r)
}

// errSilent is why an image is not recorded that has waited for the recorder in vain.
var errSilent = errors.New("the recorder did not answer, as when it is stopped")

func (s *session) addImage(k int, r *ring) error {
	im, err := newImage(s, k, r)
	if err != nil {
		im.abandon()
		return err
	}
	s.images = append(s.images, im)
	return nil
}

// image is the image whose ring has number k, nil when there is none.
func (s *session) image(k int) *image {
	for _, im := range s.images {
		if im.number == k {
			return im
		}
	}
	return nil
}

// open creates the file for the next image.
func (s *session) open(program string) (destination, string, error) {
	if s.number++; s.number == 1 {
		return s.first, s.out, nil
	}
	file, path, err := createNext(context.Background(), s.out, &s.number, program)
	return file, path, err
}

// releaseImages ends the recording of children that run on.
func (s *session) releaseImages() {
	s.control.releaseAll()
	for _, im := range s.images {
		im.ring.stop()
		im.released = !im.closed
	}
}

// programHandlesInterrupt tells whether the program itself handles the interrupt that has ended our context.
func (s *session) programHandlesInterrupt() bool {
	if !s.opt.Keyboard || s.over {
		return false
	}
	s.poll()  // the latest event about interrupts
	now := -1 // the last image of the program's own process
	for i, im := range s.images {
		if im.pid == s.cmd.Process.Pid {
			now = i
		}
	}
	if now < 0 || !s.images[now].drain.interrupts {
		return false
	}
	if s.opt.Say != nil {
		s.opt.Say("the program deals with the interrupt itself and is recorded until it ends; interrupt again to end the " +
			"recorder alone")
	}
	return true
}

// reportChildren tells the user that children keep the recorder running after the program has ended.
func (s *session) reportChildren() {
	if !s.over || s.childrenReported || s.opt.Say == nil || time.Since(s.began) < s.res.Elapsed+time.Second {
		return
	}
	s.childrenReported = true
	s.opt.Say("the program has ended, and children of it are still recorded; interrupt to end their recordings (they " +
		"run on)")
}

func (s *session) ended(err error) {
	s.over, s.res.Elapsed = true, time.Since(s.began)
	state := s.cmd.ProcessState
	if state == nil {
		s.note("how the program ended is not known: %v", err)
		return
	}
	s.res.GuestCPU = state.UserTime() + state.SystemTime()
	s.res.ExitCode, s.res.Signal = status(state)
}

func (s *session) note(format string, args ...any) {
	s.res.Notes = append(s.res.Notes, fmt.Sprintf(format, args...))
}

// destination is the file of a recording; *output is one.
type destination interface {
	Write([]byte) (int, error)
	Close() error
	place() error
	replaced() string
	giveUp()
	discard()
}
