package heaplog

import (
	"unsafe"

	"orrery/traceio"
)

// scan is what the assembly takes in.
type scan struct {
	at    unsafe.Pointer // the next line
	last  unsafe.Pointer // the last place for one
	out   unsafe.Pointer // where the next event goes, of as many
	room  int
	nodes []node
	ticks traceio.Ticks
}

// The operations as numbers.
const (
	opMalloc = uint8(traceio.Malloc)
	opFree   = uint8(traceio.Free)
)

// scan takes in those lines at the front of a buffer that are the simplest; it tells how many of its bytes they were.
func (h *heaptrackLog) scan(buf []byte) (used int) {
	l := &h.log
	room := perBlock - 1 - len(l.out)
	out := l.out[:len(l.out)+room]
	s := scan{at: unsafe.Pointer(&buf[0]), last: unsafe.Pointer(&buf[len(buf)-longestEvent]),
		out: unsafe.Pointer(&out[len(l.out)]), room: room, nodes: h.nodes, ticks: l.ticks}
	scanLines(&s)
	n := room - s.room
	l.out = out[:len(l.out)+n]
	l.used += uint64(n)
	l.lines.count += uint64(n)
	return int(uintptr(s.at) - uintptr(unsafe.Pointer(&buf[0])))
}
