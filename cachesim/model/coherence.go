package model

import (
	"slices"

	"orrery/cachesim"
	"orrery/traceio"
)

// Cores keep their private levels coherent by MESI (Papamarcos and Patel 1984). A block's state in a core is in its
// words: dirty is M, clean and unshared E, clean and shared S, absent I; all levels of a core agree on shared. Before a
// core asks its levels it asks the others, where its own state does not rule that out: a load makes theirs S, a store
// takes them away, and what is dirty there is written to the level that all share (or to memory) first.

// Observer follows what cores do to each other's blocks: events alone do not say whether a core had a block.
type Observer interface {
	// Reference is the row that is simulated next.
	Reference(b *traceio.Block, row int)
	// Access is a request of a core for a block, after the others have lost what it took from them. own tells that the
	// core had the block; addr is the first byte of it that is asked for.
	Access(core int, line uint64, kind traceio.Kind, addr uint64, own bool)
	// Lose takes the block from a core, for the store in progress.
	Lose(core int, line uint64)
}

// Observe gives a hierarchy of several cores an observer, nil for none.
func (h *Hierarchy) Observe(o Observer) { h.observer = o }

// coherently is access for a reference of a core.
func (h *Hierarchy) coherently(l *level, line uint64, kind traceio.Kind, whole bool) {
	own, shared := h.holds(l.core, line)
	switch {
	case kind == traceio.Store:
		if own && shared {
			l.counts.Upgrades++
		}
		if !own || shared {
			h.snoop(l.core, line, true)
			h.markShared(l.core, line, false)
		}
	case !own:
		shared = h.snoop(l.core, line, false)
	}
	h.access(l, line, kind, whole)
	if shared && kind != traceio.Store {
		h.markShared(l.core, line, true)
	}
	if h.observer != nil {
		h.observer.Access(l.core-1, line, kind, h.addr, own)
	}
}

// holds tells whether a core has a block and whether others may have it too.
func (h *Hierarchy) holds(core int, line uint64) (own, shared bool) {
	for _, l := range h.private[core-1] {
		if s, i := l.locate(line); i >= 0 {
			return true, s.Blocks[i]&sharedBit != 0
		}
	}
	return false, false
}

// markShared sets or clears a core's state of a block.
func (h *Hierarchy) markShared(core int, line uint64, shared bool) {
	for _, l := range h.private[core-1] {
		s, i := l.locate(line)
		switch {
		case i < 0:
		case shared:
			s.Blocks[i] |= sharedBit
			s.remember(0)
		default:
			s.Blocks[i] &^= sharedBit
		}
	}
}

// snoop asks all other cores for a block and tells whether any had it.
func (h *Hierarchy) snoop(core int, line uint64, store bool) (had bool) {
	for other, levels := range h.private {
		if other == core-1 {
			continue
		}
		var modified *level
		has := false
		for _, l := range levels {
			here, dirty := h.yield(l, line, store)
			has = has || here
			if dirty && modified == nil {
				modified = l
			}
		}
		if modified != nil {
			modified.counts.Interventions++
			h.aside(func() { h.flush(modified, line) })
		}
		if has && store && h.observer != nil {
			h.observer.Lose(other, line)
		}
		had = had || has
	}
	return had
}

// yield lets one level of another core answer.
func (h *Hierarchy) yield(l *level, line uint64, store bool) (has, dirty bool) {
	if store {
		h.aside(func() { has, dirty = h.drop(l, line, cachesim.Coherence) })
		return has, dirty
	}
	s, i := l.locate(line)
	if i < 0 {
		return false, false
	}
	c := h.change(l, s)
	dirty = s.Blocks[i]&dirtyBit != 0
	s.Blocks[i] = s.Blocks[i]&^dirtyBit | sharedBit
	s.remember(0)
	if dirty {
		h.aside(func() { c.moved(line, cachesim.Event{Op: cachesim.Share, Kind: traceio.Load}) })
	}
	return true, dirty
}

// flush writes a block of a private level to the first level that is none.
func (h *Hierarchy) flush(l *level, line uint64) {
	whole := true
	for {
		whole = whole && l.shift == 0
		if l.next == nil {
			h.memory.Writes++
			return
		}
		line >>= l.shift & 63
		if l = l.next; l.core == 0 {
			h.access(l, line, traceio.Store, whole)
			return
		}
	}
}

// sharedBlocks are the blocks of a level that other cores may have too.
func (l *level) sharedBlocks() []uint64 {
	out := []uint64{}
	for _, words := range [2][]uint64{l.blocks, l.buffer.Blocks} {
		for _, w := range words {
			if w&validBit != 0 && w&sharedBit != 0 {
				out = append(out, l.lineOf(w))
			}
		}
	}
	slices.Sort(out)
	return out
}
