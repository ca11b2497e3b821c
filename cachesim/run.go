package cachesim

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"orrery/traceio"
)

// Run simulates a block's references and counts them.
func (h *Hierarchy) Run(b *traceio.Block) { h.run(b, 0, b.Len(), nil) }

// RunServed is Run and tells for each row which level had the data: served[i] belongs to row i. It must be as long as
// the block.
func (h *Hierarchy) RunServed(b *traceio.Block, served []Served) {
	h.run(b, 0, b.Len(), served[:b.Len()])
}

// run simulates rows [from, to) of a block. In served, unless it is nil, it tells which level had the data of each of
// them.
//
// The loop decides by itself what is most of every trace: the reference lies in one block, and that block is the one
// that its set was asked for last. Then nothing changes. A sink gets no events of those.
func (h *Hierarchy) run(b *traceio.Block, from, to int, served []Served) {
	if h.pages != nil {
		h.pages.run(b, from, to, nil)
	}
	if h.config.pages {
		b = h.onlyLoads(b)
	}
	if h.passes && !h.classed && !h.thorough && h.sink == nil {
		h.runPasses(b, from, to, served)
		return
	}
	if h.passes && h.classed && !h.thorough && h.sink == nil && served == nil {
		h.runNoted(b, from, to)
		return
	}
	if h.passes || h.classed || h.each || h.thorough || h.cores != nil {
		h.runEach(b, from, to, served)
		return
	}
	kinds := b.Kind[from:to]
	addrs := b.Addr[from:to][:len(kinds)]
	sizes := b.Size[from:to][:len(kinds)]
	if served != nil {
		h.presume(kinds, served)
	}
	h.count(kinds)
	for i, kind := range kinds {
		e := &h.entries[kind&3]
		addr := uint64(addrs[i])
		line := addr >> (e.bits & 63)
		at := line & e.mask
		if addr&e.inner+uint64(sizes[i]) <= e.block && at < uint64(len(e.lines)) {
			if e.lines[at]|dirtyBit == line<<lineBits|validBit|dirtyBit {
				continue
			}
		}
		h.other(b, from, i, served)
	}
	h.rows += uint64(to - from)
}

// count counts every row as one request; other corrects that for a row that crosses blocks.
func (h *Hierarchy) count(kinds []traceio.Kind) {
	stores, fetches := h.storesAndFetches(kinds)
	for k, n := range [3]uint64{uint64(len(kinds)) - stores - fetches, stores, fetches} {
		if l := h.entries[k].level; l != nil {
			l.requests[k] += n
		}
	}
}

// storesAndFetches looks at 32 kinds at a time where there are loops in assembly, and at eight elsewhere or of a few; a
// byte of a sum overflows after 255 of them.
func (h *Hierarchy) storesAndFetches(kinds []traceio.Kind) (stores, fetches uint64) {
	if h.marching && len(kinds) >= 32 {
		return countKinds(unsafe.Pointer(unsafe.SliceData(kinds)), len(kinds))
	}
	bytes := unsafe.Slice((*byte)(unsafe.SliceData(kinds)), len(kinds))
	for len(bytes) >= 8 {
		n := min(len(bytes)/8, 255) * 8
		var odd, high uint64
		for i := 0; i+8 <= n; i += 8 {
			x := binary.LittleEndian.Uint64(bytes[i:])
			odd += x & eachByte
			high += x >> 1 & eachByte
		}
		stores += sumBytes(odd)
		fetches += sumBytes(high)
		bytes = bytes[n:]
	}
	for _, k := range bytes {
		stores += uint64(k & 1)
		fetches += uint64(k >> 1)
	}
	return stores, fetches
}

const eachByte = 0x0101010101010101

// sumBytes is the sum of eight bytes.
func sumBytes(x uint64) uint64 {
	const pairs, sums = 0x00ff00ff00ff00ff, 1<<48 | 1<<32 | 1<<16 | 1
	return (x&pairs + x>>8&pairs) * sums >> 48
}

// other is a row that run does not decide.
func (h *Hierarchy) other(b *traceio.Block, from, i int, served []Served) {
	row := from + i
	kind := b.Kind[row] & 3
	e := &h.entries[kind]
	if h.sink != nil {
		h.sink.row = int32(row)
	}
	s := Unserved
	if addr, size := uint64(b.Addr[row]), uint64(b.Size[row]); e.level == nil {
	} else if addr&e.inner+size <= e.block {
		s = h.counted(e.level, addr>>(e.bits&63), kind, kind == traceio.Store && size == e.block)
	} else {
		e.level.requests[kind]--
		s = h.reference(e, b.Addr[row], b.Size[row], kind)
	}
	if served != nil {
		served[i] = s
	}
}

// onlyLoads is the block with its stores as loads: what translation sees.
func (h *Hierarchy) onlyLoads(b *traceio.Block) *traceio.Block {
	h.loads = append(h.loads[:0], b.Kind...)
	for i, k := range h.loads {
		h.loads[i] = k &^ traceio.Store
	}
	loads := *b
	loads.Kind = h.loads
	return &loads
}

// runEach is run for simulations in which the fully associative twin of a level, a prefetcher or another core may have
// to see a request that run would decide, except for the block that the twin saw last.
func (h *Hierarchy) runEach(b *traceio.Block, from, to int, served []Served) {
	if h.stale { // rows came to the levels and were not remembered
		h.stale = false
		for _, l := range h.levels {
			clear(l.recent)
			clear(l.recentDirty)
		}
	}
	if h.classed && !h.each && !h.thorough && h.cores == nil {
		h.runClassed(b, from, to, served)
		return
	}
	for i := from; i < to; i++ {
		if h.sink != nil {
			h.sink.row = int32(i)
		}
		kind := b.Kind[i]
		e := h.entry(b, i)
		s, done := h.again(e, uint64(b.Addr[i]), uint64(b.Size[i]), kind)
		if !done {
			h.pc = uint64(b.PC[i])
			s = h.reference(e, b.Addr[i], b.Size[i], kind)
		}
		if served != nil {
			served[i-from] = s
		}
	}
	h.rows += uint64(to - from)
}

// runClassed is runEach where only the twins ask, which is worth a loop of its own.
func (h *Hierarchy) runClassed(b *traceio.Block, from, to int, served []Served) {
	kinds := b.Kind[from:to]
	addrs := b.Addr[from:to][:len(kinds)]
	sizes := b.Size[from:to][:len(kinds)]
	for i, kind := range kinds {
		e := &h.entries[kind&3]
		addr := uint64(addrs[i])
		line := addr >> (e.bits & 63)
		at := line & e.mask
		if addr&e.inner+uint64(sizes[i]) <= e.block && at < uint64(len(e.lines)) && line == e.level.classes.last &&
			e.lines[at]|dirtyBit == line<<lineBits|validBit|dirtyBit {
			e.level.requests[kind&3]++
			if served != nil {
				served[i] = e.level.served
			}
			continue
		}
		if h.sink != nil {
			h.sink.row = int32(from + i)
		}
		s := h.reference(e, addrs[i], sizes[i], kind)
		if served != nil {
			served[i] = s
		}
	}
	h.rows += uint64(to - from)
}

// entry is where a row enters.
func (h *Hierarchy) entry(b *traceio.Block, row int) *entry {
	kind := b.Kind[row] & 3
	if h.cores == nil {
		return &h.entries[kind]
	}
	if h.sharing != nil {
		h.sharing.reference(b, row)
	}
	return &h.cores[h.config.Core(b.Thread[row])][kind]
}

// again decides a reference to the block that is still the first of its set, where that changes nothing: with miss
// classes, if it is also what the level's twin served last.
func (h *Hierarchy) again(e *entry, addr, size uint64, kind traceio.Kind) (s Served, done bool) {
	line := addr >> (e.bits & 63)
	at := line & e.mask
	if addr&e.inner+size > e.block || at >= uint64(len(e.lines)) ||
		e.lines[at]|dirtyBit != line<<lineBits|validBit|dirtyBit ||
		h.classed && line != e.level.classes.last || h.thorough {
		return 0, false
	}
	e.level.requests[kind&3]++
	return e.level.served, true
}

// runFull is run with all events from the levels themselves; seq is that of the first data reference at or after row
// from.
func (h *Hierarchy) runFull(b *traceio.Block, from, to int, seq traceio.Seq, events []Event) []Event {
	if h.pages != nil {
		h.pages.run(b, from, to, nil)
	}
	h.listen(&sink{events: slices.Grow(events, to-from), self: true, ranked: true})
	if h.config.pages {
		h.eachEvent(h.onlyLoads(b), b.Kind, from, to, seq)
	} else {
		h.eachEvent(b, b.Kind, from, to, seq)
	}
	h.rows += uint64(to - from)
	events = h.sink.events
	h.listen(nil)
	return events
}

// eachEvent asks the levels for every row; kinds are what the rows were recorded as.
func (h *Hierarchy) eachEvent(b *traceio.Block, kinds []traceio.Kind, from, to int, seq traceio.Seq) {
	for i := from; i < to; i++ {
		h.sink.seq, h.sink.row = seq, int32(i)
		h.pc = uint64(b.PC[i])
		h.reference(h.entry(b, i), b.Addr[i], b.Size[i], b.Kind[i])
		if kinds[i] != traceio.Fetch {
			seq++
		}
	}
}

// reference is one reference of the processor, split where it crosses blocks. A size of 0 counts as one byte; a
// reference over the end of the address space ends there.
func (h *Hierarchy) reference(e *entry, addr traceio.Addr, size uint16, kind traceio.Kind) Served {
	l := e.level
	if l == nil {
		return Unserved
	}
	low, high := extent(addr, size)
	slowest := Served(0)
	for line := low >> l.bits; ; line++ {
		whole := kind == traceio.Store && l.covered(line, low, high)
		h.addr = max(low, line<<l.bits)
		if h.coherent {
			slowest = max(slowest, h.coherently(l, line, kind, whole))
		} else {
			slowest = max(slowest, h.access(l, line, kind, whole))
		}
		if line == high>>l.bits {
			return slowest
		}
	}
}

// extent is the first and the last byte of a reference.
func extent(addr traceio.Addr, size uint16) (low, high uint64) {
	low = uint64(addr)
	high = low + max(uint64(size), 1) - 1
	if high < low {
		high = ^uint64(0)
	}
	return low, high
}

// covered tells whether block number line lies between low and high.
func (l *level) covered(line, low, high uint64) bool {
	return line<<l.bits >= low && line<<l.bits|(1<<l.bits-1) <= high
}
