package cachesim

import "orrery/traceio"

// Cores keep their private levels coherent by MESI (Papamarcos and Patel 1984). A block's state in a core is in its
// words: dirty is M, clean and unshared E, clean and shared S, absent I; all levels of a core agree on shared. Before a
// core asks its levels it asks the others, where its own state does not rule that out: a load makes theirs S, a store
// takes them away, and what is dirty there is written to the level that all share (or to memory) first.

// coherently is access for a reference of a core.
func (h *Hierarchy) coherently(l *level, line uint64, kind traceio.Kind, whole bool) Served {
	if l.core == 0 {
		return h.access(l, line, kind, whole)
	}
	own, shared := h.holds(l.core, line)
	switch {
	case kind == traceio.Store:
		if own && shared {
			l.upgrades++
		}
		if !own || shared {
			h.snoop(l.core, line, true)
			h.markShared(l.core, line, false)
		}
	case !own:
		shared = h.snoop(l.core, line, false)
	}
	s := h.access(l, line, kind, whole)
	if shared && kind != traceio.Store {
		h.markShared(l.core, line, true)
	}
	if h.sharing != nil {
		h.sharing.access(l.core-1, line, kind, h.addr, own)
	}
	return s
}

// holds tells whether a core has a block and whether others may have it too.
func (h *Hierarchy) holds(core int, line uint64) (own, shared bool) {
	for _, l := range h.private[core-1] {
		if s, i := l.locate(line); i >= 0 {
			return true, s.words[i]&sharedBit != 0
		}
	}
	return false, false
}

// locate is where a block is in a level, in its set or its buffer; the place is -1 when it is not there.
func (l *level) locate(line uint64) (set, int) {
	s := l.set(line)
	i := s.index(line)
	if i < 0 && len(l.buffer.words) > 0 {
		s = l.buffer
		i = s.index(line)
	}
	return s, i
}

// markShared sets or clears a core's state of a block.
func (h *Hierarchy) markShared(core int, line uint64, shared bool) {
	for _, l := range h.private[core-1] {
		s, i := l.locate(line)
		switch {
		case i < 0:
		case shared:
			s.words[i] |= sharedBit
			s.remember(0)
		default:
			s.words[i] &^= sharedBit
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
			modified.interventions++
			h.aside(func() { h.flush(modified, line) })
		}
		if has && store && h.sharing != nil {
			h.sharing.lose(other, line)
		}
		had = had || has
	}
	return had
}

// yield lets one level of another core answer.
func (h *Hierarchy) yield(l *level, line uint64, store bool) (has, dirty bool) {
	if store {
		h.aside(func() { has, dirty = h.drop(l, line) })
		if has {
			l.invalidations++
		}
		if has && l.classes != nil {
			l.classes.lose(line)
		}
		return has, dirty
	}
	s, i := l.locate(line)
	if i < 0 {
		return false, false
	}
	c := h.change(l, s)
	dirty = s.words[i]&dirtyBit != 0
	s.words[i] = s.words[i]&^dirtyBit | sharedBit
	s.remember(0)
	if dirty {
		h.aside(func() { c.moved(line, Event{Op: Share, Kind: traceio.Load}) })
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
