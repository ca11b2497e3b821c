package heap

// BySite gives each block, in Order, what of has for the site that allocated it. It is what a loop with SiteOf does,
// for millions of blocks.
func (h *Heap) BySite(of []uint8) []uint8 {
	byStack := make([]uint8, len(h.sites))
	for stack, site := range h.sites {
		byStack[stack] = of[site]
	}
	return h.ByStack(byStack)
}

// ByStack gives each block, in Order, what of has for the stack that allocated it, with SiteOfStack's and Through's
// numbers. Blocks are gone through as they lie in memory first, and what is then fetched in the order of the index is
// small.
func (h *Heap) ByStack(of []uint8) []uint8 {
	all := make([]uint8, h.Count())
	for i, stack := range h.blocks.stacks[:len(all)] {
		if int(stack) >= len(of) { // one that the program does not know
			stack = 0
		}
		all[i] = of[stack]
	}
	out := make([]uint8, len(all))
	for i, id := range h.Order() {
		out[i] = all[id]
	}
	return out
}
