package layout

import "math"

// route writes where the part's nodes lie and how its edges run. Between two layers every edge is a straight line from
// the bottom of one to the top of the next, so lines cross there only, exactly as often as their ends are out of order.
func (p *part) route(g Graph, o Options, l *layering, out *Layout) {
	top, bottom := l.heights(p, g, o)
	minX, maxX := math.Inf(1), math.Inf(-1)
	for v, x := range l.x {
		if x < minX {
			minX = x
		}
		if r := x + l.width[v]; r > maxX {
			maxX = r
		}
	}
	for v := range l.x {
		l.x[v] -= minX
	}
	p.box = Rect{Max: Point{maxX - minX, bottom[len(bottom)-1]}}
	for v, node := range p.node {
		r, n := l.rank[v], &g.Nodes[node]
		y := top[r] + max(0, bottom[r]-top[r]-n.Height)/2
		out.Nodes[node] = Rect{Point{l.x[v], y}, Point{l.x[v] + n.Width, y + n.Height}}
		out.Layer[node] = r
	}
	room := make([]Point, 0, 3*len(p.arcs)) // shared by the points of many routes
	for i := range p.arcs {
		a := &p.arcs[i]
		from, to, fromX, toX := a.lo, a.hi, a.loX, a.hiX
		if a.back {
			from, to, fromX, toX = to, from, toX, fromX
		}
		rf, rt := l.rank[from], l.rank[to]
		start := Point{l.x[from] + fromX, out.Nodes[p.node[from]].Max.Y}
		end := Point{l.x[to] + toX, out.Nodes[p.node[to]].Min.Y}
		if a.chain == cut {
			out.Routes[a.edge] = Route{
				Points: []Point{start, {start.X, bottom[rf] + o.Stub}},
				End:    []Point{{end.X, top[rt] - o.Stub}, end},
				Back:   a.back,
			}
			continue
		}
		most := 4
		if a.chain >= 0 {
			most += 2 * int(l.chains[a.chain].count)
		}
		if len(room)+most > cap(room) {
			room = make([]Point, 0, cap(room)+most)
		}
		n := len(room)
		line := append(polyline(room[n:n:n+most]), start)
		line.to(Point{start.X, bottom[rf]})
		if a.chain >= 0 {
			line.through(l, &l.chains[a.chain], a.back, top, bottom)
		}
		line.to(Point{end.X, top[rt]})
		line.to(end)
		room = room[:n+len(line)]
		out.Routes[a.edge] = Route{Points: room[n:len(room):len(room)], Back: a.back}
	}
}

// polyline is a list of points without those on a straight vertical line.
type polyline []Point

func (p *polyline) to(q Point) {
	if n := len(*p); n > 0 {
		last := (*p)[n-1]
		if last == q {
			return
		}
		if n > 1 {
			before := (*p)[n-2]
			if before.X == last.X && last.X == q.X && (last.Y-before.Y)*(q.Y-last.Y) > 0 {
				(*p)[n-1] = q
				return
			}
		}
	}
	*p = append(*p, q)
}

// through follows a chain: downwards, or upwards from its lower hook to its upper one.
func (p *polyline) through(l *layering, c *chain, back bool, top, bottom []float64) {
	if !back {
		r := l.rank[c.first]
		for _, x := range l.x[c.first : c.first+c.count] {
			if n := len(*p); n > 1 && (*p)[n-1].X == x && (*p)[n-2].X == x {
				(*p)[n-1].Y = bottom[r] // straight down
			} else {
				p.to(Point{x, top[r]})
				p.to(Point{x, bottom[r]})
			}
			r++
		}
		return
	}
	end := c.first + c.count - 1
	p.to(Point{l.x[end], top[l.rank[end]]})
	for v := end - 1; v > c.first; v-- {
		p.to(Point{l.x[v], bottom[l.rank[v]]})
		p.to(Point{l.x[v], top[l.rank[v]]})
	}
	p.to(Point{l.x[c.first], bottom[l.rank[c.first]]})
}

// heights gives the top and the bottom of every layer. Where edges run far to the side the gap below is wider, up to
// four times, so that they are not nearly level.
func (l *layering) heights(p *part, g Graph, o Options) (top, bottom []float64) {
	n := len(l.order)
	top, bottom = raw[float64](l.scratch, n), raw[float64](l.scratch, n)
	far, high := take[int64](l.scratch, n), take[int64](l.scratch, n) // ordinals: a branch-free max
	for i := range l.segments {
		s := &l.segments[i]
		r := l.rank[s.top]
		far[r] = max(far[r], ordinal(math.Abs(l.x[s.top]+s.topX-l.x[s.bottom]-s.bottomX)))
	}
	for v, node := range p.node {
		r := l.rank[v]
		high[r] = max(high[r], ordinal(g.Nodes[node].Height))
	}
	y := 0.0
	for r := range n {
		h := ofOrdinal(high[r])
		top[r], bottom[r] = y, y+h
		y += h + max(o.LayerGap, min(4*o.LayerGap, ofOrdinal(far[r])/12))
	}
	return top, bottom
}
