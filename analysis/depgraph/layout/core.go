package layout

// core is what remains of a graph when the vertices are removed whose rank follows from a neighbour's: of a sparse
// graph less than half, and network simplex is run on that. Ranks of least cost for the core extend to ranks of least
// cost for all:
//
//	one constraint            v stays as near to its neighbour as it may
//	one in and one out        v stays near the end with the heavier constraint; one constraint, as long
//	                          as both and with the lighter weight, takes the place of the two
//	two between the same      become one with both weights and the longer length
type core struct {
	*scratch
	constraints []constraint
	absent      int32   // the number of constraints: stands in mergedInto for those that were removed
	mergedInto  []int32 // constraint -> the one it has become part of, often itself (union-find)
	incidence           // of the whole graph
	degree      []int32 // vertex -> constraints left; -1 when it is removed
	removed     []removedVertex
	pending     []int32 // vertices to try
}

// removedVertex has the rank of u plus offset.
type removedVertex struct{ v, u, offset int32 }

// newCore removes vertices until none with one or two constraints can go.
func (m *scratch) newCore(in incidence, constraints []constraint) *core {
	n, start := len(in.start)-1, in.start
	c := &core{
		scratch: m, incidence: in, constraints: raw[constraint](m, len(constraints)),
		absent: int32(len(constraints)), mergedInto: raw[int32](m, len(constraints)+1),
		degree: raw[int32](m, n), removed: spare[removedVertex](m, n),
		pending: spare[int32](m, n+len(constraints)+1),
	}
	copy(c.constraints, constraints)
	for e := range c.mergedInto {
		c.mergedInto[e] = int32(e)
	}
	for v := range int32(n) {
		if c.degree[v] = start[v+1] - start[v]; c.degree[v] < 3 {
			c.pending = append(c.pending, v)
		}
	}
	for len(c.pending) > 0 {
		v := c.pending[len(c.pending)-1]
		c.pending = c.pending[:len(c.pending)-1]
		c.reduce(v)
	}
	return c
}

// reduce removes a vertex with one or two constraints if it can.
func (c *core) reduce(v int32) {
	if c.degree[v] != 1 && c.degree[v] != 2 {
		return
	}
	var two [2]int32
	n := int32(0)
	for _, e := range c.at[c.start[v]:c.start[v+1]] {
		if e = find(c.mergedInto, e); e != c.absent {
			two[n] = e
			if n++; n == c.degree[v] {
				break
			}
		}
	}
	t := &c.constraints[two[0]]
	if n == 1 {
		c.drop(two[0])
		if t.lo == v {
			c.remove(v, t.hi, -t.length)
		} else {
			c.remove(v, t.lo, t.length)
		}
		return
	}
	in, on := two[0], two[1]
	if t.lo == v {
		in, on = on, in
	}
	a, b := &c.constraints[in], &c.constraints[on]
	if a.hi != v || b.lo != v {
		return // a source or a sink with two: its rank is a matter of choice
	}
	if a.weight >= b.weight {
		c.remove(v, a.lo, a.length)
	} else {
		c.remove(v, b.hi, -b.length)
	}
	c.mergedInto[on] = in
	*a = constraint{a.lo, b.hi, a.length + b.length, min(a.weight, b.weight)}
	c.mergeParallel(in)
}

// remove notes that v has the rank of u plus offset.
func (c *core) remove(v, u, more int32) {
	c.removed = append(c.removed, removedVertex{v, u, more})
	c.degree[v] = -1
}

// drop removes a constraint.
func (c *core) drop(e int32) {
	c.mergedInto[e] = c.absent
	for _, v := range [2]int32{c.constraints[e].lo, c.constraints[e].hi} {
		if c.degree[v]--; c.degree[v] == 1 || c.degree[v] == 2 {
			c.pending = append(c.pending, v)
		}
	}
}

// mergeParallel looks for another constraint between the ends of a new one, among those of the end with fewer, and
// merges it.
func (c *core) mergeParallel(e int32) {
	t := &c.constraints[e]
	v := t.lo
	if c.start[t.hi+1]-c.start[t.hi] < c.start[v+1]-c.start[v] {
		v = t.hi
	}
	row := c.at[c.start[v]:c.start[v+1]]
	if len(row) > mostParallel {
		return
	}
	for _, f := range row {
		if f = find(c.mergedInto, f); f == e || f == c.absent || c.constraints[f].lo != t.lo || c.constraints[f].hi != t.hi {
			continue
		}
		t.length, t.weight = max(t.length, c.constraints[f].length), t.weight+c.constraints[f].weight
		c.drop(f)
		return
	}
}

// mostParallel is how many constraints of a vertex mergeParallel looks at; a longer search costs more than it saves.
const mostParallel = 32

// remaining gives the vertices of the core, and its constraints with vertices numbered by their places in that list.
func (c *core) remaining() (vertex []int32, constraints []constraint) {
	place := raw[int32](c.scratch, len(c.degree))
	vertex, constraints = spare[int32](c.scratch, len(c.degree)), spare[constraint](c.scratch, len(c.constraints))
	for v, d := range c.degree {
		if d >= 0 {
			place[v] = int32(len(vertex))
			vertex = append(vertex, int32(v))
		}
	}
	for e, t := range c.constraints {
		if c.mergedInto[e] == int32(e) {
			constraints = append(constraints, constraint{place[t.lo], place[t.hi], t.length, t.weight})
		}
	}
	return vertex, constraints
}

// expand gives all vertices their ranks, from those of the core.
func (c *core) expand(vertex, inner []int32) []int32 {
	rank := raw[int32](c.scratch, len(c.degree))
	for i, v := range vertex {
		rank[v] = inner[i]
	}
	for i := len(c.removed) - 1; i >= 0; i-- {
		f := &c.removed[i]
		rank[f.v] = rank[f.u] + f.offset
	}
	return rank
}
