package topology

import (
	"context"
	"fmt"
	"math"
)

// space is a finite metric space: level numbers for the lower triangle, a value for each level in ascending order.
type space struct {
	n      int
	level  []uint8  // where few values occur
	fine   []uint32 // where many do; one of level and fine is nil
	value  []float64
	point  []int32 // time index -> point
	window int     // records that a point stands for
}

func (s *space) at(e int) int32 {
	if s.fine != nil {
		return int32(s.fine[e])
	}
	return int32(s.level[e])
}

// setLevels numbers the distances that occur, so that there is no empty level.
func (s *space) setLevels(dist []uint8) {
	var occurs [256]bool
	for _, d := range dist {
		occurs[d] = true
	}
	var number [256]uint8
	for d, is := range occurs {
		if is {
			number[d] = uint8(len(s.value))
			s.value = append(s.value, float64(d))
		}
	}
	for e, d := range dist {
		dist[e] = number[d]
	}
	s.level = dist
}

// perPair is how many bytes a pair of points costs at the peak, measured on matrix multiplies of 1800 and 3600 windows:
// one in the matrix, two to three in the levels' bits, ten in the collapse log, the rest for the cocycles of two dozen
// classes.
const perPair = 40

// fits refuses more points than memory allows: a machine must not start to swap. what names the points.
func (s *space) fits(limit int64, what, hint string) error {
	need := perPair * float64(s.n) * float64(s.n) / 2
	if need <= float64(limit) && s.n <= math.MaxUint16 {
		return nil
	}
	most := min(math.MaxUint16, int(math.Sqrt(2*float64(limit)/perPair)))
	return &Error{TooLarge, fmt.Sprintf("%d %s need about %s of memory and %s is the limit, enough for %d",
		s.n, what, inBytes(need), inBytes(float64(limit)), most), hint}
}

// inBytes is an amount of memory for people.
func inBytes(n float64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%.0f MiB", n/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", n/(1<<30))
}

// radius is the level of the enclosing radius: the least, over all points, of the distance to the farthest other one.
func (s *space) radius() int32 {
	far := make([]int32, s.n)
	e := 0
	for i := range s.n {
		for j := range i {
			d := s.at(e)
			far[i], far[j] = max(far[i], d), max(far[j], d)
			e++
		}
	}
	r := int32(math.MaxInt32)
	for _, d := range far {
		r = min(r, d)
	}
	return r
}

// passes of edge collapse: the second takes another fifth of the edges, a third next to nothing.
const passes = 2

// analyze runs everything behind the distances. c is the windows that the points are, nil for those of a table.
func (s *space) analyze(ctx context.Context, c *cloud, opt Options, res *Result, p *progress) error {
	radius := s.radius()
	res.Times, res.Kept, res.Point = len(s.point), s.n, s.point
	res.Eps, res.Prime, res.Weights, res.Radius = opt.Eps, opt.Prime, opt.Weights, s.value[radius]
	a := &assembly{s: s, opt: opt, res: res, end: res.Radius, same: map[[2]int32]bool{}}
	// At the enclosing radius the complex is a cone, so that everything still alive dies there: the levels from it on,
	// where most edges are, need not be built.
	a.levels = radius
	for a.levels > 0 && s.value[a.levels-1] > opt.Eps {
		a.levels--
	}
	if opt.Eps < res.Radius {
		a.end = math.Inf(1)
	}
	if a.levels > 0 {
		if err := a.classify(ctx, p); err != nil {
			return err
		}
	}
	switch {
	case len(res.Barcode) == 0:
		res.Problem = a.nothing(c)
	case c != nil && opt.Top > 0 && !res.recurs():
		if r := repeats(c.given); r.tells(len(c.given)) {
			res.Notes = append(res.Notes, r.String()+"; none of these classes goes round with it")
		}
	}
	res.study = &study{a: a}
	p.finish()
	return nil
}

// classify computes the barcode and the coordinates.
func (a *assembly) classify(ctx context.Context, p *progress) error {
	if a.s.fine != nil {
		a.f = a.s.filtration(a.levels)
	} else {
		t := newTower(a.s.n, a.s.level, int(a.levels))
		if err := t.thin(ctx, passes, p.add); err != nil {
			return err
		}
		a.f, a.log = t.filtration(), t.log
	}
	classes, err := reduce(ctx, a.f, a.opt.Prime, a.opt.Memory)
	if err != nil {
		return err
	}
	a.order(classes)
	return a.parameterize(ctx)
}

// nothing explains an empty barcode; c as for analyze. It does not say that nothing recurs: that no class does.
func (a *assembly) nothing(c *cloud) *Error {
	farther := "allow larger scales: choose a larger eps, or none"
	if a.opt.quick {
		farther = "this was a first look: the full analysis goes through all scales"
	}
	switch {
	case a.opt.Eps < a.s.value[0]:
		return &Error{Disconnected, fmt.Sprintf("eps %g connects no two points: the smallest distance is %g", a.opt.Eps,
			a.s.value[0]), farther}
	case a.res.Approximate:
		missed := fmt.Sprintf("any whose bar is no longer than %.4g", 4*a.res.Cover)
		if c != nil && 4*a.res.Cover >= float64(a.s.window) {
			missed = "any"
		}
		return &Error{NoClass, fmt.Sprintf("cannot tell whether anything recurs: %d landmarks have no class, but may miss %s",
			a.s.n, missed),
			"choose more --landmarks, or a shorter range without them"}
	case c == nil && a.opt.Eps >= a.res.Radius:
		return &Error{NoClass, "the points lie on no loop: there is no class at any scale",
			"give more points: along a loop they must lie closer to each other than the loop is wide"}
	case c == nil:
		return &Error{NoClass, fmt.Sprintf("the points lie on no loop at scales up to %g", a.opt.Eps), farther}
	}
	scales := "any scale"
	if a.opt.Eps < a.res.Radius {
		scales = fmt.Sprintf("scales up to %g", a.opt.Eps)
	}
	e := noClass(c.given, a.s.window, scales)
	if a.opt.Eps < a.res.Radius {
		e.Hint = farther
	}
	return e
}
