package heapmap

import (
	"cmp"
	"image/color"
	"slices"

	"orrery/views/link"
)

// Like is the colours of another run's blocks. Two runs side by side can be compared where the same place, function or
// bin has the same colour in both, and as many bytes, too.
type Like struct{ c *coloring }

// Like is the colours of a state whose frame was drawn last; no colours while they are being made.
func (r *Renderer) Like(s State) Like {
	if s.Heap == nil {
		return Like{}
	}
	return Like{r.colors(&s)}
}

// order puts the classes that the other run has, too, to the front, in its order, and gives their colours. Nil tells
// that there are none, and the order is as it was.
func (l Like) order(by ColorBy, groups []Entry, order []int) (colors []color.NRGBA) {
	if l.c == nil || l.c.by != by {
		return nil
	}
	place := map[string]int{}
	for i, e := range slices.Backward(l.c.entries) {
		place[e.Name] = i
	}
	taken := map[string]bool{}
	at := make([]int, len(groups))
	for _, g := range order {
		name := groups[g].Name
		i, ok := place[name]
		if at[g] = i; !ok || taken[name] {
			at[g] = len(l.c.entries)
			continue
		}
		taken[name] = true
	}
	if len(taken) == 0 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	for _, g := range order[:len(taken)] {
		colors = append(colors, l.c.entries[at[g]].Color)
	}
	return colors
}

// Counterpart is what a thing of one run is in another one: the blocks of the place with the same name, the function or
// the line itself. Numbers of blocks, addresses and times are one run's own, and nothing in the other.
func Counterpart(from, to *State, t link.Thing) link.Thing {
	switch t.What {
	case link.Function, link.Line:
		return t
	case link.Region:
		for i := range from.Heap.Sites {
			if from.siteThing(i) != t {
				continue
			}
			name := from.Heap.Sites[i].Name()
			for k := range to.Heap.Sites {
				if to.Heap.Sites[k].Name() == name {
					return to.siteThing(k)
				}
			}
		}
		return t
	}
	return link.Thing{}
}
