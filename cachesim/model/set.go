package model

import (
	"slices"

	"orrery/cachesim"
)

// The parts of a block's word; see cachesim.WordBits.
const (
	dirtyBit  = cachesim.WordDirty
	validBit  = cachesim.WordValid
	lineBits  = cachesim.WordBits
	sharedBit = cachesim.WordShared
	aheadBit  = cachesim.WordAhead
)

// Set is one set of a level at work, or its victim buffer.
type Set struct {
	Blocks   []uint64 // by way: the block's word; 0 is an empty way
	Metadata []uint64 // the policy's own
	level    *level
	policy   Policy
	number   int32
}

// set is the set of a block.
func (l *level) set(line uint64) Set {
	at := line & l.mask
	return Set{l.blocks[at*l.ways:][:l.ways:l.ways], l.metadata[at*l.metadataWords:][:l.metadataWords], l, l.policy,
		int32(at)}
}

// lineOf is the block number of a word.
func (l *level) lineOf(word uint64) uint64 { return word &^ l.flags >> lineBits }

// way is where a block is, -1 when it is not there.
func (s Set) way(line uint64) int {
	key, flags := line<<lineBits|validBit|dirtyBit, s.level.flags
	for i, w := range s.Blocks {
		if w&^flags|dirtyBit == key {
			return i
		}
	}
	return -1
}

// locate is where a block is in a level, in its set or its victim buffer; the way is -1 when it is not there.
func (l *level) locate(line uint64) (Set, int) {
	s := l.set(line)
	i := s.way(line)
	if i < 0 && len(l.buffer.Blocks) > 0 {
		s = l.buffer
		i = s.way(line)
	}
	return s, i
}

// touch is a request for the block in a way.
func (s Set) touch(way int) {
	s.remember(s.Blocks[way])
	s.policy.Touch(s, way)
}

// enter puts a word into an empty way or in the place of the victim, which it gives; 0 is none.
func (s Set) enter(word uint64) (victim uint64) {
	way := slices.Index(s.Blocks, 0)
	if way < 0 {
		way = s.policy.Victim(s)
	}
	victim, s.Blocks[way] = s.Blocks[way], word
	if s.policy.Fill(s, way) {
		s.remember(word)
	} else {
		s.remember(0)
	}
	return victim
}

// remove empties the way of a block.
func (s Set) remove(way int) {
	s.remember(0)
	s.policy.Remove(s, way)
}

// ranked appends the words of a set in order of rank, the empty ways last.
func (s Set) ranked(to []uint64) []uint64 {
	from := len(to)
	to = s.policy.Order(s, to)
	for i := from; i < len(to); i++ {
		to[i] &^= s.level.flags & sharedBit
	}
	for len(to) < from+len(s.Blocks) {
		to = append(to, 0)
	}
	return to
}

// Most references ask for the block that their set was asked for last, and another request for that changes nothing,
// under any policy, but that a store leaves its mark. So it is kept by set, twice: for loads and, when it is dirty, for
// stores. Neither is part of the state.

// remember keeps the word that was asked for last in the set; 0 is none.
func (s Set) remember(word uint64) {
	l := s.level
	if l.recent == nil {
		return
	}
	if word&l.flags != 0 {
		word = 0
	}
	l.recent[s.number], l.recentDirty[s.number] = word, word
	if word&dirtyBit == 0 {
		l.recentDirty[s.number] = 0
	}
}

// repeated tells whether a request is for the block that its set was asked for last, so that nothing changes. A store
// that is written through goes on in any case.
func (l *level) repeated(line uint64, store bool) bool {
	recent := l.recent
	if store {
		if recent = l.recentDirty; l.through {
			return false
		}
	}
	return recent[line&l.mask]|dirtyBit == line<<lineBits|validBit|dirtyBit
}

// random is a number below n, the next of the level's generator: splitmix64, whose state is a counter among the words
// of the hierarchy, so that it is where it was when a checkpoint is restored. (The remainder of 2^64 by n prefers no
// number by more than n in 2^64.)
func (s Set) random(n int) uint64 {
	l := s.level
	l.draws[0]++
	return mix(l.seed+l.draws[0]*0x9e3779b97f4a7c15) % uint64(n)
}

// mix scrambles 64 bits (the finaliser of splitmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
