package session

import (
	"fmt"
	"slices"

	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/words"
)

// linesWindow is the longest window, in references, whose misses are told by line: looking at so many takes a few
// milliseconds.
const linesWindow = 1 << 16

// CompareWindow tells in sentences how two runs differ in a window of each: what every level on the way of data missed
// there, and which line's misses of the first level changed most.
func CompareWindow(names [2]string, runs [2]*Caches, windows [2]link.Range) ([]string, error) {
	var bars [2][]simulator.Bar
	var ways [2][]int
	var lines [2]map[string]uint64
	for i, c := range runs {
		w := &windows[i]
		w.To = min(w.To, c.Len())
		w.From = min(w.From, w.To)
		var err error
		if bars[i], err = c.Between(w.From, w.To); err != nil {
			return nil, err
		}
		if ways[i] = way(c.Config()); len(ways[i]) == 0 {
			return nil, nil
		}
		if windows[i].To-windows[i].From <= linesWindow {
			if lines[i], err = c.lineMisses(w.From, w.To); err != nil {
				return nil, err
			}
		}
	}
	out := []string{fmt.Sprintf("In the window, references %s to %s%s:", words.Count(uint64(windows[0].From)),
		words.Count(uint64(windows[0].To)), elsewhere(names[1], windows))}
	for k := range min(len(ways[0]), len(ways[1])) {
		x, y := bars[0][ways[0][k]].Misses, bars[1][ways[1][k]].Misses
		out[0] += fmt.Sprintf(" %s misses %s times in %s and %s times in %s%s.", runs[0].Config().Levels[ways[0][k]].Name,
			words.Count(uint64(x)), names[0], words.Count(uint64(y)), names[1],
			change(float64(x), float64(y), "fewer"))
	}
	if line := changedMost(lines); line != "" {
		x, y := lines[0][line], lines[1][line]
		out = append(out,
			fmt.Sprintf("The line that changes most there is %s: it misses %s %s times in %s and %s times in %s.",
				line, runs[0].Config().Levels[ways[0][0]].Name, words.Count(x), names[0], words.Count(y), names[1]))
	}
	return out, nil
}

// elsewhere says where the second run's window is, if it is another.
func elsewhere(name string, w [2]link.Range) string {
	if w[0] == w[1] {
		return ""
	}
	return fmt.Sprintf(" (%s to %s in %s)", words.Count(uint64(w[1].From)), words.Count(uint64(w[1].To)), name)
}

// changedMost is the line whose misses differ most, "" when none differ or a run's lines are not known.
func changedMost(lines [2]map[string]uint64) string {
	if lines[0] == nil || lines[1] == nil {
		return ""
	}
	var names []string
	for _, of := range lines {
		for name := range of {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	best, most := "", uint64(0)
	for _, name := range names {
		x, y := lines[0][name], lines[1][name]
		if d := max(x, y) - min(x, y); d > most {
			best, most = name, d
		}
	}
	return best
}

// lineMisses counts the references of [from, to) that the first level of their core could not answer, by source line.
func (c *Caches) lineMisses(from, to traceio.Seq) (map[string]uint64, error) {
	out := map[string]uint64{}
	served, err := c.ServedBetween(from, to)
	if err != nil {
		return nil, err
	}
	config, look := c.Config(), c.Of.Lines.Lookup()
	var ids []int32
	for at := from; at < to; {
		b, err := c.Of.Block(c.Of.Find(at))
		if err != nil {
			return nil, err
		}
		ids = append(ids[:0], make([]int32, b.Len())...)
		look.Classify(b, ids)
		for row := b.Row(at); row < b.Len() && at < to; row++ {
			if b.Kind[row] == traceio.Fetch {
				continue
			}
			s := served[at-from]
			at++
			if entry := config.EntryOf(config.Core(b.Thread[row]), b.Kind[row]); ids[row] >= 0 &&
				(s.Level() != entry || s.Whole()) {
				out[c.Of.Lines.At(ids[row]).Name()]++
			}
		}
	}
	return out, nil
}
