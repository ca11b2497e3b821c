package topology

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// AnalyzeMatrix finds the cycles in a finite metric space, given by the lower triangle of its distance matrix row by
// row: the distance of points i > j is lower[i*(i-1)/2+j]. Time is the order of the points. Distances need not be
// integers nor fulfil the triangle inequality, but must be finite and not negative. opt.Window is ignored. report and
// the error are as for Analyze.
func AnalyzeMatrix(ctx context.Context, lower []float64, opt Options, report func(done, total int64)) (*Result, error) {
	opt.Window = 0
	if opt.Scale == 0 {
		opt.Scale = PointScale
	}
	if opt.Weights == WeightsAuto {
		opt.Weights = WeightsDegree
	}
	opt = opt.withDefaults()
	if err := opt.check(); err != nil {
		return nil, err
	}
	n := int(math.Sqrt(2*float64(len(lower)))) + 1
	if n*(n-1)/2 != len(lower) {
		return nil, &Error{BadMetric, fmt.Sprintf("%d distances do not fill a triangle", len(lower)), "give 1, 2, 3, ... distances in the rows"}
	}
	if n < 4 {
		return nil, &Error{TooShort, fmt.Sprintf("%d points are too few: a cycle needs at least 4", n), ""}
	}
	s := &space{n: n, window: 1}
	if err := s.fits(opt.Memory/2, "points", "give fewer points"); err != nil {
		return nil, err
	}
	for i := range n {
		s.point = append(s.point, int32(i))
	}
	if err := s.setDistances(lower); err != nil {
		return nil, err
	}
	p := newProgress(report, int64(len(lower)))
	p.add(int64(len(lower)))
	res := &Result{Used: n, Window: 1, Points: n}
	if err := s.analyze(ctx, opt, res, p); err != nil {
		return nil, err
	}
	return res, nil
}

// AnalyzePoints finds the cycles in a cloud of points under the Euclidean metric; see AnalyzeMatrix.
func AnalyzePoints(ctx context.Context, points [][]float64, opt Options, report func(done, total int64)) (*Result, error) {
	if n := len(points); n < 4 {
		return nil, &Error{TooShort, fmt.Sprintf("%d points are too few: a cycle needs at least 4", n), ""}
	}
	if err := (&space{n: len(points)}).fits(opt.withDefaults().Memory/2, "points", "give fewer points"); err != nil {
		return nil, err
	}
	lower := make([]float64, len(points)*(len(points)-1)/2)
	for i, p := range points {
		if len(p) != len(points[0]) {
			return nil, &Error{BadMetric, fmt.Sprintf("point %d has %d coordinates, but the first has %d", i+1, len(p), len(points[0])),
				"give every point as many coordinates"}
		}
		for j, q := range points[:i] {
			sum := 0.0
			for k, x := range p {
				sum += (x - q[k]) * (x - q[k])
			}
			lower[i*(i-1)/2+j] = math.Sqrt(sum)
		}
	}
	return AnalyzeMatrix(ctx, lower, opt, report)
}

// fewLevels is how many different distances the level-by-level thinning takes: its bit matrices are one for each.
const fewLevels = 64

// setDistances numbers the distances that occur.
func (s *space) setDistances(lower []float64) error {
	for e, d := range lower {
		if math.IsNaN(d) || math.IsInf(d, 0) || d < 0 {
			i := int(math.Sqrt(2*float64(e)+0.25) + 0.5)
			return &Error{BadMetric, fmt.Sprintf("the distance of points %d and %d is %g", i+1, e-i*(i-1)/2+1, d), "distances are finite and not negative"}
		}
	}
	s.value = slices.Clone(lower)
	slices.Sort(s.value)
	s.value = slices.Compact(s.value)
	if len(s.value) > fewLevels {
		s.fine = make([]uint32, len(lower))
	} else {
		s.level = make([]uint8, len(lower))
	}
	for e, d := range lower {
		k, _ := slices.BinarySearch(s.value, d)
		if s.fine != nil {
			s.fine[e] = uint32(k)
		} else {
			s.level[e] = uint8(k)
		}
	}
	return nil
}

// filtration lists all edges below a level in order, unthinned.
func (s *space) filtration(levels int32) *filtration {
	var order []uint64 // level, then place in the triangle
	for e := range s.n * (s.n - 1) / 2 {
		if k := s.at(e); k < levels {
			order = append(order, uint64(k)<<32|uint64(e))
		}
	}
	slices.Sort(order)
	row := make([]int32, 0, s.n*(s.n-1)/2) // place in the triangle -> row
	for i := range s.n {
		for range i {
			row = append(row, int32(i))
		}
	}
	f := &filtration{n: s.n}
	for _, x := range order {
		e := int(uint32(x))
		i := row[e]
		f.hi, f.lo, f.level = append(f.hi, i), append(f.lo, int32(e-int(i)*(int(i)-1)/2)), append(f.level, int32(x>>32))
	}
	f.link()
	return f
}
