package digest

import (
	"context"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
)

// Result is a digest with the names of the memory that it counts.
type Result struct {
	*Digest
	Regions *region.Map
	Use     *region.Usage
	hints   region.Hints
}

// Hints is what the result was made with, for Count.
func (r *Result) Hints() region.Hints { return r.hints }

// Hints looks at a sample of the blocks for what Glimpse and Count need to know first. report is told blocks.
func Hints(ctx context.Context, rec Recording, prog *traceio.Program, h *heap.Heap,
	report func(done, total int64)) (region.Hints, error) {
	look := region.NewSample(prog)
	blocks := referring(rec, region.Sampled(rec.Blocks()))
	err := rec.Sweep(ctx, blocks, nil, func(k int, b *traceio.Block) error {
		look.Add(b)
		tell(report, k, len(blocks))
		return nil
	})
	if err != nil {
		return region.Hints{}, err
	}
	return look.Hints(h), nil
}

// referring is those of the blocks that are worth decoding: none of a recording of allocator events alone.
func referring(rec Recording, blocks []int) []int {
	if !rec.Referring() {
		return nil
	}
	return blocks
}

func tell(report func(done, total int64), k, n int) {
	if report != nil {
		report(int64(k+1), int64(n))
	}
}

// Count makes the digest of all of a recording in one pass. report is told blocks.
func Count(ctx context.Context, rec Recording, prog *traceio.Program, h *heap.Heap, hints region.Hints,
	report func(done, total int64)) (*Result, error) {
	s := region.NewSurvey(rec, prog, h, hints)
	blocks := make([]int, rec.Blocks())
	for i := range blocks {
		blocks[i] = i
	}
	d, err := count(ctx, rec, referring(rec, blocks), s, true, report)
	if err != nil {
		return nil, err
	}
	m, u := s.Done()
	return &Result{d, m, u, hints}, nil
}

// glimpsed is how many blocks a glimpse looks at.
const glimpsed = 64

// Short tells whether a recording is counted as fast as one glimpses at it.
func Short(rec Recording) bool { return rec.Blocks() <= 2*glimpsed }

// Glimpse makes a digest of a few blocks that are spread evenly over the recording. Its regions have the same numbers
// as those of Count; its pieces have what was counted, Seen of Len references, and Use is an estimate.
func Glimpse(ctx context.Context, rec Recording, prog *traceio.Program, h *heap.Heap,
	hints region.Hints) (*Result, error) {
	n := rec.Blocks()
	firsts := make([]traceio.Seq, n)
	for i := range firsts {
		firsts[i], _ = rec.Span(i)
	}
	blocks := []int{0}
	for k, of := 0, min(n, glimpsed)-1; k < of; k++ {
		blocks = append(blocks, 1+(2*k+1)*(n-1)/(2*of))
	}
	s := region.NewGlimpse(rec, prog, h, hints, firsts)
	d, err := count(ctx, rec, referring(rec, blocks), s, false, nil)
	if err != nil {
		return nil, err
	}
	_, d.Head = rec.Span(0)
	m, u := s.Done()
	return &Result{d, m, region.NewUsage(d.ByRegion(len(u.Regions)), u.Blocks), hints}, nil
}

// count sweeps over blocks. Instructions are counted aside, regions in order.
func count(ctx context.Context, rec Recording, blocks []int, s *region.Survey, fine bool,
	report func(done, total int64)) (*Digest, error) {
	d := empty(rec.Len())
	parts := make([]part, len(blocks))
	regions := tally[int32]{}
	done := 0 // pieces that nothing can be added to any more
	if fine {
		d.Fine = append(make([]uint64, 0, d.Len/d.Bin+2), 0)
	}
	stores := uint64(0)
	err := rec.Sweep(ctx, blocks, func() func(int, *traceio.Block) {
		c := coder{grain: d.Grain, bin: d.Bin}
		return func(k int, b *traceio.Block) { parts[k] = c.count(b) }
	}, func(k int, b *traceio.Block) error {
		part := &parts[k]
		for i := range part.pieces {
			d.Pieces[part.first+i].take(&part.pieces[i])
		}
		if fine {
			for _, n := range part.fine {
				d.Fine = append(d.Fine, stores+n)
			}
			stores += part.stores
		}
		parts[k] = part.spent()
		ids := s.Add(b)
		d.regions(b, ids, &regions)
		d.Seen += traceio.Seq(b.Data())
		for last := int((b.First + traceio.Seq(b.Data())) / d.Grain); done < last; done++ {
			d.Pieces[done].settle()
		}
		tell(report, k, len(blocks))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for ; done < len(d.Pieces); done++ {
		d.Pieces[done].settle()
	}
	if fine && d.Len%d.Bin != 0 {
		d.Fine = append(d.Fine, stores)
	}
	return d, nil
}

// take adds what a block has of the piece.
func (p *Piece) take(q *Piece) {
	p.Loads, p.Stores = p.Loads+q.Loads, p.Stores+q.Stores
	p.Low, p.High = min(p.Low, q.Low), max(p.High, q.High)
	p.Code = append(p.Code, q.Code...)
}

// regions counts the rows of a block by region into the pieces.
func (d *Digest) regions(b *traceio.Block, ids []int32, t *tally[int32]) {
	s, row := b.First, 0
	for end := b.First + traceio.Seq(b.Data()); s < end; {
		piece := s / d.Grain
		for until := min(end, (piece+1)*d.Grain); s < until; row++ {
			if k := b.Kind[row]; k != traceio.Fetch {
				t.add(ids[row], ids[row], k)
				s++
			}
		}
		p := &d.Pieces[piece]
		t.flush(func(id int32, loads, stores uint32) { p.Data = append(p.Data, Data{id, loads, stores}) })
	}
}

// part is what one block adds.
type part struct {
	first  int // piece
	pieces []Piece
	fine   []uint64 // stores of the block before each multiple of the bin in it, the block's beginning aside
	stores uint64
}

func (*part) spent() part { return part{} }

// coder counts the instructions of blocks. It keeps its memory and belongs to one goroutine.
type coder struct {
	grain, bin traceio.Seq
	codes      tally[traceio.Addr]
}

func (c *coder) count(b *traceio.Block) part {
	out := part{first: int(b.First / c.grain)}
	s, row := b.First, 0
	for end := b.First + traceio.Seq(b.Data()); s < end; {
		p := Piece{Low: ^traceio.Addr(0)}
		stop := min(end, (s/c.grain+1)*c.grain)
		for s < stop {
			until := min(stop, (s/c.bin+1)*c.bin)
			for s < until {
				k := b.Kind[row]
				if k != traceio.Fetch {
					a, pc := b.Addr[row], b.PC[row]
					p.Low, p.High = min(p.Low, a), max(p.High, a)
					c.codes.add(pc, int32(pc^pc>>tallyBits), k)
					if k == traceio.Store {
						p.Stores++
						out.stores++
					} else {
						p.Loads++
					}
					s++
				}
				row++
			}
			if s%c.bin == 0 {
				out.fine = append(out.fine, out.stores)
			}
		}
		c.codes.flush(func(pc traceio.Addr, loads, stores uint32) { p.Code = append(p.Code, Code{pc, loads, stores}) })
		out.pieces = append(out.pieces, p)
	}
	return out
}
