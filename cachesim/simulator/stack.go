package simulator

import (
	"fmt"
	"math/bits"
	"orrery/cachesim"
)

// stack is an LRU stack of unlimited depth that tells at which depth each request finds its block. Where programs stay
// near, the first blocks are a plain list, which almost all requests need alone. All others are in the order of their
// last requests: a block's depth is the number of places behind its own on that axis of time, without those that blocks
// have left. Places left are bits, counted by word inside of a group of words, and by a tree over the groups (Bennett
// and Kruskal 1975). A block that comes takes the next place and changes no count. When the axis is used up, the gaps
// on it are closed.
//
//	place  0 1 2 3 4 5 | 6 7 8 9 . .   ← now
//	left   1 . 1 1 . . | 1 . . .       the groups before the open one are in the tree
//
// Where many requests are for far blocks, the list is given up and some are taken at a time, step by step: what they
// look up is then waited for once and not for each.
type stack struct {
	near  [nearBlocks]uint64 // words as in a level, the used ones first
	held  int                // used ones
	far   int                // of the requests taken together last, how many were for far or new blocks
	deep  []uint32           // by depth: requests of late, which are all in fast caches
	sums  []uint64           // by depth: those before
	late  int                // how many they are at most
	cold  uint64
	index map64    // block number without its lowest bits -> where its bundle begins in place
	place []uint32 // of the blocks of all bundles: on the axis, or inNear, or 0: not seen yet
	seen  int      // blocks
	left  []uint64 // bits by place: the block is elsewhere now
	words []uint64 // by group: how many bits each of its words has, a byte for each
	tree  []uint32 // 1 is the root, 2i and 2i+1 are below i, and last are the groups, which are not kept: bits below 2i+1
	now   int      // the next place
	open  int      // the group it is in, which is not in the tree
	loose int      // bits of the open group
	live  int      // blocks on the axis

	touched uint32 // keeps the loads of ahead from being dropped
}

const (
	nearBlocks = 16
	groupWords = 8
	groupBits  = groupWords * 64
	bundle     = 16 // blocks next to each other; their places fill a line of the processor's own caches
	inNear     = ^uint32(0)
	some       = 64 // at most a group

	// maxDistinct bounds the memory to about 15 GB and places on the axis to 32 bits.
	maxDistinct = 1 << 28
	maxPlaces   = maxDistinct * 4
)

func newStack() *stack {
	s := &stack{deep: make([]uint32, nearBlocks)}
	s.index.init(1 << 12)
	s.setAxis(1 << 16)
	return s
}

func (s *stack) setAxis(n int) {
	groups := n / groupBits
	s.left, s.words, s.tree = make([]uint64, n/64), make([]uint64, groups), make([]uint32, groups)
	s.left[0], s.now = 1, 1 // place 0 is nobody's
}

// requests looks at some requests at a time, as those before make it likely to be the fastest.
func (s *stack) requests(lines []uint64) {
	for len(lines) > 0 {
		n := min(some, len(lines))
		if s.far > n/4 {
			s.spread()
			n = min(n, s.room())
			s.ahead(lines[:n])
		} else {
			s.far = 0
			for _, line := range lines[:n] {
				if s.near[0] == line<<cachesim.WordBits|cachesim.WordValid {
					s.deep[0]++
				} else {
					s.count(s.request(line))
				}
			}
		}
		lines = lines[n:]
	}
}

// count counts a request that found its block at a depth, or the first one to it.
func (s *stack) count(depth int) {
	if depth < 0 {
		s.cold++
		return
	}
	s.deepen(depth)
	s.deep[depth]++
}

// deepen makes room for counts of a depth.
func (s *stack) deepen(depth int) {
	for depth >= len(s.deep) {
		s.deep = append(s.deep, make([]uint32, len(s.deep))...)
	}
}

// request tells the depth at which it finds the block, or a negative number when it is new.
func (s *stack) request(line uint64) (depth int) {
	key := line<<cachesim.WordBits | cachesim.WordValid
	if s.near[0] == key {
		return 0
	}
	rank, victim := findLRU(s.near[:], key|cachesim.WordDirty, 0)
	if rank >= 0 {
		return rank
	}
	s.far++
	p := &s.place[s.block(line)]
	if place := int(*p); place == 0 {
		s.seen++
		depth = -1
	} else {
		depth = s.held + s.now - 1 - place - s.leave(place)
	}
	*p = inNear
	if victim == 0 {
		s.held++
	} else {
		s.push(victim)
	}
	return depth
}

// block is the index in place of a block.
func (s *stack) block(line uint64) uint32 {
	b := s.index.at(line / bundle)
	if !b.used {
		s.index.swap(line/bundle, uint32(len(s.place)))
		b = s.index.at(line / bundle)
		s.place = append(s.place, make([]uint32, bundle)...)
	}
	return b.value + uint32(line%bundle)
}

// push puts the block of a word that left the list on the axis.
func (s *stack) push(word uint64) {
	s.room()
	s.place[s.block(word>>cachesim.WordBits)] = uint32(s.now)
	s.live++
	s.now++
}

// spread puts the blocks of the list on the axis.
func (s *stack) spread() {
	for ; s.held > 0; s.held-- {
		s.push(s.near[s.held-1])
		s.near[s.held-1] = 0
	}
}

// ahead takes requests that most likely are for far blocks, while the list is empty and there is room for all of them.
func (s *stack) ahead(lines []uint64) {
	index, touched := s.index, uint32(0)
	for _, line := range lines {
		touched += index.slots[index.home(line/bundle)].value
	}
	var all, from, to [some]uint32
	blocks := all[:len(lines)]
	for i, line := range lines {
		blocks[i] = s.block(line)
	}
	for _, b := range blocks {
		touched += s.place[b]
	}
	n, now, known := 0, uint32(s.now), s.seen
	for _, b := range blocks {
		p := &s.place[b]
		if *p == 0 {
			s.seen++
		} else if *p == now-1 {
			s.deep[0]++
			continue
		} else {
			touched += uint32(s.left[*p/64])
			from[n%some], to[n%some] = *p, now-1
			n++
		}
		*p = now
		now++
	}
	s.touched += touched
	s.cold += uint64(s.seen - known)
	s.live += int(now) - s.now
	s.now = int(now)
	for i, place := range from[:n] {
		to[i] -= place + uint32(s.leave(int(place)))
	}
	s.deepen(s.live)
	deep, far := s.deep, uint32(s.seen-known)
	for _, depth := range to[:n] {
		deep[depth]++
		far += (nearBlocks - 1 - depth) >> 31
	}
	s.far = int(far)
}

// leave takes the block away that is at a place, and tells how many behind it have left.
func (s *stack) leave(place int) (gone int) {
	word, bit := place/64, uint(place)%64
	group, byteOf := word/groupWords, uint(word)%groupWords*8
	left, words := s.left[word], s.words[group]
	gone = bits.OnesCount64(left>>bit>>1) + int(sumBytes(words>>byteOf>>8))
	s.left[word], s.words[group] = left|1<<bit, words+1<<byteOf
	s.live--
	if group == s.open {
		s.loose++
		return gone
	}
	gone += s.loose
	for i := uint(len(s.tree) + group); i > 1; i /= 2 {
		parent, behind := &s.tree[i/2], uint32(i&1)
		gone += int(*parent & (behind - 1))
		*parent += behind
	}
	return gone
}

// room is the number of places in the open group, the next one if none was left.
func (s *stack) room() int {
	if s.now == (s.open+1)*groupBits {
		for i := len(s.tree) + s.open; i > 1; i /= 2 {
			s.tree[i/2] += uint32(s.loose * (i & 1))
		}
		s.open, s.loose = s.open+1, 0
		if s.now == len(s.left)*64 {
			s.compact()
		}
	}
	return (s.open+1)*groupBits - s.now
}

// compact closes the gaps; an axis that then is more than a quarter full is doubled, for to move all blocks costs about
// as much as a request for each.
func (s *stack) compact() {
	before := make([]uint32, len(s.left)) // by word: places that blocks are at
	n := uint32(1)
	for w, word := range s.left {
		before[w] = n
		n += uint32(64 - bits.OnesCount64(word))
	}
	for i, at := range s.place {
		if at-1 < inNear-1 {
			word, bit := at/64, at%64
			s.place[i] = before[word] + uint32(bits.OnesCount64(^s.left[word]<<(63-bit))) - 1
		}
	}
	if axis := len(s.left) * 64; s.live > axis/4 {
		s.setAxis(2 * axis)
	} else {
		clear(s.left)
		clear(s.words)
		clear(s.tree)
	}
	s.left[0], s.now = 1, int(n)
	s.open, s.loose = s.now/groupBits, 0
}

// settle is to be called after every 2^30 requests at least, with how many there were.
func (s *stack) settle(requests int) error {
	if s.late += requests; s.late > 1<<31 {
		s.sum()
	}
	if s.seen > maxDistinct || len(s.place) > maxPlaces {
		return fmt.Errorf("the recording touches %d blocks and more, too many for stack distances; ask for larger blocks",
			s.seen)
	}
	return nil
}

// sum adds the late counts to those before.
func (s *stack) sum() {
	s.sums = append(s.sums, make([]uint64, len(s.deep)-len(s.sums))...)
	for depth, n := range s.deep {
		s.sums[depth] += uint64(n)
	}
	clear(s.deep)
	s.late = 0
}

// misses is, by number of blocks, what a cache of that size misses.
func (s *stack) misses() []uint64 {
	s.sum()
	n := len(s.sums)
	for n > 0 && s.sums[n-1] == 0 {
		n--
	}
	blocks := max(n, s.seen)
	out := make([]uint64, blocks+1)
	out[blocks] = s.cold
	for d := blocks - 1; d >= 0; d-- {
		out[d] = out[d+1]
		if d < n {
			out[d] += s.sums[d]
		}
	}
	return out
}

// findLRU finds a block in a set in order of eviction and makes it the first. It searches while it shifts: whatever it
// passes is one rank older either way. It gives the rank where the block was and its word as it is now, or -1 and the
// word that had to leave.
func findLRU(set []uint64, key, dirty uint64) (rank int, word uint64) {
	if set[0]|cachesim.WordDirty == key {
		set[0] |= dirty
		return 0, set[0]
	}
	carried := set[0]
	for i := 1; i < len(set); i++ {
		w := set[i]
		set[i] = carried
		if w|cachesim.WordDirty == key {
			set[0] = w | dirty
			return i, w | dirty
		}
		carried = w
	}
	set[0] = key&^cachesim.WordDirty | dirty
	return -1, carried
}

// sumBytes is the sum of eight bytes.
func sumBytes(x uint64) uint64 {
	const pairs, sums = 0x00ff00ff00ff00ff, 1<<48 | 1<<32 | 1<<16 | 1
	return (x&pairs + x>>8&pairs) * sums >> 48
}
