package cachesim

import "orrery/traceio"

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

// serve tells from the marks of rows and the notes of the levels which level had the data of each row from a row of the block on.
func (h *Hierarchy) serve(b *traceio.Block, from int, served []Served) {
	r := answers{memory: Served(len(h.levels)) * 2}
	for i, l := range h.levels {
		r.notes[i] = l.notes
	}
	h.presume(b.Kind[from:][:len(served)], served)
	for i, mark := range h.marks[:len(served)] {
		if mark != asked {
			continue
		}
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
