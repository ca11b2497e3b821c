package cachesim

import (
	"math/bits"
	"slices"
)

// rule is a level's Policy, chosen once.
type rule uint8

const (
	ruleLRU rule = iota
	ruleFIFO
	ruleRandom
	ruleTree
	ruleBit
	ruleMIN
	ruleSRRIP
	ruleBRRIP
)

func ruleOf(p Policy) rule {
	return map[Policy]rule{"": ruleLRU, LRU: ruleLRU, FIFO: ruleFIFO, Random: ruleRandom, TreePLRU: ruleTree,
		BitPLRU: ruleBit, MINPolicy: ruleMIN, SRRIP: ruleSRRIP, BRRIP: ruleBRRIP}[p]
}

// ordered tells whether the words of a set stand in an order of age, the empty ways behind all others. Under the other
// rules a block keeps the way that it got, and the set has bits of its own (marks) beside the words.
func (r rule) ordered() bool { return r <= ruleRandom }

// markWords is how many words a set's marks take.
func (r rule) markWords(ways int) int {
	switch r {
	case ruleTree, ruleBit:
		return (ways + 63) / 64
	case ruleSRRIP, ruleBRRIP:
		return (ways + 31) / 32
	case ruleMIN:
		return 2
	}
	return 0
}

// set is one set at work.
type set struct {
	words  []uint64
	marks  []uint64
	level  *level
	number int32
}

func (l *level) set(line uint64) set {
	at := line & l.mask
	return set{l.lines[at*l.ways:][:l.ways:l.ways], l.marks[at*l.markWords:][:l.markWords], l, int32(at)}
}

// remember keeps the word that was asked for last in the set: another request for it changes nothing, under any rule,
// but that a store leaves its mark; so that run and again need not ask the level. It is kept twice, for loads and,
// dirty, for stores. Neither is part of the state.
func (s set) remember(word uint64) { s.level.remember(uint64(s.number), word) }

func (l *level) remember(set, word uint64) {
	if l.recent == nil {
		return
	}
	if word&l.top != 0 {
		word = 0
	}
	l.recent[set], l.recentDirty[set] = word, word
	if word&dirtyBit == 0 {
		l.recentDirty[set] = 0
	}
}

// forget empties what was remembered, for a state that comes from elsewhere. Hints are good for an empty one.
func (h *Hierarchy) forget(empty bool) {
	for _, l := range h.levels {
		clear(l.recent)
		clear(l.recentDirty)
		l.hinted = empty && l.find == plainLRU
		clear(l.sweeps.sets)
	}
	h.trust()
	if h.pages != nil {
		h.pages.forget(empty)
	}
}

// index is the place of a block, -1 when it is not there.
func (s set) index(line uint64) int {
	key, flags := line<<lineBits|validBit|dirtyBit, s.level.top
	for i, w := range s.words {
		if w&^flags|dirtyBit == key {
			return i
		}
	}
	return -1
}

// use tells the rule that the block at i was asked for.
func (s set) use(i int) {
	s.remember(s.words[i])
	switch s.level.rule {
	case ruleLRU:
		w := s.words[i]
		copy(s.words[1:i+1], s.words[:i])
		s.words[0] = w
	case ruleTree:
		s.pointAway(i)
	case ruleBit:
		s.mark(i)
	case ruleMIN:
		s.pass(s.level.lineOf(s.words[i]))
	case ruleSRRIP, ruleBRRIP:
		s.predict(i, 0)
	}
}

// enter puts a word into an empty way or in the place of the victim, which it gives; 0 is none.
func (s set) enter(word uint64) (victim uint64) {
	if s.remember(word); s.level.rule >= ruleSRRIP {
		s.remember(0) // the first request after it changes the prediction
	}
	i := slices.Index(s.words, 0)
	if s.level.rule.ordered() {
		switch {
		case i >= 0:
		case s.level.rule == ruleRandom:
			i = int(s.level.draw(len(s.words)))
		default:
			i = len(s.words) - 1
		}
		victim = s.words[i]
		copy(s.words[1:i+1], s.words[:i])
		s.words[0] = word
		return victim
	}
	if s.level.rule == ruleMIN {
		s.pass(s.level.lineOf(word))
	}
	if i < 0 {
		i = s.victim()
	}
	victim, s.words[i] = s.words[i], word
	switch s.level.rule {
	case ruleSRRIP:
		s.predict(i, long)
	case ruleBRRIP:
		if s.level.draw(rarely) == 0 {
			s.predict(i, long)
		} else {
			s.predict(i, distant)
		}
	case ruleTree:
		s.pointAway(i)
	case ruleBit:
		s.mark(i)
	}
	return victim
}

// remove empties the way of the block at i.
func (s set) remove(i int) {
	s.remember(0)
	if s.level.rule.ordered() {
		copy(s.words[i:], s.words[i+1:])
		i = len(s.words) - 1
	}
	s.words[i] = 0
}

// victim is the way that leaves a full set next, for rules that mark.
func (s set) victim() int {
	switch s.level.rule {
	case ruleTree:
		return s.pointed()
	case ruleMIN:
		return s.farthest()
	case ruleBit:
		for i, m := range s.marks {
			if way := i*64 + bits.TrailingZeros64(^m); way < min(len(s.words), (i+1)*64) {
				return way
			}
		}
		return 0 // one way only
	}
	most := uint64(0)
	for i := range s.words {
		most = max(most, s.prediction(i))
	}
	way := -1
	for i := range s.words {
		p := s.prediction(i) + distant - most
		if s.predict(i, p); p == distant && way < 0 {
			way = i
		}
	}
	return way
}

// The tree: node n has the children 2n and 2n+1, the root is 1, and its mark is 1 when the victim is to the right.

func (s set) pointAway(way int) {
	node := 1
	for n := len(s.words) / 2; n > 0; n /= 2 {
		word, bit := &s.marks[node/64], uint64(1)<<(node%64)
		node *= 2
		if way&n == 0 {
			*word |= bit
		} else {
			*word &^= bit
			node++
		}
	}
}

func (s set) pointed() int {
	node := 1
	for node < len(s.words) {
		node = 2*node + int(s.marks[node/64]>>(node%64)&1)
	}
	return node - len(s.words)
}

// mark sets the bit of a way; when that was the last, the others are cleared.
func (s set) mark(way int) {
	s.marks[way/64] |= 1 << (way % 64)
	n := 0
	for _, m := range s.marks {
		n += bits.OnesCount64(m)
	}
	if n == len(s.words) {
		clear(s.marks)
		s.marks[way/64] = 1 << (way % 64)
	}
}

// Re-reference predictions are 2 bits, so a block that is soon used again has 0, one that leaves next 3.
const (
	long    = 2
	distant = 3
	rarely  = 32 // BRRIP: 1 in so many enters as long
)

func (s set) prediction(way int) uint64 { return s.marks[way/32] >> (way % 32 * 2) & 3 }

func (s set) predict(way int, p uint64) {
	word, shift := &s.marks[way/32], way%32*2
	*word = *word&^(3<<shift) | p<<shift
}

// draw is a number below n, the next of the level's generator: splitmix64, whose state is a counter in the arena, so
// that it is where it was when a checkpoint is restored. (The remainder of 2^64 by n prefers no number by more than n
// in 2^64.)
func (l *level) draw(n int) uint64 {
	l.draws[0]++
	return mix(l.seed+l.draws[0]*0x9e3779b97f4a7c15) % uint64(n)
}

// order appends the words of a set in order of rank: the one that leaves next, if nothing else is asked for, last.
func (s set) order(words []uint64) []uint64 {
	if s.level.rule.ordered() {
		for _, w := range s.words {
			if w == 0 {
				break
			}
			words = append(words, w)
		}
		return words
	}
	s = s.filled()
	turns := s.level.turns[:0]
	for i, w := range s.words {
		if w == 0 {
			continue
		}
		turns = append(turns, turn{s.turn(i), w})
		if len(s.words) > fewWays {
			continue
		}
		for at := len(turns) - 1; at > 0 && turns[at].when > turns[at-1].when; at-- {
			turns[at], turns[at-1] = turns[at-1], turns[at]
		}
	}
	if len(s.words) > fewWays {
		slices.SortFunc(turns, func(a, b turn) int { return b.when - a.when })
	}
	for _, t := range turns {
		words = append(words, t.word)
	}
	s.level.turns = turns
	return words
}

// turn is when a word leaves its set; 0 is next.
type turn struct {
	when int
	word uint64
}

// fewWays are sorted by insertion.
const fewWays = 32

// filled is the set with the marks that it has when the empty ways are filled, for the tree, where that changes the
// order.
func (s set) filled() set {
	if s.level.rule != ruleTree {
		return s
	}
	own := false
	for i, w := range s.words {
		if w != 0 {
			continue
		}
		if !own {
			s.level.filled = append(s.level.filled[:0], s.marks...)
			s.marks, own = s.level.filled, true
		}
		s.pointAway(i)
	}
	return s
}

// turn tells, by comparison with that of other ways, when the block at i leaves; 0 is next.
func (s set) turn(i int) int {
	switch s.level.rule {
	case ruleTree:
		// Misses alternate between the halves of every node that they pass: the root decides over the lowest bit.
		turn, node, n := 0, 1, len(s.words)
		for d := 0; 1<<d < n; d++ {
			side := i >> (log2(Size(n)) - uint(d) - 1) & 1
			if int(s.marks[node/64]>>(node%64)&1) != side {
				turn |= 1 << d
			}
			node = 2*node + side
		}
		return turn
	case ruleMIN:
		return int(uint64(never)-s.level.future.next(s.level.lineOf(s.words[i]), s.marks[0]))*len(s.words) + i
	case ruleBit:
		return int(s.marks[i/64]>>(i%64)&1)*len(s.words) + i
	}
	return int(distant-s.prediction(i))*len(s.words) + i
}
