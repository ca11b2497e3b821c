package heap

import (
	"math"
)

// layout lays out one slab after the other.
type layout struct {
	x      *index
	births []uint32 // the events that made each block
	whole  Rect     // only its times
	width  int      // of a block's number, in bits
	rects  []Rect   // of the slab in order of address
	timed  []entry  // of the slab in order of time: number of the block, and its place in order of address
	other  []entry
	open   []Rect // of each row the leaf that is being filled,
	fill   []int  // and with how many
}

// rect is Heap.rect.
func (l *layout) rect(id int32) Rect {
	h := l.x.heap
	return h.rectFrom(id, h.time(int(l.births[id])))
}

// slab lays out leaves [first, last) in as many rows as make a small query meet the fewest of them.
func (l *layout) slab(first, last int) {
	x := l.x
	ids := x.ids[first*leafSize : min(last*leafSize, len(x.ids))]
	l.rects, l.timed = l.rects[:0], l.timed[:0]
	box := nothing
	for place, id := range ids {
		l.rects = append(l.rects, l.rect(id))
		l.timed = append(l.timed, entry{uint32(id), int32(place)})
		box.cover(l.rects[place])
	}
	l.other = append(l.other[:0], l.timed...)
	if sorted := radix(l.timed, l.other, l.width); &sorted[0] != &l.timed[0] {
		l.timed, l.other = l.other, l.timed
	}
	rows, best := 1, math.Inf(1)
	for n := 1; n <= 2*(last-first); n *= 4 { // n rows, and at the end one for each leaf
		if cost := l.cost(box, min(n, last-first)); cost < best {
			best, rows = cost, min(n, last-first)
		}
	}
	s := slab{box: box, first: len(x.rows)}
	per := (last - first + rows - 1) / rows
	l.deal(ids, per*leafSize)
	for a := first; a < last; a += per {
		l.row(a, min(a+per, last))
	}
	s.last = len(x.rows)
	x.slabs = append(x.slabs, s)
}

// Queries that the layout is made for: a few pixels wide, a thirty-second of a slab high.
const (
	queryWidth  = 256
	queryHeight = 32
)

// cost is about how many leaves such a query meets if the slab is laid out in rows.
func (l *layout) cost(box Rect, rows int) float64 {
	leaves := (len(l.rects) + leafSize - 1) / leafSize
	per := (leaves + rows - 1) / rows * leafSize
	width, height := float64(l.whole.To-l.whole.From)/queryWidth, float64(box.High-box.Low)/queryHeight
	l.open, l.fill = l.open[:0], l.fill[:0]
	for range rows {
		l.open, l.fill = append(l.open, nothing), append(l.fill, 0)
	}
	sum := 0.0
	end := func(leaf *Rect) {
		sum += (float64(leaf.To-leaf.From) + width) * (float64(leaf.High-leaf.Low) + height)
		*leaf = nothing
	}
	for _, e := range l.timed {
		row := int(e.id) / per
		l.open[row].cover(l.rects[e.id])
		if l.fill[row]++; l.fill[row]%leafSize == 0 {
			end(&l.open[row])
		}
	}
	for row, n := range l.fill {
		if n%leafSize > 0 {
			end(&l.open[row])
		}
	}
	return sum
}

// deal puts the numbers of a slab's blocks into rows of per, each in order of time.
func (l *layout) deal(ids []int32, per int) {
	l.fill = l.fill[:0]
	for a := 0; a < len(ids); a += per {
		l.fill = append(l.fill, a)
	}
	for _, e := range l.timed {
		row := int(e.id) / per
		ids[l.fill[row]] = int32(e.place)
		l.fill[row]++
	}
}

// row makes leaves [first, last), whose blocks are in order of time.
func (l *layout) row(first, last int) {
	x := l.x
	s := slab{box: nothing, first: first, last: last}
	for leaf := first; leaf < last; leaf++ {
		box := &x.leaves[leaf]
		*box = nothing
		a, z := leaf*leafSize, min((leaf+1)*leafSize, len(x.ids))
		for _, id := range x.ids[a:z] {
			box.cover(l.rect(id))
		}
		for i, id := range x.ids[a:z] {
			x.rects[a+i] = pack(l.rect(id), box)
		}
		s.box.cover(*box)
	}
	x.rows = append(x.rows, s)
}
