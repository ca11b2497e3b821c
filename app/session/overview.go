package session

import (
	"context"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/timeline"
)

// Overview is the counts that the timeline's lanes are cut from.
type Overview struct {
	length traceio.Seq
	bin    traceio.Seq // references between two counts
	stores []uint64    // stores[i] is the stores before reference i*bin
}

// The counts of an Overview: their distance, unless that makes more than fit.
const (
	finestBin = 16
	mostBins  = 1 << 19
)

// overlook counts the recording's stores over time.
func (r *Recording) overlook(ctx context.Context, report func(done, total int64)) (*Overview, error) {
	o := &Overview{length: r.Len(), bin: finestBin}
	for r.Len()/o.bin > mostBins {
		o.bin *= 2
	}
	o.stores = make([]uint64, 1, r.Len()/o.bin+2)
	at, sum := traceio.Seq(0), uint64(0)
	for i := range r.Blocks() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := r.Block(i)
		if err != nil {
			return nil, err
		}
		for _, k := range b.Kind {
			if k == traceio.Fetch {
				continue
			}
			if k == traceio.Store {
				sum++
			}
			if at++; at%o.bin == 0 {
				o.stores = append(o.stores, sum)
			}
		}
		if report != nil {
			report(int64(i+1), int64(r.Blocks()))
		}
	}
	if at%o.bin != 0 {
		o.stores = append(o.stores, sum)
	}
	return o, nil
}

// laneColumns is how many values a lane has; more than a wide screen has pixels for.
const laneColumns = 2048

// grid divides a stretch of time into at most laneColumns equal steps.
func grid(view link.Range, least traceio.Seq) (step traceio.Seq, n int) {
	span := max(1, view.To-view.From)
	step = max(least, (span+laneColumns-1)/laneColumns)
	step = (step + least - 1) / least * least
	return step, int((span + step - 1) / step)
}

// Lanes cuts the timeline's lanes for a stretch of time: how densely the references follow each other (in a recording too
// short to tell, the share of stores), misses of each level, bytes on the heap.
// caches may be nil while the simulation runs. A recording without references has the heap alone.
func (r *Recording) Lanes(caches *Caches, view link.Range, theme palette.Theme) []timeline.Lane {
	var lanes []timeline.Lane
	if density, ok := r.densityLane(view, theme); ok {
		lanes = append(lanes, density)
	} else if r.Len() > 0 {
		lanes = append(lanes, r.Stores.lane(view, theme))
	}
	if caches != nil && r.Len() > 0 {
		lanes = append(lanes, caches.lanes(view, theme)...)
	}
	if len(r.Heap.Blocks) > 0 {
		lanes = append(lanes, r.heapLane(view, theme))
	}
	return lanes
}

func (o *Overview) lane(view link.Range, theme palette.Theme) timeline.Lane {
	first := view.From / o.bin * o.bin
	step, n := grid(link.Range{From: first, To: view.To}, o.bin)
	l := timeline.Lane{Name: "stores", Unit: "% of references", First: first, Step: step, Max: 100, Values: make([]float64, n), Color: theme.Dim}
	for i := range l.Values {
		from := first + traceio.Seq(i)*step
		to := min(o.length, from+step)
		a, b := o.stores[from/o.bin], o.stores[(to+o.bin-1)/o.bin]
		l.Values[i] = 100 * float64(b-a) / float64(max(1, to-from))
	}
	return l
}

// fewestClocked is how many blocks with a clock a recording needs for its density to be drawn: the clock is read once in a
// block.
const fewestClocked = 16

// densityLane is references per microsecond of the recorder's clock, block by block.
func (r *Recording) densityLane(view link.Range, theme palette.Theme) (timeline.Lane, bool) {
	blocks := r.Summaries()
	if r.Len() == 0 || !r.Program().Ticking || len(blocks) < fewestClocked {
		return timeline.Lane{}, false
	}
	step, n := grid(view, 1)
	l := timeline.Lane{Name: "references", Unit: "per µs", First: view.From, Step: step, Values: make([]float64, n), Color: theme.Dim}
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
	l := timeline.Lane{Name: "heap bytes", Unit: "bytes", First: view.From, Step: step, Max: float64(r.Heap.PeakBytes), Values: make([]float64, n),
		Color: palette.Qualitative(theme, 0)}
	for i := range l.Values {
		from := view.From + traceio.Seq(i)*step
		a, b := r.Heap.Axis.At(from), r.Heap.Axis.At(from+step)
		_, high := r.Heap.Occupancy(a, max(a+1, b))
		l.Values[i] = float64(high)
	}
	return l
}
