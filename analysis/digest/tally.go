package digest

import "orrery/traceio"

// tallyBits is the size of the memory in front of a tally's map.
const tallyBits = 10

// tally counts loads and stores by key, for few keys at a time: those seen lately are found without the map.
type tally[K comparable] struct {
	slots  [1 << tallyBits]int32 // by hash: where in counts a key may be, plus one
	counts []counted[K]
	places map[K]int32
}

type counted[K comparable] struct {
	key    K
	counts [2]uint32 // by kind: loads, stores
}

// add counts one reference of a kind under a key with a hash.
func (t *tally[K]) add(key K, hash int32, kind traceio.Kind) {
	slot := &t.slots[hash&(1<<tallyBits-1)]
	if i := *slot - 1; uint(i) < uint(len(t.counts)) {
		if c := &t.counts[i]; c.key == key {
			c.counts[kind&1]++
			return
		}
	}
	i, ok := t.places[key]
	if !ok {
		if t.places == nil {
			t.places = map[K]int32{}
		}
		i = int32(len(t.counts))
		t.places[key] = i
		t.counts = append(t.counts, counted[K]{key: key})
	}
	*slot = i + 1
	t.counts[i].counts[kind&1]++
}

// flush gives all counts and forgets them.
func (t *tally[K]) flush(give func(key K, loads, stores uint32)) {
	for i := range t.counts {
		c := &t.counts[i]
		give(c.key, c.counts[traceio.Load], c.counts[traceio.Store])
	}
	t.counts = t.counts[:0]
	clear(t.places)
}
