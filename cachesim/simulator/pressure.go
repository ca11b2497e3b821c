package simulator

import (
	"context"
	"fmt"
	"orrery/cachesim"
)

// SetCurve is what LRU caches with one number of sets and every associativity up to Depth make of one stream of data
// references: Mattson's stacks, one a set. It is immutable.
type SetCurve struct {
	Block    cachesim.Size
	Depth    int // the largest associativity that is told
	Requests uint64
	Sets     []SetPressure
}

// SetPressure is what one set has to do.
type SetPressure struct {
	Requests uint64
	Blocks   int      // different blocks that map to the set
	hits     []uint64 // [d]: requests that find their block at depth d
}

// Misses is what the set misses with so many ways, 0 to Depth.
func (p SetPressure) Misses(ways int) uint64 {
	n := p.Requests
	for _, h := range p.hits[:max(0, min(ways, len(p.hits)))] {
		n -= h
	}
	return n
}

// Misses is what a cache with so many ways misses, 0 to Depth.
func (c *SetCurve) Misses(ways int) uint64 {
	n := uint64(0)
	for _, p := range c.Sets {
		n += p.Misses(ways)
	}
	return n
}

// MaxDepth bounds the associativity that a SetCurve tells.
const MaxDepth = 1 << 12

// SetDistances reads the recording's data references once and gives the SetCurve of caches with the given number of
// sets, a power of two, for every associativity from 1 to depth. It reports data references.
func SetDistances(ctx context.Context, rec Recording, block cachesim.Size, sets, depth int,
	report func(done, total int64)) (*SetCurve, error) {
	all, err := AllSetDistances(ctx, rec, block, []int{sets}, depth, report)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// AllSetDistances is SetDistances for several numbers of sets, with one reading of the recording.
func AllSetDistances(ctx context.Context, rec Recording, block cachesim.Size, sets []int, depth int,
	report func(done, total int64)) ([]*SetCurve, error) {
	list := make([]*setStacks, len(sets))
	for i, n := range sets {
		switch {
		case n <= 0 || n&(n-1) != 0 || n > cachesim.MaxLines:
			return nil, &cachesim.FieldError{Level: -1, Field: "sets", Value: fmt.Sprint(n),
				Want: fmt.Sprintf("sets are a power of two up to %d", cachesim.MaxLines)}
		case depth <= 0 || depth > MaxDepth || n*depth > cachesim.MaxLines:
			return nil, &cachesim.FieldError{Level: -1, Field: "depth", Value: fmt.Sprint(depth),
				Want: fmt.Sprintf("with %d sets it is from 1 to %d", n, min(MaxDepth, cachesim.MaxLines/n))}
		}
		list[i] = newSetStacks(block, n, depth)
	}
	seen := newBlockSet()
	err := eachLine(ctx, rec, block, report, func(lines []uint64) error {
		for i := 0; i < len(lines); {
			from := i
			// a block that is asked for again is the first of every stack
			for i++; i < len(lines) && lines[i] == lines[from]; i++ {
			}
			found := true
			for _, s := range list {
				found = s.ask(lines[from], uint64(i-from)) && found
			}
			if !found { // as all are that come first
				seen.add(lines[from])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	seen.each(func(line uint64) {
		for _, s := range list {
			s.Sets[line&s.mask].Blocks++
		}
	})
	out := make([]*SetCurve, len(list))
	for i, s := range list {
		out[i] = &s.SetCurve
	}
	return out, nil
}

// setStacks are Mattson's stacks of one number of sets, each a set's blocks with the last one first.
type setStacks struct {
	SetCurve
	stacks []uint64
	mask   uint64
	deep   uint64
}

func newSetStacks(block cachesim.Size, sets, depth int) *setStacks {
	s := &setStacks{SetCurve: SetCurve{Block: block, Depth: depth, Sets: make([]SetPressure, sets)},
		stacks: make([]uint64, sets*depth), mask: uint64(sets - 1), deep: uint64(depth)}
	hits := make([]uint64, sets*depth)
	for i := range s.Sets {
		s.Sets[i].hits = hits[i*depth : (i+1)*depth : (i+1)*depth]
	}
	return s
}

// ask takes n requests for one block into account, one after the other, and tells whether the block was there.
func (s *setStacks) ask(line, n uint64) (found bool) {
	at := line & s.mask
	p := &s.Sets[at]
	s.Requests += n
	p.Requests += n
	p.hits[0] += n - 1
	rank, _ := findLRU(s.stacks[at*s.deep:(at+1)*s.deep], line<<cachesim.WordBits|cachesim.WordValid|cachesim.WordDirty, 0)
	if rank < 0 {
		return false
	}
	p.hits[rank]++
	return true
}
