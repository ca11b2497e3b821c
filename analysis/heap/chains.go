package heap

import (
	"cmp"
	"slices"
	"sort"
)

// Link is a reallocation: block From became block To. A log tells of one by a free and an allocation that its thread
// makes in a row from one call (the same stack), or at one reference. heaptrack's raw data, whose frees have no stacks,
// does not.
type Link struct{ From, To int32 }

// Next is the block that block id was reallocated to, -1 for none.
func (h *Heap) Next(id int) int {
	x := h.index
	x.linksOnce.Do(func() {
		x.links = slices.Clone(h.Links)
		slices.SortFunc(x.links, func(a, b Link) int { return cmp.Compare(a.From, b.From) })
	})
	at := sort.Search(len(x.links), func(i int) bool { return int(x.links[i].From) >= id })
	if at < len(x.links) && int(x.links[at].From) == id {
		return int(x.links[at].To)
	}
	return -1
}

// Previous is the block that was reallocated to block id, -1 for none.
func (h *Heap) Previous(id int) int {
	at := sort.Search(len(h.Links), func(i int) bool { return int(h.Links[i].To) >= id })
	if at < len(h.Links) && int(h.Links[at].To) == id {
		return int(h.Links[at].From)
	}
	return -1
}

// Chain is the blocks that one buffer was in, by reallocations.
type Chain struct {
	Blocks []int32
	Moves  int    // how often it changed its address
	Copied uint64 // bytes that moved with it: at each move the smaller of the two sizes
	Most   uint64 // its largest size
}

// Chains is all chains, those first that copied most bytes, then the longest.
func (h *Heap) Chains() []Chain {
	var out []Chain
	at := map[int32]int{} // the chain that ends with a block
	for _, l := range h.Links {
		i, ok := at[l.From]
		if !ok {
			i = len(out)
			out = append(out, Chain{Blocks: []int32{l.From}, Most: h.blocks.size(l.From)})
		}
		delete(at, l.From)
		at[l.To] = i
		c, from, to := &out[i], h.Block(int(l.From)), h.Block(int(l.To))
		c.Blocks = append(c.Blocks, l.To)
		c.Most = max(c.Most, to.Size)
		if from.Low != to.Low {
			c.Moves++
			c.Copied += min(from.Size, to.Size)
		}
	}
	slices.SortStableFunc(out, func(a, b Chain) int {
		return cmp.Or(cmp.Compare(b.Copied, a.Copied), cmp.Compare(len(b.Blocks), len(a.Blocks)))
	})
	return out
}
