package session

import (
	"context"
	"math/bits"
	"slices"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/views/curve"
)

// MissCurve is what LRU caches of every size, and of the usual associativities, make of a recording's data references.
type MissCurve struct {
	Block   cachesim.Size
	Blocks  int          // different ones that are touched
	Lines   []curve.Line // the fully associative caches first
	Preview bool
}

// mostWays is the largest associativity that gets a line of its own; the others are the powers of two below.
const mostWays = 16

// previewed is the number of references from which a preview is worth its time, and sparse the one from which it looks
// at fewer blocks.
const (
	previewed = 1 << 22
	sparse    = 1 << 26
)

// PreviewCurve estimates the fully associative caches from a sample; nil for recordings so short that the exact curve
// is there at once.
func (r *Recording) PreviewCurve(ctx context.Context, block cachesim.Size,
	report func(done, total int64)) (*MissCurve, error) {
	rate := 0.1
	switch {
	case r.Len() < previewed:
		return nil, nil
	case r.Len() > sparse:
		rate = 0.01
	}
	c, err := simulator.SampledDistances(ctx, r, block, rate, report)
	if err != nil {
		return nil, err
	}
	return &MissCurve{Block: block, Lines: []curve.Line{full(c)}, Preview: true}, nil
}

// FindMissCurve computes the exact line of the fully associative caches. It reports data references.
func (r *Recording) FindMissCurve(ctx context.Context, block cachesim.Size,
	report func(done, total int64)) (*MissCurve, error) {
	c, err := simulator.StackDistances(ctx, r, block, report)
	if err != nil {
		return nil, err
	}
	return &MissCurve{Block: block, Blocks: c.Blocks(), Lines: []curve.Line{full(c)}}, nil
}

// FindWays adds the lines of the associativities: the caches of every number of sets that are no larger than twice what
// the recording touches, in one pass. It reports data references.
func (r *Recording) FindWays(ctx context.Context, m *MissCurve, report func(done, total int64)) (*MissCurve, error) {
	var sets []int
	most := 1 << bits.Len(uint(max(1, m.Blocks)))
	for n := 1; n <= min(most, cachesim.MaxLines/mostWays); n *= 2 {
		sets = append(sets, n)
	}
	all, err := simulator.AllSetDistances(ctx, r, m.Block, sets, mostWays, report)
	if err != nil {
		return nil, err
	}
	out := *m
	out.Lines = slices.Clone(m.Lines[:1])
	for w := 1; w <= mostWays; w *= 2 {
		l := curve.Line{Ways: w}
		for i, s := range all {
			if sets[i]*w <= 2*most {
				l.Points = append(l.Points, curve.Point{Bytes: uint64(m.Block) * uint64(sets[i]*w),
					Ratio: float64(s.Misses(w)) / float64(max(1, s.Requests))})
			}
		}
		out.Lines = append(out.Lines, l)
	}
	return &out, nil
}

// full is the line of the fully associative caches, eight sizes to each doubling.
func full(c *simulator.Curve) curve.Line {
	var l curve.Line
	for _, p := range c.Points(8) {
		l.Points = append(l.Points, curve.Point{Bytes: uint64(p.Size), Ratio: p.Ratio})
	}
	return l
}

// Pressure is what every set of the levels on the way of data had to do, by index of the configuration's levels; nil
// for the others.
type Pressure struct{ Sets [][]curve.Set }

// FindPressure simulates the recording once and counts the different blocks of every set.
func (r *Recording) FindPressure(ctx context.Context, c cachesim.Config,
	report func(done, total int64)) (*Pressure, error) {
	c = c.PerCore()
	way := DataLevels(c)
	pass, passes := int64(0), int64(1+len(way))
	tell := func(done, total int64) {
		if report != nil {
			report(pass*total+done, passes*total)
		}
	}
	counts, err := r.countSets(ctx, c, tell)
	if err != nil {
		return nil, err
	}
	p := &Pressure{Sets: make([][]curve.Set, len(c.Levels))}
	for _, i := range way {
		pass++
		l := c.Levels[i]
		d, err := simulator.SetDistances(ctx, r, l.Block, l.Sets(), 1, tell)
		if err != nil {
			return nil, err
		}
		p.Sets[i] = make([]curve.Set, l.Sets())
		for k := range p.Sets[i] {
			n := counts[i][k]
			p.Sets[i][k] = curve.Set{Requests: n.Fetches + n.Reads + n.Writes, Blocks: uint64(d.Sets[k].Blocks),
				Misses: n.Misses, Conflict: n.Classes[cachesim.Conflict]}
		}
	}
	return p, nil
}

func (r *Recording) countSets(ctx context.Context, c cachesim.Config,
	report func(done, total int64)) ([][]simulator.SetCounts, error) {
	c, err := simulator.Foresee(ctx, r, c, nil)
	if err != nil {
		return nil, err
	}
	h, err := simulator.New(c)
	if err != nil {
		return nil, err
	}
	h.Classify()
	counts := simulator.NewSetCounts(c)
	if err := r.eachBlock(ctx, report, func(b *traceio.Block) { h.RunSets(b, counts) }); err != nil {
		return nil, err
	}
	return counts, nil
}

// CurveLevels are the levels of a simulated hierarchy as the curve marks them, with what their sets did, which may be
// nil.
func (r *Recording) CurveLevels(c *Caches, p *Pressure) ([]curve.Level, error) {
	config := c.Config().PerCore()
	all, err := c.Between(0, c.Len())
	if err != nil {
		return nil, err
	}
	var out []curve.Level
	asked := float64(0)
	for k, i := range DataLevels(config) {
		l, b := config.Levels[i], all[i]
		if k == 0 {
			asked = float64(max(1, uint64(b.Hits)+uint64(b.Misses)))
		}
		v := curve.Level{Name: l.Name, Bytes: uint64(l.Size), Ways: l.Ways, Block: uint64(l.Block),
			Ratio: min(1, float64(b.Misses)/asked)}
		if p != nil && i < len(p.Sets) {
			v.Sets = p.Sets[i]
		}
		out = append(out, v)
	}
	return out, nil
}
