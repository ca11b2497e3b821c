package model

import (
	"orrery/cachesim"
	"orrery/traceio"
)

// What one request does to a level, one step at a time. The order of the steps is Dinero IV's: the block enters, is
// fetched, then what it pushed out goes.

// access is one request to a level for a block: a load, a store or a fetch. whole tells that a store covers the block.
func (h *Hierarchy) access(l *level, line uint64, kind traceio.Kind, whole bool) {
	store := kind == traceio.Store
	s := l.set(line)
	if i := s.way(line); i >= 0 {
		if l.exclusive && !store {
			h.promote(l, s, line, kind, i)
			return
		}
		h.hit(l, s, line, kind, i)
	} else if i := l.buffer.way(line); i >= 0 {
		h.fetchBack(l, s, line, kind, i)
	} else {
		h.miss(l, line, kind, whole)
		return
	}
	if store && l.through {
		h.onward(l, line, whole)
	}
	h.train(l, line, kind)
}

// hit is a request whose block is in the set.
func (h *Hierarchy) hit(l *level, s Set, line uint64, kind traceio.Kind, i int) {
	c := h.change(l, s)
	w := s.Blocks[i]
	if w&l.flags&aheadBit != 0 {
		w &^= aheadBit
		l.counts.Useful++
	}
	if kind == traceio.Store && !l.through {
		w |= dirtyBit
	}
	s.Blocks[i] = w
	s.touch(i)
	c.moved(line, cachesim.Event{Op: cachesim.Hit, Kind: kind, Dirty: w&dirtyBit != 0})
}

// promote gives the block of an exclusive level to the level above, which knows already whether it is dirty.
func (h *Hierarchy) promote(l *level, s Set, line uint64, kind traceio.Kind, i int) {
	c := h.change(l, s)
	dirty := s.Blocks[i]&dirtyBit != 0
	s.remove(i)
	c.left(line, cachesim.Event{Op: cachesim.Promote, Kind: kind, Dirty: dirty})
}

// fetchBack is a hit in the victim buffer: the block changes places with the one that its set pushes out.
func (h *Hierarchy) fetchBack(l *level, s Set, line uint64, kind traceio.Kind, i int) {
	c := h.change(l, l.buffer)
	w := l.buffer.Blocks[i]
	l.buffer.remove(i)
	c.left(line, cachesim.Event{Op: cachesim.VictimHit, Kind: kind, Dirty: w&dirtyBit != 0})
	if kind == traceio.Store && !l.through {
		w |= dirtyBit
	}
	if victim := h.enter(l, s, w, cachesim.Event{Op: cachesim.Fill, Kind: kind}); victim != 0 {
		h.pushedOut(l, victim)
	}
}

// miss is a request whose block is not in the level.
func (h *Hierarchy) miss(l *level, line uint64, kind traceio.Kind, whole bool) {
	store := kind == traceio.Store
	if l.exclusive || store && l.noAllocate {
		h.emit(l, line, cachesim.Event{Op: cachesim.Miss, Kind: kind, From: -1, To: -1, Set: int32(line & l.mask)})
		if store {
			h.onward(l, line, whole)
		} else {
			h.fetch(l, line, kind)
		}
		return
	}
	w := line<<lineBits | validBit
	if store && !l.through || l.dirtyBelow(line) {
		w |= dirtyBit
	}
	op := cachesim.Miss
	if whole && !l.mustFetch {
		op = cachesim.Allocate
	}
	victim := h.enter(l, l.set(line), w, cachesim.Event{Op: op, Kind: kind})
	if op == cachesim.Miss {
		h.fetch(l, line, kind)
	}
	if victim != 0 {
		h.pushedOut(l, victim)
	}
	if store && l.through {
		h.onward(l, line, whole)
	}
	if l.nextLine && l.demands(kind) && line < ^uint64(0)>>(l.bits&63) {
		h.prefetch(l, line+1, kind)
	}
	h.train(l, line, kind)
}

// fetch asks the level below l for a block; the fetch for a store is a read there.
func (h *Hierarchy) fetch(l *level, line uint64, kind traceio.Kind) {
	switch {
	case l.next == nil:
		if h.memory.Reads++; h.ahead {
			h.memoryAhead++
		}
		return
	case h.ahead:
		l.next.ahead++
	}
	h.access(l.next, line>>(l.shift&63), kind&traceio.Fetch, false)
}

// onward sends a store on that the level does not keep to itself. whole tells that it covers the block here.
func (h *Hierarchy) onward(l *level, line uint64, whole bool) {
	h.emit(l, line, cachesim.Event{Op: cachesim.Through, Kind: traceio.Store, From: -1, To: -1, Set: int32(line & l.mask)})
	h.storeBelow(l, line, whole)
}

// storeBelow is a store to the level below. It covers a block there only if the blocks are of equal size.
func (h *Hierarchy) storeBelow(l *level, line uint64, whole bool) {
	if l.next == nil {
		h.memory.Writes++
		return
	}
	h.access(l.next, line>>(l.shift&63), traceio.Store, whole && l.shift == 0)
}

// enter puts a word into a set and gives the one that it pushes out.
func (h *Hierarchy) enter(l *level, s Set, word uint64, e cachesim.Event) (victim uint64) {
	c := h.change(l, s)
	victim = s.enter(word)
	e.Dirty = word&dirtyBit != 0
	c.entered(l.lineOf(word), victim, e)
	return victim
}

// pushedOut takes what left a set: the victim buffer has it, or it leaves the level.
func (h *Hierarchy) pushedOut(l *level, victim uint64) {
	e := cachesim.Event{Op: cachesim.Evict, Kind: traceio.Store, From: int32(l.ways) - 1, To: -1,
		Set: int32(l.lineOf(victim) & l.mask)}
	if len(l.buffer.Blocks) > 0 {
		e.Dirty = victim&dirtyBit != 0
		h.emit(l, l.lineOf(victim), e)
		victim = h.enter(l, l.buffer, victim&^(l.flags&aheadBit), cachesim.Event{Op: cachesim.Fill, Kind: traceio.Store})
		if victim == 0 {
			return
		}
		e.Set, e.From = int32(l.mask+1), int32(len(l.buffer.Blocks))-1
	}
	line := l.lineOf(victim)
	if l.inclusive && h.recall(l, line) {
		victim |= dirtyBit
	}
	h.discard(l, line, victim, e)
}

// discard lets a block go: down, if it is dirty or the level below is exclusive.
func (h *Hierarchy) discard(l *level, line, word uint64, e cachesim.Event) {
	if e.Dirty = word&dirtyBit != 0; e.Dirty {
		e.Op = cachesim.WriteBack
	}
	h.emit(l, line, e)
	switch {
	case l.next != nil && l.next.exclusive:
		h.aside(func() { h.fill(l.next, line, line<<lineBits|word&(validBit|dirtyBit|l.flags&l.next.flags&sharedBit)) })
	case e.Dirty:
		h.aside(func() { h.storeBelow(l, line, true) })
	}
}

// An exclusive level has what left the levels above, and gives it up when they ask for it.

// fill is what an exclusive level does about a word that left the level above, dirty or clean.
func (h *Hierarchy) fill(l *level, line, w uint64) {
	l.counts.Fills++
	s := l.set(line)
	e := cachesim.Event{Op: cachesim.Fill, Kind: traceio.Store}
	i := s.way(line)
	if i < 0 {
		if victim := h.enter(l, s, w, e); victim != 0 {
			h.pushedOut(l, victim)
		}
		return
	}
	c := h.change(l, s)
	s.Blocks[i] |= w // another level above had it, too
	e.Dirty = s.Blocks[i]&dirtyBit != 0
	s.touch(i)
	c.moved(line, e)
}

// dirtyBelow tells whether an exclusive level below is about to give up the block, dirty.
func (l *level) dirtyBelow(line uint64) bool {
	for n := l.next; n != nil && n.exclusive; n = n.next {
		s := n.set(line)
		if i := s.way(line); i >= 0 {
			return s.Blocks[i]&dirtyBit != 0
		}
	}
	return false
}

// An inclusive level has all that the levels above have: what it loses, they lose.

// recall takes a block from all levels above and tells whether it was dirty there.
func (h *Hierarchy) recall(l *level, line uint64) (dirty bool) {
	for _, u := range l.above {
		shift := l.bits - u.bits
		for part := range uint64(1) << shift {
			_, changed := h.drop(u, line<<shift|part, cachesim.Unclassed)
			dirty = dirty || changed
		}
	}
	return dirty
}

// drop removes a block from a level, without writing it anywhere. why is Coherence where another core takes it.
func (h *Hierarchy) drop(l *level, line uint64, why cachesim.Class) (had, dirty bool) {
	s, i := l.locate(line)
	if i < 0 {
		return false, false
	}
	c := h.change(l, s)
	dirty = s.Blocks[i]&dirtyBit != 0
	s.remove(i)
	c.left(line, cachesim.Event{Op: cachesim.Invalidate, Kind: traceio.Store, Dirty: dirty, Class: why})
	return true, dirty
}
