package cachesim

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"orrery/traceio"
)

// ServedBetween tells which level had the data of each data reference in [from, to), in order.
func (r *Replay) ServedBetween(from, to traceio.Seq) ([]Served, error) {
	to = min(to, r.Len())
	if from >= to {
		return nil, nil
	}
	out := make([]Served, 0, to-from)
	err := r.serve(from, to, func(k traceio.Kind, _ traceio.Thread, s Served) {
		if k != traceio.Fetch {
			out = append(out, s)
		}
	})
	return out, err
}

// presume fills served with what most rows are served by: the first level. Eight kinds are looked at at a time, where
// loads and stores have the same one.
func (h *Hierarchy) presume(kinds []traceio.Kind, served []Served) {
	var first [4]Served
	for k := range first {
		if l := h.entries[k].level; l != nil {
			first[k] = l.served
		}
	}
	n := 0
	if first[traceio.Load] == first[traceio.Store] {
		data, fetch := uint64(first[traceio.Load]), uint64(first[traceio.Fetch])
		from := unsafe.Slice((*byte)(unsafe.SliceData(kinds)), len(kinds))
		to := unsafe.Slice((*byte)(unsafe.SliceData(served)), len(kinds))
		for ; n+8 <= len(kinds); n += 8 {
			fetches := binary.LittleEndian.Uint64(from[n:]) >> 1 & eachByte
			binary.LittleEndian.PutUint64(to[n:], fetches*fetch|(fetches^eachByte)*data)
		}
	}
	for i, k := range kinds[n:] {
		served[n+i] = first[k&3]
	}
}

// nextAsked is the first row from i on that the levels were asked about, or len(marks).
func nextAsked(marks []uint8, i int) int {
	for ; i+8 <= len(marks); i += 8 {
		if x := binary.LittleEndian.Uint64(marks[i:]) & (asked * eachByte); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for ; i < len(marks) && marks[i] != asked; i++ {
	}
	return i
}

// serve tells from the marks of rows and the notes of the levels which level had the data of each row from a row of the
// block on.
func (h *Hierarchy) serve(b *traceio.Block, from int, served []Served) {
	r := answers{memory: Served(len(h.levels)) * 2}
	for i, l := range h.levels {
		r.notes[i] = l.notes
	}
	h.presume(b.Kind[from:][:len(served)], served)
	marks := h.marks[:len(served)]
	for i := nextAsked(marks, 0); i < len(marks); i = nextAsked(marks, i+1) {
		kind, addr, size := b.Kind[from+i]&3, b.Addr[from+i], b.Size[from+i]
		l := h.entries[kind].level
		if l == nil {
			served[i] = Unserved
			continue
		}
		low, high := extent(addr, size)
		for line := low >> l.bits; ; line++ {
			served[i] = max(served[i], r.request(l, kind == traceio.Store && l.covered(line, low, high)))
			if line == high>>l.bits {
				break
			}
		}
	}
}

// answers goes the way of the requests again, by the notes, and tells who had the data.
type answers struct {
	notes  [MaxLevels][]uint64 // by level, those not yet read
	memory Served
}

// request is one to a level, as in Hierarchy.access.
func (r *answers) request(l *level, whole bool) (s Served) {
	notes := &r.notes[l.served>>1]
	note := (*notes)[0]
	if *notes = (*notes)[1:]; !missed(note) {
		return l.served
	}
	switch s = l.served + 1; {
	case whole:
	case l.next != nil:
		s = r.request(l.next, false)
	default:
		s = r.memory
	}
	if l.next != nil && note != absent && note&dirtyBit != 0 {
		r.request(l.next, l.shift == 0)
	}
	return s
}
