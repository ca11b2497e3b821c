package heap

import "orrery/traceio"

// Time is a position on a heap's axis.
type Time int64

// Axis is the time axis over which a heap is laid out. It is logical time, Seq, like everywhere, unless the recording
// has fewer data references than heap events: then most blocks would have no width, and the axis counts heap events
// instead, with reference s standing at the last event before it. Positions run from 0 to End. A recording without
// references has its events numbered (store.Recording.Extent): there position and Seq are the same.
type Axis struct {
	Ordinal bool // counts heap events rather than references
	End     Time // the end of the recording

	seqs *column // of each event, when Ordinal and there are references
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
	switch {
	case !a.Ordinal:
		return Time(s)
	case a.seqs == nil:
		return min(Time(min(s, 1<<62)), a.End-1)
	}
	return Time(a.seqs.above(uint64(s))) - 1
}

// Seq is the reference at position t: the first one at or after it.
func (a *Axis) Seq(t Time) traceio.Seq {
	switch {
	case t < 0:
		return 0
	case t >= a.End:
		return a.end
	case !a.Ordinal || a.seqs == nil:
		return traceio.Seq(t)
	}
	return traceio.Seq(a.seqs.at(int(t)))
}
