package record

import (
	"encoding/binary"
	"fmt"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// event is a head slot whose payload is being collected.
type event struct {
	code, need int
	thread     traceio.Thread
	value      uint64
	payload    []uint64
}

// resize is a realloc that has begun and not ended. Another thread may get the old address before its end is recorded.
type resize struct {
	old      traceio.Addr
	released bool
}

// slot handles the head or a payload slot of an event.
func (d *drain) slot(value uint64, key orr.SiteKey) {
	e := &d.event
	if key&payloadSlot != 0 {
		if e.need > 0 {
			e.payload = append(e.payload, value)
			if e.need--; e.need == 0 {
				d.handleEvent(e)
			}
		}
		return
	}
	code := int(key >> codeShift & 0xffff)
	if code == codeClock { // can be between a head and its payload
		d.ticks = max(d.ticks, traceio.Ticks(value))
		return
	}
	if code == codeLost { // so can this
		if d.lost++; d.lost == 1 {
			d.firstLost = d.data()
		}
		return
	}
	*e = event{code: code, need: int(key >> countShift & 0xff), thread: traceio.Thread(key >> threadShift), value: value,
		payload: e.payload[:0]}
	if e.need == 0 {
		d.handleEvent(e)
	}
}

// payloadOf is the least number of payload slots of each code that has any.
var payloadOf = map[int]int{codeStart: 1, codeMap: 1, codeMalloc: 3, codeFree: 1,
	codeReallocBegin: 1, codeReallocEnd: 4,
	codeMark: 1, codeExec: 1}

func (d *drain) handleEvent(e *event) {
	p := e.payload
	if len(p) < payloadOf[e.code] {
		return // the program has overwritten the ring
	}
	switch e.code {
	case codeStart:
		d.start(e.value, p[0])
	case codeMap:
		d.code(e.value)
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
	case codeInterrupt:
		d.interrupts = e.value != 0
	case codeDiffers:
		d.differs = append(d.differs, e.value)
	case codeEnter:
		d.mark(traceio.Mark{Kind: traceio.Enter, Thread: e.thread, Value: e.value})
	}
}

func (d *drain) clock(t uint64) { d.ticks = max(d.ticks, traceio.Ticks(t)) }

// heap turns events of the malloc wrapper into allocations and frees.
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
	if d.allocs++; d.failed != nil {
		return
	}
	a.Seq, a.Ticks, a.Stack = traceio.Seq(d.data()), d.ticks, d.stackID(frames)
	if len(d.block.Allocs) >= maxEvents {
		d.flush()
	}
	d.block.Allocs = append(d.block.Allocs, a)
}

func (d *drain) mark(m traceio.Mark) {
	if m.Kind == traceio.Enter { // is about the references that follow
		if d.closed {
			return
		}
	} else if d.marks++; d.failed != nil {
		return
	}
	m.Seq, m.Ticks = traceio.Seq(d.data()), d.ticks
	if len(d.block.Marks) >= maxEvents {
		d.flush()
	}
	d.block.Marks = append(d.block.Marks, m)
}

// stackID is the number of a stack, without the malloc wrapper's own frames. It ends before an outer address that is in
// no module.
func (d *drain) stackID(frames []uint64) traceio.StackID {
	for len(frames) > 0 && d.ours != nil && d.ours(frames[0]) {
		frames = frames[1:]
	}
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

// finish ends the last block. An exec becomes a gap, as what followed it is not in this recording.
func (d *drain) finish() {
	if d.replaced != "" {
		where := "is not recorded"
		if d.successor != "" {
			where = "is recorded in " + d.successor
		}
		d.mark(traceio.Mark{Kind: traceio.Gap, Text: fmt.Sprintf("the program became %s here, which %s", d.replaced, where)})
	}
	d.flush()
}

// words is the text in payload words.
func words(p []uint64, n uint64) string {
	var text []byte
	for _, w := range p {
		text = binary.LittleEndian.AppendUint64(text, w)
	}
	return string(text[:min(n, uint64(len(text)))])
}
