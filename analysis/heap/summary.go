package heap

import (
	"math"

	"orrery/traceio"
)

// summary sums up what is known of blocks when a log has ended.
type summary struct {
	h         *Heap
	number    *[classes]int16 // of the bins
	peak      moment
	crossings bool // another thread may have freed a block than allocated it
	pools     pools
	standing  *standing
	lows      traceio.Addr // all addresses' bitwise or
}

// blocks goes through all of them.
func (x *summary) blocks() {
	h, t, pools := x.h, &x.h.blocks, &x.pools
	stacks, ends, of, estimated := h.stacks, t.ends[:t.n], t.stacks[:t.n], t.waste == nil
	for i, low := range t.low[:t.n] {
		id, died := int32(i), ends[i].died
		size := uint64(ends[i].bytes)
		if size == math.MaxUint32 {
			size = t.size(id)
		}
		waste := usableOf(size) - size
		if !estimated {
			waste = uint64(t.waste[i])
		}
		stack := of[i]
		if int(stack) >= len(stacks) {
			stack = 0 // as knownStack has it
		}
		c := &stacks[stack]
		c.Blocks++
		c.Bytes += size
		c.WasteBytes += waste
		c.Temporary += t.passing[i/64] >> (i % 64) & 1
		if died == alive {
			h.leaked = append(h.leaked, id)
			c.LiveBytes += size
			c.LeakedBlocks++
		} else if x.crossings && h.crossed(id) {
			c.Crossed++
		}
		high := low + traceio.Addr(max(size, 1))
		x.lows |= low
		at := pools.add(low, high)
		if id := uint32(i); id < x.peak.born && died >= x.peak.after && (died != alive || x.peak.leaks) {
			c.PeakBytes += size
			x.standing.add(at, x.number[binOf(size+waste)], low, high, size+waste)
		}
	}
}
