package heap

import (
	"math"

	"orrery/traceio"
)

// closing sums up what is known of blocks when a log has ended.
type closing struct {
	h         *Heap
	number    *[classes]int16 // of the bins
	peak      moment
	crossings bool // another thread may have freed a block than allocated it
	pools     pools
	standing  *standing
	lows      traceio.Addr // all addresses' bitwise or
}

// blocks goes through all of them.
func (x *closing) blocks() {
	t := &x.h.blocks
	plain := t.waste == nil && !x.crossings
	for first := 0; first < t.n; first += run {
		last := min(first+run, t.n)
		if plain {
			x.plain(first, last)
			continue
		}
		for id := first; id < last; id++ {
			x.block(int32(id))
		}
	}
}

// block takes in a block.
func (x *closing) block(id int32) {
	h, t := x.h, &x.h.blocks
	low, size, waste := t.low[id], t.size(id), t.wasted(id)
	c := &h.stacks[h.knownStack(t.stacks[id])]
	c.Blocks++
	c.Bytes += size
	c.WasteBytes += waste
	if t.leaked(id) {
		h.leaked = append(h.leaked, id)
		c.LiveBytes += size
		c.LeakedBlocks++
	} else if x.crossings && h.crossed(id) {
		c.Crossed++
	}
	if t.temporary(id) {
		c.Temporary++
	}
	high := low + traceio.Addr(max(size, 1))
	x.lows |= low
	at := x.pools.add(low, high)
	if x.peak.lives(t, id) {
		c.PeakBytes += size
		x.standing.add(at, x.number[binOf(size+waste)], low, high, size+waste)
	}
}

// plain is block for blocks [first, last) of one run of 64, of which the log tells no more than their addresses, sizes
// and stacks: for those that are not large, without a call.
func (x *closing) plain(first, last int) {
	t, p, s, stacks, number := &x.h.blocks, &x.pools, x.standing, x.h.stacks, x.number
	lows, of, fates, passing := t.low[first:last], t.stacks[first:last], t.fates[first:last], t.passing[first/run]
	after, end, standing := uint64(x.peak.after), uint64(alive), int(x.peak.born)-first
	if x.peak.leaks {
		end++
	}
	all := traceio.Addr(0)
	for i, low := range lows {
		size, died, temporary := uint64(fates[i].bytes), uint64(fates[i].died), passing&1
		passing >>= 1
		if size >= largeBlock/2 || int(of[i]) >= len(stacks) {
			x.block(int32(first + i))
			continue
		}
		pieces := max((size+chunkHead+chunkAlign-1)/chunkAlign, chunkMin/chunkAlign)
		c := &stacks[of[i]]
		c.Blocks++
		c.Bytes += size
		c.WasteBytes += pieces*chunkAlign - chunkHead - size
		c.Temporary += temporary
		if died == alive {
			x.h.leaked = append(x.h.leaked, int32(first+i))
			c.LiveBytes += size
			c.LeakedBlocks++
		}
		all |= low
		high := low + traceio.Addr(max(size, 1))
		if uint64(low)>>mibBits+1 != p.last {
			p.turn(low)
		}
		m := &p.list[p.at]
		m.Low, m.High = min(m.Low, low), max(m.High, high)
		m.Blocks++
		if i >= standing || died-after >= end-after { // those that died before are far above, as numbers without a sign go
			continue
		}
		c.PeakBytes += size
		b := &s.bins[number[min(pieces-chunkMin/chunkAlign, classes-1)]]
		b.Blocks++
		b.Low, b.High = min(b.Low, low), max(b.High, high)
		if !s.odd && (p.at+1 == s.at || s.turn(p.at, low)) {
			if from := uint64(low) % (1 << mibBits) / chunkAlign; from%64+pieces <= 64 {
				s.row[from/64] |= math.MaxUint64 >> ((64 - pieces) & 63) << (from % 64)
			} else {
				s.mark(low, pieces)
			}
		}
	}
	x.lows |= all
}
