package session

import (
	"context"
	"fmt"
	"math"
	"slices"

	"orrery/analysis/attribution"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/words"
)

// Side is one of the two runs that are compared: a recording under a configuration, with a name for people.
type Side struct {
	Name   string
	Of     *Recording
	Config cachesim.Config
}

// Comparison is what two runs through caches have in common and where they differ.
type Comparison struct {
	Sides   [2]Side
	Totals  [2]cachesim.Totals
	Levels  []LevelChange // on the way of data, fastest first
	Lines   []Change      // those with the largest change of time first
	Regions []Change
}

// LevelChange is a level of each side with what it was asked and what it missed. A side that has no such level has ""
// and zeros.
type LevelChange struct {
	Names    [2]string
	Requests [2]uint64
	Misses   [2]uint64
}

// Change is one source line or region in both runs. Time is the nanoseconds that its misses cost, by the latencies of
// the levels that they go on to.
type Change struct {
	Key        string
	References [2]uint64
	Misses     [2][]uint64 // by level of LevelChange
	Time       [2]float64
}

// Delta is by how many nanoseconds the second run is slower at it.
func (c *Change) Delta() float64 { return c.Time[1] - c.Time[0] }

// CompareCaches runs both sides and compares them. report is told blocks of the passes, which are three a side.
func CompareCaches(ctx context.Context, a, b Side, report func(done, total int64)) (*Comparison, error) {
	c := &Comparison{Sides: [2]Side{a, b}}
	var lines, regions [2][]attribution.Row
	var ways [2][]int
	passes := int64(a.Of.Blocks()+b.Of.Blocks()) * 3
	var before int64
	for i, s := range c.Sides {
		tell := func(done, _ int64) {
			if report != nil {
				report(before+done, passes)
			}
		}
		var err error
		if c.Totals[i], err = s.Of.Simulate(ctx, s.Config, false, tell); err != nil {
			return nil, err
		}
		before += int64(s.Of.Blocks())
		if lines[i], err = s.Of.MissesBy(ctx, s.Config, "line", tell); err != nil {
			return nil, err
		}
		before += int64(s.Of.Blocks())
		if regions[i], err = s.Of.MissesBy(ctx, s.Config, "region", tell); err != nil {
			return nil, err
		}
		before += int64(s.Of.Blocks())
		ways[i] = way(s.Config)
	}
	for k := range max(len(ways[0]), len(ways[1])) {
		var l LevelChange
		for i, w := range ways {
			if k < len(w) {
				t := &c.Totals[i].Levels[w[k]]
				l.Names[i], l.Requests[i], l.Misses[i] = c.Sides[i].Config.Levels[w[k]].Name, t.Requests(), t.Misses()
			}
		}
		c.Levels = append(c.Levels, l)
	}
	c.Lines, c.Regions = c.pair(lines, ways), c.pair(regions, ways)
	return c, nil
}

// way is the levels on the way of data, fastest first.
func way(c cachesim.Config) []int {
	var out []int
	for i := c.Entry(traceio.Load); i >= 0 && i < len(c.Levels); i = c.Next(i) {
		out = append(out, i)
	}
	return out
}

// Timed tells whether both sides say how long accesses take. Where they do not, Change.Time counts misses of the first
// level.
func (c *Comparison) Timed() bool { return c.Sides[0].Config.Timed() && c.Sides[1].Config.Timed() }

// pair puts the rows of the same name beside each other, those with the largest change of time first.
func (c *Comparison) pair(rows [2][]attribution.Row, ways [2][]int) []Change {
	at := map[string]int{}
	var out []Change
	for i, list := range rows {
		for _, r := range list {
			k, ok := at[r.Key]
			if !ok {
				k = len(out)
				at[r.Key] = k
				out = append(out, Change{Key: r.Key, Misses: [2][]uint64{make([]uint64, len(c.Levels)),
					make([]uint64, len(c.Levels))}})
			}
			row := &out[k]
			row.References[i] += r.Reads + r.Writes
			for n, level := range ways[i] {
				row.Misses[i][n] += r.Misses[level]
				switch {
				case c.Timed():
					row.Time[i] += float64(r.Misses[level]) * latency(c.Sides[i].Config, c.Sides[i].Config.Next(level))
				case n == 0:
					row.Time[i] += float64(r.Misses[level])
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int {
		switch da, db := math.Abs(a.Delta()), math.Abs(b.Delta()); {
		case da > db:
			return -1
		case da < db:
			return 1
		}
		return 0
	})
	return out
}

// latency is what a request to a level costs; len(Levels) is memory.
func latency(c cachesim.Config, level int) float64 {
	if level >= len(c.Levels) {
		return c.Memory.Latency
	}
	return c.Levels[level].Latency
}

// told is how many lines and regions the words name.
const told = 2

// Words tell the difference in sentences: the mean time of an access, the misses of each level, and which regions and
// lines changed most.
func (c *Comparison) Words() []string {
	a, b := c.Sides[0].Name, c.Sides[1].Name
	var out []string
	if x, y := c.Totals[0].AMAT, c.Totals[1].AMAT; c.Timed() {
		out = append(out, fmt.Sprintf("An access takes %.2f ns in %s and %.2f ns in %s on average%s.", x, a, y, b,
			change(x, y, "less")))
	}
	if n, m := c.Totals[0].References, c.Totals[1].References; n != m {
		out = append(out, fmt.Sprintf("%s makes %s references, %s makes %s%s.", a, words.Count(n), b, words.Count(m),
			change(float64(n), float64(m), "fewer")))
	}
	for i := range c.Levels {
		out = append(out, c.level(&c.Levels[i]))
	}
	for _, group := range []struct {
		what string
		list []Change
	}{{"region", c.Regions}, {"line", c.Lines}} {
		out = append(out, c.changes(group.what, group.list)...)
	}
	return out
}

// level is the sentence of one level.
func (c *Comparison) level(l *LevelChange) string {
	switch {
	case l.Names[0] == "":
		return fmt.Sprintf("Only %s has %s, which misses %s times.", c.Sides[1].Name, l.Names[1], words.Count(l.Misses[1]))
	case l.Names[1] == "":
		return fmt.Sprintf("Only %s has %s, which misses %s times.", c.Sides[0].Name, l.Names[0], words.Count(l.Misses[0]))
	}
	name := l.Names[0]
	if l.Names[1] != name {
		name += " (" + l.Names[1] + ")"
	}
	return fmt.Sprintf("%s misses %s times in %s and %s times in %s%s.", name, words.Count(l.Misses[0]), c.Sides[0].Name,
		words.Count(l.Misses[1]), c.Sides[1].Name,
		change(float64(l.Misses[0]), float64(l.Misses[1]), "fewer"))
}

// changes are the sentences of the lines or regions that changed most, then of those that only one of the runs has at
// all: nothing has changed about them.
func (c *Comparison) changes(what string, list []Change) []string {
	var both, one []string
	for i := range list {
		row := &list[i]
		switch {
		case row.Delta() == 0:
		case row.References[0] > 0 && row.References[1] > 0:
			if len(both) < told {
				both = append(both, c.row(what, len(both), row))
			}
		case len(one) < told:
			one = append(one, c.lone(what, row))
		}
	}
	return append(both, one...)
}

// lone is the sentence of a line or region that one of the runs does not have.
func (c *Comparison) lone(what string, r *Change) string {
	side := 0
	if r.References[0] == 0 {
		side = 1
	}
	verb := "is used"
	if what == "line" {
		verb = "runs"
	}
	text := fmt.Sprintf("%s %s %s in %s only", title(what), r.Key, verb, c.Sides[side].Name)
	if c.Timed() {
		text += fmt.Sprintf(": it waits %s ns", words.Count(uint64(r.Time[side]+0.5)))
	}
	for i := range c.Levels {
		if n := r.Misses[side][i]; n > 0 {
			return text + fmt.Sprintf(", with %s in %s.", misses(n), c.Levels[i].Name())
		}
	}
	return text + "."
}

func misses(n uint64) string {
	if n == 1 {
		return "1 miss"
	}
	return words.Count(n) + " misses"
}

// row is the sentence of a line or region; rank 0 has changed most of all.
func (c *Comparison) row(what string, rank int, r *Change) string {
	much, better := "less", "fewer"
	if r.Delta() > 0 {
		much, better = "longer", "more"
	}
	text := fmt.Sprintf("%s %s", title(what), r.Key)
	if rank == 0 {
		text = fmt.Sprintf("The %s that changes most is %s: it", what, r.Key)
	}
	if !c.Timed() {
		return text + fmt.Sprintf(" has %s %s misses in %s.", words.Count(uint64(math.Abs(r.Delta()))),
			better, c.Levels[0].Name())
	}
	text += fmt.Sprintf(" waits %s ns %s", words.Count(uint64(math.Abs(r.Delta())+0.5)), much)
	for i := range c.Levels {
		if d := int64(r.Misses[1][i]) - int64(r.Misses[0][i]); d != 0 && (d > 0) == (r.Delta() > 0) {
			return text + fmt.Sprintf(", with %s %s misses in %s.", words.Count(max(d, -d)), better, c.Levels[i].Name())
		}
	}
	return text + "."
}

func title(s string) string { return string(s[0]-'a'+'A') + s[1:] }

// Name is what the first side that has the level calls it.
func (l *LevelChange) Name() string {
	if l.Names[0] != "" {
		return l.Names[0]
	}
	return l.Names[1]
}

// change tells by how much b differs from a: ", 75.0 % fewer", ", 3.2 times as much".
func change(a, b float64, less string) string {
	switch {
	case a == b:
		return ", the same"
	case a == 0 || b == 0:
		return ""
	case b < a:
		return fmt.Sprintf(", %.1f %% %s", 100*(a-b)/a, less)
	case b < 3*a:
		return fmt.Sprintf(", %.1f %% more", 100*(b-a)/a)
	}
	return fmt.Sprintf(", %.1f times as much", b/a)
}
