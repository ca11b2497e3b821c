package simulator

import "orrery/traceio"

// interleaver puts references of threads that ran at the same time into an order in which they did. Recorders list them
// as they come: an emulator lets one thread run for thousands of references before the next, so that what the threads
// do to each other's caches would hardly show. Cores take turns instead, some references each, within a block of the
// recording and between the beginnings and ends of threads, which order what is before and after them.
type interleaver struct {
	turn  int // references of a core before the next one's; 0: leave the order as it is
	cores int
	rows  [][]int32 // by core
	block traceio.Block
	seqs  []traceio.Seq // by row
	order []traceio.Seq // by row of block
}

// reorder gives a block with the same rows in another order, and the Seq of each of them; both are valid until the next
// call.
func (w *interleaver) reorder(b *traceio.Block) (*traceio.Block, []traceio.Seq) {
	w.number(b)
	if w.turn <= 0 || w.cores <= 1 {
		return b, w.seqs
	}
	w.block.Reset(b.First)
	w.order = w.order[:0]
	from, mark := 0, 0
	for row := 0; row <= b.Len(); row++ {
		split := row == b.Len()
		for ; !split && mark < len(b.Marks) && b.Marks[mark].Seq <= w.seqs[row]; mark++ {
			split = split || b.Marks[mark].Kind == traceio.ThreadStart || b.Marks[mark].Kind == traceio.ThreadEnd
		}
		if split {
			w.merge(b, from, row)
			from = row
		}
	}
	return &w.block, w.order
}

// number finds the Seq of every row: a fetch has that of the data reference that follows.
func (w *interleaver) number(b *traceio.Block) {
	w.seqs = w.seqs[:0]
	seq := b.First
	for _, k := range b.Kind {
		if w.seqs = append(w.seqs, seq); k != traceio.Fetch {
			seq++
		}
	}
}

// merge appends rows [from, to) of b to the new block, core after core in turns.
func (w *interleaver) merge(b *traceio.Block, from, to int) {
	if w.rows == nil {
		w.rows = make([][]int32, w.cores)
	}
	for i := range w.rows {
		w.rows[i] = w.rows[i][:0]
	}
	for row := from; row < to; row++ {
		core := int(b.Thread[row]) % w.cores
		w.rows[core] = append(w.rows[core], int32(row))
	}
	for done := 0; w.block.Len() < to; done += w.turn {
		for _, rows := range w.rows {
			for _, row := range rows[min(done, len(rows)):min(done+w.turn, len(rows))] {
				w.block.Append(traceio.Access{Addr: b.Addr[row], PC: b.PC[row], Size: b.Size[row], Kind: b.Kind[row],
					Thread: b.Thread[row]})
				w.order = append(w.order, w.seqs[row])
			}
		}
	}
}
