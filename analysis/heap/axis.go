package heap

import (
	"sort"

	"orrery/traceio"
)

// Time is a position on a heap's axis.
type Time int64

// Axis is the time axis over which a heap is laid out. It is logical time, Seq, like everywhere, unless the recording has
// fewer data references than heap events: then most blocks would have no width, and the axis counts heap events instead,
// with reference s standing at the last event before it. Positions run from 0 to End. A recording without references has
// its events numbered (store.Recording.Extent): there position and Seq are the same.
type Axis struct {
	Ordinal bool // counts heap events rather than references
	End     Time // the end of the recording

	seqs []traceio.Seq // of each event, when Ordinal
	end  traceio.Seq
}

// Unit names what the axis counts.
func (a *Axis) Unit() string {
	if a.Ordinal {
		return "heap events"
	}
	return "references"
}

// At is the position of reference s. On an ordinal axis it is -1 before the first event.
func (a *Axis) At(s traceio.Seq) Time {
	if !a.Ordinal {
		return Time(s)
	}
	return Time(sort.Search(len(a.seqs), func(i int) bool { return a.seqs[i] > s })) - 1
}

// Seq is the reference at position t: the first one at or after it.
func (a *Axis) Seq(t Time) traceio.Seq {
	switch {
	case t < 0:
		return 0
	case t >= a.End:
		return a.end
	case !a.Ordinal:
		return traceio.Seq(t)
	}
	return a.seqs[t]
}

// chooseAxis decides between references and events.
func chooseAxis(allocs []traceio.Alloc, end traceio.Seq) Axis {
	none := end == 0 && len(allocs) > 0
	if n := len(allocs); n > 0 {
		end = max(end, allocs[n-1].Seq)
		if none { // numbered or not, the log ends behind its last event
			end = max(end, traceio.Seq(n))
		}
	}
	if !none && uint64(end) >= uint64(len(allocs)) {
		return Axis{End: Time(end), end: end}
	}
	a := Axis{Ordinal: true, End: Time(len(allocs)), end: end, seqs: make([]traceio.Seq, len(allocs))}
	for i := range allocs {
		a.seqs[i] = allocs[i].Seq
	}
	return a
}
