package curve

import (
	"fmt"
	"math"

	"orrery/views/link"
	"orrery/views/scene"
	"orrery/views/words"
)

// The words of the choices, as Target.Word and State.Over number them.
const (
	axisWord    = 0 // "%", "log %"
	measureWord = 2 // Measures
)

// Target is what lies under the pointer.
type Target struct {
	Word  int        // of the choices, -1 for none; Choose does what it says
	Bytes uint64     // a cache size in the plot, a power of two or a step of a quarter between; 0 outside
	Thing link.Thing // a set
	Lines []string   // of the tooltip
}

// Choose is the state after a word of the choices was pressed.
func Choose(s State, word int) State {
	if word >= measureWord {
		s.By = Measure(word - measureWord)
	} else {
		s.Log = word == axisWord+1
	}
	return s
}

// Hit returns what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target {
	t := Target{Word: -1}
	if len(s.Lines) == 0 {
		return t
	}
	g := place(&s, size)
	row, at := s.axisChoices(g)
	if i := row.Hit(at, p); i >= 0 {
		return Target{Word: axisWord + i,
			Lines: []string{[]string{"ratios from 0", "ratios by powers of ten: small ones can be told apart"}[i]}}
	}
	if len(g.strips) > 0 {
		row, at := s.measureChoices(g)
		if i := row.Hit(at, p); i >= 0 && at.X+row.Width() < g.size.W {
			return Target{Word: measureWord + i, Lines: []string{measureTips[i]}}
		}
	}
	for k, r := range g.strips {
		if r.Contains(p) {
			return hitSet(&s.Levels[g.levels[k]], s.By, r, p)
		}
	}
	if p.X < g.plot.Min.X || p.X > g.plot.Max.X || p.Y < g.plot.Min.Y || p.Y > g.plot.Max.Y {
		return t
	}
	t.Bytes = snap(g.bytes(p.X), s.Block)
	t.Lines = s.tell(t.Bytes)
	return t
}

var measureTips = []string{"requests that each set answers", "different blocks that map to each set",
	"misses of each set",
	"misses that a fully associative level of the same size would not have"}

// snap is the cache size that a position means: a power of two where one is near, else a quarter step between two, in
// whole blocks.
func snap(bytes float64, block uint64) uint64 {
	exact := math.Log2(max(1, bytes))
	k := math.Exp2(math.Floor(exact))
	v := k * (1 + math.Round((bytes/k-1)*4)/4)
	if r := math.Round(exact); math.Abs(exact-r) < 0.13 {
		v = math.Exp2(r)
	}
	block = max(1, block)
	return max(block, uint64(v)/block*block)
}

// tell says what a cache of the size would do, and which of the present levels is of it.
func (s *State) tell(bytes uint64) []string {
	lines := []string{words.Bytes(bytes)}
	for _, l := range s.Lines {
		if r, ok := l.at(bytes); ok {
			text := fmt.Sprintf("%s: %s of the requests miss", l.name(), percent(r))
			if s.Preview {
				text += ", by a sample"
			}
			lines = append(lines, text)
		}
	}
	for _, l := range s.Levels {
		if l.Bytes == bytes {
			lines = append(lines, fmt.Sprintf("%s as it is, %d ways of %s: %s of the references go on", l.Name, l.Ways,
				words.Bytes(l.Block), percent(l.Ratio)))
		}
	}
	return append(lines, "click to try a level of this size")
}

// hitSet is the set under the pointer; where several share a column, the fullest of them.
func hitSet(l *Level, by Measure, r scene.Rect, p scene.Point) Target {
	for _, b := range bars(l.Sets, by, r) {
		if p.X >= b.x1 {
			continue
		}
		set := l.Sets[b.fullest]
		t := Target{Word: -1, Thing: link.OfSet(l.Name, b.fullest)}
		t.Lines = []string{fmt.Sprintf("%s set %d of %d", l.Name, b.fullest, len(l.Sets))}
		if b.to-b.from > 1 {
			t.Lines = append(t.Lines, fmt.Sprintf("the fullest of the sets %d to %d here", b.from, b.to-1))
		}
		t.Lines = append(t.Lines, fmt.Sprintf("%s requests for %s different blocks in %d ways", words.Count(set.Requests),
			words.Count(set.Blocks), l.Ways),
			fmt.Sprintf("%s misses, %s of them conflicts", words.Count(set.Misses), words.Count(set.Conflict)))
		return t
	}
	return Target{Word: -1}
}
