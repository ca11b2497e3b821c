package cachesim

import (
	"context"
	"fmt"
)

// SetCurve is what LRU caches with one number of sets and every associativity up to Depth make of one stream of data
// references: Mattson's stacks, one a set. It is immutable.
type SetCurve struct {
	Block    Size
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

// SetDistances reads the recording's data references once and gives the SetCurve of caches with the given number of sets,
// a power of two, for every associativity from 1 to depth. It reports data references.
func SetDistances(ctx context.Context, rec Recording, block Size, sets, depth int, report func(done, total int64)) (*SetCurve, error) {
	switch {
	case sets <= 0 || sets&(sets-1) != 0 || sets > MaxLines:
		return nil, &FieldError{Level: -1, Field: "sets", Value: fmt.Sprint(sets), Want: fmt.Sprintf("sets are a power of two up to %d", MaxLines)}
	case depth <= 0 || depth > MaxDepth || sets*depth > MaxLines:
		return nil, &FieldError{Level: -1, Field: "depth", Value: fmt.Sprint(depth), Want: fmt.Sprintf("with %d sets it is from 1 to %d", sets, min(MaxDepth, MaxLines/sets))}
	}
	c := &SetCurve{Block: block, Depth: depth, Sets: make([]SetPressure, sets)}
	stacks, hits := make([]uint64, sets*depth), make([]uint64, sets*depth)
	for i := range c.Sets {
		c.Sets[i].hits = hits[i*depth : (i+1)*depth : (i+1)*depth]
	}
	var seen map64
	seen.init(1 << 12)
	mask, deep := uint64(sets-1), uint64(depth)
	err := eachLine(ctx, rec, block, report, func(lines []uint64) error {
		c.Requests += uint64(len(lines))
		for _, line := range lines {
			at := line & mask
			p := &c.Sets[at]
			p.Requests++
			if rank, _ := findLRU(stacks[at*deep:(at+1)*deep], line<<lineBits|validBit|dirtyBit, 0); rank >= 0 {
				p.hits[rank]++
			} else if _, known := seen.swap(line, 0); !known {
				p.Blocks++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}
