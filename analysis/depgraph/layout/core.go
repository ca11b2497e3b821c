package layout

// core is what is left of a graph when vertices are taken out whose rank follows from that of a neighbour: of a sparse
// graph less than half, which the search for ranks of least cost is then done with much sooner.
//
//	one tie                    v hangs on u, as near as it may be
//	one tie in and one out     v stays with the heavier of the two; the other is as much longer
//	two ties between the same  are one, which weighs as much as both
type core struct {
	*scratch
	constraint []constraint
	absent     int32   // how many ties there were: what a tie has become part of that was taken out
	mergedInto []int32 // tie -> the one it has become part of, often itself
	incidence          // those taken out are listed as well
	degree     []int32 // vertex -> how many are left; -1 when it is taken out
	removed    []removedVertex
	pending    []int32
}

// follower is a vertex that has been taken out: its rank is that of u and so much more.
type removedVertex struct{ v, u, offset int32 }

// newCore takes out what it can.
func (m *scratch) newCore(in incidence, ties []constraint) *core {
	n, start := len(in.start)-1, in.start
	c := &core{
		scratch: m, constraint: raw[constraint](m, len(ties)), absent: int32(len(ties)), mergedInto: raw[int32](m, len(ties)+1),
		incidence: in, degree: raw[int32](m, n), removed: spare[removedVertex](m, n), pending: spare[int32](m, n+len(ties)+1),
	}
	copy(c.constraint, ties)
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

// try takes out a vertex with one or two ties, if it can.
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
	t := &c.constraint[two[0]]
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
	a, b := &c.constraint[in], &c.constraint[on]
	if a.hi != v || b.lo != v {
		return // both come in, or both go out
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

func (c *core) remove(v, u, more int32) {
	c.removed = append(c.removed, removedVertex{v, u, more})
	c.degree[v] = -1
}

// drop takes a tie out.
func (c *core) drop(e int32) {
	c.mergedInto[e] = c.absent
	for _, v := range [2]int32{c.constraint[e].lo, c.constraint[e].hi} {
		if c.degree[v]--; c.degree[v] == 1 || c.degree[v] == 2 {
			c.pending = append(c.pending, v)
		}
	}
}

// same looks for another tie between the ends of a new one, among those of the end with fewer, and makes one of both.
func (c *core) mergeParallel(e int32) {
	t := &c.constraint[e]
	v := t.lo
	if c.start[t.hi+1]-c.start[t.hi] < c.start[v+1]-c.start[v] {
		v = t.hi
	}
	row := c.at[c.start[v]:c.start[v+1]]
	if len(row) > mostParallel {
		return
	}
	for _, f := range row {
		if f = find(c.mergedInto, f); f == e || f == c.absent || c.constraint[f].lo != t.lo || c.constraint[f].hi != t.hi {
			continue
		}
		t.length, t.weight = max(t.length, c.constraint[f].length), t.weight+c.constraint[f].weight
		c.drop(f)
		return
	}
}

// mostCompared is how many ties of a vertex are looked at for one that joins the same two: more are not worth it.
const mostParallel = 32

// rest gives the vertices that are left, and the ties between them by their places there.
func (c *core) remaining() (vertex []int32, ties []constraint) {
	place := raw[int32](c.scratch, len(c.degree))
	vertex, ties = spare[int32](c.scratch, len(c.degree)), spare[constraint](c.scratch, len(c.constraint))
	for v, d := range c.degree {
		if d >= 0 {
			place[v] = int32(len(vertex))
			vertex = append(vertex, int32(v))
		}
	}
	for e, t := range c.constraint {
		if c.mergedInto[e] == int32(e) {
			ties = append(ties, constraint{place[t.lo], place[t.hi], t.length, t.weight})
		}
	}
	return vertex, ties
}

// spread gives all vertices their ranks, those taken out as well.
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
