package dsetree

import (
	"math"
	"slices"

	"orrery/analysis/dse"
)

// Columns are what the look makes of each node of a tree, independent of what is visible: values from 0 to 1, NaN for
// none.
type Columns struct {
	Tree  *dse.Tree
	Face  []float32
	Side  []float32
	Edge  []float32 // importance of the edge upwards
	Value []float64 // its value, in its own unit
	by    dse.Importance
}

// NewColumns computes columns; parameter nodes summarise the points that pass, nil for all.
func NewColumns(t *dse.Tree, look Look, pass *dse.Bits) *Columns {
	c := &Columns{Tree: t, Edge: make([]float32, t.Len()), by: look.Edges}
	var importance []float64
	c.Value, importance = t.Edges(look.Edges)
	for v, x := range importance {
		c.Edge[v] = float32(x)
	}
	return c.fill(look, pass)
}

// Again are the columns of the same tree for another look or filter; what these do not change is kept.
func (c *Columns) Again(look Look, pass *dse.Bits) *Columns {
	if look.Edges != c.by {
		return NewColumns(c.Tree, look, pass)
	}
	next := &Columns{Tree: c.Tree, Edge: c.Edge, Value: c.Value, by: c.by}
	return next.fill(look, pass)
}

var missing = float32(math.NaN())

// statistics are what the tones take of the points below; that of coverage is for what has no generation.
var statistics = [...]dse.Statistic{ByMin: dse.Least, ByMean: dse.Average, ByMax: dse.Greatest, ByCoverage: dse.Least}

// fill computes what depends on the points that pass.
func (c *Columns) fill(look Look, pass *dse.Bits) *Columns {
	of := func(objective int, tone Tone) []float32 {
		if objective < 0 {
			return slices.Repeat([]float32{missing}, c.Tree.Len())
		}
		return c.Tree.Aggregate(objective, statistics[tone], pass)
	}
	c.Face, c.Side = of(look.Of[Face], look.Tone), of(look.Of[Side], min(look.Tone, ByMax))
	if look.Tone == ByCoverage {
		c.cover()
	}
	return c
}

// cover gives parameter nodes the share of the generations that had passed when they were met first.
func (c *Columns) cover() {
	t := c.Tree
	last := float32(max(1, t.Space.Generations.Count-1))
	for l, level := range t.Levels {
		if level.Kind != dse.ParameterNode && level.Kind != dse.RootNode {
			continue
		}
		for v := t.Start[l]; v < t.Start[l+1]; v++ {
			c.Face[v] = missing
			if g := t.First[v]; g != dse.None {
				c.Face[v] = float32(g) / last
			}
		}
	}
}

// Shade is the visible part of a tree with its colours, summarised so that many nodes on one pixel need not be visited
// one by one. It is not changed after NewShade.
type Shade struct {
	Layout  *dse.Layout
	Columns *Columns
	tiers   [len(blocks)][]sum // of so many nodes each
	levels  []rowWords
}

// rowWords is what is known of a level.
type rowWords struct {
	shown int     // nodes
	gap   float64 // that a third of them keep, or less
}

// usual is the distance to the next that a third of some places keep or stay below, of a thousand of them.
func usual(x []float64) float64 {
	if len(x) < 2 {
		return math.Inf(1)
	}
	step := max(1, len(x)/1000)
	var gaps []float64
	for i := step; i < len(x); i += step {
		gaps = append(gaps, x[i]-x[i-1])
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/3]
}

// blocks are how many nodes the sums of each tier are of: two tiers leave a run of any length a few steps at its ends.
var blocks = [...]int{16, 256}

// sum is what some nodes have together.
type sum struct {
	face, side float64
	n          int32   // nodes with a face
	sides      int32   // nodes with a side
	data       int32   // nodes with data
	edge       float32 // the greatest importance, -1 without
}

// NewShade summarises the visible nodes.
func NewShade(l *dse.Layout, c *Columns) *Shade {
	s := &Shade{Layout: l, Columns: c}
	n := len(l.Nodes)
	for tier, block := range blocks {
		sums := make([]sum, (n+block-1)/block)
		for b := range sums {
			sums[b] = s.below(tier, b*block, min(n, (b+1)*block))
		}
		s.tiers[tier] = sums
	}
	for level := range l.Tree.Levels {
		from, to := l.Start[level], l.Start[level+1]
		s.levels = append(s.levels, rowWords{shown: int(to - from), gap: usual(l.X[from:to])})
	}
	return s
}

// walk visits nodes.
func (s *Shade) walk(from, to int) sum {
	w := sum{edge: -1}
	c, points := s.Columns, s.Columns.Tree.Points
	for _, v := range s.Layout.Nodes[from:to] {
		if x := c.Face[v]; x == x {
			w.face += float64(x)
			w.n++
		}
		if x := c.Side[v]; x == x {
			w.side += float64(x)
			w.sides++
		}
		if x := c.Edge[v]; x == x {
			w.edge = max(w.edge, x)
		}
		if points[v] > 0 {
			w.data++
		}
	}
	return w
}

// of sums nodes up by their places among the visible, [from, to).
func (s *Shade) of(from, to int) sum { return s.below(len(blocks), from, to) }

// below sums nodes up with the tiers before one.
func (s *Shade) below(tier, from, to int) sum {
	if tier == 0 {
		return s.walk(from, to)
	}
	tier--
	block := blocks[tier]
	first, last := (from+block-1)/block, to/block
	if first >= last {
		return s.below(tier, from, to)
	}
	w, end := s.below(tier, from, first*block), s.below(tier, last*block, to)
	w.add(&end)
	for i := range s.tiers[tier][first:last] {
		w.add(&s.tiers[tier][first+i])
	}
	return w
}

func (w *sum) add(o *sum) {
	w.face += o.face
	w.side += o.side
	w.n += o.n
	w.sides += o.sides
	w.data += o.data
	w.edge = max(w.edge, o.edge)
}
