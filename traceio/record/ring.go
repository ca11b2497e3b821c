package record

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"orrery/traceio/orr"
)

// The ring's layout; assets/recorder/ring.h is the twin of these declarations and describes the slots.
const (
	ringMagic   = 0x3247524f52525221
	ringHeader  = 1 << 20
	ringChunk   = 4096 // slots
	ringSlots   = 1 << 16
	ringEntries = 64
	ringRanges  = 65000

	atMagic    = 0
	atSlots    = 8
	atPID      = 16
	atParent   = 24
	atTaken    = 32
	atGivenUp  = 40
	atConsumed = 64
	atStop     = 72
	atEntries  = 80
	atRanges   = 88
	atEntry    = 96
	atRange    = atEntry + 8*ringEntries
)

// What the word at atStop says.
const (
	stopAll        = 1
	stopReferences = 2
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
	codeInterrupt
	codeDiffers
	codeLost
)

// Bits of the key of a slot that belongs to an event. Its head has the event's value as Place, a payload slot a word of
// the payload. The kind is 0 in both, which no load or store has.
//
//	head      | thread << threadShift | code << codeShift | count of payload slots << countShift | phase |
//	payload   | payloadSlot | phase |
const (
	threadShift = 32
	codeShift   = 16
	countShift  = 8

	payloadSlot orr.SiteKey = 8
)

const slotSize = 16

// A slot is what a reference is encoded from, with the phase as the tag of its key.
var _ [slotSize]struct{} = [unsafe.Sizeof(orr.Row{})]struct{}{}

// ring is the reader's end of the memory that it shares with one image's plugin.
type ring struct {
	mem   []byte
	slots []orr.Row
	next  uint64 // ordinal of the slot to be read
}

// openRing maps the ring that an image has made, says that it is taken, and removes its name.
func openRing(path string) (*ring, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const size = ringHeader + ringSlots*slotSize
	if info, err := f.Stat(); err != nil || info.Size() != size {
		return nil, errors.New("the recorder's ring is damaged")
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping the recorder's ring: %w", err)
	}
	r := ringOver(mem)
	if *r.word(atMagic) != ringMagic || *r.word(atSlots) != ringSlots {
		r.close()
		return nil, errors.New("the recorder's ring is damaged")
	}
	atomic.StoreUint64(r.word(atTaken), 1)
	os.Remove(path)
	return r, nil
}

func ringOver(mem []byte) *ring {
	return &ring{mem: mem, slots: unsafe.Slice((*orr.Row)(unsafe.Pointer(&mem[ringHeader])), ringSlots)}
}

func (r *ring) close() error {
	if r.mem == nil {
		return nil
	}
	mem := r.mem
	r.mem, r.slots = nil, nil
	return unix.Munmap(mem)
}

func (r *ring) word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&r.mem[at])) }

// setRanges says which instructions the plugin is to record. It is called only while the plugin waits until an event is
// read.
func (r *ring) setRanges(spans []span) error {
	if len(spans) > ringRanges {
		return errors.New(
			"the choice of what to record falls into too many pieces of code; choose whole functions, files or modules")
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

// givenUp tells whether the image has waited for so long that it runs on unrecorded.
func (r *ring) givenUp() bool { return atomic.LoadUint64(r.word(atGivenUp)) != 0 }

// stop says that nothing more is wanted of the image.
func (r *ring) stop() { atomic.StoreUint64(r.word(atStop), stopAll) }

// enough says that no more references are wanted.
func (r *ring) enough() { atomic.CompareAndSwapUint64(r.word(atStop), 0, stopReferences) }

// phase is the phase bit of a slot at ordinal i that is written: the tag of its key.
func phase(i uint64) orr.SiteKey { return orr.SiteKey(^(i / ringSlots)) & orr.KeyTag }

// keyOf reads the key of a slot; the Place is there when the key has the right phase.
func keyOf(s *orr.Row) orr.SiteKey { return orr.SiteKey(atomic.LoadUint64((*uint64)(&s.Key))) }

// skipHole moves over slots that a thread took and did not live to fill, when a written one follows soon: the
// references that they were for were still to be made.
func (r *ring) skipHole() bool {
	for i := r.next + 1; i < r.next+ringChunk; i++ {
		if keyOf(&r.slots[i%ringSlots])&orr.KeyTag == phase(i) {
			r.next = i
			return true
		}
	}
	return false
}
