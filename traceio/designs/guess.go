package designs

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// Names that tell a role, in lower case with blanks and the like as _. Objectives are checked for after parameters'
// prefixes, so that param_cost_weight is a parameter.
var (
	generationNames = regexp.MustCompile(`^(gen|gens|generation|generations|generation_number|iteration|iter|epoch)$|[:_]generation$`)
	idNames         = regexp.MustCompile(
		`^(id|uid|n|no|nr|num|number|index|idx|trial|trial_id|trial_number|point|point_id|design|design_id|name|label|run|#|unnamed:_0|column_0)$`)
	weakNames       = regexp.MustCompile(`^(n|no|nr|num|number|name|label|run|design|point|trial)$`)
	individualNames = regexp.MustCompile(`^(individual|genome|genotype|chromosome|encoding|genes)$`)
	stateNames      = regexp.MustCompile(`^(state|status)$`)
	ignoredNames    = regexp.MustCompile(
		`^(from_uid|user_attrs?_.*|system_attrs?_.*|datetime.*|date|time_?stamp|distributions?_.*|intermediate_values.*|study_id|rank|crowding.*)$`)
	parameterNames = regexp.MustCompile(`^(knob|params?|parameter|par|var|variable|variables|hp|config|x)(_|$|\d+$)|^(x|p|var)\d+$`)
	objectiveNames = regexp.MustCompile(`^(obj|objs|objective|objectives|value|values|fitness|fitnesses|fun|f)(_?\d+|_.*)?$`)
	measureNames   = regexp.MustCompile(
		`(^|_)(time|runtime|latency|delay|energy|power|cost|costs|price|area|weight|amat|cycles|cpi|misses|miss_rate|miss_ratio|error|err|rmse|loss|leakage|temperature|distance|volume_of_loss|luts|ffs|brams|dsps)($|_(ns|us|ms|s|nj|uj|mj|j|mw|w|mm2|um2|pct|percent)$)`)
	maximisedNames = regexp.MustCompile(
		`(^|_)(throughput|accuracy|acc|score|speedup|speed_up|fps|ipc|bandwidth|performance|utilization|utilisation|f1_score|auc|precision|recall|reward|reliability|lifetime|hit_rate|hit_ratio|gain|profit)($|_)`)
)

// repeated is what is put behind a title that stands twice.
var repeated = regexp.MustCompile(` \(\d+\)$`)

// plainName is a title in lower case with blanks and the like as _.
func plainName(title string) string {
	title = repeated.ReplaceAllString(title, "")
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '-', '.', '/', '(', ')', '[', ']', '%':
			return '_'
		}
		return r
	}, strings.TrimRight(strings.ToLower(strings.TrimSpace(title)), ")]"))
}

func generationName(title string) bool { return generationNames.MatchString(plainName(title)) }

// Guess says what the columns of a table probably mean: by their titles, then by their values. What the table's own
// description tells stays. Every column has a role in the answer, in the order of the table.
func Guess(t *Table) *Description {
	d := &Description{Name: t.Name}
	if t.Description != nil {
		c := *t.Description
		d = &c
	}
	told := d.Columns
	w := names{t: t}
	for i := range t.Columns {
		if generationName(t.Columns[i].Title) {
			w.generations = append(w.generations, i)
		}
	}
	d.Columns = make([]ColumnRole, len(t.Columns))
	objectives := false
	for i := range t.Columns {
		c := &t.Columns[i]
		d.Columns[i] = ColumnRole{Title: c.Title, Role: w.byName(c, d.Platform)}
		if d.Columns[i].Role == IsProcess || d.Columns[i].Role == IsChannel {
			_, d.Columns[i].Of, _ = strings.Cut(c.Title, ":")
		}
		d.Columns[i].Maximise = d.Columns[i].Role == IsObjective && maximisedNames.MatchString(plainName(c.Title))
		for _, r := range told {
			if r.Title == c.Title {
				d.Columns[i] = r
			}
		}
		objectives = objectives || d.Columns[i].Role == IsObjective
	}
	if !objectives && len(told) == 0 {
		byValues(t, d)
	}
	if len(told) == 0 {
		d.measured(t)
	}
	if d.Platform == nil {
		d.doubtChannels()
	}
	return d
}

// doubtChannels makes parameters of columns that look like channels but join no two of the processes.
func (d *Description) doubtChannels() {
	var p Platform
	for _, r := range d.Columns {
		if r.Role == IsProcess {
			p.Processes = append(p.Processes, Process{r.Of})
		}
	}
	for i := range d.Columns {
		if r := &d.Columns[i]; r.Role == IsChannel {
			if _, ok := p.between(r.Of); !ok {
				*r = ColumnRole{Title: r.Title, Role: IsParameter}
			}
		}
	}
}

// byName is a column's role by its title, and where that does not tell, a parameter if it may be one.
func (w *names) byName(c *Column, p *Platform) Role {
	t := w.t
	name := plainName(c.Title)
	numeric := c.Numeric()
	kind, of, colon := strings.Cut(c.Title, ":")
	if role, ok := w.idRole(c, name); ok {
		return role
	}
	switch {
	case colon && kind == "process" && (p == nil && !numeric || p != nil && p.process(of) >= 0):
		return IsProcess
	case colon && kind == "channel" && (p == nil && !numeric || p != nil && p.channel(of) >= 0):
		return IsChannel
	case generationNames.MatchString(name):
		return IsGeneration
	case stateNames.MatchString(name) && !numeric:
		return IsState
	case individualNames.MatchString(name):
		return IsIndividual
	case ignoredNames.MatchString(name), name == "duration" && t.Column("state") != nil:
		return Ignore
	case parameterNames.MatchString(name):
		return IsParameter
	case mostlyNumbers(c) && (objectiveNames.MatchString(name) || measureNames.MatchString(name) ||
		maximisedNames.MatchString(name)):
		return IsObjective
	case longCode(c):
		return IsIndividual
	case !numeric && len(c.Texts) == t.Rows && t.Rows > 8 && !mostlyNumbers(c):
		return Ignore // free text
	}
	return IsParameter
}

// idRole is the role of a column that is called like a name. Nearly one name a row are names. Fewer: short words such
// as n may be a parameter; where there are generations they may count within each and mean nothing, when most rows of
// one name differ; else they are names, and rows that bear one twice contradict each other or repeat each other.
func (w *names) idRole(c *Column, name string) (Role, bool) {
	t := w.t
	if !idNames.MatchString(name) {
		return 0, false
	}
	if 5*len(c.Texts) >= 4*t.Rows {
		return IsID, true
	}
	if weakNames.MatchString(name) {
		return 0, false
	}
	if w.compared++; w.compared > mostCompared {
		return IsID, true
	}
	for _, i := range w.generations[:min(len(w.generations), mostCompared)] {
		if !consistent(t, c, i) {
			return Ignore, true
		}
	}
	return IsID, true
}

// names is the guessing of roles by titles. Rows are compared for a few columns of names and of generations: a table
// has one of each.
type names struct {
	t           *Table
	generations []int // columns
	compared    int   // columns of names so far
}

const mostCompared = 4

// consistent tells whether most rows that repeat a cell of c are equal to its first row in all but column except.
func consistent(t *Table, c *Column, except int) bool {
	first := make([]int32, len(c.Texts))
	for k := range first {
		first[k] = -1
	}
	equal, differ := 0, 0
	for row, k := range c.Cell {
		if first[k] < 0 {
			first[k] = int32(row)
			continue
		}
		same := true
		for i := 0; i < len(t.Columns) && same; i++ {
			same = i == except || t.Columns[i].same(row, int(first[k]))
		}
		if same {
			equal++
		} else {
			differ++
		}
	}
	return equal >= differ
}

// mostlyNumbers tells whether nine of ten texts of a column are numbers, or all but two: a column of objectives may
// have bad cells.
func mostlyNumbers(c *Column) bool {
	bad, good := 0, 0
	for i, x := range c.Numbers {
		switch {
		case !math.IsNaN(x):
			good++
		case c.Texts[i] != "" && !notFinite(c.Texts[i]):
			bad++
		}
	}
	return good > 0 && (bad <= 2 && bad <= good || good >= 9*bad)
}

// longCode tells whether every cell is a string of at least 8 digits of one length with a leading zero somewhere, as
// encodings of individuals are.
func longCode(c *Column) bool {
	zero := false
	for _, text := range c.Texts {
		if len(text) < 8 || len(text) != len(c.Texts[0]) || strings.Trim(text, "0123456789") != "" {
			return false
		}
		zero = zero || text[0] == '0'
	}
	return zero
}

// byValues makes objectives of the columns of numbers that vary most when no title tells: those with more than half as
// many values as the most varied one has, and more than a parameter usually has.
func byValues(t *Table, d *Description) {
	most := 0
	candidates := []int{}
	for i := range t.Columns {
		if c := &t.Columns[i]; d.Columns[i].Role == IsParameter && mostlyNumbers(c) &&
			!parameterNames.MatchString(plainName(c.Title)) {
			candidates = append(candidates, i)
			most = max(most, len(c.Texts))
		}
	}
	candidates = slices.DeleteFunc(candidates, func(i int) bool { return 2*len(t.Columns[i].Texts) <= most })
	if len(candidates) == 1 && len(t.Columns) > 1 && most < 8 {
		return
	}
	for _, i := range candidates {
		d.Columns[i].Role = IsObjective
	}
}

// numbers are the components by name, the first of those that share one.
func (p *Platform) numbers() map[string]int16 {
	at := map[string]int16{}
	for c := p.Components() - 1; c >= 0; c-- {
		at[p.Component(c).Name] = int16(c)
	}
	return at
}

func (p *Platform) process(name string) int {
	return slices.IndexFunc(p.Processes, func(q Process) bool { return q.Name == name })
}

func (p *Platform) channel(name string) int {
	return slices.IndexFunc(p.Channels, func(c Channel) bool { return c.Name == name })
}

func (p *Platform) component(name string) int {
	for c := range p.Components() {
		if p.Component(c).Name == name {
			return c
		}
	}
	return -1
}
