package cachesim

import "orrery/traceio"

// A structured level is one that the paths of find.go do not serve: with another policy than LRU and FIFO, or with any
// of write-through, no allocation, inclusion, exclusion, a prefetcher, a victim buffer, cores. All of it is here, one
// step at a time; the order of the steps is that of access.go: the block enters, is fetched, then what was pushed out
// goes.

// The flags at the upper end of a line's word, in levels whose blocks are large enough to leave the bits free.
const (
	aheadBit  = 1 << 63 // a prefetcher fetched it, and nobody asked for it yet
	sharedBit = 1 << 62 // other cores may have it
)

// structured is access to such a level.
func (h *Hierarchy) structured(l *level, line uint64, kind traceio.Kind, whole bool) Served {
	store := kind == traceio.Store
	s := l.set(line)
	if i := s.index(line); i >= 0 {
		if l.exclusive && !store {
			h.promote(l, s, line, kind, i)
			return l.served
		}
		h.found(l, s, line, kind, i)
	} else if i := l.buffer.index(line); i >= 0 {
		h.fetchBack(l, s, line, kind, i)
	} else {
		return h.absent(l, line, kind, whole)
	}
	if store && l.through {
		h.onward(l, line, whole)
	}
	h.train(l, line, kind)
	return l.served
}

// found is a hit in the sets.
func (h *Hierarchy) found(l *level, s set, line uint64, kind traceio.Kind, i int) {
	l.classify(line, kind, false)
	c := h.change(l, s)
	w := s.words[i]
	if w&l.top&aheadBit != 0 {
		w &^= aheadBit
		l.useful++
	}
	if kind == traceio.Store && !l.through {
		w |= dirtyBit
	}
	s.words[i] = w
	s.use(i)
	c.moved(line, Event{Op: Hit, Kind: kind, Dirty: w&dirtyBit != 0})
}

// promote gives the block of an exclusive level to the level above, which knows already whether it is dirty.
func (h *Hierarchy) promote(l *level, s set, line uint64, kind traceio.Kind, i int) {
	l.classify(line, kind, false)
	c := h.change(l, s)
	dirty := s.words[i]&dirtyBit != 0
	s.remove(i)
	c.left(line, Event{Op: Promote, Kind: kind, Dirty: dirty})
}

// fetchBack is a hit in the victim buffer: the block changes places with the one that its set pushes out.
func (h *Hierarchy) fetchBack(l *level, s set, line uint64, kind traceio.Kind, i int) {
	l.victimHits++
	l.classify(line, kind, false)
	c := h.change(l, l.buffer)
	w := l.buffer.words[i]
	l.buffer.remove(i)
	c.left(line, Event{Op: VictimHit, Kind: kind, Dirty: w&dirtyBit != 0})
	if kind == traceio.Store && !l.through {
		w |= dirtyBit
	}
	if victim := h.enter(l, s, w, Event{Op: Fill, Kind: kind}); victim != 0 {
		h.pushedOut(l, victim)
	}
}

// absent is a miss.
func (h *Hierarchy) absent(l *level, line uint64, kind traceio.Kind, whole bool) Served {
	store := kind == traceio.Store
	l.misses[kind]++
	l.classify(line, kind, true)
	if l.exclusive || store && l.noAllocate {
		h.tell(l, line, Event{Op: Miss, Kind: kind, From: -1, To: -1, Set: int32(line & l.mask)})
		if store {
			return h.onward(l, line, whole)
		}
		return h.fetch(l, line, kind)
	}
	w := line<<lineBits | validBit
	if store && !l.through || l.dirtyBelow(line) {
		w |= dirtyBit
	}
	op, served := Miss, l.served+1
	if whole && !l.mustFetch {
		op = Allocate
	}
	s := l.set(line)
	victim := h.enter(l, s, w, Event{Op: op, Kind: kind})
	if op == Miss {
		served = h.fetch(l, line, kind)
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
	return served
}

// dirtyBelow tells whether an exclusive level below is about to give up the block, dirty.
func (l *level) dirtyBelow(line uint64) bool {
	for n := l.next; n != nil && n.exclusive; n = n.next {
		s := n.set(line)
		if i := s.index(line); i >= 0 {
			return s.words[i]&dirtyBit != 0
		}
	}
	return false
}

// enter puts a word into a set and gives the one that it pushes out.
func (h *Hierarchy) enter(l *level, s set, word uint64, e Event) (victim uint64) {
	c := h.change(l, s)
	victim = s.enter(word)
	e.Dirty = word&dirtyBit != 0
	c.entered(l.lineOf(word), victim, e)
	return victim
}

// pushedOut takes what left a set: the victim buffer has it, or it leaves the level.
func (h *Hierarchy) pushedOut(l *level, victim uint64) {
	e := Event{Op: Evict, Kind: traceio.Store, From: int32(l.ways) - 1, To: -1, Set: int32(l.lineOf(victim) & l.mask)}
	if len(l.buffer.words) > 0 {
		e.Dirty = victim&dirtyBit != 0
		h.tell(l, l.lineOf(victim), e)
		victim = h.enter(l, l.buffer, victim&^(l.top&aheadBit), Event{Op: Fill, Kind: traceio.Store})
		if victim == 0 {
			return
		}
		e.Set, e.From = int32(l.mask+1), int32(len(l.buffer.words))-1
	}
	line := l.lineOf(victim)
	if l.inclusive && h.recall(l, line) {
		victim |= dirtyBit
	}
	h.discard(l, line, victim, e)
}

// discard lets a block go: down, if it is dirty or the level below is exclusive.
func (h *Hierarchy) discard(l *level, line, word uint64, e Event) {
	dirty := word&dirtyBit != 0
	l.evictions++
	e.Dirty = dirty
	if dirty {
		l.writeBacks++
		e.Op = WriteBack
	}
	h.tell(l, line, e)
	switch {
	case l.next != nil && l.next.exclusive:
		h.aside(func() { h.fill(l.next, line, line<<lineBits|word&(validBit|dirtyBit|l.top&l.next.top&sharedBit)) })
	case dirty:
		h.aside(func() { h.pass(l, line, true) })
	}
}

// onward sends a store on that the level does not keep to itself. whole tells that it covers the block here.
func (h *Hierarchy) onward(l *level, line uint64, whole bool) Served {
	h.tell(l, line, Event{Op: Through, Kind: traceio.Store, From: -1, To: -1, Set: int32(line & l.mask)})
	return h.pass(l, line, whole)
}

// pass is a store to the level below.
func (h *Hierarchy) pass(l *level, line uint64, whole bool) Served {
	if l.next == nil {
		h.memory.Writes++
		return Served(len(h.levels)) * 2
	}
	return h.access(l.next, line>>(l.shift&63), traceio.Store, whole && l.shift == 0)
}

// fill is what an exclusive level does about a word that left the level above, dirty or clean.
func (h *Hierarchy) fill(l *level, line, w uint64) {
	l.fills++
	if l.classes != nil {
		l.classes.put(line)
	}
	s := l.set(line)
	e := Event{Op: Fill, Kind: traceio.Store}
	i := s.index(line)
	if i < 0 {
		if victim := h.enter(l, s, w, e); victim != 0 {
			h.pushedOut(l, victim)
		}
		return
	}
	c := h.change(l, s)
	s.words[i] |= w // another level above had it, too
	e.Dirty = s.words[i]&dirtyBit != 0
	s.use(i)
	c.moved(line, e)
}

// recall takes a block that an inclusive level loses from all levels above and tells whether it was dirty there.
func (h *Hierarchy) recall(l *level, line uint64) (dirty bool) {
	for _, u := range l.above {
		shift := l.bits - u.bits
		for part := range uint64(1) << shift {
			had, changed := h.drop(u, line<<shift|part)
			if had {
				u.invalidations++
			}
			dirty = dirty || changed
		}
	}
	return dirty
}

// drop removes a block from a level, without writing it anywhere.
func (h *Hierarchy) drop(l *level, line uint64) (had, dirty bool) {
	s, i := l.locate(line)
	if i < 0 {
		return false, false
	}
	c := h.change(l, s)
	dirty = s.words[i]&dirtyBit != 0
	s.remove(i)
	c.left(line, Event{Op: Invalidate, Kind: traceio.Store, Dirty: dirty})
	return true, dirty
}

// aside does what the processor does not wait for: its events are not its own.
func (h *Hierarchy) aside(do func()) {
	if h.sink == nil {
		do()
		return
	}
	self := h.sink.self
	h.sink.self = false
	do()
	h.sink.self = self
}
