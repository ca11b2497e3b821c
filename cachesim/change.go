package cachesim

import "slices"

// change follows one change of a set for the events' ranks: it keeps the order before it, and afterwards tells the
// event and what else became of the order as Moves, so that a player who knows no policy has the order after it.
// Nothing is kept when nobody asks for ranks.
type change struct {
	h *Hierarchy
	l *level
	s set
}

func (h *Hierarchy) change(l *level, s set) change {
	if h.sink != nil && h.sink.ranked {
		h.order = s.order(h.order[:0])
	}
	return change{h, l, s}
}

// moved tells of a block that was and is in the set.
func (c change) moved(line uint64, e Event) {
	if c.h.sink == nil || c.h.sink.below || !c.ranks(line, e) {
		return
	}
	after := c.s.order(c.h.newOrder[:0])
	from, to := c.rank(c.h.order, line), c.rank(after, line)
	c.put(from, to)
	c.h.order[to] = after[to] // with its new state
	e.From, e.To = int32(from), int32(to)
	c.tell(line, e)
	c.settle(after)
}

// entered tells of a block that is new and pushed the victim out, if there was one.
func (c change) entered(line, victim uint64, e Event) {
	if !c.ranks(line, e) {
		return
	}
	if victim != 0 {
		last := len(c.h.order) - 1
		if at := slices.Index(c.h.order, victim); at != last {
			c.move(at, last)
		}
		c.h.order = c.h.order[:last]
	}
	after := c.s.order(c.h.newOrder[:0])
	to := c.rank(after, line)
	c.h.order = slices.Insert(c.h.order, to, after[to])
	e.From, e.To = -1, int32(to)
	c.tell(line, e)
	c.settle(after)
}

// left tells of a block that is no longer in the set.
func (c change) left(line uint64, e Event) {
	if !c.ranks(line, e) {
		return
	}
	from := c.rank(c.h.order, line)
	c.h.order = slices.Delete(c.h.order, from, from+1)
	e.From, e.To = int32(from), -1
	c.tell(line, e)
	c.settle(c.s.order(c.h.newOrder[:0]))
}

// ranks tells whether anybody wants ranks; without, the event is told as it is.
func (c change) ranks(line uint64, e Event) bool {
	switch {
	case c.h.sink == nil:
		return false
	case !c.h.sink.ranked:
		c.tell(line, e)
		return false
	}
	return true
}

// settle tells the moves that make the order what it is after the change.
func (c change) settle(after []uint64) {
	for to, w := range after {
		if c.h.order[to] != w {
			c.move(c.rank(c.h.order, c.l.lineOf(w)), to)
		}
	}
	c.h.newOrder = after
}

// move tells that the block at one rank is now at another.
func (c change) move(from, to int) {
	w := c.h.order[from]
	c.put(from, to)
	c.tell(c.l.lineOf(w), Event{Op: Move, From: int32(from), To: int32(to), Dirty: w&dirtyBit != 0})
}

func (c change) put(from, to int) {
	w := c.h.order[from]
	c.h.order = slices.Insert(slices.Delete(c.h.order, from, from+1), to, w)
}

func (c change) tell(line uint64, e Event) {
	e.Set = c.s.number
	c.h.tell(c.l, line, e)
}

// rank is where a block is in an order.
func (c change) rank(words []uint64, line uint64) int {
	return slices.IndexFunc(words, func(w uint64) bool { return c.l.lineOf(w) == line })
}
