package heap

import (
	"unsafe"

	"orrery/traceio"
)

// ahead looks at events in advance. An event spends most of its time waiting for memory: for a page of the live set, for what
// stands there, and then for the block. So events go through in groups, and while one group is taken in, what the next three
// will need is on its way:
//
//	group k     is taken in
//	group k+1   knows what stands at its addresses, and has its blocks fetched
//	group k+2   has its pages, and what stands at its addresses fetched
//	group k+3   has its pages fetched
type ahead struct {
	live   *live
	events []traceio.Alloc
	shift  uint
	pages  [steps][group]int32 // of the groups that are on their way, by number of the group modulo steps
}

const (
	group = 32 // events; a run is two groups
	steps = 4

	mostAhead = 1 << 12 // events for which there is room before they are taken in
)

// begin starts with new events.
func (a *ahead) begin(l *live, events []traceio.Alloc, blocks unsafe.Pointer) {
	a.live, a.events, a.shift = l, events, l.shift
	for k := range steps - 1 {
		a.findPages(k)
	}
	for k := range steps - 2 {
		a.fetchEntries(k)
	}
	a.fetchBlocks(0, blocks)
}

// group is the events of group k, none behind the last.
func (a *ahead) group(k int) []traceio.Alloc {
	n := len(a.events)
	return a.events[min(k*group, n):min((k+1)*group, n)]
}

// next fetches for the groups behind group k, which is taken in next, and gives the pages of its events. blocks is where
// eight bytes for each block begin.
func (a *ahead) next(k int, blocks unsafe.Pointer) *[group]int32 {
	a.findPages(k + 3)
	a.fetchEntries(k + 2)
	a.fetchBlocks(k+1, blocks)
	return &a.pages[k%steps]
}

// renew forgets all pages if the live set has other ones now.
func (a *ahead) renew() {
	if a.live.shift == a.shift {
		return
	}
	a.shift = a.live.shift
	for k := range a.pages {
		for i := range a.pages[k] {
			a.pages[k][i] = -1
		}
	}
}

func (a *ahead) findPages(k int) {
	var offsets [group]uint64
	pages := &a.pages[k%steps]
	for i := range a.group(k) {
		pages[i] = a.live.page(a.events[k*group+i].Addr)
		offsets[i] = uint64(max(pages[i], 0)) * uint64(unsafe.Sizeof(livePage{}))
	}
	fetch(unsafe.Pointer(unsafe.SliceData(a.live.pages)), &offsets)
}

func (a *ahead) fetchEntries(k int) {
	var offsets [group]uint64
	for i := range a.group(k) {
		offsets[i] = 4 * uint64(a.entry(k, i))
	}
	fetch(unsafe.Pointer(unsafe.SliceData(a.live.ids)), &offsets)
}

func (a *ahead) fetchBlocks(k int, blocks unsafe.Pointer) {
	var offsets [group]uint64
	for i := range a.group(k) {
		if at := a.entry(k, i); at < len(a.live.ids) {
			offsets[i] = 8 * uint64(max(a.live.ids[at], 1)-1)
		}
	}
	fetch(blocks, &offsets)
}

// entry is the index in live.ids for event i of group k.
func (a *ahead) entry(k, i int) int {
	page := a.pages[k%steps][i]
	if page < 0 {
		return 0
	}
	return int(max(a.live.pages[page].ids, 1)-1)*pageSize + int(uint64(a.events[k*group+i].Addr)>>a.live.shift%pageSize)
}
