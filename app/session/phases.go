package session

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"

	"orrery/analysis/topology"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/phases"
	"orrery/views/words"
)

// Phases is a whole run, or a stretch of it, at a glance, with what the windows that stand for its kinds of phases say
// of the recording.
type Phases struct {
	*topology.Overview
	Cycles []*Cycles // by kind; nil where the window shows none
	order  []int     // kinds, the one that runs most first
	rec    *Recording
}

// Overlook finds the phases of a recording: see topology.Look.
func (r *Recording) Overlook(ctx context.Context, opt topology.OverviewOptions,
	report func(done, total int64)) (*topology.Overview, error) {
	look := r.Lines.Lookup()
	opt.LineOf = func(pc traceio.Addr) uint32 { return uint32(look.Of(pc)) }
	return topology.Look(ctx, r, opt, report)
}

// FindPhases finds the phases of count references from one on; count 0 is to the end.
func (r *Recording) FindPhases(ctx context.Context, from traceio.Seq, count int,
	report func(done, total int64)) (*Phases, error) {
	o, err := r.Overlook(ctx, topology.OverviewOptions{From: from, Count: count}, report)
	if err != nil {
		return nil, err
	}
	p := &Phases{Overview: o, Cycles: make([]*Cycles, len(o.Kinds)), rec: r}
	for k := range o.Kinds {
		p.order = append(p.order, k)
		kind := &o.Kinds[k]
		if kind.Result == nil || len(kind.Seqs) == 0 {
			continue
		}
		c := &Cycles{Result: kind.Result, Seqs: kind.Seqs, Request: CyclesRequest{Alphabet: kind.Alphabet, Every: 1}}
		if c.First, err = r.accesses(c.Seqs); err != nil {
			return nil, err
		}
		c.number(r)
		p.Cycles[k] = c
	}
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(p.length(b), p.length(a)) })
	return p, nil
}

// length is how many references run in phases of a kind.
func (p *Phases) length(kind int) traceio.Seq {
	n := traceio.Seq(0)
	for _, x := range p.Phases {
		if x.Kind == kind {
			n += x.To - x.From
		}
	}
	return n
}

// PhaseLines adds up a phase's busiest instructions by source line, the busiest first.
func (r *Recording) PhaseLines(p *topology.Phase) []LineShare {
	var out []LineShare
	at := map[int32]int{}
	for _, code := range p.Busiest {
		id := r.Lines.Of(code.PC)
		if id < 0 || r.Lines.At(id).Line == 0 {
			continue
		}
		i, ok := at[id]
		if !ok {
			i = len(out)
			at[id] = i
			out = append(out, LineShare{Line: r.Lines.At(id), ID: id})
		}
		out[i].Share += code.Share
	}
	slices.SortStableFunc(out, func(a, b LineShare) int { return cmp.Compare(b.Share, a.Share) })
	return out
}

// Busiest is the instruction that runs most often in a phase, and how often; no times where the recording has no
// instructions.
func (r *Recording) Busiest(p *topology.Phase) (name string, times int) {
	if len(p.Busiest) == 0 || r.Lines.Of(p.Busiest[0].PC) < 0 {
		return "", 0
	}
	return r.CodeName(p.Busiest[0].PC), int(math.Round(p.Busiest[0].Share * float64(p.To-p.From)))
}

// CodeName is the source line of an instruction, or its address.
func (r *Recording) CodeName(pc traceio.Addr) string {
	if i := r.Lines.Of(pc); i >= 0 {
		if l := r.Lines.At(i); l.Line > 0 {
			return l.Name()
		}
	}
	return pc.String()
}

// Recurs tells whether a parameterization has turns that are worth a count.
func Recurs(p *topology.Parameterization) bool { return p.DuplicateOf == 0 && p.Turns >= 1.5 }

// State is the picture of the phases. What depends on the link and on the pointer is left to the caller.
func (p *Phases) State(theme palette.Theme) phases.State {
	s := phases.State{Theme: theme, Span: link.Range{From: p.From, To: p.To}, Chosen: -1, Hover: phases.Nowhere}
	longest := traceio.Seq(topology.DefaultStretch)
	for k := range p.Kinds {
		x := &p.Phases[p.Kinds[k].Phase]
		longest = max(longest, x.WindowTo-x.WindowFrom)
	}
	s.Note = fmt.Sprintf("approximate: bins of %s references, one window of %s for each kind", words.Count(p.Bin),
		words.Count(topology.DefaultStretch))
	if longest > topology.DefaultStretch {
		s.Note = fmt.Sprintf("approximate: bins of %s references, one window of %s to %s for each kind", words.Count(p.Bin),
			words.Count(topology.DefaultStretch), words.Count(longest))
	}
	place := make([]int, len(p.order))
	names := p.names()
	for rank, k := range p.order {
		place[k] = rank
		s.Kinds = append(s.Kinds, p.kind(theme, k, rank, names[k]))
	}
	for i := range p.Phases {
		x := &p.Phases[i]
		s.Phases = append(s.Phases, phases.Phase{Span: link.Range{From: x.From, To: x.To},
			Kind: place[x.Kind], Tip: p.tip(i)})
	}
	for _, r := range p.Rounds() {
		s.Rounds = append(s.Rounds, phases.Round{First: r.First, Period: r.Period, Times: r.Times})
	}
	return s
}

// kind is one of the picture's rows.
func (p *Phases) kind(theme palette.Theme, k, rank int, name string) phases.Kind {
	out := phases.Kind{Name: name, Color: palette.Qualitative(theme, rank),
		Share: float64(p.length(k)) / float64(max(1, p.To-p.From))}
	c := p.Cycles[k]
	switch {
	case c == nil && p.Kinds[k].Err != nil:
		out.Words = []string{words.Sentence(p.Kinds[k].Err.Error())}
		return out
	case c == nil:
		return out
	case len(c.Parameterizations) == 0:
		out.Words = []string{c.why()}
		return out
	}
	best := 0
	for i := range c.Parameterizations {
		if q := &c.Parameterizations[i]; Recurs(q) &&
			q.Turns*q.Score > c.Parameterizations[best].Turns*c.Parameterizations[best].Score {
			best = i
		}
	}
	out.Picture = p.rec.Spiral(c, theme, best, best, 1)
	for i := range c.Parameterizations {
		if q := &c.Parameterizations[i]; Recurs(q) {
			out.Words = append(out.Words, fmt.Sprintf("%.1f turns in %s references by %s%s", q.Turns, words.Count(c.Used),
				c.Request.Alphabet, doubt(q)))
		}
	}
	if len(out.Words) == 0 {
		out.Words = append([]string{"no cycle goes round in its window"}, c.Notes...)
	}
	return out
}

// doubt says why the turns of a parameterization may be no counts, "" where they are.
func doubt(p *topology.Parameterization) string {
	switch {
	case p.Uncertain():
		return ", uncertain"
	case p.ToAndFro():
		return ", to and fro"
	}
	return ""
}

// names say what runs in the kinds: of the lines that their longest phases are busiest with the one that tells them
// from the others most.
func (p *Phases) names() []string {
	lines := make([][]LineShare, len(p.Kinds))
	all := map[int32]float64{}
	for k := range p.Kinds {
		lines[k] = p.rec.PhaseLines(&p.Phases[p.Kinds[k].Phase])
		for _, l := range lines[k] {
			all[l.ID] += l.Share
		}
	}
	out := make([]string, len(p.Kinds))
	for k := range out {
		best, most := -1, 0.0
		for i, l := range lines[k] {
			if own := l.Share * l.Share / all[l.ID]; own > most {
				best, most = i, own
			}
		}
		switch busiest := p.Phases[p.Kinds[k].Phase].Busiest; {
		case best >= 0 && lines[k][best].Function != "":
			out[k] = fmt.Sprintf("%s:%d, %s", path.Base(lines[k][best].File), lines[k][best].Line.Line,
				traceio.ShortFunction(lines[k][best].Function))
		case best >= 0:
			out[k] = lines[k][best].Name()
		case len(busiest) > 0:
			out[k] = busiest[0].PC.String()
		default:
			out[k] = "unknown code"
		}
	}
	return out
}

// tip is what the pointer is told of a phase.
func (p *Phases) tip(phase int) []string {
	x := &p.Phases[phase]
	out := []string{fmt.Sprintf("phase %d: references %s to %s", phase+1, words.Count(x.From), words.Count(x.To))}
	for i, l := range p.rec.PhaseLines(x) {
		if i == 3 {
			break
		}
		out = append(out, fmt.Sprintf("%s  %.0f %%", l.Name(), 100*l.Share))
	}
	for i, t := range x.Turns {
		if !Recurs(&p.Kinds[x.Kind].Result.Parameterizations[i]) {
			continue
		}
		if t.Exact {
			out = append(out, fmt.Sprintf("%.0f turns, counted at %s", t.Turns, p.rec.CodeName(t.Marker)))
		} else {
			out = append(out, fmt.Sprintf("about %.0f turns%s", t.Turns, doubt(&p.Kinds[x.Kind].Result.Parameterizations[i])))
		}
	}
	return append(out, "double click or Enter goes into it")
}

// Standing is the phase that stands for one of the picture's kinds.
func (p *Phases) Standing(row int) int { return p.Kinds[p.order[row]].Phase }
