package record

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"orrery/traceio"
)

// maxEvents bounds the events of one block, for stretches where the program allocates and nothing else is recorded.
const maxEvents = 1 << 14

// blockWriter takes finished blocks; *orr.Writer is one.
type blockWriter interface {
	WriteBlock(*traceio.Block) error
}

// drain empties the ring into blocks. It serves one goroutine.
type drain struct {
	ring  *ring
	out   blockWriter
	start func(base, pc uint64) // the program is loaded, its first instruction is at pc; the program waits
	code  func(addr uint64)     // code was mapped at addr; the program waits
	known func(pc uint64) bool  // whether pc lies in a module
	limit uint64                // data references to keep, 0: all

	block  traceio.Block
	ticks  traceio.Ticks // the latest that the plugin told
	data   uint64        // data references so far
	allocs uint64
	full   bool  // limit reached: the rest is not kept
	failed error // of out: the rest is not kept

	event    event
	stacks   map[string]traceio.StackID
	stack    [][]traceio.Addr
	resizing map[traceio.Thread]*resize

	hello            bool
	gateIn, gateOut  bool // --from was entered; its return was seen
	gateReturns      bool // the return will be seen
	replaced, thread string
}

// event is a head slot whose payload is being collected.
type event struct {
	code, need int
	thread     traceio.Thread
	value      uint64
	payload    []uint64
}

// resize is a realloc that has begun and not ended. Another thread may be given its old address before it tells its end.
type resize struct {
	old      traceio.Addr
	released bool
}

func newDrain(r *ring, out blockWriter) *drain {
	return &drain{ring: r, out: out, stacks: map[string]traceio.StackID{"": 0}, stack: [][]traceio.Addr{{}},
		resizing: map[traceio.Thread]*resize{}}
}

// poll takes everything that is in the ring and returns the number of slots.
func (d *drain) poll() uint64 {
	r := d.ring
	begin := r.next
	for {
		// up to the end of the chunk the phase is the same
		end := r.next/ringChunk*ringChunk + ringChunk
		want := wanted(r.next)
		d.take(end, want)
		atomic.StoreUint64(r.word(atConsumed), r.next)
		if r.next != end {
			return r.next - begin
		}
	}
}

// take reads slots up to ordinal end or the first one that is not written yet.
func (d *drain) take(end, want uint64) {
	r := d.ring
	slots := r.slots[(end-ringChunk)%ringSlots:][:ringChunk:ringChunk]
	for i := int(r.next % ringChunk); i < ringChunk; i++ {
		w1 := atomic.LoadUint64(&slots[i].w1)
		if w1&1 != want {
			break
		}
		r.next++
		w0 := slots[i].w0
		switch what := w1 >> 1 & 3; {
		case what == 0:
			d.slot(w0, w1)
		case d.full || d.failed != nil:
		case w1&(1<<7) != 0 && d.extend(w0, w1):
		default:
			d.reference(w0, w1, what)
		}
	}
}

// reference appends one load (what 1), one store (2), or one of each (3).
func (d *drain) reference(w0, w1, what uint64) {
	b := &d.block
	n := len(b.Addr)
	if n >= traceio.MaxBlock {
		if d.flush(); d.failed != nil {
			return
		}
		n = 0
	}
	if n == 0 {
		b.Start = max(d.ticks, b.Start)
	}
	kind := traceio.Kind(what >> 1 & ^(what & 1))
	b.Addr = append(b.Addr, traceio.Addr(int64(w0)>>16))
	b.PC = append(b.PC, traceio.Addr(w1>>16))
	b.Size = append(b.Size, 1<<(w1>>4&7))
	b.Kind = append(b.Kind, kind)
	b.Thread = append(b.Thread, traceio.Thread(w0))
	d.data++
	if d.limit > 0 && d.data >= d.limit {
		d.reached()
		return
	}
	if what == 3 {
		d.reference(w0, w1, 2)
	}
}

func (d *drain) reached() {
	d.full = true
	d.ring.stop()
}

// extend joins a later piece of a wide reference to its earlier ones. The same instruction's first piece is near the end
// of the block, behind what other threads did meanwhile.
func (d *drain) extend(w0, w1 uint64) bool {
	b := &d.block
	addr, pc, thread := traceio.Addr(int64(w0)>>16), traceio.Addr(w1>>16), traceio.Thread(w0)
	kind, size := traceio.Kind(w1>>2&1), uint16(1)<<(w1>>4&7)
	if w1>>1&3 == 3 {
		return false
	}
	for i, steps := len(b.Addr)-1, 0; i >= 0 && steps < 64; i, steps = i-1, steps+1 {
		if b.Thread[i] != thread {
			continue
		}
		if b.PC[i] != pc {
			return false
		}
		if b.Kind[i] == kind {
			if b.Addr[i]+traceio.Addr(b.Size[i]) != addr || b.Size[i]+size > 512 {
				return false
			}
			b.Size[i] += size
			return true
		}
	}
	return false
}

// flush hands the block on and begins the next one.
func (d *drain) flush() {
	b := &d.block
	b.End = max(b.Start, d.ticks)
	if d.failed == nil {
		d.failed = d.out.WriteBlock(b)
		if d.failed != nil {
			d.ring.stop()
		}
	}
	end := b.End
	b.Reset(traceio.Seq(d.data))
	b.Start = end
}

// slot takes in a head or a payload slot of an event.
func (d *drain) slot(w0, w1 uint64) {
	e := &d.event
	if w1&8 != 0 {
		if e.need > 0 {
			e.payload = append(e.payload, w0)
			if e.need--; e.need == 0 {
				d.happened(e)
			}
		}
		return
	}
	code := int(w1 >> 16 & 0xffff)
	if code == codeClock { // may stand between a head and its payload
		d.ticks = max(d.ticks, traceio.Ticks(w0))
		return
	}
	*e = event{code: code, need: int(w1 >> 8 & 0xff), thread: traceio.Thread(w1 >> 32), value: w0, payload: e.payload[:0]}
	if e.need == 0 {
		d.happened(e)
	}
}

func (d *drain) happened(e *event) {
	p := e.payload
	switch e.code {
	case codeStart:
		d.start(e.value, p[0])
		d.ring.answer()
	case codeMap:
		d.code(e.value)
		d.ring.answer()
	case codeThread:
		d.clock(e.value)
		d.mark(traceio.Mark{Kind: traceio.ThreadStart, Thread: e.thread})
	case codeThreadEnd:
		d.clock(e.value)
		d.mark(traceio.Mark{Kind: traceio.ThreadEnd, Thread: e.thread})
	case codeHello:
		d.hello = true
	case codeMalloc, codeFree, codeReallocBegin, codeReallocEnd:
		d.clock(p[0])
		d.heap(e)
	case codeMark:
		d.clock(p[0])
		d.mark(traceio.Mark{Kind: traceio.UserMark, Thread: e.thread, Text: words(p[1:], e.value)})
	case codeExec:
		d.replaced = words(p[1:], e.value)
	case codeExecFailed:
		d.replaced = ""
	case codeFrom:
		d.gateIn, d.gateReturns = true, e.value != 0
	case codeUntil:
		d.gateOut = true
	}
}

func (d *drain) clock(t uint64) { d.ticks = max(d.ticks, traceio.Ticks(t)) }

// heap turns what the malloc wrapper told into allocator events.
func (d *drain) heap(e *event) {
	p := e.payload
	at := traceio.Addr(e.value)
	switch e.code {
	case codeMalloc:
		for thread, r := range d.resizing {
			if thread != e.thread && r.old == at && !r.released {
				r.released = true
				d.alloc(traceio.Alloc{Op: traceio.Free, Addr: at, Thread: thread}, nil)
			}
		}
		d.alloc(traceio.Alloc{Op: traceio.Malloc, Addr: at, Size: p[1], Usable: p[2], Thread: e.thread}, p[3:])
	case codeFree:
		delete(d.resizing, e.thread) // realloc to nothing
		d.alloc(traceio.Alloc{Op: traceio.Free, Addr: at, Thread: e.thread}, p[1:])
	case codeReallocBegin:
		d.resizing[e.thread] = &resize{old: at}
	case codeReallocEnd:
		r := d.resizing[e.thread]
		delete(d.resizing, e.thread)
		if at == 0 {
			return // failed: the old block lives
		}
		if r == nil || !r.released {
			d.alloc(traceio.Alloc{Op: traceio.Free, Addr: traceio.Addr(p[3]), Thread: e.thread}, p[4:])
		}
		d.alloc(traceio.Alloc{Op: traceio.Malloc, Addr: at, Size: p[1], Usable: p[2], Thread: e.thread}, p[4:])
	}
}

func (d *drain) alloc(a traceio.Alloc, frames []uint64) {
	if d.full || d.failed != nil {
		return
	}
	a.Seq, a.Ticks, a.Stack = traceio.Seq(d.data), d.ticks, d.stackID(frames)
	if d.allocs++; len(d.block.Allocs) >= maxEvents {
		d.flush()
	}
	d.block.Allocs = append(d.block.Allocs, a)
}

func (d *drain) mark(m traceio.Mark) {
	if d.full || d.failed != nil {
		return
	}
	m.Seq, m.Ticks = traceio.Seq(d.data), d.ticks
	if len(d.block.Marks) >= maxEvents {
		d.flush()
	}
	d.block.Marks = append(d.block.Marks, m)
}

// stackID numbers a stack. The first address in no module ends it: from there on the walk followed something that was
// no frame pointer.
func (d *drain) stackID(frames []uint64) traceio.StackID {
	n := 0
	for n < len(frames) && (n == 0 || d.known == nil || d.known(frames[n])) {
		n++
	}
	var key []byte
	for _, f := range frames[:n] {
		key = binary.LittleEndian.AppendUint64(key, f)
	}
	if id, ok := d.stacks[string(key)]; ok {
		return id
	}
	id := traceio.StackID(len(d.stack))
	d.stacks[string(key)] = id
	s := make([]traceio.Addr, n)
	for i, f := range frames[:n] {
		s[i] = traceio.Addr(f)
	}
	d.stack = append(d.stack, s)
	return id
}

// finish ends the last block. Text of an exec that has happened becomes a gap: what came after it is not here.
func (d *drain) finish() error {
	if d.replaced != "" {
		d.mark(traceio.Mark{Kind: traceio.Gap, Text: fmt.Sprintf("the program became %s here, which is not recorded", d.replaced)})
	}
	d.flush()
	return d.failed
}

// words gives back text from payload words.
func words(p []uint64, n uint64) string {
	var text []byte
	for _, w := range p {
		text = binary.LittleEndian.AppendUint64(text, w)
	}
	return string(text[:min(n, uint64(len(text)))])
}
