package layout

// turn makes arcs of the part's edges so that they have no cycle. A depth-first search that begins at nodes nothing leads to, and
// goes on in the order of the input, meets an edge that leads back to a node it is still below: those run upwards. In a
// compiler's graph they are the edges that close a loop.
func (p *part) turn(g Graph) {
	n := len(p.node)
	p.arcs = p.room.arcs.raw(len(p.edge))
	start, in := p.ints.take(n+1), p.ints.take(n)
	enter, leave := p.floats.raw(n), p.floats.raw(n) // slots of the latest edges
	for i, e := range p.edge {
		x := &g.Edges[e]
		p.arcs[i] = arc{edge: e, lo: p.own[x.From], hi: p.own[x.To], loX: x.FromX, hiX: x.ToX, weight: max(x.Weight, 1), times: max(x.times, 1), chain: direct}
		v, w := p.own[x.From], p.own[x.To]
		p.manyOut = p.manyOut || start[v+1] > 0 && leave[v] != x.FromX
		p.manyIn = p.manyIn || in[w] > 0 && enter[w] != x.ToX
		start[v+1]++
		in[w]++
		leave[v], enter[w] = x.FromX, x.ToX
	}
	for v := range n {
		start[v+1] += start[v]
	}
	row, next := p.ints.raw(len(p.arcs)), p.ints.raw(n)
	copy(next, start)
	for i := range p.arcs {
		v := p.arcs[i].lo
		row[next[v]] = int32(i)
		next[v]++
	}
	copy(next, start)
	const (
		fresh = iota
		open
		done
	)
	state, stack := p.ints.take(n), p.ints.spare(n)
	search := func(root int32) {
		if state[root] != fresh {
			return
		}
		state[root] = open
		stack = append(stack, root)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			if next[v] == start[v+1] {
				state[v] = done
				stack = stack[:len(stack)-1]
				continue
			}
			a := &p.arcs[row[next[v]]]
			next[v]++
			switch state[a.hi] {
			case fresh:
				state[a.hi] = open
				stack = append(stack, a.hi)
			case open:
				a.back = true
			}
		}
	}
	for v := range int32(n) {
		if in[v] == 0 {
			search(v)
		}
	}
	for v := range int32(n) {
		search(v)
	}
	for i := range p.arcs {
		if a := &p.arcs[i]; a.back {
			a.lo, a.hi, a.loX, a.hiX = a.hi, a.lo, a.hiX, a.loX
		}
	}
}
