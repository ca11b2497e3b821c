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
	n := int(math.Sqrt(2*float64(len(lower)))) + 1
	if n*(n-1)/2 != len(lower) {
		return nil, &Error{BadMetric, fmt.Sprintf("%d distances do not fill a triangle", len(lower)),
			"give 1, 2, 3, ... distances in the rows"}
	}
	if err := opt.ofPoints().check(); err != nil {
		return nil, err
	}
	if n < 4 {
		return nil, tooFewPoints(n)
	}
	res, s := &Result{Used: n, Window: 1, Points: n}, &space{n: n, window: 1}
	if err := refuse(lower); err != nil {
		return nil, err
	}
	if opt.Landmarks > 0 && n > opt.Landmarks {
		at := func(i, j int) float64 {
			if i == j {
				return 0
			}
			i, j = max(i, j), min(i, j)
			return lower[i*(i-1)/2+j]
		}
		marks, err := s.landmarks(ctx, opt.Landmarks, res, at)
		if err != nil {
			return nil, err
		}
		among := make([]float64, 0, len(marks)*(len(marks)-1)/2)
		for i, m := range marks {
			for _, l := range marks[:i] {
				among = append(among, at(m, l))
			}
		}
		return s.analyzeLower(ctx, among, res, opt, report)
	}
	return s.analyzeLower(ctx, lower, res, opt, report)
}

// ofPoints is the options with the defaults of points and matrices.
func (o Options) ofPoints() Options {
	o.Window = 0
	if o.Scale == 0 {
		o.Scale = PointScale
	}
	if o.Weights == WeightsAuto {
		o.Weights = WeightsDegree
	}
	return o.withDefaults()
}

func tooFewPoints(n int) error {
	return &Error{TooShort, fmt.Sprintf("%d points are too few: a cycle needs at least 4", n), "give more points"}
}

const tooManyPoints = "give fewer points, or let --landmarks 1000 stand for them"

// analyzeLower analyses the points of s, which are at the given distances.
func (s *space) analyzeLower(ctx context.Context, lower []float64, res *Result, opt Options,
	report func(done, total int64)) (*Result, error) {
	opt = opt.ofPoints()
	if err := s.fits(opt.Memory/2, "points", tooManyPoints); err != nil {
		return nil, err
	}
	if s.point == nil {
		for i := range s.n {
			s.point = append(s.point, int32(i))
		}
	}
	s.setDistances(lower)
	p := newProgress(report, int64(len(lower)))
	p.add(int64(len(lower)))
	if err := s.analyze(ctx, nil, opt, res, p); err != nil {
		return nil, err
	}
	return res, nil
}

// landmarks chooses at most k of the points, always the one farthest from those before, and gives every other one to
// the nearest. See cloud.thin. s is the space of the landmarks afterwards.
func (s *space) landmarks(ctx context.Context, k int, res *Result,
	distance func(i, j int) float64) (marks []int, err error) {
	near, owner := make([]float64, s.n), make([]int, s.n)
	for i := range near {
		near[i] = math.Inf(1)
	}
	cover := 0.0
	for next := 0; len(marks) < k; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		marks = append(marks, next)
		m := next
		near[m], owner[m] = 0, m
		for i := range near {
			if d := distance(i, m); d < near[i] {
				near[i], owner[i] = d, m
			}
			if near[i] > near[next] {
				next = i
			}
		}
		if cover = near[next]; cover == 0 {
			break
		}
	}
	slices.Sort(marks)
	s.point = make([]int32, s.n)
	for i, m := range owner {
		at, _ := slices.BinarySearch(marks, m)
		s.point[i] = int32(at)
	}
	s.n = len(marks)
	if res.Cover = cover; cover > 0 {
		res.Approximate = true
		res.Notes = append(res.Notes, fmt.Sprintf("approximate: %d landmarks stand for %d points, each at most %.4g away, "+
			"so that bars are off by up to %.4g at either end",
			s.n, res.Points, cover, 2*cover))
	}
	return marks, nil
}

// AnalyzePoints finds the cycles in a cloud of points under the Euclidean metric; see AnalyzeMatrix.
func AnalyzePoints(ctx context.Context, points [][]float64, opt Options,
	report func(done, total int64)) (*Result, error) {
	n := len(points)
	if err := opt.ofPoints().check(); err != nil {
		return nil, err
	}
	if n < 4 {
		return nil, tooFewPoints(n)
	}
	for i, p := range points {
		if len(p) != len(points[0]) {
			return nil, &Error{BadMetric, fmt.Sprintf("point %d has %d coordinates, but the first has %d", i+1,
				len(p), len(points[0])),
				"give every point as many coordinates"}
		}
		if k := slices.IndexFunc(p, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }); k >= 0 {
			return nil, &Error{BadMetric, fmt.Sprintf("coordinate %d of point %d is %g", k+1, i+1, p[k]),
				"coordinates are finite numbers"}
		}
	}
	res, s := &Result{Used: n, Window: 1, Points: n}, &space{n: n, window: 1}
	if opt.Landmarks > 0 && n > opt.Landmarks {
		marks, err := s.landmarks(ctx, opt.Landmarks, res, func(i, j int) float64 { return distance(points[i], points[j]) })
		if err != nil {
			return nil, err
		}
		points = Pick(points, marks)
	}
	if err := s.fits(opt.ofPoints().Memory/2, "points", tooManyPoints); err != nil {
		return nil, err
	}
	lower := euclidean(points)
	if err := refuse(lower); err != nil {
		return nil, err
	}
	return s.analyzeLower(ctx, lower, res, opt, report)
}

// euclidean is the lower triangle of the distances.
func euclidean(points [][]float64) []float64 {
	lower := make([]float64, 0, len(points)*(len(points)-1)/2)
	for i, p := range points {
		for _, q := range points[:i] {
			lower = append(lower, distance(p, q))
		}
	}
	return lower
}

func distance(p, q []float64) float64 {
	sum := 0.0
	for k, x := range p {
		sum += (x - q[k]) * (x - q[k])
	}
	return math.Sqrt(sum)
}

// fewLevels is how many different distances the level-by-level thinning takes: its bit matrices are one for each.
const fewLevels = 64

// refuse is the error of numbers that are no distances.
func refuse(lower []float64) error {
	for e, d := range lower {
		if math.IsNaN(d) || math.IsInf(d, 0) || d < 0 {
			i := int(math.Sqrt(2*float64(e)+0.25) + 0.5)
			return &Error{BadMetric, fmt.Sprintf("the distance of points %d and %d is %g", i+1, e-i*(i-1)/2+1, d),
				"distances are finite and not negative"}
		}
	}
	return nil
}

// setDistances numbers the distances that occur.
func (s *space) setDistances(lower []float64) {
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
}

// filtration lists all edges below a level in order, unthinned.
func (s *space) filtration(levels int32) *filtration {
	edges, pairs := 0, s.n*(s.n-1)/2
	for e := range pairs {
		if s.at(e) < levels {
			edges++
		}
	}
	order := make([]uint64, 0, edges) // level, then the two points
	e := 0
	for i := range s.n {
		for j := range i {
			if k := s.at(e); k < levels {
				order = append(order, uint64(k)<<32|uint64(i)<<16|uint64(j))
			}
			e++
		}
	}
	slices.Sort(order)
	f := &filtration{n: s.n, hi: make([]int32, edges), lo: make([]int32, edges), level: make([]int32, edges)}
	for e, x := range order {
		f.hi[e], f.lo[e], f.level[e] = int32(x>>16&0xffff), int32(x&0xffff), int32(x>>32)
	}
	f.link()
	return f
}
