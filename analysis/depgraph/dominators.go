package depgraph

// dominators is the dominator tree of a flow graph and its loops (K. Cooper, T. Harvey, K. Kennedy, "A simple, fast
// dominance algorithm", 2001). Blocks without predecessors are entered from a virtual block before all others, which is
// not listed.
type dominators struct {
	first int32   // the first block entered
	order []int32 // blocks in reverse postorder
	above []int32 // block -> its immediate dominator, -1 for the first ones
	depth []int32 // block -> dominators above it
	loops []int32 // block -> loops it is in
	place []int32 // block -> its place in order
	entry []bool  // block -> control enters the graph here
}

func newDominators(next [][]int32) *dominators {
	n := len(next)
	d := &dominators{above: make([]int32, n), depth: make([]int32, n), loops: make([]int32, n), place: make([]int32, n),
		entry: make([]bool, n)}
	prev := make([][]int32, n)
	for a, row := range next {
		for _, b := range row {
			prev[b] = append(prev[b], int32(a))
		}
	}
	d.walk(next, prev)
	const unknown = -2
	for b := range d.above {
		d.above[b] = unknown
	}
	for changed := true; changed; {
		changed = false
		for _, b := range d.order {
			up := int32(unknown)
			if d.entry[b] {
				up = -1
			}
			for _, a := range prev[b] {
				switch {
				case d.entry[b] || d.above[a] == unknown:
				case up == unknown:
					up = a
				default:
					up = d.meet(up, a)
				}
			}
			if d.above[b] != up {
				d.above[b] = up
				changed = true
			}
		}
	}
	for _, b := range d.order {
		if up := d.above[b]; up >= 0 {
			d.depth[b] = d.depth[up] + 1
		}
	}
	d.findLoops(prev)
	return d
}

// walk finds the reverse postorder, from blocks without predecessors and then from any that is left.
func (d *dominators) walk(next, prev [][]int32) {
	n := len(next)
	seen, at := make([]bool, n), make([]int, n)
	var stack, post []int32
	from := func(root int32) {
		if seen[root] {
			return
		}
		seen[root], d.entry[root] = true, true
		stack = append(stack, root)
		for len(stack) > 0 {
			b := stack[len(stack)-1]
			if at[b] == len(next[b]) {
				post = append(post, b)
				stack = stack[:len(stack)-1]
				continue
			}
			// The last successor first: in reverse the first one follows its block.
			c := next[b][len(next[b])-1-at[b]]
			if at[b]++; !seen[c] {
				seen[c] = true
				stack = append(stack, c)
			}
		}
	}
	for pass := range 2 {
		for b := n - 1; b >= 0; b-- {
			if pass == 1 || len(prev[b]) == 0 {
				from(int32(b))
			}
		}
	}
	d.order = make([]int32, n)
	for i, b := range post {
		d.order[n-1-i] = b
		d.place[b] = int32(n - 1 - i)
	}
	if n > 0 {
		d.first = d.order[0]
	}
}

// meet is the lowest common dominator of both, -1 when that is the virtual block.
func (d *dominators) meet(a, b int32) int32 {
	for a != b {
		if a < 0 || b < 0 {
			return -1
		}
		if d.place[a] > d.place[b] {
			a = d.above[a]
		} else {
			b = d.above[b]
		}
	}
	return a
}

// common is meet with defaults: a block below zero is undecided and yields the other; without a common dominator it is
// the first block.
func (d *dominators) common(a, b int32) int32 {
	if a < 0 {
		return b
	}
	if m := d.meet(a, b); m >= 0 {
		return m
	}
	return d.first
}

// dominates reports whether every path to b passes a.
func (d *dominators) dominates(a, b int32) bool {
	for b >= 0 && b != a {
		b = d.above[b]
	}
	return b == a
}

// findLoops counts for each block the natural loops it is in: one for each head that an edge leads back to from a block
// it dominates.
func (d *dominators) findLoops(prev [][]int32) {
	for _, head := range d.order {
		in := map[int32]bool{head: true}
		var work []int32
		loop := false
		for _, a := range prev[head] {
			if d.dominates(head, a) {
				loop = true
				if !in[a] {
					in[a] = true
					work = append(work, a)
				}
			}
		}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			for _, a := range prev[b] {
				if !in[a] {
					in[a] = true
					work = append(work, a)
				}
			}
		}
		if loop {
			for b := range in {
				d.loops[b]++
			}
		}
	}
}
