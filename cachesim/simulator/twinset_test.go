package simulator

import (
	"slices"

	. "orrery/cachesim"
)

// twinSet is one set of the twin: ways that are empty or hold a line, and what each policy remembers, as plain lists.
type twinSet struct {
	level *twinLevel
	ways  []*twinLine
	// ways in use, the one that came or was used last first (LRU), or that came last first (FIFO, random)
	age  []int
	tree map[string]bool // by path from the root, "" itself, then "l" and "r": the victim is to the right
	used []bool
	rrpv []int
}

func newTwinSet(l *twinLevel) *twinSet {
	return &twinSet{level: l, ways: make([]*twinLine, l.Ways), tree: map[string]bool{}, used: make([]bool, l.Ways),
		rrpv: make([]int, l.Ways)}
}

func (s *twinSet) wayOf(block uint64) int {
	return slices.IndexFunc(s.ways, func(x *twinLine) bool { return x != nil && x.addr == block })
}

func (s *twinSet) find(block uint64) *twinLine {
	if w := s.wayOf(block); w >= 0 {
		return s.ways[w]
	}
	return nil
}

func (s *twinSet) remove(block uint64) {
	if w := s.wayOf(block); w >= 0 {
		s.ways[w] = nil
		s.age = slices.DeleteFunc(s.age, func(x int) bool { return x == w })
	}
}

func (s *twinSet) touch(block uint64) { s.touchWay(s.wayOf(block)) }

func (s *twinSet) touchWay(w int) {
	switch s.level.Policy {
	case "", LRU:
		s.age = slices.DeleteFunc(s.age, func(x int) bool { return x == w })
		s.age = slices.Insert(s.age, 0, w)
	case TreePLRU:
		path, low, n := "", 0, len(s.ways)
		for n > 1 {
			n /= 2
			right := w >= low+n
			s.tree[path] = !right
			if right {
				low += n
				path += "r"
			} else {
				path += "l"
			}
		}
	case BitPLRU:
		s.used[w] = true
		if !slices.Contains(s.used, false) {
			for i := range s.used {
				s.used[i] = i == w
			}
		}
	case SRRIP, BRRIP:
		s.rrpv[w] = 0
	}
}

// victim is the way that a full set gives up.
func (s *twinSet) victim() int {
	switch s.level.Policy {
	case TreePLRU:
		path, low, n := "", 0, len(s.ways)
		for n > 1 {
			n /= 2
			if s.tree[path] {
				low += n
				path += "r"
			} else {
				path += "l"
			}
		}
		return low
	case BitPLRU:
		return max(0, slices.Index(s.used, false))
	case SRRIP, BRRIP:
		for !slices.Contains(s.rrpv, 3) {
			for i := range s.rrpv {
				s.rrpv[i]++
			}
		}
		return slices.Index(s.rrpv, 3)
	case Random:
		return s.age[s.level.random(len(s.age))]
	}
	return s.age[len(s.age)-1]
}

// random is the seeded generator, splitmix64.
func (l *twinLevel) random(n int) int {
	l.drawn++
	return int(splitmix(uint64(l.Seed)+l.drawn*0x9e3779b97f4a7c15) % uint64(n))
}

// put places a line and gives the one that had to go, nil for none.
func (s *twinSet) put(x twinLine) *twinLine {
	w := slices.Index(s.ways, nil)
	if w < 0 {
		w = s.victim()
	}
	victim := s.ways[w]
	if victim != nil {
		s.remove(victim.addr)
	}
	s.ways[w] = &x
	if s.level.Policy == FIFO || s.level.Policy == Random {
		s.age = slices.Insert(s.age, 0, w)
	}
	s.touchWay(w)
	switch {
	case s.level.Policy == SRRIP, s.level.Policy == BRRIP && s.level.random(32) == 0:
		s.rrpv[w] = 2
	case s.level.Policy == BRRIP:
		s.rrpv[w] = 3
	}
	return victim
}

// order is the lines from the one that stays longest to the next victim: what happens when nothing but new blocks come.
func (s *twinSet) order() []twinLine {
	var out []twinLine
	switch s.level.Policy {
	case "", LRU, FIFO, Random:
		for _, w := range s.age {
			out = append(out, *s.ways[w])
		}
		return out
	}
	future := &twinSet{level: &twinLevel{Level: s.level.Level}, ways: slices.Clone(s.ways), tree: map[string]bool{},
		used: slices.Clone(s.used), rrpv: slices.Clone(s.rrpv)}
	for path, right := range s.tree {
		future.tree[path] = right
	}
	if future.level.Policy == BRRIP { // its random numbers are still to be drawn
		future.level.Policy = SRRIP
	}
	left := 0
	for _, x := range s.ways {
		if x != nil {
			left++
		}
	}
	for fresh := ^uint64(0); left > 0; fresh-- {
		if x := future.put(twinLine{addr: fresh}); x != nil && s.find(x.addr) != nil {
			out = append([]twinLine{*x}, out...)
			left--
		}
	}
	return out
}
