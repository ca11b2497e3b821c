package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The control file's layout; assets/recorder/control.h is the twin of these declarations.
const (
	controlMagic = 0x4c54434f52525221
	controlPath  = 1024
	controlSize  = ctlPatience + 8

	ctlMagic    = 0
	ctlRecorder = 8
	ctlSlots    = 16
	ctlGated    = 24
	ctlPartial  = 32
	ctlAlone    = 40
	ctlOver     = 48
	ctlMade     = 56
	ctlFailed   = 64
	ctlWhy      = 72
	ctlPaths    = 80
	ctlBeats    = ctlPaths + 4*controlPath
	ctlPatience = ctlBeats + 8
)

// control is the directory that all images of a recording share, with the file that has what all of them need to know.
type control struct {
	dir       string
	mem       []byte
	spare     func()        // closes the descriptors that removing the directory needs
	stopped   chan struct{} // closed when the recorder ends
	heartbeat sync.WaitGroup
}

// newControl creates the directory, in memory if the system has a file system there with room for a ring. Commas in the
// plugin's path are doubled, as options of the emulator want it.
func newControl(t tools) (*control, error) {
	var first error
	for _, place := range []string{"/dev/shm", os.TempDir()} {
		c, err := controlIn(place, t)
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("making the recorder's ring of %d MB: %w", (ringHeader+ringSlots*16)>>20, WithHint(first))
}

func controlIn(place string, t tools) (_ *control, err error) {
	removeStale(place)
	c := &control{}
	if c.spare, err = KeepSpare(); err != nil {
		return nil, err
	}
	if strings.Contains(place, ",") {
		return nil, fmt.Errorf("%s has a comma and cannot be an option of the emulator", place)
	}
	defer func() {
		if err != nil {
			c.spare()
			os.RemoveAll(c.dir)
		}
	}()
	if c.dir, err = os.MkdirTemp(place, "orrery-"); err != nil {
		return nil, err
	}
	if err := tryRing(filepath.Join(c.dir, "room")); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(c.dir, "control"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := unix.Fallocate(int(f.Fd()), 0, 0, controlSize); err != nil {
		return nil, err
	}
	if c.mem, err = unix.Mmap(int(f.Fd()), 0, controlSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return nil, err
	}
	for i, path := range []string{t.qemu, escape(t.plugin), t.preload, c.dir} {
		if len(path) >= controlPath {
			return nil, errors.New("the path of " + path + " is too long")
		}
		copy(c.mem[ctlPaths+i*controlPath:], path)
	}
	*c.word(ctlRecorder) = uint64(os.Getpid())
	*c.word(ctlSlots) = ringSlots
	*c.word(ctlPatience) = patientLooks
	*c.word(ctlMagic) = controlMagic
	c.stopped = make(chan struct{})
	c.heartbeat.Go(func() {
		for {
			select {
			case <-time.After(heartbeatEvery):
				atomic.AddUint64(c.word(ctlBeats), 1)
			case <-c.stopped:
				return
			}
		}
	})
	return c, nil
}

// heartbeatEvery is how often the recorder counts up, so that an image that waits for it can see that it runs.
const heartbeatEvery = 200 * time.Millisecond

// patientLooks is how often an image looks, every 70 ms or so of its own time, before it gives up on a recorder that
// does not run.
var patientLooks uint64 = 150

// removeStale removes the directories that recorders left in place when they were killed. Programs of theirs that still
// run keep what they have mapped.
func removeStale(place string) {
	found, _ := filepath.Glob(filepath.Join(place, "orrery-*"))
	for _, dir := range found {
		var st unix.Stat_t // anybody may put something here
		if unix.Lstat(dir, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR || int(st.Uid) != os.Geteuid() ||
			st.Mode&0o022 != 0 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, "control"))
		if err != nil || len(data) < controlSize || binary.LittleEndian.Uint64(data[ctlMagic:]) != controlMagic {
			continue
		}
		if pid := binary.LittleEndian.Uint64(data[ctlRecorder:]); unix.Kill(int(pid), 0) == unix.ESRCH {
			os.RemoveAll(dir)
		}
	}
}

// tryRing finds out whether there is room for a ring.
func tryRing(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	defer os.Remove(path)
	return unix.Fallocate(int(f.Fd()), 0, 0, ringHeader+ringSlots*16)
}

func (c *control) word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&c.mem[at])) }

// ringCount is how many rings images have begun to create.
func (c *control) ringCount() int { return int(atomic.LoadUint64(c.word(ctlMade))) }

// ring opens ring number k, which may not be complete yet.
func (c *control) ring(k int) (*ring, error) { return openRing(c.path(k)) }

// ringExists tells whether an image has created ring number k.
func (c *control) ringExists(k int) bool { return unix.Access(c.path(k), unix.F_OK) == nil }

// refuseRing lets an image run unrecorded, by removing the name of its ring without opening it.
func (c *control) refuseRing(k int) { os.Remove(c.path(k)) }

func (c *control) path(k int) string { return filepath.Join(c.dir, "ring."+strconv.Itoa(k)) }

// releaseAll lets all images run on unrecorded.
func (c *control) releaseAll() { atomic.StoreUint64(c.word(ctlOver), 1) }

// close lets all images run on unrecorded and removes the directory.
func (c *control) close() error {
	close(c.stopped)
	c.heartbeat.Wait()
	c.releaseAll()
	c.spare()
	os.RemoveAll(c.dir)
	mem := c.mem
	c.mem = nil
	return unix.Munmap(mem)
}
