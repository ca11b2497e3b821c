package heap

import (
	"unsafe"

	"orrery/traceio"
)

// ahead looks at events in advance. An event spends most of its time waiting for memory: for its page of the live set
// and what stands there, and then for the block. So events go through in groups, and while one group is taken in, what
// the next two will need is on its way:
//
//	group k     is taken in
//	group k+1   knows what stands at its addresses, and has its blocks fetched
//	group k+2   has its pages and what stands at its addresses fetched
type ahead struct {
	live   *live
	events []traceio.Alloc
	shift  uint // of the live set, and what shares an id there, when spots were found
	shared uint
	spots  [steps][group]spot // of the groups that are on their way, by number of the group modulo steps
}

const (
	group = 32 // events; a run is two groups
	steps = 4  // a power of two over the groups on their way

	mostAhead = 1 << 12 // events for which there is room before they are taken in
)

// begin starts with new events.
func (a *ahead) begin(l *live, events []traceio.Alloc, blocks unsafe.Pointer) {
	a.live, a.events, a.shift, a.shared = l, events, l.shift, l.shared
	a.findSpots(0)
	a.findSpots(1)
	fetchBlocks(l, a.spots[0][:len(a.group(0))], blocks)
}

// group is the events of group k, none behind the last.
func (a *ahead) group(k int) []traceio.Alloc {
	n := len(a.events)
	return a.events[min(k*group, n):min((k+1)*group, n)]
}

// next fetches for the groups behind group k, which is taken in next, and gives the spots of its events. blocks is
// where eight bytes for each block begin.
func (a *ahead) next(k int, blocks unsafe.Pointer) *[group]spot {
	a.findSpots(k + 2)
	fetchBlocks(a.live, a.spots[(k+1)%steps][:len(a.group(k+1))], blocks)
	return &a.spots[k%steps]
}

// renew finds all spots again if the live set has other ones now.
func (a *ahead) renew(k int) {
	if a.live.shift == a.shift && a.live.shared == a.shared {
		return
	}
	a.shift, a.shared = a.live.shift, a.live.shared
	for i := k; i < k+steps-1; i++ {
		a.findSpots(i)
	}
}

// findSpots finds where the events of group k look, and makes room for those that allocate.
func (a *ahead) findSpots(k int) {
	events, spots := a.group(k), &a.spots[k%steps]
	for i := 0; i < len(events); i++ {
		if i += findKnown(a.live, events[i:], spots[i:]); i < len(events) {
			spots[i%group] = a.live.lookUp(&events[i])
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

// lookUp is where an event looks, with room if it allocates.
func (l *live) lookUp(e *traceio.Alloc) spot {
	if e.Op == traceio.Free || e.Addr == 0 || e.Addr == ^traceio.Addr(0) {
		return l.spot(e.Addr)
	}
	return l.room(e.Addr)
}
