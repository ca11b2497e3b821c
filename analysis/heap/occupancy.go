package heap

import "sort"

// steps is the bytes in use as a step function: after event i, at time at[i], bytes[i] are live. Minima and maxima over
// runs of fan, fan*fan, ... events answer queries for any stretch in a few hundred steps.
type steps struct {
	at    []Time
	bytes []uint64
	waste []uint64 // live and not asked for, after each event
	count []int32  // blocks live after each event
	low   [][]uint64
	high  [][]uint64
}

const fan = 64

// summarize builds the minima and maxima.
func (s *steps) summarize() {
	low, high := s.bytes, s.bytes
	for len(low) > fan {
		n := (len(low) + fan - 1) / fan
		l, h := make([]uint64, n), make([]uint64, n)
		for i := range n {
			a, b := i*fan, min((i+1)*fan, len(low))
			l[i], h[i] = low[a], high[a]
			for k := a + 1; k < b; k++ {
				l[i], h[i] = min(l[i], low[k]), max(h[i], high[k])
			}
		}
		s.low, s.high = append(s.low, l), append(s.high, h)
		low, high = l, h
	}
}

// value is the bytes live at time t, after every event at t.
func (s *steps) value(t Time) uint64 {
	i := sort.Search(len(s.at), func(i int) bool { return s.at[i] > t })
	if i == 0 {
		return 0
	}
	return s.bytes[i-1]
}

// Live is the number of blocks that are live at time t with the bytes asked for and the bytes set aside beyond that. It
// costs a binary search.
func (h *Heap) Live(t Time) (blocks int, bytes, waste uint64) {
	s := &h.occupancy
	i := sort.Search(len(s.at), func(i int) bool { return s.at[i] > t })
	if i == 0 {
		return 0, 0, 0
	}
	return int(s.count[i-1]), s.bytes[i-1], s.waste[i-1]
}

// between is the least and the most bytes over the events i with a <= i < b.
func (s *steps) between(a, b int) (low, high uint64) {
	low, high = ^uint64(0), 0
	l, h := s.bytes, s.bytes
	for level := 0; a < b; level++ {
		for ; a < b && (a%fan != 0 || level == len(s.low)); a++ {
			low, high = min(low, l[a]), max(high, h[a])
		}
		for ; a < b && b%fan != 0; b-- {
			low, high = min(low, l[b-1]), max(high, h[b-1])
		}
		if a >= b {
			break
		}
		a, b = a/fan, b/fan
		l, h = s.low[level], s.high[level]
	}
	return low, high
}

// Occupancy is the least and the most bytes that were live at any moment of [from, to), in bytes asked for.
func (h *Heap) Occupancy(from, to Time) (low, high uint64) {
	s := &h.occupancy
	v := s.value(from)
	a := sort.Search(len(s.at), func(i int) bool { return s.at[i] > from })
	b := sort.Search(len(s.at), func(i int) bool { return s.at[i] >= to })
	if a >= b {
		return v, v
	}
	low, high = s.between(a, b)
	return min(low, v), max(high, v)
}

// Events is the number of heap events in [from, to).
func (h *Heap) Events(from, to Time) int {
	s := &h.occupancy
	a := sort.Search(len(s.at), func(i int) bool { return s.at[i] >= from })
	b := sort.Search(len(s.at), func(i int) bool { return s.at[i] >= to })
	return max(b-a, 0)
}
