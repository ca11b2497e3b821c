package record

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The ring's layout; assets/recorder/ring.h is the twin of these declarations and describes the slots.
const (
	ringMagic   = 0x3147524f52525221
	ringHeader  = 1 << 20
	ringChunk   = 4096 // slots
	ringSlots   = 1 << 19
	ringEntries = 64
	ringRanges  = 65000

	atMagic    = 0
	atSlots    = 8
	atGated    = 16
	atPartial  = 24
	atConsumed = 64
	atAnswered = 72
	atStop     = 80
	atEntries  = 88
	atRanges   = 96
	atEntry    = 104
	atRange    = atEntry + 8*ringEntries
)

// Codes of events in the ring.
const (
	codeClock = 1 + iota
	codeStart
	codeMap
	codeThread
	codeThreadEnd
	codeHello
	codeMalloc
	codeFree
	codeReallocBegin
	codeReallocEnd
	codeMark
	codeExec
	codeExecFailed
	codeFrom
	codeUntil
	codeEnter
)

// slot is one record of 16 bytes.
type slot struct{ w0, w1 uint64 }

// ring is the reader's end of the memory that it shares with the plugin.
type ring struct {
	path     string
	mem      []byte
	slots    []slot
	next     uint64 // ordinal of the slot to be read
	answered uint64
}

// newRing makes the shared file, in memory where the system has a place for that, with all its pages reserved: writing
// to a mapped page that cannot be had would kill the program.
func newRing() (*ring, error) {
	dir := "/dev/shm"
	size := int64(ringHeader + ringSlots*16)
	f, err := reserve(dir, size)
	if err != nil {
		if f, err = reserve(os.TempDir(), size); err != nil {
			return nil, fmt.Errorf("making the recorder's ring of %d MB: %w", size>>20, err)
		}
	}
	defer f.Close()
	mem, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		os.Remove(f.Name())
		return nil, fmt.Errorf("mapping the recorder's ring: %w", err)
	}
	r := &ring{path: f.Name(), mem: mem}
	r.slots = unsafe.Slice((*slot)(unsafe.Pointer(&mem[ringHeader])), ringSlots)
	*r.word(atMagic) = ringMagic
	*r.word(atSlots) = ringSlots
	return r, nil
}

func reserve(dir string, size int64) (*os.File, error) {
	f, err := os.CreateTemp(dir, "orrery-ring-")
	if err != nil {
		return nil, err
	}
	if err := unix.Fallocate(int(f.Fd()), 0, 0, size); err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, err
	}
	return f, nil
}

// unlink removes the ring's name; the mappings stay.
func (r *ring) unlink() {
	if r.path != "" {
		os.Remove(r.path)
		r.path = ""
	}
}

func (r *ring) close() error {
	r.unlink()
	if r.mem == nil {
		return nil
	}
	mem := r.mem
	r.mem, r.slots = nil, nil
	return unix.Munmap(mem)
}

func (r *ring) word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&r.mem[at])) }

// setRanges says which instructions the plugin is to record. It is called only while the plugin waits for an answer.
func (r *ring) setRanges(spans []span) error {
	if len(spans) > ringRanges {
		return errors.New("the choice of what to record falls into too many pieces of code; choose whole functions, files or modules")
	}
	for i, s := range spans {
		*r.word(atRange + 16*i) = s.low
		*r.word(atRange + 16*i + 8) = s.high
	}
	atomic.StoreUint64(r.word(atRanges), uint64(len(spans)))
	return nil
}

// setEntries says where the function begins whose first call is to be recorded.
func (r *ring) setEntries(pcs []uint64) {
	n := min(len(pcs), ringEntries)
	for i, pc := range pcs[:n] {
		*r.word(atEntry + 8*i) = pc
	}
	atomic.StoreUint64(r.word(atEntries), uint64(n))
}

func (r *ring) answer() {
	r.answered++
	atomic.StoreUint64(r.word(atAnswered), r.answered)
}

func (r *ring) stop() { atomic.StoreUint64(r.word(atStop), 1) }

// wanted is the phase bit that a written slot at ordinal i has.
func wanted(i uint64) uint64 { return ^(i / ringSlots) & 1 }

// skipHole moves over slots that a thread took and did not live to fill, when a written one follows soon.
func (r *ring) skipHole() bool {
	for i := r.next + 1; i < r.next+ringChunk; i++ {
		if atomic.LoadUint64(&r.slots[i%ringSlots].w1)&1 == wanted(i) {
			r.next = i
			return true
		}
	}
	return false
}
