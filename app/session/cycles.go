package session

import (
	"context"
	"fmt"
	"slices"

	"orrery/analysis/attribution"
	"orrery/analysis/topology"
	"orrery/traceio"
)

// CyclesRequest says which references are analysed for cycles, and how. It is comparable: equal requests have equal
// results.
type CyclesRequest struct {
	From     traceio.Seq
	Count    int // references in the range; 0 is to the end
	Every    int // use every k-th
	Alphabet topology.Alphabet
	Options  topology.Options
	Quick    bool // a first look, while a range is dragged: see topology.Quick
	// Accepted thins the range before it is analysed, step by step up to the first 0: in step k bit r-1 is set where
	// the runs that rank r explains, in an analysis of what the steps before have left, are known well enough. Of their
	// turns every Thin-th stays.
	Accepted [MostAccepted]uint64
	Thin     int
}

// MostAccepted is how many times a range can be thinned.
const MostAccepted = 8

// Cycles is the outcome of an analysis together with what it says of the recording: Seqs[i] is the reference at which
// window i begins, Lines[i] the number of that reference's source line.
type Cycles struct {
	*topology.Result
	Request CyclesRequest
	Seqs    []traceio.Seq
	Lines   []int32
	First   []traceio.Access // the reference at which each window begins
	Left    []int            // how many references each step of Request.Accepted has left

	selected int // references, before the first of these steps
}

// Idle tells whether the newest step of Request.Accepted has left everything.
func (c *Cycles) Idle() bool {
	before := c.selected
	switch n := len(c.Left); {
	case n == 0:
		return false
	case n > 1:
		before = c.Left[n-2]
	}
	return c.Left[len(c.Left)-1] == before
}

// ThinnedNothing is what is said where it has.
const ThinnedNothing = "thinning has left out nothing: only turns that are as long as the ones before and after " +
	"them are left out"

// selected is how many of a recording's references the request selects.
func (q CyclesRequest) selected(length traceio.Seq) int {
	n := length - min(q.From, length)
	if q.Count > 0 {
		n = min(n, traceio.Seq(q.Count))
	}
	every := traceio.Seq(max(1, q.Every))
	return int((n + every - 1) / every)
}

// selection is the references that the request selects, by an alphabet.
func (q CyclesRequest) selection(a topology.Alphabet) topology.Selection {
	return topology.Selection{From: q.From, Count: q.Count, Every: q.Every, Alphabet: a}
}

// FindCycles analyses the references that the request selects.
func (r *Recording) FindCycles(ctx context.Context, q CyclesRequest, report func(done, total int64)) (*Cycles, error) {
	symbols, seqs, left, err := r.symbols(ctx, q)
	if err != nil {
		return nil, err
	}
	result, err := r.analyze(ctx, q, symbols, report)
	if err != nil {
		return nil, err
	}
	c := &Cycles{Result: result, Request: q, Seqs: seqs[:result.Times], Left: left, selected: q.selected(r.Len())}
	switch {
	case c.Idle():
		c.Notes = append(slices.Clip(c.Notes), ThinnedNothing)
	case len(c.Left) > 0:
		c.Notes = append(slices.Clip(c.Notes), fmt.Sprintf("thinning has left %d of %d references, one in %d of the "+
			"turns that it explains; turns count what is left", c.Left[len(c.Left)-1], c.selected, max(1, q.Thin)))
	}
	c.First, err = r.accesses(c.Seqs)
	if err != nil {
		return nil, err
	}
	c.number(r)
	return c, nil
}

// number gives every window the number of its line.
func (c *Cycles) number(r *Recording) {
	look := r.Lines.Lookup()
	c.Lines = make([]int32, len(c.First))
	for i, a := range c.First {
		c.Lines[i] = look.Of(a.PC)
	}
}

// symbols are those of the references that are analysed, which these are, and how many each thinning has left.
func (r *Recording) symbols(ctx context.Context,
	q CyclesRequest) (symbols []uint32, seqs []traceio.Seq, left []int, err error) {
	look := r.Lines.Lookup()
	symbols, seqs, err = topology.Symbols(ctx, r, q.selection(q.Alphabet), func(pc traceio.Addr) uint32 {
		return uint32(look.Of(pc))
	})
	if err != nil {
		return nil, nil, nil, err
	}
	return q.thin(ctx, symbols, seqs)
}

// thin takes out what the accepted cycles explain.
func (q CyclesRequest) thin(ctx context.Context, symbols []uint32,
	seqs []traceio.Seq) (_ []uint32, _ []traceio.Seq, left []int, _ error) {
	for _, accepted := range q.Accepted {
		if accepted == 0 {
			break
		}
		result, err := topology.Analyze(ctx, symbols, q.Options, nil)
		if err != nil {
			return nil, nil, nil, err
		}
		var ranks []int
		for b := range 64 {
			if accepted>>b&1 != 0 {
				ranks = append(ranks, b+1)
			}
		}
		kept, err := result.Adaptive(symbols, ranks, q.Thin)
		if err != nil {
			return nil, nil, nil, err
		}
		symbols, seqs = topology.Pick(symbols, kept), topology.Pick(seqs, kept)
		left = append(left, len(kept))
	}
	return symbols, seqs, left, nil
}

// At is c with parameterization i computed at another scale of its life: see topology.
func (c *Cycles) At(ctx context.Context, i int, scale float64) (*Cycles, error) {
	result, err := c.Rescaled(ctx, c.Parameterizations[i].Rank, scale)
	if err != nil {
		return nil, err
	}
	out := *c
	out.Result = result
	return &out, nil
}

// Same tells whether two outcomes are of the same windows, whatever the scales of their angles.
func (c *Cycles) Same(d *Cycles) bool {
	return c == d || c != nil && d != nil && len(c.Seqs) == len(d.Seqs) && len(c.Seqs) > 0 && &c.Seqs[0] == &d.Seqs[0]
}

// analyze is the first look or the whole analysis, as the request says.
func (r *Recording) analyze(ctx context.Context, q CyclesRequest, symbols []uint32,
	report func(done, total int64)) (*topology.Result, error) {
	if !q.Quick {
		return topology.Analyze(ctx, symbols, q.Options, report)
	}
	coarse := func(a topology.Alphabet) ([]uint32, error) {
		if !q.Alphabet.Coarser(a) || q.Accepted[0] != 0 {
			return nil, nil
		}
		symbols, _, err := topology.Symbols(ctx, r, q.selection(a), nil)
		return symbols, err
	}
	return topology.Quick(ctx, symbols, coarse, q.Options, report)
}

// accesses reads the references at ascending times.
func (r *Recording) accesses(seqs []traceio.Seq) ([]traceio.Access, error) {
	out := make([]traceio.Access, len(seqs))
	var b *traceio.Block
	row, at := 0, traceio.Seq(0)
	for i, s := range seqs {
		if b == nil || s >= b.First+traceio.Seq(b.Data()) {
			var err error
			if b, err = r.Block(r.Find(s)); err != nil {
				return nil, err
			}
			row, at = 0, b.First
		}
		for ; b.Kind[row] == traceio.Fetch || at < s; row++ {
			if b.Kind[row] != traceio.Fetch {
				at++
			}
		}
		out[i] = traceio.Access{Seq: s, Addr: b.Addr[row], PC: b.PC[row], Size: b.Size[row], Kind: b.Kind[row],
			Thread: b.Thread[row]}
	}
	return out, nil
}

// Adopt gives an analysis of a shorter prefix of r with its lines numbered as r numbers them. The references are the
// same.
func (r *Recording) Adopt(c *Cycles) *Cycles {
	adopted := *c
	adopted.number(r)
	return &adopted
}

// LineShare is the part that one source line has in a cycle.
type LineShare struct {
	attribution.Line
	ID    int32
	Share float64 // 0..1
}

// LineShares tells which source lines the members of parameterization p begin at, largest share first. References of
// unknown lines are left out, their share is missing from the sum.
func (c *Cycles) LineShares(p *topology.Parameterization, lines *attribution.Lines) []LineShare {
	var out []LineShare
	for _, s := range topology.Shares(p, func(time int) int32 { return c.Lines[time] }) {
		if s.Key != attribution.Unknown {
			out = append(out, LineShare{Line: lines.At(s.Key), ID: s.Key, Share: s.Share})
		}
	}
	return out
}
