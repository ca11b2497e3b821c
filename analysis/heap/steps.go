package heap

// Steps calls f for every allocation and every free before time to, in order, until it gives false: when it was, in
// which bin, and how many bytes asked for are live after it, in the bin and in all. A reallocation is two steps.
func (h *Heap) Steps(to Time, f func(at Time, bin int, inBin, all uint64) bool) {
	live := make([]uint64, len(h.Bins))
	all := uint64(0)
	for s := h.stateAt(0); s.event < h.history.n; {
		at := h.time(s.event)
		if at >= to {
			return
		}
		died, born := s.step(h)
		if died >= 0 {
			k, size := h.Bin(int(died)), h.blocks.size(died)
			live[k] -= size
			if all -= size; !f(at, k, live[k], all) {
				return
			}
		}
		if born >= 0 {
			k, size := h.Bin(int(born)), h.blocks.size(born)
			live[k] += size
			if all += size; !f(at, k, live[k], all) {
				return
			}
		}
	}
}

// Changes calls f for every block that is freed or allocated at a time after the first one given, and not after the
// second one, in order. Live counts what has happened by a time in the same way.
func (h *Heap) Changes(after, to Time, f func(id int, born bool)) {
	for s := h.stateAt(h.eventAfter(after)); s.event < h.history.n && h.time(s.event) <= to; {
		died, born := s.step(h)
		if died >= 0 {
			f(int(died), false)
		}
		if born >= 0 {
			f(int(born), true)
		}
	}
}
