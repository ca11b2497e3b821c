package heap

import (
	"context"
	"sort"

	"orrery/traceio"
)

// BinHistory is what one bin does by itself: what Heap computes for all blocks, for those of the
// bin. It is immutable.
type BinHistory struct {
	Costs []Cost // by site: the blocks of the bin and their bytes; nothing else of a cost

	h     *Heap
	bin   int
	ids   []int32   // of its blocks, in the order in which they were made
	marks []binMark // marks[k] is the bin before event binRun*k
}

// binMark is the state of a bin between two events.
type binMark struct {
	blocks       int
	bytes, waste uint64
}

func (m *binMark) remove(size, waste uint64) {
	m.blocks, m.bytes, m.waste = m.blocks-1, m.bytes-size, m.waste-waste
}

func (m *binMark) add(size, waste uint64) {
	m.blocks, m.bytes, m.waste = m.blocks+1, m.bytes+size, m.waste+waste
}

// binRun is after how many events of the log a bin's state is noted: few marks, and less than a tenth of a millisecond
// from one to the moment that is asked for.
const binRun = 4096

// BinHistory goes through the log once for a bin, an index of Bins. The only error is ctx's.
func (h *Heap) BinHistory(ctx context.Context, bin int) (*BinHistory, error) {
	b := &BinHistory{Costs: make([]Cost, len(h.Sites)), h: h, bin: bin}
	var now binMark
	for s := (state{}); s.event < h.history.n; {
		if s.event%binRun == 0 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			b.marks = append(b.marks, now)
		}
		born := b.step(&s, &now)
		if born < 0 {
			continue
		}
		b.ids = append(b.ids, born)
		c := &b.Costs[h.SiteOf(int(born))]
		c.Blocks++
		c.Bytes += h.blocks.size(born)
	}
	return b, nil
}

// step takes in the next event of the log and tells which block of the bin it made, -1 for none.
func (b *BinHistory) step(s *state, now *binMark) int32 {
	died, born := s.step(b.h)
	if died >= 0 && int(b.h.bin(died)) == b.bin {
		now.remove(b.h.blocks.size(died), b.h.blocks.wasted(died))
	}
	if born < 0 || int(b.h.bin(born)) != b.bin {
		return -1
	}
	now.add(b.h.blocks.size(born), b.h.blocks.wasted(born))
	return born
}

// Of tells whether this is the history of a bin of a heap.
func (b *BinHistory) Of(h *Heap, bin int) bool { return b != nil && b.h == h && b.bin == bin }

// Count is the number of blocks of the bin.
func (b *BinHistory) Count() int { return len(b.ids) }

// ID is the number in the heap of the bin's i-th block.
func (b *BinHistory) ID(i int) int { return int(b.ids[i]) }

// Block is the bin's i-th block, in the order in which they were made.
func (b *BinHistory) Block(i int) Block { return b.h.Block(b.ID(i)) }

// Born is how many blocks of the bin were allocated by time t.
func (b *BinHistory) Born(t Time) int {
	born := int32(b.h.Born(t))
	return sort.Search(len(b.ids), func(i int) bool { return b.ids[i] >= born })
}

// after is the state of the bin after the events up to time t, and that of the log.
func (b *BinHistory) after(t Time) (now binMark, s state) {
	end := b.h.eventAfter(t)
	if len(b.marks) == 0 {
		return now, s
	}
	k := min(end/binRun, len(b.marks)-1)
	now, s = b.marks[k], b.h.stateAt(k*binRun)
	for s.event < end {
		b.step(&s, &now)
	}
	return now, s
}

// Live is as Heap.Live. It costs a binary search and at most binRun events.
func (b *BinHistory) Live(t Time) (blocks int, bytes, waste uint64) {
	now, _ := b.after(t)
	return now.blocks, now.bytes, now.waste
}

// Occupancy is as Heap.Occupancy. It costs time in proportion to the events of the stretch.
func (b *BinHistory) Occupancy(from, to Time) (low, high uint64) {
	now, s := b.after(from)
	low, high = now.bytes, now.bytes
	for s.event < b.h.history.n && b.h.time(s.event) < to {
		b.step(&s, &now)
		low, high = min(low, now.bytes), max(high, now.bytes)
	}
	return low, high
}

// Fragmentation is as Heap.Fragmentation, within the addresses that the bin's live blocks span: free is what no block
// at all uses.
func (b *BinHistory) Fragmentation(t Time) float64 {
	own := Span{Low: ^traceio.Addr(0)}
	b.h.Within(t, t, 0, ^traceio.Addr(0), func(id int) {
		if b.h.Bin(id) == b.bin {
			own.Low, own.High = min(own.Low, b.h.blocks.low[id]), max(own.High, b.h.blocks.reach(int32(id)))
		}
	})
	if own.High <= own.Low {
		return 0
	}
	return scatter(b.h.liveSpans(t), &own)
}
