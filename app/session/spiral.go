package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"orrery/analysis/topology"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/spiral"
	"orrery/views/words"
)

// Spiral is the state of a spiral plot of cycles that shows parameterization to, on the way from parameterization from;
// both index c.Parameterizations, and a result without any gives a picture that says why. What depends on the link is
// left to the caller.
func (r *Recording) Spiral(c *Cycles, theme palette.Theme, from, to int, morph float64) spiral.State {
	s := spiral.State{Theme: theme, Morph: 1, Legend: true, Empty: c.why()}
	if len(c.Parameterizations) == 0 {
		return s
	}
	s.Seq = c.Seqs
	s.From = angles(&c.Parameterizations[to])
	if from != to {
		s.From, s.To, s.Morph = angles(&c.Parameterizations[from]), angles(&c.Parameterizations[to]), morph
	}
	s.Lines, s.Line = r.spiralLines(c, theme)
	s.Describe = func(i int) string {
		a := c.First[i]
		_, name := r.Regions.At(a.Addr, a.Seq)
		return fmt.Sprintf("%s %s  %v", a.Kind, name, a.Addr)
	}
	return s
}

// Touched tells by time index of c whether the reference at which the window begins lies in a region, block or range of
// addresses, or is made by some instructions; nil when t is none of these, or when no window does.
func (r *Recording) Touched(c *Cycles, t link.Thing) []bool {
	region := -1
	t = t.AsMemory()
	switch t.What {
	case link.Region:
		if region = r.Regions.Find(t.Name); region < 0 {
			return nil
		}
	case link.Block, link.Address:
	case link.Instructions:
		return r.made(c, t)
	default:
		return nil
	}
	out := make([]bool, len(c.First))
	look, found := r.Regions.Lookup(), false
	for i, a := range c.First {
		id, block := look.Locate(a.Addr, a.Seq)
		switch t.What {
		case link.Region:
			out[i] = int(id) == region
		case link.Block:
			out[i] = int(block) == t.ID && block >= 0
		case link.Address:
			out[i] = a.Addr < t.High && a.Addr+traceio.Addr(max(1, a.Size))-1 >= t.Low
		}
		found = found || out[i]
	}
	if !found {
		return nil
	}
	return out
}

// made tells by time index of c whether some instructions make the reference at which the window begins; nil when they
// make none.
func (r *Recording) made(c *Cycles, t link.Thing) []bool {
	is := r.codeIn(t)
	out, found := make([]bool, len(c.First)), false
	for i, a := range c.First {
		out[i] = is(a.PC)
		found = found || out[i]
	}
	if !found {
		return nil
	}
	return out
}

// Loop is parameterization i, to be hung on the spiral of another one.
func (c *Cycles) Loop(i int, amount float64) spiral.Loop {
	return spiral.Loop{Angles: angles(&c.Parameterizations[i]), Amount: amount}
}

// Caption says what is analysed and which class is shown, in a few words.
func (c *Cycles) Caption(shown int) string {
	q := c.Request
	said := []string{fmt.Sprintf("window %d", c.Window), q.Alphabet.String()}
	if shown >= 0 && shown < len(c.Parameterizations) {
		p := &c.Parameterizations[shown]
		said = append(said, fmt.Sprintf("#%d of %d, %.1f turns", p.Rank, len(c.Parameterizations), p.Turns))
	}
	if q.Every > 1 {
		said = append(said, fmt.Sprintf("every %dth", q.Every))
	}
	return strings.Join(said, " · ")
}

// why says why there is nothing to draw.
func (c *Cycles) why() string {
	if c.Problem != nil {
		return words.Sentence(c.Problem.Error())
	}
	return "No class could be turned into an angle; see the notes of the analysis."
}

func angles(p *topology.Parameterization) spiral.Angles {
	return spiral.Angles{Turns: p.Unwrapped, Members: p.Members}
}

// byFrequency lists the lines at which the windows begin, the most frequent first.
func (c *Cycles) byFrequency() []int32 {
	counts := map[int32]int{}
	for _, id := range c.Lines {
		if id >= 0 {
			counts[id]++
		}
	}
	ids := make([]int32, 0, len(counts))
	for id := range counts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int32) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	return ids
}

// spiralLines lists the lines at which the windows begin, the most frequent first, and which of them each window has.
func (r *Recording) spiralLines(c *Cycles, theme palette.Theme) (lines []spiral.Line, of []int32) {
	ids, colors := c.byFrequency(), c.LineColors()
	place := make(map[int32]int32, len(ids))
	for i, id := range ids {
		l := r.Lines.At(id)
		place[id] = int32(i)
		lines = append(lines, spiral.Line{File: l.File, Number: l.Line, Function: l.Function,
			Text: r.LineText(l.File, l.Line), Color: colors.Of(theme, id)})
	}
	of = make([]int32, len(c.Lines))
	for i, id := range c.Lines {
		of[i] = -1
		if k, ok := place[id]; ok {
			of[i] = k
		}
	}
	return lines, of
}
