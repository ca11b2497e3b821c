package session

import (
	"context"
	"fmt"

	"orrery/analysis/projection"
	"orrery/analysis/topology"
	"orrery/views/scene"
	"orrery/views/spiral"
)

// Plane is the windows of an analysis laid out in the plane (C10).
type Plane struct {
	*projection.Plane
	Place []scene.Point // by time index, in edits
}

// projected is the most distinct windows that are laid out one by one; of more, landmarks stand for the rest.
const projected = 4000

// Project lays out the windows of c by ISOMAP on their edit distances.
func (r *Recording) Project(ctx context.Context, c *Cycles, report func(done, total int64)) (*Plane, error) {
	symbols, _, _, err := r.symbols(ctx, c.Request)
	if err != nil {
		return nil, err
	}
	lower, point, err := topology.Distances(ctx, symbols, c.Window, projected)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, p := range point {
		n = max(n, int(p)+1)
	}
	plane, err := projection.Isomap(ctx, projection.Triangle{Points: n, Lower: lower}, projection.Options{}, report)
	if err != nil {
		return nil, err
	}
	out := &Plane{Plane: plane, Place: make([]scene.Point, len(point))}
	for t, p := range point {
		out.Place[t] = scene.Point{X: plane.X[p], Y: plane.Y[p]}
	}
	return out, nil
}

// On makes a state of the windows as they lie in the plane.
func (p *Plane) On(s *spiral.State) {
	s.Shape, s.Place = spiral.Plane, p.Place
	lost := fmt.Sprintf("ISOMAP, %.0f %% of variance", 100*(1-p.Lost))
	if s.Caption == "" {
		s.Caption = lost
	} else {
		s.Caption += " · " + lost
	}
}
