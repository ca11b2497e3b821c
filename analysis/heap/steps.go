package heap

// Steps calls f for every allocation and every free before time to, in order, until it gives false: when it was, in which bin, and
// how many bytes asked for are live after it, in the bin and in all. A reallocation is two steps.
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
