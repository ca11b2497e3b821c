package heap

import (
	"unsafe"

	"orrery/traceio"
)

// ahead looks at events in advance. An event spends most of its time waiting for memory: for its page of the live set and
// what stands there, and then for the block. So events go through in groups, and while one group is taken in, what the next
// two will need is on its way:
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
	a.fetchBlocks(0, blocks)
}

// group is the events of group k, none behind the last.
func (a *ahead) group(k int) []traceio.Alloc {
	n := len(a.events)
	return a.events[min(k*group, n):min((k+1)*group, n)]
}

// next fetches for the groups behind group k, which is taken in next, and gives the spots of its events. blocks is where
// eight bytes for each block begin.
func (a *ahead) next(k int, blocks unsafe.Pointer) *[group]spot {
	a.findSpots(k + 2)
	a.fetchBlocks(k+1, blocks)
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
	var pages, ids [group]uint64
	l, events := a.live, a.group(k)
	shift, places := l.shift&63, l.places
	spots := &a.spots[k%steps]
	for i := range events {
		e := &events[i]
		key := uint64(e.Addr) >> shift
		chunk, s := key>>(pageBits+chunkBits), spot{-1, -1}
		if n := &l.near[chunk%nearChunks]; n.chunk == chunk+1 {
			at := places[n.at|key>>pageBits%chunkSize]
			s = spot{at.page - 1, l.entry(at.ids, key)}
		}
		if s.id < 0 {
			s = l.lookUp(e)
			places = l.places
		}
		spots[i%group] = s
		pages[i%group], ids[i%group] = uint64(max(s.page, 0))*uint64(unsafe.Sizeof(livePage{})), 4*uint64(max(s.id, 0))
	}
	fetch(unsafe.Pointer(unsafe.SliceData(l.pages)), &pages)
	fetch(unsafe.Pointer(unsafe.SliceData(l.ids)), &ids)
}

// lookUp is where an event looks, with room if it allocates.
func (l *live) lookUp(e *traceio.Alloc) spot {
	if e.Op == traceio.Free || e.Addr == 0 || e.Addr == ^traceio.Addr(0) {
		return l.spot(e.Addr)
	}
	return l.room(e.Addr)
}

// fetchBlocks fetches the blocks that the events of group k free.
func (a *ahead) fetchBlocks(k int, blocks unsafe.Pointer) {
	var offsets [group]uint64
	spots, events := &a.spots[k%steps], a.group(k)
	for i := range events {
		if at := spots[i%group].id; at >= 0 && events[i].Op == traceio.Free {
			offsets[i%group] = 8 * uint64(max(a.live.ids[at]>>1, 1)-1)
		}
	}
	fetch(blocks, &offsets)
}
