package heapmap

import (
	"slices"
	"sync"

	"orrery/analysis/heap"
)

// Strokes of four blocks at a time need one byte of each that tells all that pixels want to know of it but its place.
// Where all blocks are drawn in full that is their class. Where something is chosen, or some of them are not to be
// seen, it is made for all blocks at once, when the first image wants it.

// absent is the mark of a block that is not drawn.
const absent = 0x7f

// marks are those of all blocks, in the heap's Order: the class, which is 0 of amounts, with dimStroke; or absent.
type marks struct {
	once sync.Once
	list []uint8
}

// marked is the marks of all blocks, nil for amounts that are all drawn in full; some reports whether blocks are
// absent.
func (c *look) marked() (list []uint8, some bool) {
	some = c.colors.class != nil && slices.Contains(c.skip, true)
	if !some && c.dim == nil && c.through == nil {
		return c.colors.class, false
	}
	c.marks.once.Do(func() { c.marks.list = c.mark() })
	return c.marks.list, some
}

// mark makes the marks.
func (c *look) mark() (out []uint8) {
	dim := func(keeps []bool) []uint8 {
		of := make([]uint8, len(keeps))
		for i, keep := range keeps {
			if !keep {
				of[i] = dimStroke
			}
		}
		return of
	}
	switch {
	case c.through != nil:
		out = c.h.ByStack(dim(c.through))
	case c.dim != nil:
		out = c.h.BySite(dim(c.dim))
	default:
		out = make([]uint8, c.h.Count())
	}
	var of [maxClasses + 1]uint8
	for class := range c.skip {
		if of[class] = uint8(class); c.skip[class] {
			of[class] = absent
		}
	}
	for i, class := range c.colors.class {
		if out[i] |= of[class]; of[class] == absent {
			out[i] = absent
		}
	}
	return out
}

// binning is the bins of all blocks of a heap, in its Order, made when an image of one bin wants them.
type binning struct {
	h    *heap.Heap
	once sync.Once
	list []uint16
}

func (b *binning) bins() []uint16 {
	b.once.Do(func() {
		all := make([]uint16, b.h.Count())
		for id := range all {
			all[id] = uint16(b.h.Bin(id))
		}
		b.list = make([]uint16, len(all))
		for i, id := range b.h.Order() {
			b.list[i] = all[id]
		}
	})
	return b.list
}

// mask is the marks of a leaf's blocks; false where none of them is drawn.
func (p *painter) mask(l *heap.Leaf) (list []uint8, any bool) {
	n := len(l.Offsets)
	if p.bins == nil {
		if p.marks == nil {
			return p.leafMarks[:n], true
		}
		return p.marks[l.First : l.First+n], true
	}
	list = p.leafMarks[:n]
	for i, bin := range p.bins[l.First : l.First+n] {
		switch {
		case int(bin) != p.bin:
			list[i] = absent
			continue
		case p.marks != nil:
			list[i] = p.marks[l.First+i]
		default:
			list[i] = 0
		}
		any = any || list[i] != absent
	}
	return list, any
}

// drop takes away the strokes of absent blocks from the n-th one on.
func (p *painter) drop(n int) {
	for i := n; i < p.n; i++ {
		if p.strokes[i].class != absent {
			p.strokes[n] = p.strokes[i]
			n++
		}
	}
	p.n = n
}
