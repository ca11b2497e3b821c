package heap

import (
	"math"

	"orrery/traceio"
)

// plain tells whether the log has been and is in these events what nearly all of most logs are: of one thread, with no more
// than addresses, sizes and the stacks of allocations, at one time; then it notes that time.
func (a *Builder) plain(events []traceio.Alloc) bool {
	b, at := &a.h.blocks, events[0].Ticks
	if len(a.threads) > 1 || b.waste != nil || b.threads != nil || b.freeStacks != nil || b.freeThreads != nil || a.live.sticky != nil || !a.bare(at) {
		return false
	}
	odd := uint64(0)
	for i := range events {
		e := &events[i]
		odd |= e.Usable | uint64(e.Latency) | uint64(e.Thread) | e.Size>>32 | uint64(e.Addr)>>63 | uint64(e.Ticks^at) | uint64(e.Stack)&-uint64(e.Op&traceio.Free)
	}
	if odd != 0 {
		return false
	}
	if len(a.threads) == 0 {
		a.threads = append(a.threads, recent{-1, -1, -1, 0, 0})
	}
	a.stay(at, len(events))
	return true
}

// quick takes in plain events, which are of group k. What they are is event's to say: this is event for blocks
// that are no error, all in one piece.
func (a *Builder) quick(events []traceio.Alloc, spots *[group]spot, k int) {
	h, l, t := a.h, a.live, &a.threads[0]
	b, y := &h.blocks, &h.history
	for i := range events {
		e, s, n := &events[i], spots[i%group], y.n
		low, bit := e.Addr, uint64(1)<<(n%run)
		var size uint64
		if e.Op == traceio.Free {
			id := l.at(low, s)
			if id < 0 {
				a.event(e, s, true)
				continue
			}
			f := &b.fates[id]
			if f.bytes == math.MaxUint32 {
				a.event(e, s, true)
				continue
			}
			f.died = uint32(n)
			size = uint64(f.bytes)
			waste := usableOf(size) - size
			l.remove(low, low+traceio.Addr(max(size, 1)), s)
			a.now.deaths++
			a.now.bytes -= size
			a.now.waste -= waste
			a.classes[binOf(size+waste)].remove(size, waste)
			y.ends = append(y.ends, id)
			y.died[n/run] |= bit
			h.Frees++
			if t.made == id {
				b.passing[id/64] |= 1 << (id % 64)
			}
			t.made, t.freed, t.fault, t.stack, t.seq = -1, id, -1, 0, e.Seq
		} else {
			size = e.Size
			id, high := int32(b.n), low+traceio.Addr(max(size, 1))
			if sameCall(t, e) || low == 0 || size >= largeBlock || !l.place(low, high, id, s) {
				a.event(e, s, true)
				a.ahead.renew(k)
				continue
			}
			b.n++
			b.low[id], b.births[id], b.fates[id] = low, birth{uint32(n), e.Stack}, fate{uint32(size), alive}
			waste := usableOf(size) - size
			y.born[n/run] |= bit
			a.all |= low
			a.now.births++
			a.now.bytes += size
			a.now.waste += waste
			h.TotalBytes += size
			a.classes[binOf(size+waste)].add(low, Time(n), size, waste)
			t.made, t.freed, t.fault, t.stack, t.seq = id, -1, -1, e.Stack, e.Seq
			if a.now.bytes > h.PeakBytes {
				h.PeakBytes, h.PeakAt = a.now.bytes, Time(n)
			}
		}
		a.low, a.high = min(a.low, a.now.bytes), max(a.high, a.now.bytes)
		y.n++
	}
}
