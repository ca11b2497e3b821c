package model

import (
	"orrery/cachesim"
	"orrery/traceio"
)

// demands tells whether a request of this kind is one that prefetchers learn from: all but the stores that reach a
// level from above, which are write-backs.
func (l *level) demands(kind traceio.Kind) bool { return kind != traceio.Store || l.enters }

// prefetch fetches a block that is not there.
func (h *Hierarchy) prefetch(l *level, line uint64, kind traceio.Kind) {
	if h.ahead {
		return // what is fetched ahead makes no level below fetch ahead
	}
	s := l.set(line)
	if s.way(line) >= 0 || l.buffer.way(line) >= 0 {
		return
	}
	h.ahead = true
	h.aside(func() { h.fetchAhead(l, s, line, kind&traceio.Fetch) })
	h.ahead = false
}

func (h *Hierarchy) fetchAhead(l *level, s Set, line uint64, kind traceio.Kind) {
	shared := false
	if h.private != nil && l.core > 0 {
		own := false
		if own, shared = h.holds(l.core, line); !own {
			shared = h.snoop(l.core, line, false)
		}
	}
	w := line<<lineBits | validBit | aheadBit
	if l.dirtyBelow(line) {
		w |= dirtyBit
	}
	victim := h.enter(l, s, w, cachesim.Event{Op: cachesim.Prefetch, Kind: kind})
	h.fetch(l, line, kind)
	if victim != 0 {
		h.pushedOut(l, victim)
	}
	if shared {
		h.markShared(l.core, line, true)
	}
}

// The reference prediction table of a stride prefetcher (Chen and Baer, "Effective Hardware-Based Data Prefetching for
// High-Performance Processors", 1995): by instruction, the last address, the stride between the last two, and a state
// that is steady once a stride was right. It is direct-mapped. Recordings without instruction addresses learn by page
// instead.
const (
	tableEntries = 64
	entryWords   = 4 // instruction, address, stride, state
)

// The states of an entry.
const (
	initial = iota
	transient
	steady
	hopeless
)

// train tells the stride prefetcher of a request and lets it fetch what follows.
func (h *Hierarchy) train(l *level, line uint64, kind traceio.Kind) {
	if l.strides == nil || h.ahead || !l.demands(kind) {
		return
	}
	addr := max(h.addr, line<<l.bits)
	next, sure := observe(l.strides, h.pc, addr)
	if next >>= l.bits & 63; sure && next != addr>>(l.bits&63) {
		h.prefetch(l, next, kind)
	}
}

// observe takes an address into account and gives the one that the instruction will ask for next, if it is sure.
func observe(table []uint64, pc, addr uint64) (next uint64, sure bool) {
	if pc == 0 {
		pc = ^(addr >> 12)
	}
	e := table[mix(pc)%tableEntries*entryWords:][:entryWords]
	if e[0] != pc {
		e[0], e[1], e[2], e[3] = pc, addr, 0, initial
		return 0, false
	}
	stride := addr - e[1]
	right := stride == e[2]
	e[1] = addr
	switch {
	case e[3] == steady && !right:
		e[3] = initial // the stride stays: it may only have been the end of a row
		return 0, false
	case e[3] == hopeless && right:
		e[3] = transient
	case right:
		e[3] = steady
	case e[3] == initial:
		e[2], e[3] = stride, transient
	default:
		e[2], e[3] = stride, hopeless
	}
	return addr + stride, e[3] == steady && stride != 0
}
