package layout

import (
	"cmp"
	"math"
	"slices"
)

// pack puts the parts beside and below one another: the highest first, in rows, so that the whole is about half as wide
// again as it is high, and never narrower than the widest part.
func (out *Layout) pack(parts []*part, o Options) {
	area, wide := 0.0, 0.0
	for _, p := range parts {
		w, h := p.box.Max.X+3*o.NodeGap, p.box.Max.Y+o.LayerGap
		area += w * h
		wide = max(wide, w)
	}
	wide = max(wide, math.Sqrt(1.5*area))
	by := slices.Clone(parts)
	slices.SortStableFunc(by, func(a, b *part) int { return cmp.Compare(b.box.Max.Y, a.box.Max.Y) })
	x, y, high := 0.0, 0.0, 0.0
	for _, p := range by {
		if x > 0 && x+p.box.Max.X > wide {
			x, y, high = 0, y+high+o.LayerGap, 0
		}
		size := p.box.Max // before it is moved
		out.move(p, x, y)
		out.Bounds.Max.X = max(out.Bounds.Max.X, p.box.Max.X)
		out.Bounds.Max.Y = max(out.Bounds.Max.Y, p.box.Max.Y)
		x += size.X + 3*o.NodeGap
		high = max(high, size.Y)
	}
}

// move shifts one part.
func (out *Layout) move(p *part, x, y float64) {
	by := Point{x, y}
	if by == (Point{}) {
		return
	}
	p.box.Min, p.box.Max = p.box.Min.add(by), p.box.Max.add(by)
	for _, v := range p.node {
		out.Nodes[v] = out.Nodes[v].add(by)
	}
	for _, e := range p.edge {
		out.Routes[e].add(by)
	}
}

func (p Point) add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

func (r Rect) add(q Point) Rect { return Rect{r.Min.add(q), r.Max.add(q)} }

func (r Route) add(q Point) {
	for i := range r.Points {
		r.Points[i] = r.Points[i].add(q)
	}
	for i := range r.End {
		r.End[i] = r.End[i].add(q)
	}
}
