package model

import (
	"math/bits"

	"orrery/cachesim"
)

func init() {
	policies[cachesim.BitPLRU] = func(cachesim.Config, cachesim.Level) Policy { return new(bitPLRU) }
}

// bitPLRU has one bit a way, set by use; the first way without leaves. When all are set, all others are cleared.
type bitPLRU struct{ byWay }

func (*bitPLRU) Metadata(ways int) int { return (ways + 63) / 64 }

func (p *bitPLRU) Touch(s Set, way int) {
	s.Metadata[way/64] |= 1 << (way % 64)
	n := 0
	for _, m := range s.Metadata {
		n += bits.OnesCount64(m)
	}
	if n == len(s.Blocks) {
		clear(s.Metadata)
		s.Metadata[way/64] = 1 << (way % 64)
	}
}

func (p *bitPLRU) Fill(s Set, way int) bool {
	p.Touch(s, way)
	return true
}

func (p *bitPLRU) Victim(s Set) int {
	for i, m := range s.Metadata {
		if way := i*64 + bits.TrailingZeros64(^m); way < min(len(s.Blocks), (i+1)*64) {
			return way
		}
	}
	return 0 // one way only
}

func (p *bitPLRU) Order(s Set, words []uint64) []uint64 {
	return p.order(s, words, func(way int) uint64 {
		return s.Metadata[way/64]>>(way%64)&1*uint64(len(s.Blocks)) + uint64(way)
	})
}
