package preload

import (
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"syscall"

	"orrery/traceio"
)

// The layout of a log, as assets/recorder/heaponly_log.h has it: a header, then chunks of equal size. A chunk belongs
// to one thread at a time and is in order of time; it ends at the first zero byte where a record would begin.
const (
	magic     = "\x89OHEAP\r\n"
	headerLen = 4096
	maxChunk  = 1 << 20

	// words of the header, of 8 bytes
	headerWords = 17
	fullWord    = 10
	overWord    = 13
	filterWord  = 15
	grownWord   = 16
)

// The kinds of record.
const (
	recThread = 1 + iota
	recStack
	recModule
	recMade
	recFreed
	recMoved
)

// header is the beginning of a log.
type header struct {
	chunk        uint64
	chunks       uint64
	pid, parent  uint64
	tick0, ns0   uint64
	tick1, ns1   uint64
	wall         uint64
	full         uint64 // errno of what ended the log before the program, 0
	lostStacks   uint64
	forked       bool
	lost         uint64 // events that there was no room for
	filtered     bool   // the recorder makes room, since the program cannot
	nsPerTick    float64
	chunksInFile uint64
}

func readHeader(r io.ReaderAt, size int64, name string) (header, error) {
	var raw [headerWords * 8]byte
	if size < headerLen {
		return header{}, &traceio.Error{File: name, Msg: "the log of allocations was not begun",
			Hint: "does the program run with LD_PRELOAD?"}
	}
	if _, err := r.ReadAt(raw[:], 0); err != nil {
		return header{}, &traceio.Error{File: name, Msg: err.Error(), Err: err}
	}
	le := binary.LittleEndian
	word := func(i int) uint64 { return le.Uint64(raw[8*i:]) }
	h := header{chunk: uint64(le.Uint32(raw[12:])), chunks: word(2), pid: word(3), parent: word(4), tick0: word(5),
		ns0: word(6), tick1: word(7),
		ns1: word(8), wall: word(9), full: word(10), lostStacks: word(11), forked: word(12) != 0,
		lost: word(14), filtered: word(15) != 0}
	if !bytes.Equal(raw[:8], []byte(magic)) || le.Uint32(raw[8:]) != 2 || h.chunk < 1<<10 || h.chunk > maxChunk {
		return header{}, &traceio.Error{File: name, Msg: "this is no log of allocations, or the program has written over it"}
	}
	h.nsPerTick = 1
	if h.tick1 > h.tick0 && h.ns1 > h.ns0 {
		h.nsPerTick = float64(h.ns1-h.ns0) / float64(h.tick1-h.tick0)
	}
	h.chunksInFile = min(h.chunks, uint64(size-headerLen)/h.chunk)
	return h, nil
}

// ticks turns a time of the processor's clock into nanoseconds since the log began.
func (h *header) ticks(t uint64) traceio.Ticks {
	if t < h.tick0 {
		return 0
	}
	return traceio.Ticks(float64(t-h.tick0) * h.nsPerTick)
}

// Log is a traceio.Source of what one process image asked its allocator for, in order of time over all its threads.
type Log struct {
	r      io.ReaderAt
	name   string
	head   header
	chunks []start // those to come, in order of time
	began  uint64  // how many have been opened
	active active
	spare  [][]byte
	cut    bool              // its recorder was killed before the process ended
	read   func(at, n int64) // is told which part of the file has been read; may be nil

	threads map[uint64]traceio.Thread
	stacks  map[uint64]traceio.StackID
	lately  [1 << 12]known // stacks that were met lately, by the low bits of their numbers
	prog    traceio.Program
	events  uint64
	broken  uint64 // chunks that end in the middle of a record
	first   string
}

// OpenLog reads the log of one process image, of size bytes. The name appears in errors.
func OpenLog(r io.ReaderAt, size int64, name string) (*Log, error) {
	h, err := readHeader(r, size, name)
	if err != nil {
		return nil, err
	}
	l := &Log{r: r, name: name, head: h, threads: map[uint64]traceio.Thread{}, stacks: map[uint64]traceio.StackID{0: 0},
		prog: traceio.Program{Recorder: "preload", Ticking: true, Stacks: [][]traceio.Addr{{}}}}
	return l, l.list()
}

// start is where a chunk begins, in the file and in time.
type start struct{ number, tick uint64 }

// list sorts the chunks by the time of their first record. Two threads that begin chunks at once may stand in the file
// in either order.
func (l *Log) list() error {
	var raw [32]byte
	for i := range l.head.chunksInFile {
		at := int64(headerLen + i*l.head.chunk)
		if _, err := l.r.ReadAt(raw[:], at); err != nil {
			return &traceio.Error{File: l.name, Offset: at, Msg: err.Error(), Err: err}
		}
		p := &cursor{src: raw[:]}
		kind := p.byte()
		p.number()
		tick := p.number()
		if kind != recThread || p.bad {
			if kind != 0 {
				l.fail(at)
			}
			continue
		}
		l.chunks = append(l.chunks, start{i, tick})
	}
	slices.SortFunc(l.chunks, func(a, b start) int {
		return cmp.Or(cmp.Compare(a.tick, b.tick), cmp.Compare(a.number, b.number))
	})
	return nil
}

// fail counts a chunk that ends in something that is no record, at an offset of the file.
func (l *Log) fail(at int64) {
	if l.broken++; l.broken == 1 {
		l.first = fmt.Sprintf("byte %d", at)
	}
}

// lostEvents is the kind of loss of events that there was no room for.
const lostEvents = "lost-events"

// leftNote says how a recording came about whose recorder was killed.
func (l *Log) leftNote() string {
	if l.cut {
		return "ends before its program did, because its recorder was killed"
	}
	return "was made of what its recorder had logged when it was killed"
}

// Loss tells what of the log cannot be used.
func (l *Log) Loss() []traceio.Loss {
	var out []traceio.Loss
	if l.broken > 0 {
		out = append(out, traceio.Loss{Kind: "bad-record", Count: l.broken, First: l.first,
			Why: "parts of the log of a thread that end in something that is no record; the program may have written over them"})
	}
	if l.head.lost > 0 {
		why := "allocator events that the program made after its log could take no more"
		switch {
		case l.head.full != 0:
			why += fmt.Sprintf(": %v", syscall.Errno(l.head.full))
		case l.head.filtered:
			why += ", which its seccomp filter keeps it from changing"
		}
		out = append(out, traceio.Loss{Kind: lostEvents, Count: l.head.lost, Why: why})
	}
	if l.cut {
		out = append(out, traceio.Loss{Kind: "cut-log", Count: 1,
			Why: "the log ends where its recorder was killed, before the program did: " +
				"how many allocator events came after that is not known"})
	}
	if l.head.lostStacks > 0 {
		out = append(out, traceio.Loss{Kind: "lost-stacks", Count: l.head.lostStacks,
			Why: "events whose call stack could not be kept, because there were too many different ones"})
	}
	return out
}

// Next fills b with the next events, at most traceio.MaxBlock; io.EOF follows the last.
func (l *Log) Next(b *traceio.Block) error {
	b.Reset(0)
	if l.head.chunksInFile > 4 {
		b.Allocs = slices.Grow(b.Allocs, traceio.MaxBlock)
	}
	for len(b.Allocs) < traceio.MaxBlock {
		if err := l.open(); err != nil {
			return err
		}
		if len(l.active) == 0 {
			break
		}
		c := l.active[0]
		// As long as nobody else has anything older, the chunk's events follow each other.
		limit := ^uint64(0)
		if len(l.active) > 1 {
			limit = l.active[1].time()
			if len(l.active) > 2 {
				limit = min(limit, l.active[2].time())
			}
		}
		if len(l.chunks) > 0 {
			limit = min(limit, l.chunks[0].tick)
		}
		more := true
		for more && len(b.Allocs) < traceio.MaxBlock && c.time() <= limit {
			b.Allocs = append(b.Allocs, l.event(c))
			more = l.advance(c)
		}
		if !more {
			l.spare = append(l.spare, c.buf)
			heap.Pop(&l.active)
		} else {
			heap.Fix(&l.active, 0)
		}
	}
	if len(b.Allocs) == 0 {
		return io.EOF
	}
	l.events += uint64(len(b.Allocs))
	b.Start, b.End = b.Allocs[0].Ticks, b.Allocs[len(b.Allocs)-1].Ticks
	return nil
}

// open makes chunks active that begin before anything that is.
func (l *Log) open() error {
	for len(l.chunks) > 0 && (len(l.active) == 0 || l.chunks[0].tick <= l.active[0].time()) {
		c, err := l.load(l.chunks[0].number)
		if err != nil {
			return err
		}
		l.chunks = l.chunks[1:]
		l.began++
		if l.advance(c) {
			heap.Push(&l.active, c)
		} else {
			l.spare = append(l.spare, c.buf)
		}
	}
	return nil
}

func (l *Log) load(number uint64) (*chunk, error) {
	c := &chunk{number: number}
	if n := len(l.spare); n > 0 {
		c.buf, l.spare = l.spare[n-1], l.spare[:n-1]
	} else {
		c.buf = make([]byte, l.head.chunk)
	}
	at := int64(headerLen + number*l.head.chunk)
	if _, err := l.r.ReadAt(c.buf, at); err != nil && err != io.EOF {
		return nil, &traceio.Error{File: l.name, Offset: at, Msg: err.Error(), Err: err}
	}
	if l.read != nil {
		l.read(at, int64(l.head.chunk))
	}
	return c, nil
}

// event turns the chunk's pending event into an Alloc.
func (l *Log) event(c *chunk) traceio.Alloc {
	a := traceio.Alloc{Ticks: l.head.ticks(c.now.tick), Addr: traceio.Addr(c.now.addr), Thread: c.thread,
		Stack: l.stack(c.now.stack)}
	if c.now.free {
		a.Op = traceio.Free
		return a
	}
	a.Size = c.now.size
	if c.now.slack > 0 {
		a.Usable = a.Size + c.now.slack - 1
	}
	a.Latency = traceio.Ticks(float64(c.now.latency) * l.head.nsPerTick)
	return a
}

// known is a stack by its number in the log; 0 is the unknown one in both.
type known struct {
	raw uint64
	id  traceio.StackID
}

// stack is the number that a stack of the log has in the program. It may be described later.
func (l *Log) stack(raw uint64) traceio.StackID {
	k := &l.lately[raw%uint64(len(l.lately))]
	if k.raw == raw {
		return k.id
	}
	id, ok := l.stacks[raw]
	if !ok {
		id = traceio.StackID(len(l.prog.Stacks))
		l.stacks[raw] = id
		l.prog.Stacks = append(l.prog.Stacks, nil)
	}
	*k = known{raw, id}
	return id
}

// threadOf numbers threads in the order of their first records.
func (l *Log) threadOf(serial uint64) traceio.Thread {
	id, ok := l.threads[serial]
	if !ok {
		id = traceio.Thread(min(len(l.threads), 1<<16-1))
		l.threads[serial] = id
	}
	return id
}

// advance makes the chunk's next event pending and takes in what stands before it; false at the chunk's end.
func (l *Log) advance(c *chunk) bool {
	if c.second {
		c.second, c.now = false, c.next
		return true
	}
	p := &cursor{src: c.buf, at: c.at}
	for {
		kind := p.byte()
		switch kind {
		case recThread:
			c.thread = l.threadOf(p.number())
			c.tick, c.addr = p.number(), 0
		case recStack:
			l.describe(p)
		case recModule:
			l.module(p)
		case recMade:
			c.now = pending{tick: c.time1(p), latency: p.number(), addr: c.address(p), size: p.number(),
				slack: p.number(), stack: p.number()}
		case recFreed:
			c.now = pending{free: true, tick: c.time1(p), addr: c.address(p), stack: p.number()}
		case recMoved:
			c.now = pending{free: true, tick: c.time1(p), addr: c.address(p)}
			c.next = pending{tick: c.time1(p), addr: c.address(p), size: p.number(), slack: p.number(), stack: p.number()}
			c.next.latency, c.now.stack = c.next.tick-c.now.tick, c.next.stack
		case 0:
			if !p.bad {
				return false
			}
			fallthrough
		default:
			p.bad = true
		}
		if p.bad {
			l.fail(int64(headerLen + c.number*l.head.chunk + uint64(c.at)))
			return false
		}
		c.at = p.at
		if kind >= recMade {
			c.second = kind == recMoved
			return true
		}
	}
}

// maxFrames bounds a described stack: more than the wrapper keeps.
const maxFrames = 64

func (l *Log) describe(p *cursor) {
	raw, n := p.number(), p.number()
	if n > maxFrames || p.bad {
		p.bad = true
		return
	}
	s := make([]traceio.Addr, n)
	last := uint64(0)
	for i := range s {
		last += unzigzag(p.number())
		s[i] = traceio.Addr(last)
	}
	if !p.bad && raw != 0 {
		l.prog.Stacks[l.stack(raw)] = s
	}
}

func (l *Log) module(p *cursor) {
	m := traceio.Module{Bias: traceio.Addr(p.number()), Low: traceio.Addr(p.number()), High: traceio.Addr(p.number()),
		Main: p.number() == 1}
	m.Path = string(p.bytes(p.number()))
	if p.bad || m.Low >= m.High {
		p.bad = true
		return
	}
	for i := range l.prog.Modules {
		if old := &l.prog.Modules[i]; old.Path == m.Path && old.Bias == m.Bias {
			return
		}
	}
	l.prog.Modules = append(l.prog.Modules, m)
}

// chunk is a chunk that is being read, with the event that comes next.
type chunk struct {
	number uint64
	buf    []byte
	at     int
	tick   uint64
	addr   uint64
	thread traceio.Thread
	now    pending
	next   pending // the second half of a reallocation
	second bool
	broken bool // a live log's: something that is no record was found
}

// pending is one event as the log has it.
type pending struct {
	tick, latency, addr, size, slack, stack uint64
	free                                    bool
}

func (c *chunk) time() uint64 { return c.now.tick }

func (c *chunk) time1(p *cursor) uint64 {
	c.tick += p.number()
	return c.tick
}

func (c *chunk) address(p *cursor) uint64 {
	c.addr += unzigzag(p.number())
	return c.addr
}

// active is a heap of chunks by the time of their next event.
type active []*chunk

func (a active) Len() int { return len(a) }
func (a active) Less(i, j int) bool {
	if a[i].now.tick != a[j].now.tick {
		return a[i].now.tick < a[j].now.tick
	}
	return a[i].number < a[j].number
}
func (a active) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *active) Push(x any)   { *a = append(*a, x.(*chunk)) }
func (a *active) Pop() any {
	old := *a
	x := old[len(old)-1]
	*a = old[:len(old)-1]
	return x
}

// cursor reads records and remembers a failure.
type cursor struct {
	src []byte
	at  int
	bad bool
}

// byte is the next byte, 0 at the end.
func (p *cursor) byte() byte {
	if p.at >= len(p.src) {
		return 0
	}
	p.at++
	return p.src[p.at-1]
}

func (p *cursor) number() uint64 {
	if p.at+8 <= len(p.src) { // most numbers: up to eight bytes at once
		w := binary.LittleEndian.Uint64(p.src[p.at:])
		if w&0x80 == 0 {
			p.at++
			return w & 0x7f
		}
		if stop := ^w & 0x8080808080808080; stop != 0 {
			n := bits.TrailingZeros64(stop)/8 + 1
			w &= ^uint64(0) >> (64 - 8*n)
			p.at += n
			w = w&0x007f007f007f007f | w&0x7f007f007f007f00>>1
			w = w&0x00003fff00003fff | w&0x3fff00003fff0000>>2
			return w&0x000000000fffffff | w&0x0fffffff00000000>>4
		}
	}
	x, n := binary.Uvarint(p.src[min(p.at, len(p.src)):])
	if n <= 0 {
		p.bad = true
		return 0
	}
	p.at += n
	return x
}

func (p *cursor) bytes(n uint64) []byte {
	if n > uint64(len(p.src)-p.at) {
		p.bad = true
		return nil
	}
	p.at += int(n)
	return p.src[p.at-int(n) : p.at]
}

func unzigzag(x uint64) uint64 { return x>>1 ^ -(x & 1) }
