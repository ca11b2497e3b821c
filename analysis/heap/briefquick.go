package heap

import (
	"math"

	"orrery/traceio"
)

// plain is Builder.plain, for events at one time that is not before the others.
func (f *Brief) plain(events []traceio.Alloc) bool {
	if len(f.last) > 1 || f.owners != nil || f.live.sticky != nil {
		return false
	}
	at, odd := f.latest, uint64(0)
	for i := range events {
		e := &events[i]
		odd |= e.Usable | uint64(e.Thread) | e.Size>>32 | uint64(e.Addr)>>63
		if e.Ticks < at {
			return false
		}
		at = e.Ticks
	}
	if odd != 0 {
		return false
	}
	if len(f.last) == 0 {
		f.last = append(f.last, -1)
	}
	return true
}

// quick is Builder.quick.
func (f *Brief) quick(events []traceio.Alloc, spots *[group]spot, k int) {
	l, last := f.live, &f.last[0]
	for i := range events {
		e, s := &events[i], spots[i%group]
		low := e.Addr
		if e.Op == traceio.Free {
			id := l.at(low, s)
			if id < 0 || f.blocks[id].bytes == math.MaxUint32 {
				f.event(e, s)
				continue
			}
			b := &f.blocks[id]
			size := uint64(b.bytes)
			l.remove(low, low+traceio.Addr(max(size, 1)), s)
			t := &f.tallies[b.tally]
			if t.peak != f.peaks {
				t.PeakBytes, t.peak = t.live, f.peaks
			}
			b.tally |= ended
			t.live -= size
			if f.bytes -= size; *last == id {
				t.Temporary++
			}
			*last = -1
			f.frees++
			f.n++
			continue
		}
		size, id := e.Size, int32(len(f.blocks))
		if low == 0 || size >= largeBlock || !l.place(low, low+traceio.Addr(max(size, 1)), id, s) {
			f.event(e, s)
			f.ahead.renew(k)
			continue
		}
		of := f.tallyOf(e.Stack)
		f.blocks = append(f.blocks, briefBlock{uint32(size), uint32(of)})
		f.born[f.n/run] |= 1 << (f.n % run)
		t := &f.tallies[of]
		if t.peak != f.peaks {
			t.PeakBytes, t.peak = t.live, f.peaks
		}
		t.Blocks++
		t.Bytes += size
		t.WasteBytes += usableOf(size) - size
		t.live += size
		*last = id
		f.n++
		if f.bytes += size; f.bytes > f.peak {
			f.peak = f.bytes
			f.peaks++
		}
	}
	f.latest = events[len(events)-1].Ticks
}
