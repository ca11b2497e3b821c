package codegraph

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"orrery/analysis/depgraph"
	"orrery/views/palette"
)

func amountsOf(g *depgraph.Graph, key string) *amounts {
	a := &amounts{of: make([]float64, len(g.Nodes))}
	for v := range g.Nodes {
		a.of[v] = math.NaN()
		if text, ok := g.Nodes[v].Properties.Lookup(key); ok {
			if x, err := strconv.ParseFloat(text, 64); err == nil {
				a.of[v] = x
				a.most = max(a.most, x)
			}
		}
	}
	return a
}

// Most is the largest number that a node has under the key of a colouring; 0 where there is none.
func (p *Picture) Most(c ColorBy) float64 {
	if a := p.heat[c.key()]; a != nil {
		return a.most
	}
	return 0
}

// Hottest is the node with that number, -1 where there is none.
func (p *Picture) Hottest(c ColorBy) int {
	if a := p.heat[c.key()]; a != nil && a.most > 0 {
		return slices.Index(a.of, a.most)
	}
	return -1
}

// HottestOf is the one of some nodes with the most misses, or without misses with the most references; the first of
// them without either.
func (p *Picture) HottestOf(ids depgraph.Set) depgraph.Set {
	best, most := "", [2]float64{-1, -1}
	for v := range p.Graph.Nodes {
		if id := p.Graph.Nodes[v].ID; ids.Has(id) {
			now := [2]float64{}
			for k, key := range []string{Misses, References} {
				if x := p.heat[key].of[v]; x > 0 {
					now[k] = x
				}
			}
			if now[0] > most[0] || now[0] == most[0] && now[1] > most[1] {
				best, most = id, now
			}
		}
	}
	return depgraph.NewSet(best)
}

// tone is the colour of a box and of its border: the filter's, muted so that text on it can be read, or the heat.
// Amounts are mapped by their square root, so that a tenth of the most is still visible.
func (s *State) tone(v int) (fill, border color.NRGBA) {
	t := &s.Theme
	plain := palette.Mix(t.Panel, t.Text, 0.07)
	n := &s.Picture.Graph.Nodes[v]
	if s.Color != ByFilters {
		a := s.Picture.heat[s.Color.key()]
		if a == nil || !(a.of[v] > 0) {
			return plain, palette.Mix(plain, t.Text, 0.18)
		}
		c := s.gradient(math.Sqrt(a.of[v] / a.most))
		return c, palette.Mix(c, t.Text, 0.3)
	}
	if !depgraph.Colored(n.Color) {
		return plain, palette.Mix(plain, t.Text, 0.25)
	}
	c := n.Color
	c.A = 255
	if t.Dark {
		return palette.Mix(t.Panel, c, 0.3), palette.Mix(t.Panel, c, 0.72)
	}
	return palette.Mix(t.Panel, c, 0.5), palette.Mix(palette.Mix(t.Panel, c, 0.85), t.Text, 0.25)
}

// tones are the colours of all nodes and edges in one theme by one colouring.
type tones struct {
	theme              palette.Theme
	by                 ColorBy
	fill, border, edge []color.NRGBA
}

// tones are those of the state. A frame needs them all, and the next one the same.
func (s *State) tones() *tones {
	if t := s.Picture.toned.Load(); t != nil && t.theme == s.Theme && t.by == s.Color {
		return t
	}
	g := s.Picture.Graph
	t := &tones{theme: s.Theme, by: s.Color, fill: make([]color.NRGBA, len(g.Nodes)),
		border: make([]color.NRGBA, len(g.Nodes)), edge: make([]color.NRGBA, len(g.Edges))}
	for v := range g.Nodes {
		t.fill[v], t.border[v] = s.tone(v)
	}
	for e := range g.Edges {
		t.edge[e] = s.edgeTone(e)
	}
	s.Picture.toned.Store(t)
	return t
}

// gradient is the colour of an amount, 0..1: towards the red that means a miss, or along the map of amounts.
func (s *State) gradient(share float64) color.NRGBA {
	if s.Color == ByMisses {
		return palette.Mix(palette.Mix(s.Theme.Panel, s.Theme.Text, 0.07), s.Theme.Miss, 0.12+0.88*share)
	}
	return palette.Mix(s.Theme.Panel, palette.Sequential(0.25+0.6*share), 0.25+0.6*share)
}

// edgeTone is an edge's colour.
func (s *State) edgeTone(e int) color.NRGBA {
	x := &s.Picture.Graph.Edges[e]
	if depgraph.Colored(x.Color) {
		c := x.Color
		c.A = 255
		return palette.Mix(s.Theme.Panel, c, 0.7)
	}
	return palette.Mix(s.Theme.Panel, s.Theme.Dim, 0.72)
}

// ink is the colour of text that can be read on a box.
func (s *State) ink(fill color.NRGBA) color.NRGBA {
	if dark := 299*int(fill.R)+587*int(fill.G)+114*int(fill.B) < 128_000; dark {
		return palette.Mix(color.NRGBA{R: 255, G: 255, B: 255, A: 255}, s.Theme.Text, 0.6*b2f(s.Theme.Dark))
	}
	return color.NRGBA{R: 18, G: 22, B: 28, A: 255}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
