package simulator

import (
	"context"
	"fmt"

	"orrery/cachesim"
	"orrery/traceio"
)

// Curve is what LRU caches of every size make of one stream of data references: from the stack distance of each
// request, the number of different blocks asked for since its block was last (Mattson et al. 1970). A fully associative
// LRU cache of n blocks misses exactly the requests whose distance is n or more, and those that come first to their
// block. A Curve is immutable. A preview can be wrong by a factor where the working set is at a cliff.
type Curve struct {
	Block      cachesim.Size
	References uint64  // data references
	Requests   uint64  // one for each block that a reference touches
	Cold       uint64  // first requests to their block, which miss in every cache
	Rate       float64 // of the blocks, how many were looked at: 1: exact; less: a preview

	misses []uint64 // [n]: of a cache of n sampled blocks; the last is Cold
}

// Blocks is the number of different blocks in the stream: no cache that is larger misses less.
func (c *Curve) Blocks() int { return int(float64(len(c.misses)-1) / c.Rate) }

// Misses is the number of requests that a fully associative LRU cache of so many blocks misses.
func (c *Curve) Misses(blocks int) uint64 {
	i := int(float64(blocks) * c.Rate)
	return c.misses[max(0, min(i, len(c.misses)-1))]
}

// Ratio is the miss ratio, 0 to 1, of a fully associative LRU cache of so many bytes, a part of a block counting
// nothing.
func (c *Curve) Ratio(size cachesim.Size) float64 {
	if c.Requests == 0 {
		return 0
	}
	return float64(c.Misses(int(min(size/c.Block, cachesim.MaxLines*64)))) / float64(c.Requests)
}

// Point is the cache of Size bytes on a curve.
type Point struct {
	Size   cachesim.Size `json:"size"`
	Misses uint64        `json:"misses"`
	Ratio  float64       `json:"ratio"`
}

// Points are the caches of 1, 2, 4, ... blocks, with the given number of steps between two powers of two (1: powers
// only), until the first in which everything fits. They are in order of size and without repetition.
func (c *Curve) Points(steps int) []Point {
	var out []Point
	last := 0
	for k := 0; ; k++ {
		power := k / max(1, steps)
		n := 1<<power + (1<<power)*(k%max(1, steps))/max(1, steps)
		if n == last {
			continue
		}
		size := cachesim.Size(n) * c.Block
		out = append(out, Point{size, c.Misses(n), c.Ratio(size)})
		if last = n; n >= c.Blocks() {
			return out
		}
	}
}

// StackDistances reads the recording's data references once, in blocks of the given size, and gives the exact Curve. It
// reports data references. Block is a power of two of at least MinBlock bytes; anything else is a *FieldError.
func StackDistances(ctx context.Context, rec Recording, block cachesim.Size,
	report func(done, total int64)) (*Curve, error) {
	c, s, err := distances(ctx, rec, block, nil, report)
	if err != nil {
		return nil, err
	}
	c.Cold, c.misses = s.cold, s.misses()
	return c, nil
}

// SampledDistances is StackDistances over the blocks whose hash falls below the given rate, 0 < rate <= 1: SHARDS with
// its adjustment (Waldspurger et al., FAST 2015). Distances and counts are scaled up; the result is a Preview.
func SampledDistances(ctx context.Context, rec Recording, block cachesim.Size, rate float64,
	report func(done, total int64)) (*Curve, error) {
	if !(rate > 0 && rate <= 1) {
		return nil, fmt.Errorf("a sampling rate of %v cannot be; it is above 0 and at most 1", rate)
	}
	const whole = 1 << 24
	below := uint64(rate * whole)
	c, s, err := distances(ctx, rec, block, func(line uint64) bool { return mix(line)>>40 < below }, report)
	if err != nil {
		return nil, err
	}
	c.Rate, c.misses = rate, s.misses()
	for i, n := range c.misses {
		c.misses[i] = min(uint64(float64(n)/rate), c.Requests)
	}
	// The requests that the sample has too few or too many of are mostly to hot blocks, whose distance is 0:
	// SHARDS-adj.
	c.misses[0] = c.Requests
	c.Cold = c.misses[len(c.misses)-1]
	return c, nil
}

// distances puts the data references through a stack, or those blocks that are to be looked at.
func distances(ctx context.Context, rec Recording, block cachesim.Size, look func(line uint64) bool, report func(done,
	total int64)) (*Curve, *stack, error) {
	s := newStack()
	c := &Curve{Block: block, Rate: 1, References: uint64(rec.Len())}
	err := eachLine(ctx, rec, block, report, func(lines []uint64) error {
		c.Requests += uint64(len(lines))
		if look == nil {
			s.requests(lines)
			return s.settle(len(lines))
		}
		for _, line := range lines {
			if look(line) {
				s.count(s.request(line))
			}
		}
		return s.settle(len(lines))
	})
	return c, s, err
}

// mix scrambles 64 bits (the finaliser of splitmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// eachLine gives the block numbers that the data references touch, in order, a batch for each block of the recording.
func eachLine(ctx context.Context, rec Recording, block cachesim.Size, report func(done, total int64),
	do func(lines []uint64) error) error {
	if block < cachesim.MinBlock || block&(block-1) != 0 {
		return &cachesim.FieldError{Level: -1, Field: "block", Value: block.String(),
			Want: fmt.Sprintf("a block is a power of two from %v", cachesim.Size(cachesim.MinBlock))}
	}
	shift := block.Log2()
	var lines []uint64
	return eachBlock(ctx, rec, report, func(_ int, b *traceio.Block) error {
		lines = lines[:0]
		for row, kind := range b.Kind {
			if kind == traceio.Fetch {
				continue
			}
			low, high := cachesim.Extent(b.Addr[row], b.Size[row])
			first, last := low>>shift, high>>shift
			for line := first; ; line++ {
				if lines = append(lines, line); line == last {
					break
				}
			}
		}
		return do(lines)
	})
}
