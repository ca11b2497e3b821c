package session

import (
	"context"
	"math/bits"

	"orrery/cachesim"
	"orrery/views/curve"
)

// MissCurve is what LRU caches of every size, and of the usual associativities, make of a recording's data references.
type MissCurve struct {
	Block   cachesim.Size
	Lines   []curve.Line // the fully associative caches first
	Preview bool
}

// ways are the associativities that get a line of their own.
var ways = []int{1, 2, 4, 8, 16}

// sampleRate is the share of the blocks that a preview looks at, and previewed the number of references from which it is
// worth its time.
const (
	sampleRate = 0.01
	previewed  = 1 << 22
)

// PreviewCurve estimates the fully associative caches from a sample; nil for recordings so short that the exact curve is
// there at once.
func (r *Recording) PreviewCurve(ctx context.Context, block cachesim.Size, report func(done, total int64)) (*MissCurve, error) {
	if r.Len() < previewed {
		return nil, nil
	}
	c, err := cachesim.SampledDistances(ctx, r, block, sampleRate, report)
	if err != nil {
		return nil, err
	}
	return &MissCurve{Block: block, Lines: []curve.Line{full(c)}, Preview: true}, nil
}

// FindMissCurve computes the exact lines: one pass for all fully associative caches, and one for each number of sets that
// makes caches no larger than twice what the recording touches. It reports data references of all passes.
func (r *Recording) FindMissCurve(ctx context.Context, block cachesim.Size, report func(done, total int64)) (*MissCurve, error) {
	pass, passes := int64(0), int64(1)
	tell := func(done, total int64) {
		if report != nil {
			report(pass*total+done, passes*total)
		}
	}
	c, err := cachesim.StackDistances(ctx, r, block, tell)
	if err != nil {
		return nil, err
	}
	m := &MissCurve{Block: block, Lines: []curve.Line{full(c)}}
	for _, w := range ways {
		m.Lines = append(m.Lines, curve.Line{Ways: w})
	}
	most := 1 << bits.Len(uint(max(1, c.Blocks())))
	passes += int64(bits.Len(uint(most)))
	for sets := 1; sets <= most; sets *= 2 {
		pass++
		s, err := cachesim.SetDistances(ctx, r, block, sets, ways[len(ways)-1], tell)
		if err != nil {
			return nil, err
		}
		for i, w := range ways {
			if sets*w <= 2*most {
				p := curve.Point{Bytes: uint64(block) * uint64(sets*w), Ratio: float64(s.Misses(w)) / float64(max(1, s.Requests))}
				m.Lines[i+1].Points = append(m.Lines[i+1].Points, p)
			}
		}
	}
	return m, nil
}

// full is the line of the fully associative caches, eight sizes to each doubling.
func full(c *cachesim.Curve) curve.Line {
	var l curve.Line
	for _, p := range c.Points(8) {
		l.Points = append(l.Points, curve.Point{Bytes: uint64(p.Size), Ratio: p.Ratio})
	}
	return l
}

// Pressure is what every set of the levels on the way of data had to do, by index of the configuration's levels; nil for
// the others.
type Pressure struct{ Sets [][]curve.Set }

// FindPressure simulates the recording once and counts the different blocks of every set.
func (r *Recording) FindPressure(ctx context.Context, c cachesim.Config, report func(done, total int64)) (*Pressure, error) {
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
		d, err := cachesim.SetDistances(ctx, r, l.Block, l.Sets(), 1, tell)
		if err != nil {
			return nil, err
		}
		p.Sets[i] = make([]curve.Set, l.Sets())
		for k := range p.Sets[i] {
			n := counts[i][k]
			p.Sets[i][k] = curve.Set{Requests: n.Fetches + n.Reads + n.Writes, Blocks: uint64(d.Sets[k].Blocks), Misses: n.Misses, Conflict: n.Classes[cachesim.Conflict]}
		}
	}
	return p, nil
}

func (r *Recording) countSets(ctx context.Context, c cachesim.Config, report func(done, total int64)) ([][]cachesim.SetCounts, error) {
	h, err := cachesim.New(c)
	if err != nil {
		return nil, err
	}
	h.Classify()
	counts := cachesim.NewSetCounts(c)
	for i := range r.Blocks() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := r.Block(i)
		if err != nil {
			return nil, err
		}
		h.RunSets(b, counts)
		_, end := r.Span(i)
		report(int64(end), int64(r.Len()))
	}
	return counts, nil
}

// CurveLevels are the levels of a simulated hierarchy as the curve marks them, with what their sets did, which may be nil.
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
		v := curve.Level{Name: l.Name, Bytes: uint64(l.Size), Ways: l.Ways, Block: uint64(l.Block), Ratio: min(1, float64(b.Misses)/asked)}
		if p != nil && i < len(p.Sets) {
			v.Sets = p.Sets[i]
		}
		out = append(out, v)
	}
	return out, nil
}
