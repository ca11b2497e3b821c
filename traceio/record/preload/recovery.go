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

// When a recorder is killed its logs stay, and its program runs on. A shell waits for that beside every recording, in a
// session of its own, which costs a millisecond. It then starts this program, which makes the recording from the logs.
// If that is killed as well, the next recording in the same directory makes it.

// recoverVariable is an environment variable that makes a program with this package only recover the logs in the
// directory that it names.
const recoverVariable = "ORRERY_HEAP_LEFT"

func init() {
	dir := os.Getenv(recoverVariable)
	if dir == "" {
		return
	}
	if _, err := recoverLogs(dir, new(symbols.Resolver).Resolve, true); err != nil {
		os.Exit(1) // nobody reads a message; the logs stay for the next recording, which reports them
	}
	os.Exit(0)
}

// handover is what recovery needs to know beside the logs: a file among them, locked while a recorder works on them.
type handover struct {
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
	handoverName = "handover"
	placedName   = "placed" // there when the program's own recording has its name
)

// writeHandover writes and locks it. over is to be called when the logs are not needed any more.
func (s *session) writeHandover() (over func(), err error) {
	l := handover{Program: s.opt.Program, Args: s.opt.Args, Library: s.lib, Recorder: os.Getpid(), Started: time.Now()}
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
	f, err := os.Create(filepath.Join(s.logs, handoverName))
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

// watch starts the shell that waits for the end of this process. over ends it without recovery. Without a shell the
// recording goes on.
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
	cmd.Stdin, cmd.Dir, cmd.Env = in, "/", append(os.Environ(), recoverVariable+"="+s.logs)
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

// errInUse is the error of recoverLogs for logs that a recorder works on.
var errInUse = errors.New("is being recorded")

// recoverLogs makes the recordings from the logs of a killed recorder in dir, and removes dir. If the program still
// runs, nothing more of it is logged. wait: wait for a recorder that is just dying, otherwise leave dir to the one that
// works on it. The program's own recording can be read while it grows; it gets the name that it was to have, unless
// there is a younger file of that name and wait is false.
func recoverLogs(dir string, names resolver, wait bool) (record.Result, error) {
	f, err := os.Open(filepath.Join(dir, handoverName))
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
		return record.Result{}, fmt.Errorf("%s %w", dir, errInUse)
	}
	info, err := f.Stat()
	if err != nil {
		return record.Result{}, err
	}
	if now, err := os.Stat(f.Name()); err != nil || !os.SameFile(now, info) {
		return record.Result{}, fmt.Errorf("%s %w", dir, errInUse) // and done meanwhile
	}
	var l handover
	if err := gob.NewDecoder(io.LimitReader(f, 16<<20)).Decode(&l); err != nil {
		return record.Result{}, fmt.Errorf("reading %s: %w", f.Name(), err)
	}
	s := &session{opt: record.Options{Program: l.Program, Args: l.Args, Dir: l.Dir}, path: l.Path, out: l.Output,
		lib: l.Library, logs: dir,
		names: names, started: l.Started, left: true, cut: map[string]bool{}}
	files, _ := s.logFiles()
	for _, path := range files {
		s.cut[path] = stillRunning(path)
	}
	s.stop()
	if l.Output == "" {
		return record.Result{}, s.remove()
	}
	there, err := os.Stat(l.Output)
	_, placed := os.Stat(filepath.Join(dir, placedName))
	begun := err == nil && placed == nil && inode(there) == l.Inode // the recorder that was killed has begun it
	if !begun && (record.Replaceable(l.Output) != nil || !wait && err == nil && there.ModTime().After(info.ModTime())) {
		s.out = unusedName(l.Output)
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

// firstOf is the process that the recorder started; the one with the first log, if that could not be preloaded.
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

// inode is a file's inode number.
func inode(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}

// unusedName is the path of a file beside path that does not exist.
func unusedName(path string) string {
	ext := filepath.Ext(path)
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.left%d%s", strings.TrimSuffix(path, ext), n, ext)
		if _, err := os.Lstat(name); err != nil {
			return name
		}
	}
}

// stop makes processes that still run log nothing more.
func (s *session) stop() {
	files, _ := s.logFiles()
	for _, path := range files {
		if f, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
			_, _ = f.WriteAt([]byte{1}, 8*overWord) // a process that is missed ends its log when that has no name any more
			f.Close()
		}
	}
}

// recoverOthers recovers the logs of killed recorders in the same directory, and adds notes about them.
func (s *session) recoverOthers(ctx context.Context) {
	beside, _ := os.ReadDir(filepath.Dir(s.logs))
	for _, e := range beside {
		if !strings.HasPrefix(e.Name(), logDirPrefix) || ctx.Err() != nil || !isOwnDir(e) {
			continue
		}
		dir := filepath.Join(filepath.Dir(s.logs), e.Name())
		res, err := recoverLogs(dir, s.names, false)
		switch {
		case errors.Is(err, errInUse) || errors.Is(err, os.ErrNotExist):
		case err != nil:
			s.note("a recorder that was killed has left logs in %s, of which no recording could be made: %v; remove that "+
				"directory if you do not need them", dir, err)
		case res.Path != "":
			s.note("a recorder that was killed had left logs of %s; %d allocator events of it are in %s now", res.Program,
				res.Allocs, res.Path)
		}
	}
}

// isOwnDir tells whether e is a directory of this user's: a handover of another's could name any file to be written.
func isOwnDir(e os.DirEntry) bool {
	info, err := e.Info()
	if err != nil || !info.IsDir() {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// room reserves disk space for the beginning of a log, so that on a full disk the program is not run in vain. It is
// kept until the recording needs it, since a log may take all there is.
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
	return nil // if space cannot be reserved, the log notes that it could not grow
}

const roomName = "room"

// diskLacks tells whether the disk has no room for another n bytes.
func (s *session) diskLacks(n int64) bool {
	var st unix.Statfs_t
	return unix.Statfs(s.logs, &st) == nil && st.Bavail < uint64(n)/uint64(max(st.Bsize, 1))
}
