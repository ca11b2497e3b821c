package model

import (
	"math/bits"

	"orrery/cachesim"
)

func init() {
	policies[cachesim.TreePLRU] = func(cachesim.Config, cachesim.Level) Policy { return new(treePLRU) }
}

// treePLRU is the pseudo-LRU of a binary tree over the ways, whose number is a power of two. Each node has a bit that
// points away from the half used last. Node n has the children 2n and 2n+1, the root is 1, and a bit of 1 says that the
// victim is to the right.
//
//	       1:0            the victim is to the left of 1,
//	  2:1      3:0        to the right of 2:
//	w0   w1   w2  w3      way 1
type treePLRU struct {
	byWay
	filled []uint64 // scratch
}

func (*treePLRU) Metadata(ways int) int { return (ways + 63) / 64 }

func (p *treePLRU) Touch(s Set, way int) { pointAway(s, way) }

func (p *treePLRU) Fill(s Set, way int) bool {
	pointAway(s, way)
	return true
}

func pointAway(s Set, way int) {
	node := 1
	for n := len(s.Blocks) / 2; n > 0; n /= 2 {
		word, bit := &s.Metadata[node/64], uint64(1)<<(node%64)
		node *= 2
		if way&n == 0 {
			*word |= bit
		} else {
			*word &^= bit
			node++
		}
	}
}

func (p *treePLRU) Victim(s Set) int {
	node := 1
	for node < len(s.Blocks) {
		node = 2*node + right(s, node)
	}
	return node - len(s.Blocks)
}

// right is 1 if the victim is to the right of a node, else 0.
func right(s Set, node int) int { return int(s.Metadata[node/64] >> (node % 64) & 1) }

// Order follows from the bits as they are when the empty ways are filled. Misses alternate between the halves of every
// node that they pass: the root decides over the lowest bit of when a block leaves.
func (p *treePLRU) Order(s Set, words []uint64) []uint64 {
	p.filled = append(p.filled[:0], s.Metadata...)
	s.Metadata = p.filled
	for way, w := range s.Blocks {
		if w == 0 {
			pointAway(s, way)
		}
	}
	depth := bits.TrailingZeros(uint(len(s.Blocks)))
	return p.order(s, words, func(way int) (when uint64) {
		node := 1
		for d := range depth {
			side := way >> (depth - d - 1) & 1
			if right(s, node) != side {
				when |= 1 << d
			}
			node = 2*node + side
		}
		return when
	})
}
