package heap

import (
	"context"
	"fmt"
	"math/bits"

	"orrery/traceio"
)

// Use is what the references of a recording did to one block.
type Use struct {
	Loads, Stores uint64
	First, Last   traceio.Seq // references; meaningless when there is none
	Touched       uint64      // bytes that were ever loaded or stored, of those asked for
}

// References is loads and stores together.
func (u *Use) References() uint64 { return u.Loads + u.Stores }

// UseColumns is into how many parts the blocks of a site are divided to see where they are touched.
const UseColumns = 32

// SiteUse is the use of a site's blocks. Lag is the time from the allocation to the first use, drag that from the last
// use to the free, both in references; a block that is never used only drags. The weighted ones are multiplied by the
// bytes of the block, so that they say how much memory was held for how long.
type SiteUse struct {
	Blocks     uint64
	Unused     uint64 // blocks never touched
	References uint64
	Bytes      uint64 // asked for
	Touched    uint64 // of these

	Life, Lag, Drag                         uint64 // in references, of all blocks
	WeightedLife, WeightedLag, WeightedDrag float64

	WeightedUntouched float64 // references times bytes of living blocks that none of them ever touches
	MostUntouched     uint64  // such bytes in blocks that live at the same time, at most

	Profile [UseColumns]uint64 // references by place in the block, from its beginning to its end
}

// DragShare is how much of the memory that was held over time was held after its last use.
func (s *SiteUse) DragShare() float64 { return share(s.WeightedDrag, s.WeightedLife) }

// LagShare is how much of the memory that was held over time was held before its first use.
func (s *SiteUse) LagShare() float64 { return share(s.WeightedLag, s.WeightedLife) }

func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

// Usage is the use of all blocks, by block and by site.
type Usage struct {
	Blocks []Use
	Sites  []SiteUse
	Total  SiteUse
}

// Recording is what Observe reads: blocks of references in order.
type Recording interface {
	Blocks() int
	Block(i int) (*traceio.Block, error)
}

// Lag is the references from a block's allocation to its first use, its whole life when it was never used.
func (u *Usage) Lag(h *Heap, id int) traceio.Seq {
	b := h.Block(id)
	if x := &u.Blocks[id]; x.References() > 0 {
		return x.First - min(h.Alloc(b), x.First)
	}
	return h.Free(b) - h.Alloc(b)
}

// Drag is the references from a block's last use to its free, its whole life when it was never used.
func (u *Usage) Drag(h *Heap, id int) traceio.Seq {
	b := h.Block(id)
	if x := &u.Blocks[id]; x.References() > 0 {
		return h.Free(b) - min(h.Free(b), x.Last+1)
	}
	return h.Free(b) - h.Alloc(b)
}

// Observe follows all references of a recording into the blocks of its heap. Errors are the recording's or ctx's.
// report is told the recording's blocks and may be nil.
func Observe(ctx context.Context, h *Heap, rec Recording, report func(done, total int64)) (*Usage, error) {
	u := &Usage{Blocks: make([]Use, h.Count()), Sites: make([]SiteUse, len(h.Sites))}
	o := observer{h: h, u: u, sweep: h.Sweep(), marks: map[int32]*touched{}}
	for i := range rec.Blocks() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if report != nil {
			report(int64(i), int64(rec.Blocks()))
		}
		b, err := rec.Block(i)
		if err != nil {
			return nil, fmt.Errorf("following the references of block %d into the heap: %w", i, err)
		}
		o.block(b)
		o.retire(h.Axis.At(b.First + traceio.Seq(b.Data())))
	}
	o.retire(h.Axis.End + 1)
	u.sum(h)
	return u, nil
}

type observer struct {
	h     *Heap
	u     *Usage
	sweep *Sweep
	marks map[int32]*touched // of blocks that are still live
	last  int32              // the block whose marks are at hand
	at    *touched
	dead  int // of the heap's ends, those retired
}

// touched is a bit for each unit of a block. A unit is a byte, and more in blocks of more than a MiB, so that the bits
// of any block fit into 128 KiB.
type touched struct {
	shift uint
	bits  []uint64
}

const mostUnits = 1 << 20

func newTouched(size uint64) *touched {
	t := &touched{}
	for size>>t.shift > mostUnits {
		t.shift++
	}
	t.bits = make([]uint64, (size>>t.shift)/64+1)
	return t
}

// mark notes bytes [from, to) of the block.
func (t *touched) mark(from, to uint64) {
	for i := from >> t.shift; i <= (to-1)>>t.shift; i++ {
		t.bits[i/64] |= 1 << (i % 64)
	}
}

// count is the bytes marked, of a block with size bytes.
func (t *touched) count(size uint64) uint64 {
	n := uint64(0)
	for _, w := range t.bits {
		n += uint64(bits.OnesCount64(w))
	}
	return min(n<<t.shift, size)
}

func (o *observer) block(b *traceio.Block) {
	s := b.First
	for row, k := range b.Kind {
		if k == traceio.Fetch {
			continue
		}
		if id := o.sweep.BlockAt(o.h.Axis.At(s), b.Addr[row]); id >= 0 {
			o.touch(id, b.Addr[row], uint64(b.Size[row]), k, s)
		}
		s++
	}
}

func (o *observer) touch(id int32, a traceio.Addr, size uint64, k traceio.Kind, s traceio.Seq) {
	low, bytes := o.h.blocks.low[id], o.h.blocks.size(id)
	x := &o.u.Blocks[id]
	if x.References() == 0 {
		x.First = s
	}
	x.Last = s
	if k == traceio.Load {
		x.Loads++
	} else {
		x.Stores++
	}
	if bytes == 0 {
		return
	}
	if o.at == nil || o.last != id {
		if o.at = o.marks[id]; o.at == nil {
			o.at = newTouched(bytes)
			o.marks[id] = o.at
		}
		o.last = id
	}
	from := uint64(a - low)
	o.at.mark(from, min(from+max(size, 1), bytes))
	column := from * UseColumns / bytes
	if bytes > 1<<58 {
		column = from / (bytes / UseColumns)
	}
	o.u.Sites[o.h.SiteOf(int(id))].Profile[min(column, UseColumns-1)]++
}

// retire counts the bytes of blocks that ended by time t.
func (o *observer) retire(t Time) {
	ends := o.h.ends()
	for ; o.dead < len(ends) && o.h.to(ends[o.dead]) <= t; o.dead++ {
		o.settle(ends[o.dead])
	}
	if t > o.h.Axis.End {
		for id := range o.marks {
			o.settle(id)
		}
	}
}

func (o *observer) settle(id int32) {
	m := o.marks[id]
	if m == nil {
		return
	}
	o.u.Blocks[id].Touched = m.count(o.h.blocks.size(id))
	delete(o.marks, id)
	if o.last == id {
		o.at = nil
	}
}

// sum makes the sites' figures.
func (u *Usage) sum(h *Heap) {
	for id := range h.Count() {
		b, x := h.Block(id), &u.Blocks[id]
		life, lag, drag := uint64(h.Free(b)-h.Alloc(b)), uint64(0), uint64(u.Drag(h, id))
		for _, s := range []*SiteUse{&u.Sites[b.Site], &u.Total} {
			s.Blocks++
			s.References += x.References()
			s.Bytes += b.Size
			s.Touched += x.Touched
			if x.References() == 0 {
				s.Unused++
			} else {
				lag = uint64(u.Lag(h, id))
			}
			s.Life += life
			s.Lag += lag
			s.Drag += drag
			s.WeightedLife += float64(life) * float64(b.Size)
			s.WeightedLag += float64(lag) * float64(b.Size)
			s.WeightedDrag += float64(drag) * float64(b.Size)
			s.WeightedUntouched += float64(life) * float64(b.Size-min(x.Touched, b.Size))
		}
	}
	u.most(h)
	for i := range u.Sites {
		for k, n := range u.Sites[i].Profile {
			u.Total.Profile[k] += n
		}
	}
}

// most finds how many bytes that are never touched live at the same time at most, of each site and of all.
func (u *Usage) most(h *Heap) {
	now, all := make([]uint64, len(u.Sites)), uint64(0)
	never := func(id int) uint64 { return h.Size(id) - min(u.Blocks[id].Touched, h.Size(id)) }
	ends, ended := h.ends(), 0
	for id := range h.Count() {
		for born := h.birth(id); ended < len(ends) && h.death(int(ends[ended])) < born; ended++ {
			gone := int(ends[ended])
			now[h.SiteOf(gone)] -= never(gone)
			all -= never(gone)
		}
		at := h.SiteOf(id)
		now[at] += never(id)
		all += never(id)
		u.Sites[at].MostUntouched = max(u.Sites[at].MostUntouched, now[at])
		u.Total.MostUntouched = max(u.Total.MostUntouched, all)
	}
}
