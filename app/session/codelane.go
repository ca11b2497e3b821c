package session

import (
	"image/color"

	"orrery/analysis/attribution"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/timeline"
)

// codeBands is how many stretches of time the lane of code has at least when it is cut from the references themselves.
const codeBands = 256

// codeLane is the function that runs: of each piece of the recording the one that makes most of its references, in the
// colour of its busiest line. A stretch that is short against the pieces is cut from its references. Where there are
// not two functions to tell apart there is no lane.
func (r *Recording) codeLane(view link.Range, theme palette.Theme) (timeline.Lane, bool) {
	if len(r.code.names) < 2 || r.Len() == 0 {
		return timeline.Lane{}, false
	}
	l := timeline.Lane{Name: "code", First: view.From, Step: 1, Color: theme.Dim}
	add := func(from, to traceio.Seq, function int32) {
		if n := len(l.Bands); n > 0 && l.Bands[n-1].Span.To == from && l.Bands[n-1].Name == r.code.name(function) {
			l.Bands[n-1].Span.To = to
			return
		}
		l.Bands = append(l.Bands, timeline.Band{Span: link.Range{From: from, To: to}, Name: r.code.name(function),
			Color: r.code.color(theme, function)})
	}
	grain := r.Digest.Grain
	if span := view.To - view.From; span <= 2*grain && grain > 1 {
		r.runs(view, max(1, span/codeBands), add)
		return l, true
	}
	for piece := view.From / grain; piece*grain < view.To; piece++ {
		add(piece*grain, min(r.Len(), (piece+1)*grain), r.code.top[piece])
	}
	return l, true
}

// runs gives the function that runs in each step of a stretch.
func (r *Recording) runs(view link.Range, step traceio.Seq, give func(from, to traceio.Seq, function int32)) {
	votes := newVotes(len(r.code.names))
	look := r.Lines.Lookup()
	from := view.From
	r.eachReference(view, func(s traceio.Seq, pc traceio.Addr) {
		votes.add(r.code.function(look.Of(pc)), 1)
		if s++; s == from+step || s == view.To {
			give(from, s, votes.winner())
			from = s
		}
	})
}

// code is the functions of the recording's lines over time.
type code struct {
	names []string
	of    []int32 // by line: the function, or attribution.Unknown
	first []int32 // by function: its busiest line
	top   []int32 // by piece of the digest: the function that makes most references, or attribution.Unknown
}

// overlookCode finds the functions of all pieces. A piece that a glimpse has not looked at has that of the one before.
func (r *Recording) overlookCode() code {
	c := code{}
	c.names, c.of = r.functions()
	c.first = make([]int32, len(c.names))
	for line := len(c.of) - 1; line >= 0; line-- {
		if f := c.of[line]; f >= 0 {
			c.first[f] = int32(line)
		}
	}
	look := r.Lines.Lookup()
	votes := newVotes(len(c.names))
	c.top = make([]int32, len(r.Digest.Pieces))
	for i := range r.Digest.Pieces {
		p := &r.Digest.Pieces[i]
		if p.References() == 0 && i > 0 {
			c.top[i] = c.top[i-1]
			continue
		}
		for _, x := range p.Code {
			votes.add(c.function(look.Of(x.PC)), x.Loads+x.Stores)
		}
		c.top[i] = votes.winner()
	}
	return c
}

func (c *code) function(line int32) int32 {
	if line < 0 {
		return attribution.Unknown
	}
	return c.of[line]
}

func (c *code) name(function int32) string {
	if function < 0 {
		return "unknown code"
	}
	return c.names[function]
}

func (c *code) color(theme palette.Theme, function int32) color.NRGBA {
	if function < 0 {
		return palette.Others(theme)
	}
	return LineColors(nil).Of(theme, c.first[function])
}

// votes counts references by function, for few functions at a time.
type votes struct {
	count []uint32 // by function plus one
	seen  []int32
}

func newVotes(functions int) *votes { return &votes{count: make([]uint32, functions+1)} }

func (v *votes) add(function int32, n uint32) {
	if v.count[function+1] == 0 {
		v.seen = append(v.seen, function)
	}
	v.count[function+1] += n
}

// winner is the function with most references, of equals the one with the lower number, and forgets them all.
func (v *votes) winner() int32 {
	best, most := int32(attribution.Unknown), uint32(0)
	for _, f := range v.seen {
		if n := v.count[f+1]; n > most || n == most && f < best {
			best, most = f, n
		}
		v.count[f+1] = 0
	}
	v.seen = v.seen[:0]
	return best
}
