package designs

import (
	"math"
	"regexp"
)

// Titles that tell by their unit: a rate is always measured and better when it is more; time, energy, power, area and
// sizes may be settings as well, such as timeout_ms or cache_kB, so that values must tell the rest. Some names of
// settings that are drawn from a range.
var (
	rateNames = regexp.MustCompile(
		`_(b|kb|mb|gb|kib|mib|gib|bytes|bits|kbits|mbits|gbits|ops|mops|gops|flops|mflops|gflops|requests|req|queries|transactions|frames|images|items)_(s|sec|second|per_s|per_sec|per_second)$|(^|_)(bps|kbps|mbps|gbps|iops|qps|tps|mips|mops|gops|mflops|gflops|tflops)$`)
	unitNames = regexp.MustCompile(
		`_(ps|ns|us|µs|ms|s|sec|secs|seconds|msec|usec|nsec|minutes|hours|pj|nj|uj|µj|mj|j|kj|wh|kwh|nw|uw|µw|mw|w|kw|watts|joules|mm2|um2|µm2|mm²|b|byte|bytes|kb|mb|gb|tb|kib|mib|gib|tib|kbyte|mbyte|usd|eur|dollars|euros)$`)
	settingNames = regexp.MustCompile(
		`(^|_)(lr|learning_rate|rate|dropout|momentum|decay|weight_decay|alpha|beta|gamma|lambda|epsilon|eps|sigma|seed|probability|prob|threshold|voltage|vdd|frequency|freq|clock|[kmg]hz)\d*($|_)`)
)

// manyValues is more than a setting usually has.
const manyValues = 16

// enoughRows is how many of a table tell what follows from what.
const enoughRows = 1 << 16

// measured makes objectives of columns that no title tells, where others are objectives by theirs: rates; and, if they
// follow from the settings, decimals with many values, and what has a unit and more values than a setting usually has.
// A column follows from others if rows that are equal in these are nearly always equal in it. One that does not is a
// setting itself, and then others may follow from it.
func (d *Description) measured(t *Table) {
	var doubtful []int
	g := groups{of: make([]int32, min(t.Rows, enoughRows))}
	for i := range t.Columns {
		c, name := &t.Columns[i], plainName(t.Columns[i].Title)
		switch {
		case d.Columns[i].Role != IsParameter:
		case c.Numeric() && rateNames.MatchString(name):
			d.Columns[i].Role, d.Columns[i].Maximise = IsObjective, true
		case c.Numeric() && !parameterNames.MatchString(name) && !settingNames.MatchString(name) &&
			c.manyFor(unitNames.MatchString(name), t.Rows):
			doubtful = append(doubtful, i)
		default:
			g.divide(c)
		}
	}
	for len(doubtful) > 0 { // of the fewest values first: a setting has fewer than what follows from it
		k := 0
		for j, i := range doubtful {
			if len(t.Columns[i].Texts) < len(t.Columns[doubtful[k]].Texts) {
				k = j
			}
		}
		i := doubtful[k]
		doubtful = append(doubtful[:k], doubtful[k+1:]...)
		switch c := &t.Columns[i]; {
		case g.tell(c):
			d.Columns[i].Role = IsObjective
		case 2*len(c.Texts) <= t.Rows: // else it tells rows apart by itself, and everything would follow from it
			g.divide(c)
		}
	}
}

// manyFor tells whether a column has so many values that it may be measured: decimals, or any numbers with a unit; of
// the latter fewer do in a small table.
func (c *Column) manyFor(unit bool, rows int) bool {
	if unit {
		return len(c.Texts) >= manyValues || 2*len(c.Texts) > rows
	}
	decimals := 0
	for _, x := range c.Numbers {
		if x != math.Trunc(x) {
			decimals++
		}
	}
	return len(c.Texts) >= manyValues && 2*decimals > len(c.Texts)
}

// groups puts rows that are equal in some columns together.
type groups struct {
	of []int32 // of each row
	n  int
}

// divide makes groups of rows that are equal in one more column.
func (g *groups) divide(c *Column) {
	known := map[[2]int32]int32{}
	for row, of := range g.of {
		k := [2]int32{of, c.Cell[row]}
		id, ok := known[k]
		if !ok {
			id = int32(len(known))
			known[k] = id
		}
		g.of[row] = id
	}
	g.n = len(known)
}

// tell tells whether a column follows from the groups: of the rows that come after the first of their group nine of ten
// are as that one is.
func (g *groups) tell(c *Column) bool {
	first := make([]int32, max(1, g.n))
	for i := range first {
		first[i] = -1
	}
	equal, differ := 0, 0
	for row, of := range g.of {
		switch {
		case first[of] < 0:
			first[of] = c.Cell[row]
		case first[of] == c.Cell[row]:
			equal++
		default:
			differ++
		}
	}
	return g.n > 0 && equal >= 9*differ
}
