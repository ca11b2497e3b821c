package heap

import (
	"unsafe"

	"orrery/traceio"
)

// lookAhead finds out where the next events will look while others are taken in. An event spends most of its time
// waiting for memory: for its page of the live set and the block that stands there, and then for that block's entry in
// the table. So events pass in runs of 64, and what the next two runs need is on its way already:
//
//	run k     is taken in
//	run k+1   knows which blocks stand at its addresses, and has their entries fetched
//	run k+2   has its pages of the live set fetched
type lookAhead struct {
	live   *live
	events []traceio.Alloc
	now    int              // the run that is taken in
	spots  [steps][run]spot // of the runs that are on their way, by number of the run modulo steps
}

const (
	steps = 4 // a power of two over the runs on their way

	mostAhead = 1 << 12 // events for which there is room in the table before they are taken in
)

// begin starts with new events.
func (a *lookAhead) begin(l *live, events []traceio.Alloc, ends []blockEnd) {
	a.live, a.events = l, events
	a.findSpots(0)
	a.findSpots(1)
	a.fetch(0, ends)
}

// run is the events of run k, none behind the last.
func (a *lookAhead) run(k int) []traceio.Alloc {
	n := len(a.events)
	return a.events[min(k*run, n):min((k+1)*run, n)]
}

// next fetches for the runs behind run k, which is taken in next, and gives the spots of its events.
func (a *lookAhead) next(k int, ends []blockEnd) *[run]spot {
	a.now = k
	a.findSpots(k + 2)
	a.fetch(k+1, ends)
	return &a.spots[k%steps]
}

// renew finds all spots again, as the live set has other ones now.
func (a *lookAhead) renew() {
	for i := range steps - 1 {
		a.findSpots(a.now + i)
	}
}

// findSpots finds where the events of run k look, and makes room for those that allocate.
func (a *lookAhead) findSpots(k int) {
	events, spots := a.run(k), &a.spots[k%steps]
	for i := 0; i < len(events); i++ {
		if i += findKnown(a.live, events[i:], spots[i:]); i < len(events) {
			spots[i] = a.live.lookUp(&events[i])
		}
	}
}

// findKnownAny finds where events look up to the first one for which that takes more than a glance, and tells how many
// those are.
func findKnownAny(l *live, events []traceio.Alloc, spots []spot) (found int) {
	for i := range events {
		key := uint64(events[i].Addr) >> (l.shift & 63)
		chunk := key >> (pageBits + chunkBits)
		n := &l.near[chunk%nearChunks]
		if n.chunk != chunk+1 {
			return i
		}
		at := l.places[n.at|key>>pageBits%chunkSize]
		if at.ids == 0 {
			return i
		}
		spots[i] = spot{at.page - 1, l.entry(at.ids, key)}
	}
	return len(events)
}

// fetch fetches the entries of the blocks that stand where the events of run k look.
func (a *lookAhead) fetch(k int, ends []blockEnd) {
	fetchBlocks(a.live, a.spots[k%steps][:len(a.run(k))], unsafe.Pointer(unsafe.SliceData(ends)))
}

// lookUp is where an event looks, with room if it allocates.
func (l *live) lookUp(e *traceio.Alloc) spot {
	if e.Op == traceio.Free || e.Addr == 0 || e.Addr == ^traceio.Addr(0) {
		return l.spot(e.Addr)
	}
	return l.room(e.Addr)
}
