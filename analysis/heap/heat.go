package heap

import (
	"cmp"
	"context"
	"sort"

	"orrery/traceio"
)

// Outlined is a Recording that tells of its blocks without a look into them.
type Outlined interface {
	Recording
	Span(i int) (first, end traceio.Seq)  // the references of block i: [first, end)
	Reach(i int) (low, high traceio.Addr) // where their first bytes lie: [low, high]
}

// Heat counts the references to block id in a grid: rows are parts of the block from its beginning to its end, columns
// parts of its life. Of the recording it reads the blocks of that life that reach to the block's addresses. The errors
// are the recording's or ctx's.
func Heat(ctx context.Context, h *Heap, rec Outlined, id, rows, columns int) ([][]uint32, error) {
	n := h.Block(id)
	grid := make([][]uint32, rows)
	for i := range grid {
		grid[i] = make([]uint32, columns)
	}
	from, to := h.Alloc(n), h.Free(n)
	start := sort.Search(rec.Blocks(), func(i int) bool {
		_, end := rec.Span(i)
		return end > from
	})
	for i := start; i < rec.Blocks(); i++ {
		if first, _ := rec.Span(i); first >= to {
			break
		}
		if low, high := rec.Reach(i); low >= n.High() || high < n.Low {
			continue
		}
		b, err := rec.Block(i)
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		s := b.First
		for row, k := range b.Kind {
			if k == traceio.Fetch {
				continue
			}
			if a := b.Addr[row]; s >= from && s < to && a >= n.Low && a < n.High() {
				r := int(float64(a-n.Low) / float64(n.High()-n.Low) * float64(rows))
				c := int(float64(s-from) / float64(to-from) * float64(columns))
				grid[min(r, rows-1)][min(c, columns-1)]++
			}
			s++
		}
	}
	return grid, nil
}
