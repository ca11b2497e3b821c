package codegraph

import (
	"testing"

	"orrery/analysis/depgraph/layout"
)

// Curves run beside nodes: no drawn edge comes into a node that is neither its start nor its end.
func TestCurvesRunBesideNodes(t *testing.T) {
	for _, name := range []string{"golist.ssa.gz", "gomatmul.ssa.gz", "list.turbo.json.gz", "hotspot.xml"} {
		for _, phase := range []int{0, -1} {
			for _, blocks := range []bool{false, true} {
				p := arranged(t, shipped(t, name, phase), nil, blocks, 8)
				through := 0
				for e := range p.Graph.Edges {
					r := p.Layout.Routes[p.phase.Edge[e]]
					for _, line := range [][]layout.Point{r.Points, r.End} {
						hit := false
						along(line, func(at layout.Point) {
							for v := range p.Graph.Nodes {
								b := p.Box(v)
								if r.Back { // it turns beside nodes, and must be seen to pass them
									b = layout.Rect{Min: layout.Point{X: b.Min.X - 3, Y: b.Min.Y - 3}, Max: layout.Point{X: b.Max.X + 3,
										Y: b.Max.Y + 3}}
								}
								if int32(v) != p.Graph.Edges[e].From && int32(v) != p.Graph.Edges[e].To &&
									at.X > b.Min.X+1 && at.X < b.Max.X-1 && at.Y > b.Min.Y+1 && at.Y < b.Max.Y-1 {
									hit = true
								}
							}
						}, func(layout.Point) bool { return false })
						if hit {
							through++
						}
					}
				}
				if through > 0 {
					t.Errorf("%s, phase %d, blocks %v: %d of %d edges run through nodes", name, phase, blocks, through,
						len(p.Graph.Edges))
				}
			}
		}
	}
}
