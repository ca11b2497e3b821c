package heap

import "orrery/traceio"

// Pools is the ranges of addresses that two runs use, for drawing them on one scale: the first of one beside the first
// of the other and so on, since a system that moves programs about leaves their order alone. Of each two the smaller is
// made as large as the larger by addresses above it that are not used, and where one run has no more, unused addresses
// stand in. Where there is no room for that among a run's addresses, or a run has none, common is false and both are as
// they are.
func Pools(a, b *Heap) (ofA, ofB []Span, common bool) {
	ofA, ofB = widened(a.Spans, b.Spans), widened(b.Spans, a.Spans)
	if ofA == nil || ofB == nil {
		return a.Spans, b.Spans, false
	}
	return ofA, ofB, true
}

// widened is spans as large as those of another run; nil where that is not possible.
func widened(spans, other []Span) []Span {
	if len(spans) == 0 {
		return nil
	}
	out := append([]Span(nil), spans...)
	for i := range other {
		if i == len(out) {
			low := out[i-1].High + MaxGap + 1
			out = append(out, Span{Low: low, High: low})
		}
		s := &out[i]
		size := max(s.Size(), other[i].Size())
		s.High, s.Blocks = s.Low+traceio.Addr(size), max(s.Blocks, other[i].Blocks)
		if s.High < s.Low || i > 0 && s.Low < out[i-1].High || i+1 < len(out) && s.High > out[i+1].Low {
			return nil
		}
	}
	return out
}

// Across is the place in the spans to that address a has in the spans from, which are as large (see Pools).
func Across(from, to []Span, a traceio.Addr) traceio.Addr {
	for i := range from {
		if a <= from[i].High || i+1 == len(from) {
			return to[i].Low + min(max(a, from[i].Low)-from[i].Low, from[i].High-from[i].Low)
		}
	}
	return a
}
