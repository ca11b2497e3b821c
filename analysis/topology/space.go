package topology

import (
	"context"
	"fmt"
	"math"
)

// space is a finite metric space whose distances take few values: level numbers for the lower triangle, values for
// the levels in ascending order.
type space struct {
	n      int
	level  []uint8
	value  []float64
	point  []int32 // time index -> point
	weight []int32 // time indexes of each point
}

// perPair is how many bytes a pair of points costs in the matrix, the levels' bits and the collapse log: one, ten levels of
// two bits, and six for most.
const perPair = 1 + 10*0.25 + 6

// fits refuses more points than memory allows: a machine must not start to swap.
func (s *space) fits(limit int64) error {
	need := perPair * float64(s.n) * float64(s.n) / 2
	if need <= float64(limit) && s.n <= math.MaxUint16 {
		return nil
	}
	most := min(math.MaxUint16, int(math.Sqrt(2*float64(limit)/perPair)))
	return &Error{TooLarge, fmt.Sprintf("%d distinct windows need about %.1f GiB, and %.1f GiB is the limit: at most %d fit",
		s.n, need/(1<<30), float64(limit)/(1<<30), most), "choose a smaller --count, sample with --every, or use a coarser alphabet such as block:64"}
}

// radius is the level of the enclosing radius: the least, over all points, of the distance to the farthest other one.
func (s *space) radius() uint8 {
	far := make([]uint8, s.n)
	e := 0
	for i := range s.n {
		for j := range i {
			d := s.level[e]
			far[i], far[j] = max(far[i], d), max(far[j], d)
			e++
		}
	}
	r := uint8(math.MaxUint8)
	for _, d := range far {
		r = min(r, d)
	}
	return r
}

// analyze runs everything behind the distances.
func (s *space) analyze(ctx context.Context, opt Options, res *Result, p *progress) error {
	r := s.radius()
	res.Times, res.Points, res.Point = len(s.point), s.n, s.point
	res.Eps, res.Prime, res.Radius = opt.Eps, opt.Prime, s.value[r]
	last := s.value[r]
	count := int(r)
	for count > 0 && s.value[count-1] > opt.Eps {
		count--
	}
	if opt.Eps < last {
		last = math.Inf(1)
	}
	t := newTower(s.n, s.level, count)
	if err := t.thin(ctx, 2, p.add); err != nil {
		return err
	}
	f := t.filtration()
	classes, err := reduce(ctx, f, opt.Prime, func(done, total int64) {})
	if err != nil {
		return err
	}
	for _, c := range classes {
		res.Barcode = append(res.Barcode, s.barOf(c, last))
	}
	p.finish()
	return nil
}
