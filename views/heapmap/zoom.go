package heapmap

import (
	"math"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/scene"
)

// Smallest windows.
const (
	leastTime  = 8
	leastBytes = 256
)

// Zoom gives the state with the window scaled about p: a factor of 2 shows half as much of time (if times) and of
// addresses (if addrs). What lies under p stays there unless the ends forbid it.
func Zoom(s State, size scene.Size, p scene.Point, factor float64, times, addrs bool) State {
	if s.Heap == nil || s.Heap.Count() == 0 || !(factor > 0) {
		return s
	}
	l := newLayout(&s, size)
	if times {
		at := l.time(min(max(p.X, l.plot.Min.X), l.plot.Max.X))
		share := (at - float64(l.from)) / float64(l.to-l.from)
		want := float64(l.to-l.from) / factor
		s.setTimes(at-share*want, want)
	}
	if addrs {
		y := min(max(p.Y, l.plot.Min.Y), l.plot.Max.Y) - l.plot.Min.Y
		s.setAddrs(&l, y-y/factor, y+(l.plot.H()-y)/factor)
	}
	return s
}

// Pan gives the state with the window moved by shares of its extent, right and up positive.
func Pan(s State, size scene.Size, dx, dy float64) State {
	if s.Heap == nil || s.Heap.Count() == 0 {
		return s
	}
	l := newLayout(&s, size)
	span := float64(l.to - l.from)
	if dx != 0 {
		s.setTimes(float64(l.from)+dx*span, span)
	}
	if dy != 0 && s.High > s.Low {
		// Over the used addresses only, so that a step does not end in the desert between two pools.
		spans := s.spans()
		low, high := offset(spans, s.Low), offset(spans, s.High)
		bytes := max(high-low, leastBytes)
		all := offset(spans, spans[len(spans)-1].High)
		low = max(0, min(low+dy*bytes, all-bytes))
		s.Low, s.High = address(spans, low, false), address(spans, low+bytes, true)
	}
	return s
}

// DragMap gives the state with the window moved so that what lay under from comes to lie under to. On a page of bins
// that is one of time, and the map in which from lies is as wide as it is there.
func DragMap(s State, size scene.Size, from, to scene.Point) State {
	if s.Heap == nil || s.Heap.Count() == 0 {
		return s
	}
	l := newLayout(&s, size)
	w, h := l.plot.W(), l.plot.H()
	if s.Page != MapPage {
		cells, _, _ := grid(&s, size)
		if len(cells) == 0 {
			return s
		}
		w, h = cells[0].plot.W(), math.Inf(1)
	}
	return Pan(s, size, (from.X-to.X)/max(1, w), (to.Y-from.Y)/max(1, h))
}

// Fit gives the state with everything in view.
func Fit(s State) State {
	s.From, s.To, s.Low, s.High = 0, 0, 0, 0
	return s
}

// CenterContext gives the state with the window around a point of the context strip.
func CenterContext(s State, size scene.Size, p scene.Point) State {
	if s.Heap == nil || s.Heap.Count() == 0 {
		return s
	}
	l := newLayout(&s, size)
	if l.context.W() == 0 {
		return s
	}
	whole := l.wholeAxis(&s)
	f := contextFrame(&s, &l, &whole)
	span := float64(l.to - l.from)
	at := (p.X - l.context.Min.X) / l.context.W() * float64(s.horizon())
	s.setTimes(at-span/2, span)
	if s.High > s.Low {
		y := min(max(p.Y-l.context.Min.Y, f.H()/2), l.context.H()-f.H()/2)
		bytes := s.High - s.Low
		mid := whole.addr(y)
		s.Low = mid - min(mid, bytes/2)
		s.High = s.Low + bytes
	}
	return s
}

// DragContext gives the state with the window moved by the pointer in the context strip: a frame that was seized goes
// along with it, and from beside the frame the window comes to lie around the pointer.
func DragContext(s State, size scene.Size, from, to scene.Point) State {
	if s.Heap == nil || s.Heap.Count() == 0 {
		return s
	}
	l := newLayout(&s, size)
	if l.context.W() == 0 {
		return s
	}
	whole := l.wholeAxis(&s)
	switch f := contextFrame(&s, &l, &whole); {
	case f.Contains(from) && from == to:
		return s // where the frame is stands in pixels, and the window must not move by what these leave out
	case f.Contains(from):
		c := f.Center()
		to = scene.Point{X: c.X + to.X - from.X, Y: c.Y + to.Y - from.Y}
	}
	return CenterContext(s, size, to)
}

// setTimes shows span units of time from a time on, held inside the recording; everything is the zero window.
func (s *State) setTimes(from, span float64) {
	end := float64(s.horizon())
	span = math.Round(min(end, max(min(leastTime, end), span)))
	from = math.Round(max(0, min(from, end-span)))
	s.From, s.To = heap.Time(from), heap.Time(from+span)
	if span >= end {
		s.From, s.To = 0, 0
	}
}

// setAddrs shows the addresses between two heights of the present plot.
func (s *State) setAddrs(l *layout, top, bottom float64) {
	least, most := s.extent()
	low, high := l.axis.addr(bottom), l.axis.addr(top)
	low, high = max(low, least), min(high, most)
	if high < low+leastBytes {
		mid := low + (high-min(high, low))/2
		low = max(least, mid-min(mid, leastBytes/2))
		high = min(most, low+leastBytes)
	}
	s.Low, s.High = low, high
	if low <= least && high >= most {
		s.Low, s.High = 0, 0
	}
}

// offset is the number of used bytes below an address.
func offset(spans []heap.Span, a traceio.Addr) float64 {
	sum := 0.0
	for _, x := range spans {
		if a > x.Low {
			sum += float64(min(a, x.High) - x.Low)
		}
	}
	return sum
}

// address is the inverse of offset. Where two spans meet, it is the end of the lower one or the beginning of the upper.
func address(spans []heap.Span, off float64, end bool) traceio.Addr {
	for i, x := range spans {
		size := float64(x.Size())
		if off < size || end && off == size || i == len(spans)-1 {
			return x.Low + traceio.Addr(min(off, size))
		}
		off -= size
	}
	return 0
}

// Reach is how much time lies within the pointer's reach.
func Reach(s State, size scene.Size) heap.Time {
	if s.Heap == nil || s.Heap.Count() == 0 {
		return 0
	}
	l := newLayout(&s, size)
	return heap.Time(2*reach*float64(l.to-l.from)/max(l.plot.W(), 1)) + 1
}

// LevelAt is the share of its map's height, from below, at which p lies.
func LevelAt(s State, size scene.Size, p scene.Point) float64 {
	l := newLayout(&s, size)
	room := scene.Rect{Min: l.plot.Min, Max: scene.Point{X: l.plot.Max.X, Y: l.bar.Max.Y}}
	if s.Page != MapPage {
		cells, whole, _ := grid(&s, size)
		room = whole.plot
		for i := range cells {
			if c := &cells[i]; s.Page == AddressPage && c.plot.Contains(p) {
				room = scene.Rect{Min: c.plot.Min, Max: c.bar.Max}
			}
		}
	}
	return min(1, max(0, (room.Max.Y-p.Y)/max(room.H(), 1)))
}
