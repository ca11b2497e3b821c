package fast

import "slices"

// In a wide set, comparing the stamps of all blocks takes longer than everything else about a miss. So the order of the
// stamps is found once and kept: as long as a block that was the oldest then was not asked for since, it is the oldest
// still, because all others can only become younger. Blocks that were asked for are passed over, and behind the last
// one the order is found anew. A set through which blocks stream is in order then already. Where most blocks are passed
// over, finding the order does not pay, and for some misses stamps are compared instead.

// wideSets are the orders of the sets of a level. They are no part of the state.
type wideSets struct {
	order []uint16  // set after set: ways, the oldest first
	sets  []wideSet // nil: the level has none
}

// wideSet is how far the order of a set has been used.
type wideSet struct {
	newest  uint64 // no stamp was higher when the order was found
	left    uint32 // ways not yet passed over; 0: the order is not known
	served  uint32 // victims that the order gave
	compare uint32 // misses to go without an order
	last    uint32 // how many these were the last time
}

// leastWide is how many ways a level has whose stamps are not compared one by one, and mostWide how many indices there
// are.
const leastWide, mostWide = 9, 1 << 16

func newWideSets(sets, ways uint64) wideSets {
	if ways < leastWide || ways > mostWide {
		return wideSets{}
	}
	w := wideSets{order: make([]uint16, sets*ways), sets: make([]wideSet, sets)}
	for i := range w.order {
		w.order[i] = uint16(uint64(i) % ways)
	}
	return w
}

// oldest is the way of the oldest block of a set.
func (w *wideSets) oldest(set uint64, tags []tag) (way uint64) {
	order, s := w.order[set*uint64(len(tags)):][:len(tags)], &w.sets[set]
	for {
		if s.left == 0 {
			if s.compares(len(order)) {
				return leastOf(tags)
			}
			sortByStamp(order, tags)
			s.newest, s.left, s.served = tags[order[len(order)-1]].stamp, uint32(len(order)), 0
		}
		way = uint64(order[len(order)-int(s.left)])
		s.left--
		if tags[way].stamp <= s.newest {
			s.served++
			return way
		}
	}
}

// compares tells whether to do without an order for this miss.
func (s *wideSet) compares(ways int) bool {
	const most = 64
	switch {
	case s.compare > 1:
		s.compare--
		return true
	case s.compare == 1: // try again
		s.compare = 0
	case s.newest == 0: // the first time
	case int(s.served) >= ways/4:
		s.last = 0
	default:
		s.last = min(2*s.last+8, most)
		s.compare = s.last
		return true
	}
	return false
}

// sortByStamp puts ways into the order of stamps; those that are nearly in order take little time.
func sortByStamp(order []uint16, tags []tag) {
	const few = 64
	if len(order) > few {
		slices.SortFunc(order, func(a, b uint16) int { return int(tags[a].stamp - tags[b].stamp) })
		return
	}
	before := uint64(0)
	for i, way := range order {
		stamp := tags[way].stamp
		if stamp >= before {
			before = stamp
			continue
		}
		k := i
		for ; k > 0 && tags[order[k-1]].stamp > stamp; k-- {
			order[k] = order[k-1]
		}
		order[k] = way
	}
}
