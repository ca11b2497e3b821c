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

// control is the directory that all images of a recording know, with what is to be known by all of them.
type control struct {
	dir  string
	mem  []byte
	room func()        // gives back what removing the directory needs
	calm chan struct{} // closed when the recorder ends
	beat sync.WaitGroup
}

// newControl makes the directory, in memory where the system has a place for that and room for a ring. The emulator's
// option takes the plugin's path with doubled commas.
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
	return nil, fmt.Errorf("making the recorder's ring of %d MB: %w", (ringHeader+ringSlots*16)>>20, Remedied(first))
}

func controlIn(place string, t tools) (_ *control, err error) {
	sweep(place)
	c := &control{}
	if c.room, err = KeepSpare(); err != nil {
		return nil, err
	}
	if strings.Contains(place, ",") {
		return nil, fmt.Errorf("%s cannot stand in an option of the emulator", place)
	}
	defer func() {
		if err != nil {
			c.room()
			os.RemoveAll(c.dir)
		}
	}()
	if c.dir, err = os.MkdirTemp(place, "orrery-"); err != nil {
		return nil, err
	}
	if err := room(filepath.Join(c.dir, "room")); err != nil {
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
	c.calm = make(chan struct{})
	c.beat.Go(func() {
		for {
			select {
			case <-time.After(beatEvery):
				atomic.AddUint64(c.word(ctlBeats), 1)
			case <-c.calm:
				return
			}
		}
	})
	return c, nil
}

// beatEvery is how often the recorder shows that it runs: whoever waits for one that does not gives up.
const beatEvery = 200 * time.Millisecond

// patientLooks is how often he looks before that, every 70 ms or so of his own time.
var patientLooks uint64 = 150

// sweep removes what recorders that were killed have left in place. Programs of theirs that still run keep what they
// have mapped.
func sweep(place string) {
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

// room tells whether a ring would find place.
func room(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	defer os.Remove(path)
	return unix.Fallocate(int(f.Fd()), 0, 0, ringHeader+ringSlots*16)
}

func (c *control) word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&c.mem[at])) }

// made is how many rings have been begun.
func (c *control) made() int { return int(atomic.LoadUint64(c.word(ctlMade))) }

// ring opens ring number k, which may not be whole yet.
func (c *control) ring(k int) (*ring, error) { return openRing(c.path(k)) }

// there tells whether an image has made ring number k.
func (c *control) there(k int) bool { return unix.Access(c.path(k), unix.F_OK) == nil }

// refuse lets an image run unrecorded whose ring is not wanted: its name is gone although nobody has it.
func (c *control) refuse(k int) { os.Remove(c.path(k)) }

func (c *control) path(k int) string { return filepath.Join(c.dir, "ring."+strconv.Itoa(k)) }

// dismiss lets all images run on unrecorded.
func (c *control) dismiss() { atomic.StoreUint64(c.word(ctlOver), 1) }

// close lets all images go that are still recorded.
func (c *control) close() error {
	close(c.calm)
	c.beat.Wait()
	c.dismiss()
	c.room()
	os.RemoveAll(c.dir)
	mem := c.mem
	c.mem = nil
	return unix.Munmap(mem)
}
