package session

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"orrery/analysis/attribution"
	"orrery/analysis/topology"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/words"
)

// Turn is one round of a cycle: its windows from..to-1 by time index, and how many of their references missed in the
// first cache level.
type Turn struct{ From, To, Misses int }

// Turns cuts the members of a parameterization into rounds: a new one begins where the angle first passes the next
// whole turn from the first member on. served, by time index, may be nil: then there are no misses. What is left of a
// round at the end is dropped when it is shorter than half a turn.
func (c *Cycles) Turns(p *topology.Parameterization, served []cachesim.Served, first int) []Turn {
	var out []Turn
	base, next := math.NaN(), 0.0
	for i, member := range p.Members {
		v := p.Unwrapped[i]
		if !member || math.IsNaN(v) {
			continue
		}
		if math.IsNaN(base) {
			base = v
		}
		const rounding = 1e-9
		if v += rounding; len(out) == 0 || v-base >= next {
			if len(out) > 0 {
				out[len(out)-1].To = i
			}
			next = math.Floor(v-base) + 1
			out = append(out, Turn{From: i, To: i})
		}
		t := &out[len(out)-1]
		t.To = i + 1
		if i < len(served) && missed(served[i], first) {
			t.Misses++
		}
	}
	if n := len(out); n > 1 && p.Unwrapped[out[n-1].To-1]-base-(next-1) < 0.5 {
		out = out[:n-1]
	}
	return out
}

// missed tells whether the first level did not have the data.
func missed(s cachesim.Served, first int) bool {
	return s != cachesim.Unserved && (s.Level() > first || s.Whole())
}

// Words says what the cycle of parameterization i is (C15): its turns, the lines in order with their shares, the
// regions it touches and, where the caches were simulated, its misses per turn.
func (r *Recording) Words(c *Cycles, i int, served []cachesim.Served, config cachesim.Config) []string {
	p := &c.Parameterizations[i]
	said := []string{c.TurnWords(p)}
	for _, w := range []string{r.lineWords(c, p), r.regionWords(c, p), missWords(c, p, served, config)} {
		if w != "" {
			said = append(said, w)
		}
	}
	if p.DuplicateOf > 0 {
		said = append(said, fmt.Sprintf("the same motion as rank %d", p.DuplicateOf))
	}
	return said
}

// perTurn tells whether anything can be counted by the turn: there is one at least, they follow one another, and their
// number is certain.
func perTurn(p *topology.Parameterization) bool {
	return p.Turns >= 1 && !p.ToAndFro() && !p.Uncertain()
}

// TurnWords says how often a cycle turns and how long a turn is: "6.0 turns, 35 references a turn". What was sampled
// counts for all that it stands for.
func (c *Cycles) TurnWords(p *topology.Parameterization) string {
	w := fmt.Sprintf("%.1f turns", p.Turns)
	switch {
	case p.Turns < 1:
	case p.Uncertain():
		w += fmt.Sprintf(", uncertain: half a turn or more in %s", words.Plural(p.Leaps(), "step"))
	case p.ToAndFro():
		w += ", to and fro"
	case c.Window == 1: // a table
		w += fmt.Sprintf(", %.0f points a turn", p.Period())
	default:
		w += fmt.Sprintf(", %.0f references a turn", p.Period()*float64(max(1, c.Request.Every)))
	}
	return w
}

// lineWords lists the lines with the largest shares, neighbours of one file as a range in order of the text: "bubble.c
// lines 13-15 (63 % / 21 % / 16 %)".
func (r *Recording) lineWords(c *Cycles, p *topology.Parameterization) string {
	const most = 6
	shares := c.LineShares(p, r.Lines)
	shares = slices.DeleteFunc(shares, func(s LineShare) bool { return s.Share < 0.01 })
	shares = shares[:min(most, len(shares))]
	var parts []string
	for len(shares) > 0 {
		group := []LineShare{shares[0]}
		shares = shares[1:]
		for grown := true; grown; { // take what borders on the range so far
			grown = false
			for k, s := range shares {
				low, high := group[0], group[len(group)-1]
				switch {
				case s.File != low.File:
					continue
				case s.Line.Line == high.Line.Line+1:
					group = append(group, s)
				case s.Line.Line == low.Line.Line-1:
					group = append([]LineShare{s}, group...)
				default:
					continue
				}
				shares = append(shares[:k:k], shares[k+1:]...)
				grown = true
				break
			}
		}
		parts = append(parts, rangeWords(group))
	}
	return strings.Join(parts, ", ")
}

func rangeWords(group []LineShare) string {
	var shares []string
	for _, s := range group {
		shares = append(shares, fmt.Sprintf("%.0f %%", 100*s.Share))
	}
	l := group[0]
	where := fmt.Sprintf("line %d", l.Line.Line)
	switch {
	case l.Line.Line <= 0:
		return fmt.Sprintf("%s (%s)", ShortName(l.Line), strings.Join(shares, " / "))
	case len(group) > 1:
		where = fmt.Sprintf("lines %d-%d", l.Line.Line, group[len(group)-1].Line.Line)
	}
	return fmt.Sprintf("%s %s (%s)", path.Base(l.File), where, strings.Join(shares, " / "))
}

// regionWords names the data that the cycle touches.
func (r *Recording) regionWords(c *Cycles, p *topology.Parameterization) string {
	look, regions := r.Regions.Lookup(), r.Regions.Regions()
	var parts []string
	for k, s := range topology.Shares(p, func(time int) int32 {
		id, _ := look.Locate(c.First[time].Addr, c.First[time].Seq)
		return id
	}) {
		if k == 4 || s.Share < 0.01 {
			break
		}
		name := "memory without a name"
		if s.Key != attribution.Unknown {
			name = regions[s.Key].Name
		}
		parts = append(parts, fmt.Sprintf("%s (%.0f %%)", name, 100*s.Share))
	}
	if len(parts) == 0 {
		return ""
	}
	return "touches " + strings.Join(parts, ", ")
}

// missWords tells misses per turn and whether they fall; in all, where nothing can be counted by the turn or there is
// less than one. Of a sample it is an estimate.
func missWords(c *Cycles, p *topology.Parameterization, served []cachesim.Served, config cachesim.Config) string {
	if served == nil || p.Turns < 0.5 {
		return ""
	}
	first := max(0, config.Entry(traceio.Load))
	total := 0
	for i, member := range p.Members {
		if member && i < len(served) && missed(served[i], first) {
			total++
		}
	}
	every := max(1, c.Request.Every)
	where := fmt.Sprintf("in %s of %s", config.Levels[first].Name, config.Brief())
	about := ""
	if every > 1 {
		about = "about "
	}
	switch rate := float64(total*every) / p.Turns; {
	case total == 0 && every > 1:
		return "no sampled reference misses " + where
	case total == 0:
		return "no misses " + where
	case !perTurn(p) || rate < 1:
		return fmt.Sprintf("%s%s %s in all", about, misses(uint64(total*every)), where)
	default:
		w := fmt.Sprintf("%s%.1f misses a turn %s", about, rate, where)
		if trend := trend(c.Turns(p, served, first)); trend != "" {
			w += ", " + trend
		}
		return w
	}
}

// trend compares the later half of the turns with the earlier one; the middle one of an odd number counts for neither.
// A fifth is what shows.
func trend(turns []Turn) string {
	n := len(turns) / 2
	if n < 2 {
		return "" // two numbers are no trend
	}
	early, late := 0, 0
	for i := range n {
		early += turns[i].Misses
		late += turns[len(turns)-1-i].Misses
	}
	switch a, b := float64(early), float64(late); {
	case b < 0.8*a:
		return "falling"
	case a < 0.8*b:
		return "rising"
	}
	return "steady"
}
