package cachesim

import "slices"

// Of a wide set, finding the least stamp by looking at all of them takes longer than everything else about a miss. So
// their order is found once, and kept aside: as long as a block that was the oldest then was not asked for since, it is
// the oldest still, because all others can only become younger. Those that were asked for are passed over, and behind
// the last one the order is found anew. A set through which blocks stream is in order then already. Where most are
// passed over, finding the order does not pay, and is left be for a while.

// sweeps are the orders of the sets of a level. They are not part of the state.
type sweeps struct {
	order []uint16 // of each set: indices of cells, the oldest first
	sets  []swept
}

// swept tells how far the order of a set has been used.
type swept struct {
	since uint64 // no stamp was higher
	left  uint32 // indices not yet passed over; 0: the order is not known
	found uint32 // blocks that the order was good for
	pause uint32 // misses to go without one
	last  uint32 // length of the last pause
}

// narrow is the number of ways up to which stamps are looked at one by one, and broad that from which they are, for
// want of indices.
const narrow, broad = 8, 1 << 16

func newSweeps(sets, ways uint64) sweeps {
	s := sweeps{order: make([]uint16, sets*ways), sets: make([]swept, sets)}
	for i := range s.order {
		s.order[i] = uint16(uint64(i) % ways)
	}
	return s
}

// oldest is the index of the oldest cell of a set.
func (s *sweeps) oldest(set uint64, cells []cell) (at uint64) {
	order, last := s.order[set*uint64(len(cells)):][:len(cells)], &s.sets[set]
	for {
		if last.left == 0 {
			if last.rests(len(order)) {
				return leastOf(cells)
			}
			sortByStamp(order, cells)
			last.since, last.left, last.found = cells[order[len(order)-1]].stamp, uint32(len(order)), 0
		}
		at = uint64(order[len(order)-int(last.left)])
		last.left--
		if cells[at].stamp <= last.since {
			last.found++
			return at
		}
	}
}

// rests tells whether to do without an order.
func (s *swept) rests(ways int) bool {
	const longest = 64
	switch {
	case s.pause > 1:
		s.pause--
		return true
	case s.pause == 1: // a new trial
		s.pause = 0
	case s.since == 0: // the first one
	case int(s.found) >= ways/4:
		s.last = 0
	default:
		s.last = min(2*s.last+8, longest)
		s.pause = s.last
		return true
	}
	return false
}

// leastOf is the index of the least stamp.
func leastOf(set []cell) (at uint64) {
	least, i := ^uint64(0), 0
	for ; i+8 <= len(set); i += 8 {
		if s := least8((*[8]cell)(set[i:])); s < least {
			least, at = s, uint64(i)|s%tick
		}
	}
	for ; i < len(set); i++ {
		if s := set[i].stamp; s < least {
			least, at = s, uint64(i)
		}
	}
	return at
}

// sortByStamp puts indices into the order of stamps; those that are nearly in order take little time.
func sortByStamp(order []uint16, cells []cell) {
	const few = 64
	if len(order) > few {
		slices.SortFunc(order, func(a, b uint16) int { return int(cells[a].stamp - cells[b].stamp) })
		return
	}
	before := uint64(0)
	for i, o := range order {
		stamp := cells[o].stamp
		if stamp >= before {
			before = stamp
			continue
		}
		k := i
		for ; k > 0 && cells[order[k-1]].stamp > stamp; k-- {
			order[k] = order[k-1]
		}
		order[k] = o
	}
}
