package model

import (
	"cmp"
	"slices"

	"orrery/cachesim"
)

// Policy is a replacement policy. A new one is a file like lru.go and its name in package cachesim.
//
// It either keeps a set's blocks in an order of age (embed byAge) or leaves each in its way and keeps what it has to
// know in words of Metadata (embed byWay).
type Policy interface {
	// Metadata is how many words a set has beside its blocks.
	Metadata(ways int) int
	// Touch is a request for the block in a way.
	Touch(s Set, way int)
	// Victim is the way whose block leaves a full set next.
	Victim(s Set) int
	// Fill is a new block in a way, which was empty or the victim's. It tells whether another request for the block, if
	// it is the next, would change nothing.
	Fill(s Set, way int) (settled bool)
	// Remove empties a way whose block leaves for another reason.
	Remove(s Set, way int)
	// Order appends the words of all blocks, the one that leaves next, if nothing else is asked for, last.
	Order(s Set, words []uint64) []uint64
}

// policies makes the policy of a level; each file of a policy adds its own.
var policies = map[cachesim.Policy]func(c cachesim.Config, l cachesim.Level) Policy{}

func newPolicy(c cachesim.Config, l cachesim.Level) Policy {
	if l.Policy == "" {
		l.Policy = cachesim.LRU
	}
	return policies[l.Policy](c, l)
}

// byAge keeps the blocks of a set in order: a new one comes first, and the empty ways are behind all others.
type byAge struct{}

func (byAge) Metadata(int) int { return 0 }

func (byAge) Touch(Set, int) {}

func (byAge) Fill(s Set, way int) bool {
	toFront(s.Blocks, way)
	return true
}

func (byAge) Remove(s Set, way int) {
	copy(s.Blocks[way:], s.Blocks[way+1:])
	s.Blocks[len(s.Blocks)-1] = 0
}

func (byAge) Order(s Set, words []uint64) []uint64 {
	for _, w := range s.Blocks {
		if w == 0 {
			break
		}
		words = append(words, w)
	}
	return words
}

// toFront makes a block the first; all before it go back by one.
func toFront(blocks []uint64, way int) {
	w := blocks[way]
	copy(blocks[1:way+1], blocks[:way])
	blocks[0] = w
}

// byWay leaves each block in its way.
type byWay struct {
	sorted []departure // scratch
}

func (*byWay) Remove(s Set, way int) { s.Blocks[way] = 0 }

// departure is when a word leaves its set, by comparison with others; 0 is next.
type departure struct {
	when uint64
	word uint64
}

// order is Policy.Order for a policy that tells when the block in a way leaves.
func (b *byWay) order(s Set, words []uint64, when func(way int) uint64) []uint64 {
	b.sorted = b.sorted[:0]
	for way, w := range s.Blocks {
		if w != 0 {
			b.sorted = append(b.sorted, departure{when(way), w})
		}
	}
	slices.SortFunc(b.sorted, func(x, y departure) int { return cmp.Compare(y.when, x.when) })
	for _, d := range b.sorted {
		words = append(words, d.word)
	}
	return words
}
