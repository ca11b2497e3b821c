// Package projection lays a finite metric space out in the plane: what comes in is the distances of all pairs of
// points, what goes out a position for each, so that distances along the points' own neighbourhoods are kept as well as
// two dimensions can.
//
// Source: Tenenbaum, de Silva, Langford, "A global geometric framework for nonlinear dimensionality reduction" (Science
// 290, 2000), the baseline view of Choudhury, Wang, Rosen, Pascucci (PacificVis 2012), section 4.2. Where there are
// many points, the landmark variant of de Silva and Tenenbaum, "Sparse multidimensional scaling using landmark points"
// (2004).
//
//	distances --k nearest--> graph --shortest paths--> geodesics --double centring, two largest eigenvalues--> plane
//
// Deviations: edit distances have many ties, which are broken by closeness in the points' order (that of time), so that
// the graph follows the run; and components of the graph are joined by their shortest links rather than dropped.
//
// A result is a function of the input alone: neither the number of processors nor a second run changes a bit of it.
package projection

import (
	"context"
	"fmt"
	"math"
)

// Distances is a finite metric space: N points with a distance >= 0 for every pair.
type Distances interface {
	N() int
	At(i, j int) float64
}

// Triangle is Distances of small integers: the lower triangle row by row, points i > j at i*(i-1)/2+j.
type Triangle struct {
	Points int
	Lower  []uint8
}

// N is the number of points.
func (t Triangle) N() int { return t.Points }

// At is the distance of points i and j.
func (t Triangle) At(i, j int) float64 {
	switch {
	case i == j:
		return 0
	case i < j:
		i, j = j, i
	}
	return float64(t.Lower[i*(i-1)/2+j])
}

// Defaults of Options.
const (
	DefaultNeighbours = 8
	DefaultLandmarks  = 400
)

// Options steer a projection; the zero value is the default.
type Options struct {
	Neighbours int // of each point in the graph, 1 or more; 0 = DefaultNeighbours
	// Landmarks is from how many points geodesics are followed at most, 3 or more; 0 = DefaultLandmarks. Where there
	// are more points, the landmarks are laid out and the other points placed by their distances to them.
	Landmarks int
}

// Plane is the points' positions. The first coordinate is the one along which they vary most; the centre of the
// landmarks is at 0.
type Plane struct {
	X, Y []float64
	// how many points were laid out by all their distances; the others were placed by their distances to these
	Landmarks int
	Joined    int // links that were added between components of the graph of nearest neighbours
	// share of the geodesics' variance that the plane does not show, 0..1: 1 - R^2 over landmarks and all points
	Lost float64
}

// Isomap projects a metric space to the plane. report, which may be nil, gets the landmarks done of all. The error
// is a sentence about the input, or that of ctx.
func Isomap(ctx context.Context, d Distances, opt Options, report func(done, total int64)) (*Plane, error) {
	if opt.Neighbours == 0 {
		opt.Neighbours = DefaultNeighbours
	}
	if opt.Landmarks == 0 {
		opt.Landmarks = DefaultLandmarks
	}
	n := d.N()
	switch {
	case opt.Neighbours < 1 || opt.Landmarks < 3:
		return nil, fmt.Errorf("a projection needs at least 1 neighbour and 3 landmarks, not %d and %d",
			opt.Neighbours, opt.Landmarks)
	case n < 3:
		return nil, fmt.Errorf("%d points span no plane; choose a longer range or a finer alphabet", n)
	}
	g, err := neighbours(ctx, d, opt.Neighbours)
	if err != nil {
		return nil, err
	}
	p := &Plane{Joined: g.join(d)}
	marks, rows, err := g.landmarks(ctx, min(n, opt.Landmarks), report)
	if err != nil {
		return nil, err
	}
	p.Landmarks = len(marks)
	p.X, p.Y = scale(marks, rows)
	p.Lost = lost(marks, rows, p.X, p.Y)
	return p, nil
}

// lost is one minus the squared correlation of geodesic and drawn distances.
func lost(marks []int32, rows [][]float64, x, y []float64) float64 {
	var n, sa, sb, saa, sbb, sab float64
	for k, m := range marks {
		for i, a := range rows[k] {
			if i == int(m) {
				continue
			}
			b := math.Hypot(x[i]-x[m], y[i]-y[m])
			n, sa, sb, saa, sbb, sab = n+1, sa+a, sb+b, saa+a*a, sbb+b*b, sab+a*b
		}
	}
	va, vb, c := saa-sa*sa/n, sbb-sb*sb/n, sab-sa*sb/n
	if !(va > 0) || !(vb > 0) {
		return 0 // all equally far: nothing varies that could be lost
	}
	return max(0, 1-c*c/(va*vb))
}
