package orr

import (
	"encoding/binary"

	"orrery/traceio"
)

// expectedSite is the encoder's prediction of the site that follows a site.
type expectedSite struct {
	key   SiteKey // of the site that followed last; keyNone before any has
	next  uint32  // its number; before any has followed, the next number
	other uint32  // the site that followed before that one
}

// follow makes site n, whose key is given, the one that followed last.
func (s *expectedSite) follow(n uint32, key SiteKey) {
	if s.next != n {
		s.key, s.other, s.next = key, s.next, n
	}
}

// encodeSites finds the site of each reference, at most step, and encodes where it was not the predicted one. It gives
// how many of them are stores when none is a fetch.
//
//	site      1  2  3  4  2  3  4  2  3  5      new sites are predicted to follow straight on: 1 2 3 4
//	runs      4           3           1  0      references predicted since the misprediction before
//	symbols               2          ..  5      which site came instead; see siteSymbol
func (e *encoder) encodeSites(t *threadState, in batch) (stores int) {
	sites, addrs := e.sites[:len(in.rows)], e.addrs[e.addressed:][:len(in.rows)]
	expected, ref, kinds, from := t.expected, t.site, SiteKey(0), 0
	for i, row := range in.rows {
		key, next := row.Key^in.tag, ref+1
		addr := uint64(int64(row.Place) >> (in.shift & 63))
		kinds += key & (KeyLoad | KeyStore)
		if s := &expected[ref]; s.key == key {
			if s.next != next { // a branch: with next as a guess the processor need not wait for s.next
				next = s.next
			}
		} else if next = e.newStraight(t, ref, key, addr); next == 0 {
			next = e.mispredictedSite(t, ref, key, addr, e.run+uint64(i-from))
			e.run, from = 0, i+1
			expected = t.expected
		} else {
			expected = t.expected
		}
		sites[i], addrs[i], ref = next, traceio.Addr(addr), next
	}
	e.run += uint64(len(in.rows) - from)
	t.site = ref
	return int(kinds/KeyLoad) - len(in.rows) // a load adds 1 to the quotient and a store 2
}

// newStraight is for a reference after one of site prev, which no site has followed yet: it gives the next site by
// number if that is the reference's, otherwise 0.
func (e *encoder) newStraight(t *threadState, prev uint32, key SiteKey, addr uint64) (ref uint32) {
	if ref = t.expected[prev].next; t.expected[prev].key != keyNone {
		return 0
	}
	if int(ref) == len(e.keys) {
		e.number(key, addr)
	}
	if int(ref) == len(e.keys) || e.keys[ref] != key {
		return 0
	}
	e.grow(t)
	t.expected[prev].key = key
	return ref
}

// mispredictedSite encodes which site has followed prev, after a run of correct predictions, and gives that.
func (e *encoder) mispredictedSite(t *threadState, prev uint32, key SiteKey, addr, run uint64) (ref uint32) {
	symbol := uint64(0)
	if ref = t.expected[prev].other; int(ref) == len(e.keys) || e.keys[ref] != key {
		fresh := false
		ref, fresh = e.number(key, addr)
		symbol = siteSymbol(ref, e.lastNew, fresh)
		if fresh {
			e.lastNew = ref
		}
	}
	e.grow(t) // the other may be new to this thread group, too
	e.cols[colRun] = appendNumber(e.cols[colRun], run)
	e.cols[colSymbol] = appendNumber(e.cols[colSymbol], symbol)
	t.expected[prev].follow(ref, key)
	return ref
}

// siteSymbol encodes the site of a misprediction: 0 is the site that followed before the last one did, an even symbol
// is twice the site's number, and an odd one is the distance of a new site from the last new site with a symbol; those
// in between followed straight on.
func siteSymbol(ref, last uint32, fresh bool) uint64 {
	if fresh {
		return uint64(2*(ref-last) - 1)
	}
	return uint64(2 * ref)
}

// grow gives a thread group the state of sites that are new since. Each is predicted to be followed by the next number,
// and to have the address of its first reference.
func (e *encoder) grow(t *threadState) {
	at, n := len(t.addresses), len(e.keys)
	t.expected, t.addresses = lengthen(t.expected, n), lengthen(t.addresses, n)
	for i := at; i < n; i++ {
		t.expected[i] = expectedSite{key: keyNone, next: uint32(i + 1)}
		t.addresses[i].next = e.first[i]
	}
}

// appendNumber is binary.AppendUvarint, faster for small numbers.
func appendNumber(dst []byte, x uint64) []byte {
	if x < 0x80 {
		return append(dst, byte(x))
	}
	return binary.AppendUvarint(dst, x)
}

// number finds the number of a site, and gives one to a site that is new.
func (e *encoder) number(key SiteKey, addr uint64) (ref uint32, fresh bool) {
	i := e.hashSlot(key)
	if ref = e.hash[i]; ref != 0 {
		return ref, false
	}
	ref = uint32(len(e.keys))
	e.keys, e.first = append(e.keys, key), append(e.first, addr)
	if e.hash[i] = ref; 2*len(e.keys) > len(e.hash) {
		e.hash = make([]uint32, 2*len(e.hash))
		for n, k := range e.keys[1:] {
			e.hash[e.hashSlot(k)] = uint32(n + 1)
		}
	}
	return ref, true
}

// hashSlot is where a key is in the hash table, or belongs.
func (e *encoder) hashSlot(key SiteKey) uint64 {
	mask := uint64(len(e.hash) - 1)
	i := uint64(key) * 0x9e3779b97f4a7c15 >> 32 & mask
	for ; e.hash[i] != 0 && e.keys[e.hash[i]] != key; i = (i + 1) & mask {
	}
	return i
}
