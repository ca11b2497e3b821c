package heap

import (
	"math"

	"orrery/traceio"
)

// plain tells whether the log has been and is in these events what nearly all of most logs are: of one thread, with no
// more than addresses, sizes and stacks, at one time; then it notes that time.
func (a *Builder) plain(events []traceio.Alloc) bool {
	b, at := &a.h.blocks, events[0].Ticks
	if len(a.threads) > 1 || b.waste != nil || b.threads != nil || b.freeStacks != nil || b.freeThreads != nil ||
		a.live.sticky != nil || !a.bare(at) {
		return false
	}
	odd := uint64(0)
	for i := range events {
		e := &events[i]
		odd |= e.Usable | uint64(e.Latency) | uint64(e.Thread) | e.Size>>32 | uint64(e.Addr)>>63 | uint64(e.Ticks^at)
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
// that are no error, all in one piece, and within one page of the live set.
func (a *Builder) quick(events []traceio.Alloc, spots *[group]spot, k int) {
	l, t := a.live, &a.threads[0]
	b, y := &a.h.blocks, &a.h.history
	born, died := &y.born[y.n/run], &y.died[y.n/run] // a group is of one run
	lows, stacks, fates := b.low, b.stacks, b.fates
	for i := range events {
		e, s, n := &events[i], spots[i%group], y.n
		low, shift := e.Addr, l.shift&63
		key := uint64(low) >> shift
		if s.id < 0 || key<<shift != uint64(low) {
			a.event(e, s, true)
			a.ahead.renew(k)
			continue
		}
		p, slot := &l.pages[s.page], &l.ids[s.id]
		var size uint64
		if e.Op == traceio.Free {
			id := int32(*slot>>1) - 1
			if id < 0 || e.Stack != 0 || uint64(*slot&1) != l.second(key) || fates[id].bytes == math.MaxUint32 {
				a.event(e, s, true)
				continue
			}
			f := &fates[id]
			size = uint64(f.bytes)
			end := (uint64(low) + max(size, 1) - 1) >> shift
			if size >= largeBlock || end > key|(pageSize-1) {
				l.remove(low, low+traceio.Addr(max(size, 1)), s)
			} else {
				*slot = 0
				p.used &^= span(key, end)
				if p.starts &^= 1 << (key % pageSize); p.starts == 0 {
					l.unmark(key >> pageBits)
				}
			}
			f.died = uint32(n)
			waste := usableOf(size) - size
			a.now.bytes -= size
			a.now.waste -= waste
			a.classes[binOf(size+waste)].remove(size, waste)
			y.deaths++
			*died |= 1 << (n % run)
			if t.made == id {
				b.passing[id/64] |= 1 << (id % 64)
			}
			t.made, t.freed, t.fault, t.stack, t.seq = -1, id, -1, 0, e.Seq
		} else {
			size = e.Size
			id, high := int32(b.n), low+traceio.Addr(max(size, 1))
			end := uint64(high-1) >> shift
			granules := span(key, end)
			if sameCall(t, e) || low == 0 || size >= largeBlock || l.huge || l.mayBeLarge(low) || p.used&granules != 0 ||
				p.starts>>((key^uint64(l.shared))%pageSize)&1 != 0 ||
				end > key|(pageSize-1) && !l.across(key, end, high) {
				a.event(e, s, true)
				a.ahead.renew(k)
				continue
			}
			p = &l.pages[s.page] // there may be more pages now
			p.used |= granules
			if p.starts == 0 {
				l.mark(key >> pageBits)
			}
			p.starts |= 1 << (key % pageSize)
			*slot = uint32(id+1)<<1 | uint32(l.second(key))
			b.n++
			lows[id], stacks[id], fates[id] = low, e.Stack, fate{uint32(size), alive}
			waste := usableOf(size) - size
			*born |= 1 << (n % run)
			a.now.bytes += size
			a.now.waste += waste
			a.classes[binOf(size+waste)].add(low, Time(n), size, waste)
			t.made, t.freed, t.fault, t.stack, t.seq = id, -1, -1, e.Stack, e.Seq
		}
		if a.low = min(a.low, a.now.bytes); a.now.bytes > a.high {
			a.high, a.highAt = a.now.bytes, n
		}
		y.n++
	}
}
