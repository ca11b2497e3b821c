package session

import (
	"orrery/analysis/digest"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/timeline"
)

// laneColumns is how many values a lane has; more than a wide screen has pixels for.
const laneColumns = 2048

// grid divides a stretch of time into at most laneColumns equal steps.
func grid(view link.Range, least traceio.Seq) (step traceio.Seq, n int) {
	span := max(1, view.To-view.From)
	step = max(least, (span+laneColumns-1)/laneColumns)
	step = (step + least - 1) / least * least
	return step, int((span + step - 1) / step)
}

// Lanes cuts the timeline's lanes for a stretch of time: how densely the references follow each other (in a recording
// too short to tell, the share of stores), which function runs, misses of each level, bytes on the heap. caches may be
// nil while the simulation runs, or of a beginning of the recording: their lanes end with it. A recording without
// references has the heap alone.
func (r *Recording) Lanes(caches *Caches, view link.Range, theme palette.Theme) []timeline.Lane {
	var lanes []timeline.Lane
	if density, ok := r.densityLane(view, theme); ok {
		lanes = append(lanes, density)
	} else if r.Len() > 0 {
		lanes = append(lanes, r.storesLane(view, theme))
	}
	if code, ok := r.codeLane(view, theme); ok {
		lanes = append(lanes, code)
	}
	if caches != nil && view.From < caches.Len() {
		lanes = append(lanes, caches.lanes(link.Range{From: view.From, To: min(view.To, caches.Len())}, theme)...)
	}
	if r.Heap.Count() > 0 {
		lanes = append(lanes, r.heapLane(view, theme))
	}
	return lanes
}

// storesLane is the share of stores.
func (r *Recording) storesLane(view link.Range, theme palette.Theme) timeline.Lane {
	d := r.Digest
	bin := d.Bin
	if d.Fine == nil {
		bin = d.Grain
	}
	first := view.From / bin * bin
	step, n := grid(link.Range{From: first, To: view.To}, bin)
	l := timeline.Lane{Name: "stores", Unit: "% of references", First: first, Step: step, Max: 100,
		Values: make([]float64, n), Color: theme.Dim}
	for i := range l.Values {
		from := first + traceio.Seq(i)*step
		to := min(d.Len, from+step)
		if d.Fine == nil {
			p := r.near(int(from / bin))
			l.Values[i] = 100 * float64(p.Stores) / float64(max(1, p.References()))
			continue
		}
		l.Values[i] = 100 * float64(d.Fine[(to+bin-1)/bin]-d.Fine[from/bin]) / float64(max(1, to-from))
	}
	return l
}

// near is a piece of the digest, or of a sampled one the last before it, else the first, that was looked at.
func (r *Recording) near(piece int) *digest.Piece {
	all := r.Digest.Pieces
	for i := min(piece, len(all)-1); i > 0; i-- {
		if all[i].References() > 0 {
			return &all[i]
		}
	}
	return &all[0]
}

// fewestClocked is how many blocks with a clock a recording needs for its density to be drawn: the clock is read once
// in a block.
const fewestClocked = 16

// densityLane is references per microsecond of the recorder's clock, block by block.
func (r *Recording) densityLane(view link.Range, theme palette.Theme) (timeline.Lane, bool) {
	blocks := r.Summaries()
	if r.Len() == 0 || !r.Program().Ticking || len(blocks) < fewestClocked {
		return timeline.Lane{}, false
	}
	step, n := grid(view, 1)
	l := timeline.Lane{Name: "references", Unit: "per µs", First: view.From, Step: step,
		Values: make([]float64, n), Color: theme.Dim}
	for i := range l.Values {
		b := blocks[r.Find(min(r.Len()-1, view.From+traceio.Seq(i)*step+step/2))]
		if b.End > b.Start {
			l.Values[i] = float64(b.Loads+b.Stores) * 1000 / float64(b.End-b.Start)
		}
	}
	return l, true
}

func (r *Recording) heapLane(view link.Range, theme palette.Theme) timeline.Lane {
	step, n := grid(view, 1)
	l := timeline.Lane{Name: "heap bytes", Unit: "bytes", First: view.From, Step: step, Max: float64(r.Heap.PeakBytes),
		Values: make([]float64, n),
		Color:  palette.Qualitative(theme, 0)}
	for i := range l.Values {
		from := view.From + traceio.Seq(i)*step
		a, b := r.Heap.Axis.At(from), r.Heap.Axis.At(from+step)
		_, high := r.Heap.Occupancy(a, max(a+1, b))
		l.Values[i] = float64(high)
	}
	return l
}
