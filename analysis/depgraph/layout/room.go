package layout

import "sync"

// room is memory for what a drawing needs only while it is made: rows of values are handed out one after the other and
// given up together, so that a small graph is drawn in the memory of the one before and takes little more than its
// drawing from the system.
type room struct {
	shelves
	strip strip
	walk  walk
}

// shelves hold rows of each kind.
type shelves struct {
	ints      shelf[int32]
	longs     shelf[int64]
	words     shelf[uint64]
	floats    shelf[float64]
	flags     shelf[bool]
	halves    shelf[half]
	wires     shelf[wire]
	segments  shelf[segment]
	chains    shelf[chain]
	bricks    shelf[brick]
	bonds     shelf[bond]
	fours     shelf[four]
	posts     shelf[post]
	arcs      shelf[arc]
	ties      shelf[tie]
	ways      shelf[way]
	visits    shelf[visit]
	followers shelf[follower]
	nearest   shelf[nearest]
	ends      shelf[end]
	branches  shelf[branch]
	waits     shelf[waiting]
	stones    shelf[stone]
	middles   shelf[middles]
	rows      shelf[[]int32]
}

// rooms are those no drawing is made in. What they hold changes nothing in a drawing.
var rooms = sync.Pool{New: func() any { return new(room) }}

// shelf hands out rows of one kind.
type shelf[T any] struct {
	all  []T
	used int
}

// largest is how many values a shelf keeps: much longer rows, of graphs with tens of thousands of nodes, are made and
// let go.
const largest = 1 << 17

// take gives a row of n zeros.
func (s *shelf[T]) take(n int) []T {
	row := s.raw(n)
	clear(row)
	return row
}

// raw gives a row of n values, whatever they are.
func (s *shelf[T]) raw(n int) []T {
	if s.used+n > len(s.all) {
		if n > largest/4 {
			return make([]T, n)
		}
		s.all, s.used = make([]T, min(max(2*len(s.all), 4*n, 256), largest)), 0
	}
	row := s.all[s.used : s.used+n : s.used+n]
	s.used += n
	return row
}

// spare gives an empty row with room for n.
func (s *shelf[T]) spare(n int) []T { return s.raw(n)[:0] }

// sum makes the ends of rows of their lengths.
func sum(row []int32) {
	end := int32(0)
	for i, n := range row {
		end += n
		row[i] = end
	}
}

// back gives up what was handed out since before.
func (m *room) back(before *shelves) {
	m.ints.back(before.ints)
	m.longs.back(before.longs)
	m.words.back(before.words)
	m.floats.back(before.floats)
	m.flags.back(before.flags)
	m.halves.back(before.halves)
	m.wires.back(before.wires)
	m.segments.back(before.segments)
	m.chains.back(before.chains)
	m.bricks.back(before.bricks)
	m.bonds.back(before.bonds)
	m.fours.back(before.fours)
	m.posts.back(before.posts)
	m.arcs.back(before.arcs)
	m.ties.back(before.ties)
	m.ways.back(before.ways)
	m.visits.back(before.visits)
	m.followers.back(before.followers)
	m.nearest.back(before.nearest)
	m.ends.back(before.ends)
	m.branches.back(before.branches)
	m.waits.back(before.waits)
	m.stones.back(before.stones)
	m.middles.back(before.middles)
	m.rows.back(before.rows)
}

// back goes to where a shelf was; if it has had to grow since, all of what it has now was handed out later.
func (s *shelf[T]) back(to shelf[T]) {
	if len(s.all) > 0 && len(to.all) > 0 && &s.all[0] == &to.all[0] {
		s.used = to.used
		return
	}
	s.used = 0
}
