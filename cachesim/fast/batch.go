package fast

import (
	"encoding/binary"
	"unsafe"

	"orrery/cachesim"
	"orrery/traceio"
)

// The batch kernel. One reference, a load of address 0x1234 in a hierarchy of L1 and L2:
//
//	enter      block 0x48 of L1; its way predictor leads to the tag of 0x48: a hit, the stamp is the time, done.
//	           The tag is another's: a miss, and
//	request    the least stamp of the set tells the victim, the new tag takes its way, and the miss queue gets a read of
//	           the block and, if the victim is dirty, behind it a write-back
//	passLevel  the requests of the whole batch come to L2, which asks memory in the same way
//
// On a miss the fetch comes first, then the write-back of the victim (as in Dinero IV).

// batchRows is how many rows go down together: what they ask for stays in the processor's own caches.
const batchRows = 1 << 12

// accessPath is what the loop over rows has to know of one kind of reference.
type accessPath struct {
	mask, base uint64 // of the way predictor; both 0, which lead to tag 0, where the loop cannot decide a hit
	dirty      uint64 // dirtyBit for stores
	level      *level // nil: no level takes this kind
}

func newAccessPath(l *level, k traceio.Kind) accessPath {
	p := accessPath{level: l, dirty: uint64(k) & dirtyBit} // only Store is odd
	if !l.fifo {                                           // whose stamps a hit leaves alone
		p.mask, p.base = l.predictMask, l.predictBase
	}
	return p
}

// A request is a block number and below it, in two bits, the purpose: the Kind, or allOf for a store that covers the
// block. One that covers it needs no fetch.
const (
	allOf      = 3
	purposes   = 3
	fetchBit   = uint64(traceio.Fetch)
	mostOfMiss = 2 // requests: the fetch and the write-back
)

// missQueue is what a level asks of the one below, in order.
type missQueue struct {
	room []uint64
	n    int
}

// reserve makes room for n requests more than there are.
func (q *missQueue) reserve(n int) {
	if n += q.n; len(q.room) < n {
		q.room = append(q.room, make([]uint64, n-len(q.room))...)
	}
}

// Run simulates rows [from, to) of a block and counts them.
func (h *Hierarchy) Run(b *traceio.Block, from, to int) {
	for ; from < to; from += batchRows {
		h.batch(b, from, min(from+batchRows, to))
	}
}

// batch brings some rows through all levels.
func (h *Hierarchy) batch(b *traceio.Block, from, to int) {
	h.total += uint64(to - from)
	h.misses.n = 0
	before := trafficOf(h.first)
	h.enter(b, from, to)
	if h.misses.n == 0 {
		return
	}
	below := trafficOf(h.first).since(before)
	for l := h.first[0].next; l != nil; l = l.next {
		h.misses, h.asked = h.asked, h.misses
		for k := range l.requests {
			l.requests[k] += below[k]
		}
		before := trafficOf([]*level{l})
		h.passLevel(l)
		below = trafficOf([]*level{l}).since(before)
	}
	h.reads += below[traceio.Load] + below[traceio.Fetch]
	h.writes += below[traceio.Store]
}

// traffic is what levels ask of the one below, by traceio.Kind; the fetch for a store is a load.
type traffic [3]uint64

func trafficOf(levels []*level) (t traffic) {
	for _, l := range levels {
		t[traceio.Load] += l.misses[traceio.Load] + l.misses[traceio.Store]
		t[traceio.Store] += l.writeBacks
		t[traceio.Fetch] += l.misses[traceio.Fetch]
	}
	return t
}

func (t traffic) since(before traffic) traffic {
	for k := range t {
		t[k] -= before[k]
	}
	return t
}

// unclear is a difference that no reference inside one block has to the predicted tag.
const unclear = ^uint64(0)

// enter brings rows [from, to) to the levels where they enter. What is most of every trace it decides by itself: the
// reference lies in one block, and the way predictor leads to that block. All else is done elsewhere, so that this is
// all that the loop keeps in registers.
func (h *Hierarchy) enter(b *traceio.Block, from, to int) {
	kinds := b.Kind[from:to]
	addrs, sizes := b.Addr[from:to][:len(kinds)], b.Size[from:to][:len(kinds)]
	h.countRows(kinds)
	h.misses.reserve(mostOfMiss * len(kinds))
	clock := h.tags[0].stamp + tick // the time of row 0
	memory, shift := h.unchecked(), h.bits&63
	for i, kind := range kinds {
		p := &h.paths[kind&3]
		addr := uint64(addrs[i])
		line := addr >> shift
		x := uint64(unclear)
		if (addr+uint64(sizes[i])-1)>>shift == line {
			t := memory.tag(*memory.entry(line&p.mask + p.base))
			if x = (line<<lineBits | validBit) ^ t.block; x <= dirtyBit {
				if x < p.dirty {
					t.block |= dirtyBit
				}
				t.stamp = clock + uint64(i)*tick
				continue
			}
		}
		if p.level != nil {
			clock = h.undecided(b, from, i, x, clock)
		}
	}
	h.tags[0].stamp = clock + uint64(len(kinds))*tick
}

// undecided is a row that enter does not decide: from+i of the block. x is how the predicted tag differs from its own,
// or unclear; clock is the time of row 0, which is moved by a row of several parts.
func (h *Hierarchy) undecided(b *traceio.Block, from, i int, x, clock uint64) uint64 {
	kind, addr, size := uint64(b.Kind[from+i]&3), b.Addr[from+i], b.Size[from+i]
	l := h.entry[kind]
	if h.noting {
		h.rows = append(h.rows, int32(from+i))
	}
	if x != unclear && uint64(size)>>l.bits == 0 {
		if q, now := uint64(addr)>>l.bits<<lineBits|kind, clock+uint64(i)*tick; l.fifo {
			h.request(l, q, now)
		} else {
			h.unpredicted(l, q, now, x)
		}
		return clock
	}
	// The row may cross blocks, or cover some.
	low, high := cachesim.Extent(addr, size)
	first, last := low>>l.bits, high>>l.bits
	h.misses.reserve(mostOfMiss * (int(last-first) + batchRows))
	l.requests[kind] += last - first
	for line := first; ; line++ {
		q := line<<lineBits | kind
		if kind == uint64(traceio.Store) && l.covered(line, low, high) {
			q |= allOf
		}
		h.request(l, q, clock+uint64(i)*tick)
		if line == last {
			return clock
		}
		clock += tick
	}
}

// covered tells whether a block lies between two bytes.
func (l *level) covered(line, low, high uint64) bool {
	return line<<l.bits >= low && line<<l.bits|(1<<l.bits-1) <= high
}

// passLevel brings the requests in asked to a level; what it asks for in turn is then in misses.
func (h *Hierarchy) passLevel(l *level) {
	h.misses.n = 0
	h.misses.reserve(mostOfMiss * h.asked.n)
	clock := h.tags[0].stamp
	for _, q := range h.asked.room[:h.asked.n] {
		clock += tick
		h.request(l, q, clock)
	}
	h.tags[0].stamp = clock
}

// request is one request to a level.
func (h *Hierarchy) request(l *level, q, now uint64) {
	memory := h.unchecked()
	t := memory.tag(*memory.entry(l.predictor(q >> lineBits)))
	x := (q&^purposes | validBit) ^ t.block
	if x > dirtyBit {
		h.unpredicted(l, q, now, x)
		return
	}
	if h.noting {
		h.noteHit(l, q>>lineBits, t.block|q, t.stamp)
	}
	if t.block |= q & dirtyBit; !l.fifo {
		t.stamp = now
	}
}

// unpredicted is a request whose block is not where the way predictor leads; x is how the tag there differs. If the
// block is nowhere it takes the way of the oldest of its set, and the level below is asked for it.
func (h *Hierarchy) unpredicted(l *level, q, now, x uint64) {
	line := q >> lineBits
	entry := h.unchecked().entry(l.predictor(line))
	if !l.exact || x>>lineBits&l.predictMask == 0 {
		if at := h.search(l, line); at != 0 {
			*entry = uint32(at * tagBytes)
			h.request(l, q, now)
			return
		}
	}
	at := h.oldest(l, line)
	*entry = uint32(at * tagBytes)
	t := h.unchecked().tag(uint32(at * tagBytes))
	victim := t.block
	t.block, t.stamp = q&^purposes|validBit|q&dirtyBit, now
	if h.noting {
		l.noteMiss(victim)
	}
	l.misses[q&purposes]++
	l.evictions += victim / validBit & 1
	l.writeBacks += victim & dirtyBit
	// Branch-free: both requests are written, and only those that exist are counted; a branch would be mispredicted often.
	n, room := h.misses.n, h.misses.room
	if q&purposes != allOf {
		room[n] = q>>lineBits>>(l.shift&63)<<lineBits | q&fetchBit
		n++
	}
	room[n] = victim>>lineBits>>(l.shift&63)<<lineBits | l.writeBack
	h.misses.n = n + int(victim&dirtyBit)
}

// countRows counts every row as one request. Eight kinds are looked at at a time; a byte of a sum overflows after 255
// of them.
func (h *Hierarchy) countRows(kinds []traceio.Kind) {
	stores, fetches := storesAndFetches(kinds)
	for k, n := range [3]uint64{uint64(len(kinds)) - stores - fetches, stores, fetches} {
		if l := h.entry[k]; l != nil {
			l.requests[k] += n
		}
	}
}

var _ [1]struct{} = [unsafe.Sizeof(traceio.Kind(0))]struct{}{} // kinds are bytes

func storesAndFetches(kinds []traceio.Kind) (stores, fetches uint64) {
	const each = 0x0101010101010101
	bytes := unsafe.Slice((*byte)(unsafe.SliceData(kinds)), len(kinds))
	for len(bytes) >= 8 {
		n := min(len(bytes)/8, 255) * 8
		var odd, high uint64
		for i := 0; i+8 <= n; i += 8 {
			x := binary.LittleEndian.Uint64(bytes[i:])
			odd += x & each
			high += x >> 1 & each
		}
		stores += sumBytes(odd)
		fetches += sumBytes(high)
		bytes = bytes[n:]
	}
	for _, k := range bytes {
		stores += uint64(k & 1)
		fetches += uint64(k >> 1)
	}
	return stores, fetches
}

// sumBytes is the sum of eight bytes.
func sumBytes(x uint64) uint64 {
	const pairs, sums = 0x00ff00ff00ff00ff, 1<<48 | 1<<32 | 1<<16 | 1
	return (x&pairs + x>>8&pairs) * sums >> 48
}
