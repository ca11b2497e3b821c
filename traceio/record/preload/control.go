package preload

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"orrery/traceio/record"
)

// The file that all images of a recording share; assets/recorder/heaponly_log.h has its twin, struct control.
const (
	controlName   = "control"
	controlMissed = 24   // where places of images begin that could not begin a log, 8 bytes each
	mostMissed    = 8000 // such places
	controlSize   = controlMissed + 8*mostMissed
)

// newControl makes that file, with all its room: an image must be able to write to it on a full disk.
func (s *session) newControl() error {
	f, err := os.OpenFile(filepath.Join(s.logs, controlName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("making the log of allocations: %w", record.WithHint(err))
	}
	defer f.Close()
	if _, err := f.Write(make([]byte, controlSize)); err != nil {
		return fmt.Errorf("making the log of allocations: %w", record.WithHint(err))
	}
	return nil
}

// shared is what the control file says in the end.
type shared struct {
	filtered int             // processes that are not recorded because they began under a seccomp filter
	failed   int             // processes that could not begin a log
	why      unix.Errno      // of the last of these
	images   map[string]bool // PID.N of images that could not
}

func (s *session) readControl() (c shared) {
	c.images = map[string]bool{}
	data, err := os.ReadFile(filepath.Join(s.logs, controlName))
	if err != nil || len(data) < controlSize {
		return c
	}
	le := binary.LittleEndian
	n := le.Uint64(data[8:])
	c.filtered, c.why = int(le.Uint64(data)), unix.Errno(le.Uint64(data[16:]))
	pids := map[uint32]bool{}
	for i := range min(n, mostMissed) {
		at := data[controlMissed+8*i:]
		pids[le.Uint32(at)] = true
		c.images[fmt.Sprintf("%d.%d", le.Uint32(at), le.Uint32(at[4:]))] = true
	}
	c.failed = len(pids) + int(max(n, mostMissed)-mostMissed)
	return c
}

// filterCount is how many seccomp filters this process has, which what it starts has as well.
func filterCount() int {
	text, _ := os.ReadFile("/proc/self/status")
	_, rest, ok := strings.Cut(string(text), "Seccomp_filters:")
	if !ok {
		if _, rest, ok = strings.Cut(string(text), "Seccomp:"); ok && strings.TrimSpace(rest)[0] != '0' {
			return 1
		}
		return 0
	}
	number, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.Atoi(strings.TrimSpace(number))
	return n
}

// grower makes room in the logs of processes that cannot do it themselves: those with a seccomp filter, and those that
// have another root or user than when they began.
type grower struct {
	logs    string
	changed time.Time         // of the directory, when it was read
	heads   map[string][]byte // headers of logs, mapped
	done    chan struct{}
	over    chan struct{}
}

// Between two looks; a process with a filter has room for eight million bytes until the first.
const growEvery = 10 * time.Millisecond

// mostHeads bounds the mappings of logs.
const mostHeads = 10000

// grow begins to make room; end ends it.
func (s *session) grow() (end func()) {
	g := &grower{logs: s.logs, heads: map[string][]byte{}, done: make(chan struct{}), over: make(chan struct{})}
	go func() {
		defer close(g.over)
		for {
			select {
			case <-g.done:
				return
			case <-time.After(growEvery):
				g.look()
			}
		}
	}()
	return func() {
		close(g.done)
		<-g.over
		for _, head := range g.heads {
			_ = unix.Munmap(head)
		}
	}
}

// look finds new logs and makes room where it is wanted.
func (g *grower) look() {
	if info, err := os.Stat(g.logs); err == nil && !info.ModTime().Equal(g.changed) {
		if entries, err := os.ReadDir(g.logs); err == nil {
			if time.Since(info.ModTime()) > time.Second { // else more may come with the same time
				g.changed = info.ModTime()
			}
			for _, e := range entries {
				if strings.HasPrefix(e.Name(), "log.") && e.Type().IsRegular() {
					g.watch(filepath.Join(g.logs, e.Name()))
				}
			}
		}
	}
	for path, head := range g.heads {
		if *word(head, filterWord) != 0 && *word(head, overWord) == 0 && *word(head, fullWord) == 0 {
			g.room(path, head)
		}
	}
}

func word(head []byte, i int) *uint64 { return (*uint64)(unsafe.Pointer(&head[8*i])) }

// watch maps the header of a log that has been begun.
func (g *grower) watch(path string) {
	if g.heads[path] != nil || len(g.heads) == mostHeads {
		return
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() < headerLen {
		return
	}
	if head, err := unix.Mmap(int(f.Fd()), 0, headerLen, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err == nil {
		g.heads[path] = head
	}
}

// ahead is for how many chunks more than have been begun there is room.
const ahead = 64

func (g *grower) room(path string, head []byte) {
	want := atomic.LoadUint64(word(head, 2)) + ahead
	chunk := uint64(binary.LittleEndian.Uint32(head[12:]))
	if have := atomic.LoadUint64(word(head, grownWord)); have+ahead/2 > want || chunk == 0 || chunk > maxChunk {
		return
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		defer f.Close()
		err = unix.Fallocate(int(f.Fd()), 0, 0, int64(headerLen+want*chunk))
	}
	if err != nil {
		why := unix.EIO
		errors.As(err, &why)
		atomic.StoreUint64(word(head, fullWord), uint64(why))
		return
	}
	atomic.StoreUint64(word(head, grownWord), want)
}
