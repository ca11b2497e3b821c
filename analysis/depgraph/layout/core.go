package layout

// core is what is left of a graph when vertices are taken out whose rank follows from that of a neighbour: of a sparse
// graph less than half, which the search for ranks of least cost is then done with much sooner.
//
//	one tie                    v hangs on u, as near as it may be
//	one tie in and one out     v stays with the heavier of the two; the other is as much longer
//	two ties between the same  are one, which weighs as much as both
type core struct {
	*room
	tie       []tie
	none      int32   // how many ties there were: what a tie has become part of that was taken out
	into      []int32 // tie -> the one it has become part of, often itself
	incidence         // those taken out are listed as well
	degree    []int32 // vertex -> how many are left; -1 when it is taken out
	out       []follower
	open      []int32
}

// follower is a vertex that has been taken out: its rank is that of u and so much more.
type follower struct{ v, u, more int32 }

// newCore takes out what it can.
func (m *room) newCore(in incidence, ties []tie) *core {
	n, start := len(in.start)-1, in.start
	c := &core{
		room: m, tie: raw[tie](m, len(ties)), none: int32(len(ties)), into: raw[int32](m, len(ties)+1),
		incidence: in, degree: raw[int32](m, n), out: spare[follower](m, n), open: spare[int32](m, n+len(ties)+1),
	}
	copy(c.tie, ties)
	for e := range c.into {
		c.into[e] = int32(e)
	}
	for v := range int32(n) {
		if c.degree[v] = start[v+1] - start[v]; c.degree[v] < 3 {
			c.open = append(c.open, v)
		}
	}
	for len(c.open) > 0 {
		v := c.open[len(c.open)-1]
		c.open = c.open[:len(c.open)-1]
		c.try(v)
	}
	return c
}

// try takes out a vertex with one or two ties, if it can.
func (c *core) try(v int32) {
	if c.degree[v] != 1 && c.degree[v] != 2 {
		return
	}
	var two [2]int32
	n := int32(0)
	for _, e := range c.at[c.start[v]:c.start[v+1]] {
		if e = find(c.into, e); e != c.none {
			two[n] = e
			if n++; n == c.degree[v] {
				break
			}
		}
	}
	t := &c.tie[two[0]]
	if n == 1 {
		c.drop(two[0])
		if t.lo == v {
			c.follow(v, t.hi, -t.length)
		} else {
			c.follow(v, t.lo, t.length)
		}
		return
	}
	in, on := two[0], two[1]
	if t.lo == v {
		in, on = on, in
	}
	a, b := &c.tie[in], &c.tie[on]
	if a.hi != v || b.lo != v {
		return // both come in, or both go out
	}
	if a.weight >= b.weight {
		c.follow(v, a.lo, a.length)
	} else {
		c.follow(v, b.hi, -b.length)
	}
	c.into[on] = in
	*a = tie{a.lo, b.hi, a.length + b.length, min(a.weight, b.weight)}
	c.same(in)
}

func (c *core) follow(v, u, more int32) {
	c.out = append(c.out, follower{v, u, more})
	c.degree[v] = -1
}

// drop takes a tie out.
func (c *core) drop(e int32) {
	c.into[e] = c.none
	for _, v := range [2]int32{c.tie[e].lo, c.tie[e].hi} {
		if c.degree[v]--; c.degree[v] == 1 || c.degree[v] == 2 {
			c.open = append(c.open, v)
		}
	}
}

// same looks for another tie between the ends of a new one, among those of the end with fewer, and makes one of both.
func (c *core) same(e int32) {
	t := &c.tie[e]
	v := t.lo
	if c.start[t.hi+1]-c.start[t.hi] < c.start[v+1]-c.start[v] {
		v = t.hi
	}
	row := c.at[c.start[v]:c.start[v+1]]
	if len(row) > mostCompared {
		return
	}
	for _, f := range row {
		if f = find(c.into, f); f == e || f == c.none || c.tie[f].lo != t.lo || c.tie[f].hi != t.hi {
			continue
		}
		t.length, t.weight = max(t.length, c.tie[f].length), t.weight+c.tie[f].weight
		c.drop(f)
		return
	}
}

// mostCompared is how many ties of a vertex are looked at for one that joins the same two: more are not worth it.
const mostCompared = 32

// rest gives the vertices that are left, and the ties between them by their places there.
func (c *core) rest() (vertex []int32, ties []tie) {
	place := raw[int32](c.room, len(c.degree))
	vertex, ties = spare[int32](c.room, len(c.degree)), spare[tie](c.room, len(c.tie))
	for v, d := range c.degree {
		if d >= 0 {
			place[v] = int32(len(vertex))
			vertex = append(vertex, int32(v))
		}
	}
	for e, t := range c.tie {
		if c.into[e] == int32(e) {
			ties = append(ties, tie{place[t.lo], place[t.hi], t.length, t.weight})
		}
	}
	return vertex, ties
}

// spread gives all vertices their ranks, those taken out as well.
func (c *core) spread(vertex, inner []int32) []int32 {
	rank := raw[int32](c.room, len(c.degree))
	for i, v := range vertex {
		rank[v] = inner[i]
	}
	for i := len(c.out) - 1; i >= 0; i-- {
		f := &c.out[i]
		rank[f.v] = rank[f.u] + f.more
	}
	return rank
}
