package preload

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio/record"
	"orrery/traceio/symbols"
)

// A recorder that is killed leaves the logs, and its program runs on. Beside every recording a shell waits for that, in
// a session of its own, which costs a millisecond; it then becomes this program again, which makes the recording of
// what has been logged. If that is killed as well, the next recording in that directory does it.

// leftVariable has a program that contains this package make the recording of the directory that it names, and nothing
// else.
const leftVariable = "ORRERY_HEAP_LEFT"

func init() {
	dir := os.Getenv(leftVariable)
	if dir == "" {
		return
	}
	if _, err := takeUp(dir, new(symbols.Resolver).Resolve, true); err != nil {
		os.Exit(1) // nobody listens; the logs stay for the next recording, which tells
	}
	os.Exit(0)
}

// legacy is what is known of a recording besides its logs. It stands among them, locked as long as somebody is at work
// on it.
type legacy struct {
	Program, Path, Dir string // the paths absolute
	Args               []string
	// Output "": the recording goes into a pipe or a device; Part "": the file has no name until it is placed
	Output, Part string
	Inode        uint64 // of that file
	Library      string
	Recorder     int // its process
	Started      time.Time
}

const (
	legacyName = "legacy"
	placedName = "placed" // there when the program's own recording has its name
)

// bequeath writes the legacy. over is to be called when the logs have been dealt with.
func (s *session) bequeath() (over func(), err error) {
	l := legacy{Program: s.opt.Program, Args: s.opt.Args, Library: s.lib, Recorder: os.Getpid(), Started: time.Now()}
	for _, p := range []struct {
		to   *string
		path string
	}{{&l.Path, s.path}, {&l.Dir, s.opt.Dir}, {&l.Output, s.out}} {
		if *p.to, err = filepath.Abs(p.path); err != nil {
			return nil, err
		}
	}
	if part := s.file.Name(); part != "" {
		if l.Part, err = filepath.Abs(part); err != nil {
			return nil, err
		}
	}
	if info, err := s.file.Stat(); err != nil || !info.Mode().IsRegular() {
		l.Output = ""
	} else {
		l.Inode = inode(info)
	}
	f, err := os.Create(filepath.Join(s.logs, legacyName))
	if err != nil {
		return nil, fmt.Errorf("making the log of allocations: %w", record.WithHint(err))
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil && !errors.Is(err, unix.ENOTSUP) {
		f.Close()
		return nil, fmt.Errorf("making the log of allocations: %w", err)
	}
	if err := gob.NewEncoder(f).Encode(l); err != nil {
		f.Close()
		return nil, fmt.Errorf("making the log of allocations: %w", record.WithHint(err))
	}
	return func() { f.Close() }, nil
}

// watch starts the shell that waits for the end of this process. It is told that all is well by over. Where there is no
// shell the recording goes on without.
func (s *session) watch() (over func()) {
	self, err := os.Executable()
	if err != nil {
		return func() {}
	}
	in, out, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	cmd := exec.Command("/bin/sh", "-c", `read -r word || exec "$0"`, self)
	cmd.Stdin, cmd.Dir, cmd.Env = in, "/", append(os.Environ(), leftVariable+"="+s.logs)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	in.Close()
	return func() {
		if err == nil {
			_, _ = io.WriteString(out, "over\n")
		}
		out.Close()
		if err == nil {
			_ = cmd.Wait()
		}
	}
}

// errHeld is what takeUp gives for logs that somebody is at work on.
var errHeld = errors.New("is being recorded")

// takeUp makes the recordings of what a killed recorder has left in dir, and removes dir. The program that is recorded
// may still run; nothing more is logged of it. wait is for a recorder that is just dying: else dir is left to whoever
// is at work on it. The program's own recording is readable at once and grows; it gets the name that it was to have,
// unless there is a younger file of that name and wait is false.
func takeUp(dir string, names resolver, wait bool) (record.Result, error) {
	f, err := os.Open(filepath.Join(dir, legacyName))
	if err != nil {
		return record.Result{}, err
	}
	defer f.Close()
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for err = unix.EINTR; errors.Is(err, unix.EINTR); {
		err = unix.Flock(int(f.Fd()), how)
	}
	if err != nil {
		return record.Result{}, fmt.Errorf("%s %w", dir, errHeld)
	}
	info, err := f.Stat()
	if err != nil {
		return record.Result{}, err
	}
	if now, err := os.Stat(f.Name()); err != nil || !os.SameFile(now, info) {
		return record.Result{}, fmt.Errorf("%s %w", dir, errHeld) // and meanwhile done
	}
	var l legacy
	if err := gob.NewDecoder(io.LimitReader(f, 16<<20)).Decode(&l); err != nil {
		return record.Result{}, fmt.Errorf("reading %s: %w", f.Name(), err)
	}
	s := &session{opt: record.Options{Program: l.Program, Args: l.Args, Dir: l.Dir}, path: l.Path, out: l.Output,
		lib: l.Library, logs: dir,
		names: names, started: l.Started, left: true, cut: map[string]bool{}}
	files, _ := s.logFiles()
	for _, path := range files {
		s.cut[path] = held(path)
	}
	s.stop()
	if l.Output == "" {
		return record.Result{}, s.remove()
	}
	there, err := os.Stat(l.Output)
	_, placed := os.Stat(filepath.Join(dir, placedName))
	begun := err == nil && placed == nil && inode(there) == l.Inode // the recorder that was killed has begun it
	if !begun && (record.Replaceable(l.Output) != nil || !wait && err == nil && there.ModTime().After(info.ModTime())) {
		s.out = free(l.Output)
	}
	if !begun && l.Part != "" {
		_ = os.Remove(l.Part)
	}
	if s.file, err = record.CreateOutput(context.Background(), s.out, l.Path); err != nil {
		return record.Result{}, err
	}
	defer s.file.Discard()
	if begun {
		s.file.Again()
	}
	s.res.Path, s.res.Program = s.out, l.Program
	if s.res.PID, err = s.firstOf(l.Recorder); err != nil {
		return s.res, err
	}
	if err := s.convert(uint64(s.res.PID), nil); err != nil {
		return s.res, err
	}
	return s.res, s.remove()
}

// firstOf finds the process that the recorder has started: its log is the first, unless that could not be preloaded.
func (s *session) firstOf(recorder int) (int, error) {
	images, err := s.images()
	s.total = 0 // they are looked at again
	if err != nil || len(images) == 0 {
		return 0, err
	}
	for _, im := range images {
		if int(im.head.parent) == recorder && !im.head.forked {
			return int(im.head.pid), nil
		}
	}
	return int(images[0].head.pid), nil
}

// inode is the number that a file has whatever its name.
func inode(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}

// free is a name beside path that is free.
func free(path string) string {
	ext := filepath.Ext(path)
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.left%d%s", strings.TrimSuffix(path, ext), n, ext)
		if _, err := os.Lstat(name); err != nil {
			return name
		}
	}
}

// stop has nothing more logged by processes that still run.
func (s *session) stop() {
	files, _ := s.logFiles()
	for _, path := range files {
		if f, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
			_, _ = f.WriteAt([]byte{1}, 8*overWord) // a process that is missed ends its log when that has no name any more
			f.Close()
		}
	}
}

// takeUpLeft makes the recordings that killed recorders have left beside this one, and tells of them.
func (s *session) takeUpLeft(ctx context.Context) {
	beside, _ := os.ReadDir(filepath.Dir(s.logs))
	for _, e := range beside {
		if !strings.HasPrefix(e.Name(), logDirPrefix) || ctx.Err() != nil || !mine(e) {
			continue
		}
		dir := filepath.Join(filepath.Dir(s.logs), e.Name())
		res, err := takeUp(dir, s.names, false)
		switch {
		case errors.Is(err, errHeld) || errors.Is(err, os.ErrNotExist):
		case err != nil:
			s.note("a recorder that was killed has left logs in %s, of which no recording could be made: %v; remove that "+
				"directory if you do not need them", dir, err)
		case res.Path != "":
			s.note("a recorder that was killed had left logs of %s; %d allocator events of it are in %s now", res.Program,
				res.Allocs, res.Path)
		}
	}
}

// mine tells whether something is a directory of this user's: another's would say what files are to be written.
func mine(e os.DirEntry) bool {
	info, err := e.Info()
	if err != nil || !info.IsDir() {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// room makes sure that there is room for a log's beginning, so that on a full disk the program is not run in vain. The
// room is kept until the recording needs it: a log may take all there is.
func (s *session) room() error {
	const need = headerLen + 256<<10 // what the wrapper begins with
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err == nil && limit.Cur < need {
		return fmt.Errorf("making the log of allocations: %w", record.WithHint(unix.EFBIG))
	}
	f, err := os.Create(filepath.Join(s.logs, roomName))
	if err != nil {
		return fmt.Errorf("making the log of allocations: %w", record.WithHint(err))
	}
	defer f.Close()
	if err := unix.Fallocate(int(f.Fd()), 0, 0, need); errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		return fmt.Errorf("making the log of allocations: %w", record.WithHint(err))
	}
	return nil // where room cannot be kept, a log says itself that it could not grow
}

const roomName = "room"

// scarce tells whether the disk has no room for another n bytes.
func (s *session) scarce(n int64) bool {
	var st unix.Statfs_t
	return unix.Statfs(s.logs, &st) == nil && st.Bavail < uint64(n)/uint64(max(st.Bsize, 1))
}
