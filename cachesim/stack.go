package cachesim

import (
	"context"
	"fmt"
	"math/bits"

	"orrery/traceio"
)

// Curve is what LRU caches of every size make of one stream of data references: from the stack distance of each request,
// the number of different blocks asked for since its block was last (Mattson et al. 1970). A fully associative LRU cache of n blocks
// misses exactly the requests whose distance is n or more, and those that come first to their block. A Curve is immutable. A
// preview can be wrong by a factor where the working set is at a cliff.
type Curve struct {
	Block      Size
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

// Ratio is the miss ratio, 0 to 1, of a fully associative LRU cache of so many bytes, a part of a block counting nothing.
func (c *Curve) Ratio(size Size) float64 {
	if c.Requests == 0 {
		return 0
	}
	return float64(c.Misses(int(min(size/c.Block, MaxLines*64)))) / float64(c.Requests)
}

// Point is the cache of Size bytes on a curve.
type Point struct {
	Size   Size    `json:"size"`
	Misses uint64  `json:"misses"`
	Ratio  float64 `json:"ratio"`
}

// Points are the caches of 1, 2, 4, ... blocks, with the given number of steps between two powers of two (1: powers only), until the
// first in which everything fits. They are in order of size and without repetition.
func (c *Curve) Points(steps int) []Point {
	var out []Point
	last := 0
	for k := 0; ; k++ {
		power := k / max(1, steps)
		n := 1<<power + (1<<power)*(k%max(1, steps))/max(1, steps)
		if n == last {
			continue
		}
		size := Size(n) * c.Block
		out = append(out, Point{size, c.Misses(n), c.Ratio(size)})
		if last = n; n >= c.Blocks() {
			return out
		}
	}
}

// StackDistances reads the recording's data references once, in blocks of the given size, and gives the exact Curve. It reports
// data references. Block is a power of two of at least MinBlock bytes; anything else is a *FieldError.
func StackDistances(ctx context.Context, rec Recording, block Size, report func(done, total int64)) (*Curve, error) {
	c, s, err := distances(ctx, rec, block, nil, report)
	if err != nil {
		return nil, err
	}
	c.Cold, c.misses = s.cold, s.misses()
	return c, nil
}

// SampledDistances is StackDistances over the blocks whose hash falls below the given rate, 0 < rate <= 1: SHARDS with
// its adjustment (Waldspurger et al., FAST 2015). Distances and counts are scaled up; the result is a Preview.
func SampledDistances(ctx context.Context, rec Recording, block Size, rate float64, report func(done, total int64)) (*Curve, error) {
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
	// The requests that the sample has too few or too many of are mostly to hot blocks, whose distance is 0: SHARDS-adj.
	c.misses[0] = c.Requests
	c.Cold = c.misses[len(c.misses)-1]
	return c, nil
}

// distances puts the data references through a stack, or those blocks that are to be looked at.
func distances(ctx context.Context, rec Recording, block Size, look func(line uint64) bool, report func(done, total int64)) (*Curve, *stack, error) {
	s := newStack()
	c := &Curve{Block: block, Rate: 1, References: uint64(rec.Len())}
	err := eachLine(ctx, rec, block, report, func(lines []uint64) error {
		c.Requests += uint64(len(lines))
		if look == nil {
			s.requests(lines)
			return s.full()
		}
		for _, line := range lines {
			if look(line) {
				s.count(s.request(line))
			}
		}
		return s.full()
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
func eachLine(ctx context.Context, rec Recording, block Size, report func(done, total int64), do func(lines []uint64) error) error {
	if block < MinBlock || block&(block-1) != 0 {
		return &FieldError{Level: -1, Field: "block", Value: block.String(), Want: fmt.Sprintf("a block is a power of two from %v", Size(MinBlock))}
	}
	shift := log2(block)
	var lines []uint64
	return eachBlock(ctx, rec, report, func(_ int, b *traceio.Block) error {
		lines = lines[:0]
		for row, kind := range b.Kind {
			if kind == traceio.Fetch {
				continue
			}
			first, last := span(b.Addr[row], b.Size[row], shift)
			for line := first; ; line++ {
				if lines = append(lines, line); line == last {
					break
				}
			}
		}
		return do(lines)
	})
}

// span is the numbers of the first and last block that a reference touches. A size of 0 counts as one byte; a reference
// over the end of the address space ends there.
func span(addr traceio.Addr, size uint16, shift uint) (first, last uint64) {
	low := uint64(addr)
	high := low + max(uint64(size), 1) - 1
	if high < low {
		high = ^uint64(0)
	}
	return low >> (shift & 63), high >> (shift & 63)
}

// stack is an LRU stack of unlimited depth that tells at which depth each request finds its block. The first blocks are a plain
// list, which almost all requests of almost all programs need alone. Behind it come the blocks that fell out of the list,
// in the order in which they did: a block's depth is the number of places behind its own on that axis of time, without those that
// blocks have left. Places left are bits, counted by word inside of a group of words, and by a tree over the groups (Bennett and
// Kruskal 1975). A block that comes takes the next place and changes no count. When the axis is used up, the gaps on it are closed.
type stack struct {
	near  [nearBlocks]uint64 // words as in a level
	held  [nearBlocks]heldSlot
	turn  uint     // where in held to look first: where nobody returns, blocks fall out in the order in which they came
	deep  []uint64 // by depth: requests
	cold  uint64
	index map64    // block number -> place on the axis, or inNear
	left  []uint64 // bits by place: the block is elsewhere now
	words []uint64 // by group: how many bits each of its words has, a byte for each
	tree  []uint32 // 1 is the root, 2i and 2i+1 are below i, and the last half are the groups: bits
	owner []uint32 // by place: the block's slot in index
	live  int      // blocks behind the list

	looked  int    // requests that were not in the list
	touched uint64 // keeps the loads of requests from being dropped
	now     int    // the next place
}

// heldSlot is the slot in index of a block of the list, in no order: a block that falls out need not be looked up.
type heldSlot struct {
	line uint64
	slot uint32
	used bool
}

const (
	nearBlocks = 16
	groupWords = 8
	groupBits  = groupWords * 64
	inNear     = ^uint32(0)
	some       = 32
	large      = 1 << 15 // slots; fewer stay in the processor's own caches

	// maxDistinct bounds the memory to about 30 GB and places on the axis to 32 bits.
	maxDistinct = 1 << 28
)

func newStack() *stack {
	s := &stack{deep: make([]uint64, nearBlocks)}
	s.index.init(1 << 12)
	s.setAxis(1 << 16)
	return s
}

func (s *stack) setAxis(n int) {
	groups := n / groupBits
	s.left, s.words, s.tree, s.owner = make([]uint64, n/64), make([]uint64, groups), make([]uint32, 2*groups), make([]uint32, n)
}

// requests looks at some requests at a time. When many of those before were for far blocks, it first touches what will be
// looked up, so that memory is waited for once and not for each; and so it is with the counts.
func (s *stack) requests(lines []uint64) {
	far := 0
	for len(lines) > 0 {
		n := min(some, len(lines))
		before := s.looked
		if far > n/4 && len(s.index.slots) > large {
			s.ahead(lines[:n])
		} else {
			for _, line := range lines[:n] {
				if s.near[0] == line<<lineBits|validBit {
					s.deep[0]++
				} else {
					s.count(s.request(line))
				}
			}
		}
		far, lines = s.looked-before, lines[n:]
	}
}

// ahead is requests of some that most likely are all for far blocks.
func (s *stack) ahead(lines []uint64) {
	mask := uint64(len(s.index.slots) - 1)
	for _, line := range lines {
		s.touched += s.index.slots[hash(line)&mask].key
	}
	var depths [some]int
	for i, line := range lines {
		depths[i%some] = s.request(line)
	}
	for _, depth := range depths[:len(lines)] {
		s.count(depth)
	}
}

// count counts a request that found its block at a depth, or the first one to it.
func (s *stack) count(depth int) {
	if depth < 0 {
		s.cold++
		return
	}
	for depth >= len(s.deep) {
		s.deep = append(s.deep, 0)
	}
	s.deep[depth]++
}

// request tells the depth at which it finds the block, or a negative number when it is new.
func (s *stack) request(line uint64) (depth int) {
	key := line<<lineBits | validBit
	if s.near[0] == key {
		return 0
	}
	rank, victim := findLRU(s.near[:], key|dirtyBit, 0)
	if rank >= 0 {
		return rank
	}
	s.looked++
	i, known, grown := s.index.slot(line, inNear)
	if grown {
		s.relocate()
	}
	if depth = -1; known {
		depth = nearBlocks + s.leave(int(s.index.slots[i].value))
	}
	s.index.slots[i].value = inNear
	if out := s.exchange(victim, heldSlot{line, i, true}); out.used {
		s.push(out.slot)
	}
	return depth
}

// exchange puts a block in the place of the one whose word fell out of the list, 0 when none did.
func (s *stack) exchange(victim uint64, in heldSlot) (out heldSlot) {
	want := heldSlot{line: victim >> lineBits, used: victim != 0}
	for range s.held {
		h := &s.held[s.turn%nearBlocks]
		s.turn++
		if h.line == want.line && h.used == want.used {
			out, *h = *h, in
			return out
		}
	}
	panic("cachesim: a block that fell out of the list was not in it")
}

// relocate finds all blocks again after the index has grown.
func (s *stack) relocate() {
	for i := range s.index.slots {
		if b := &s.index.slots[i]; b.used && b.value != inNear {
			s.owner[b.value] = uint32(i)
		}
	}
	for i := range s.held {
		if h := &s.held[i]; h.used {
			h.slot, _, _ = s.index.slot(h.line, inNear)
		}
	}
}

// leave takes the block away that is at a place, and tells how many are behind it. It has no branch that depends on the place.
func (s *stack) leave(place int) (behind int) {
	word, bit := place/64, uint(place)%64
	group, byteOf := word/groupWords, uint(word)%groupWords*8
	left, words := s.left[word], s.words[group]
	gone := uint64(bits.OnesCount64(left>>bit>>1)) + sumBytes(words>>byteOf>>8)
	s.left[word], s.words[group] = left|1<<bit, words+1<<byteOf
	s.live--
	tree := s.tree
	for i := uint(len(tree)/2 + group); i > 1; i /= 2 {
		tree[i]++
		gone += uint64(tree[i|1] & (uint32(i)&1 - 1)) // of the neighbour behind, if there is one
	}
	return s.now - 1 - place - int(gone)
}

func (s *stack) push(slot uint32) {
	if s.now == len(s.owner) {
		s.compact()
	}
	s.owner[s.now] = slot
	s.index.slots[slot].value = uint32(s.now)
	s.live++
	s.now++
}

// compact closes the gaps; an axis that then is more than a quarter full is doubled, for to move all blocks costs about as much as a
// request for each.
func (s *stack) compact() {
	left, owner := s.left, s.owner
	if n := len(owner); s.live > n/4 {
		s.setAxis(2 * n)
	} else {
		s.left = make([]uint64, n/64)
		clear(s.words)
		clear(s.tree)
	}
	s.now, s.live = 0, 0
	for w, word := range left { // never ahead of the place that is read
		for word = ^word; word != 0; word &= word - 1 {
			s.push(owner[w*64+bits.TrailingZeros64(word)])
		}
	}
}

func (s *stack) full() error {
	if s.index.n > maxDistinct {
		return fmt.Errorf("the recording touches more than %d blocks, too many for stack distances; ask for larger blocks", maxDistinct)
	}
	return nil
}

// misses is, by number of blocks, what a cache of that size misses.
func (s *stack) misses() []uint64 {
	n := len(s.deep)
	for n > 0 && s.deep[n-1] == 0 {
		n--
	}
	blocks := max(n, s.index.n)
	out := make([]uint64, blocks+1)
	out[blocks] = s.cold
	for d := blocks - 1; d >= 0; d-- {
		out[d] = out[d+1]
		if d < n {
			out[d] += s.deep[d]
		}
	}
	return out
}

// findLRU finds a block in a set in order of eviction and makes it the first. It searches while it shifts: whatever it passes is one
// rank older either way. It gives the rank where the block was and its word as it is now, or -1 and the word that had to leave.
func findLRU(set []uint64, key, dirty uint64) (rank int, word uint64) {
	if set[0]|dirtyBit == key {
		set[0] |= dirty
		return 0, set[0]
	}
	carried := set[0]
	for i := 1; i < len(set); i++ {
		w := set[i]
		set[i] = carried
		if w|dirtyBit == key {
			set[0] = w | dirty
			return i, w | dirty
		}
		carried = w
	}
	set[0] = key&^dirtyBit | dirty
	return -1, carried
}
