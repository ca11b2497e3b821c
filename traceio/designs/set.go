package designs

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"orrery/traceio"
)

// maxEvaluations is how many generations all rows together may tell, each of which takes 16 bytes.
const maxEvaluations = 1 << 26

// maxGeneration is the last generation that a file may name.
const maxGeneration = 1 << 20

// assembly makes a set of a table.
type assembly struct {
	*Table
	d *Description

	parameters, objectives, secondary, processes, channels []int // columns
	generation, id, individual, state                      int   // columns, -1 for none

	out      *Set
	numbered map[string]int16  // of the platform, by name
	times    map[int32][]int32 // generations by the text that tells them, nil for none

	kept []int32 // rows that are points, in the order of the points
	gens []met
	at   map[string]int32 // points by identity
	seen []int32          // points by the code of their id or individual, -1 for none
}

// Set makes design points of a table's rows, as d says (see Guess). Where columns tell a mapping and d has no platform,
// the platform is what they speak of. Rows that cannot be used are listed in the set; the error tells a description
// that does not fit, or that no row is left.
func (t *Table) Set(d *Description) (*Set, error) {
	a := &assembly{Table: t, d: d, generation: -1, id: -1, individual: -1, state: -1}
	if err := a.assign(); err != nil {
		return nil, err
	}
	d, err := a.mapped(d)
	if err != nil {
		return nil, err
	}
	if a.d = d; d.Platform != nil {
		a.numbered = d.Platform.numbers()
		if cells := (len(d.Platform.Processes) + len(d.Platform.Channels)) * t.Rows; len(a.processes)+len(a.channels) > 0 &&
			2*cells > maxMemory {
			return nil, a.misfit("%d rows with a place for each of %d processes and %d channels take more than %d MiB of memory",
				t.Rows, len(d.Platform.Processes), len(d.Platform.Channels), maxMemory>>20)
		}
	}
	a.out = &Set{Name: d.Name, Note: d.Note, Platform: d.Platform, Rejected: append([]Rejected(nil), t.Rejected...),
		Refused: t.Refused}
	if a.out.Name == "" {
		a.out.Name = t.Name
	}
	for row := range t.Rows {
		a.take(row)
	}
	if len(a.kept) == 0 {
		return nil, a.nothing()
	}
	return a.finish()
}

func (a *assembly) nothing() error {
	e := &traceio.Error{File: a.Name, Msg: "no row has all of its objectives",
		Hint: "are the objectives named right? see --minimise and --maximise"}
	if len(a.out.Rejected) > 0 {
		e.Msg += " (" + a.out.Rejected[0].String() + ")"
	}
	return e
}

// assign sorts the columns by role, in the order of the description.
func (a *assembly) assign() error {
	one := map[Role]*int{IsGeneration: &a.generation, IsID: &a.id, IsIndividual: &a.individual, IsState: &a.state}
	many := map[Role]*[]int{IsParameter: &a.parameters, IsObjective: &a.objectives, IsSecondary: &a.secondary,
		IsProcess: &a.processes, IsChannel: &a.channels}
	at := map[string]int{}
	for i := range a.Columns {
		at[a.Columns[i].Title] = i
	}
	for k := range a.d.Columns {
		r := &a.d.Columns[k]
		i, ok := at[r.Title]
		switch {
		case !ok:
			return a.misfit("the description has a column %q, the table does not", r.Title)
		case r.Role == Ignore:
		case one[r.Role] != nil:
			if was := one[r.Role]; *was >= 0 {
				return a.misfit("two columns, %s and %s, are called the %s", a.Columns[*was].Title, a.Columns[i].Title, r.Role)
			}
			*one[r.Role] = i
		default:
			*many[r.Role] = append(*many[r.Role], i)
		}
	}
	if len(a.objectives) == 0 {
		return &traceio.Error{File: a.Name, Msg: "no column is an objective",
			Hint: "name them with --minimise or --maximise; the columns are " + a.titles()}
	}
	return nil
}

func (a *assembly) misfit(format string, args ...any) error {
	return &traceio.Error{File: a.Name, Msg: fmt.Sprintf(format, args...),
		Hint: "the description of the columns is wrong there"}
}

// take makes row a point, adds a generation to an earlier one, or rejects it.
func (a *assembly) take(row int) {
	column, reason := a.fault(row)
	if reason == "" {
		if column, reason = a.join(row); reason == "" {
			return
		}
	}
	r := Rejected{Row: int(a.Number[row]), Column: column, Reason: reason}
	if a.Line != nil {
		r.Line = int(a.Line[row])
	}
	a.out.Refused++
	if len(a.out.Rejected) < MaxRejected {
		a.out.Rejected = append(a.out.Rejected, r)
	}
}

// fault says why a row by itself cannot be used, and in which column; "" for nothing.
func (a *assembly) fault(row int) (column, reason string) {
	if a.state >= 0 {
		switch text := a.Columns[a.state].Text(row); strings.ToLower(text) {
		case "", "complete", "completed", "trialstate.complete", "ok", "done", "success", "succeeded",
			"feasible", "valid", "true":
		default:
			return a.Columns[a.state].Title, fmt.Sprintf("the evaluation ended as %s", text)
		}
	}
	for _, i := range a.objectives {
		if why := a.Columns[i].unusable(row); why != "" {
			return a.Columns[i].Title, why
		}
	}
	for _, i := range a.secondary {
		if c := &a.Columns[i]; c.Text(row) != "" && !strings.EqualFold(c.Text(row), "nan") && c.unusable(row) != "" {
			return c.Title, c.unusable(row)
		}
	}
	for _, list := range [][]int{a.processes, a.channels} {
		for _, i := range list {
			c := &a.Columns[i]
			if _, known := a.numbered[c.Text(row)]; !known && c.Text(row) != "" {
				return c.Title, fmt.Sprintf("the platform has no component %q", clipped(c.Text(row)))
			}
		}
	}
	return "", ""
}

// unusable says why a cell is no finite number; "" when it is one.
func (c *Column) unusable(row int) string {
	text, x := c.Text(row), c.Numbers[c.Cell[row]]
	switch {
	case text == "":
		return "is missing"
	case strings.EqualFold(text, "nan"):
		return "is NaN"
	case notFinite(text):
		return "is infinite"
	case math.IsNaN(x):
		return fmt.Sprintf("%q is not a number", clipped(text))
	}
	return ""
}

// notFinite tells whether a text stands for no number or an infinite one.
func notFinite(text string) bool {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}

func clipped(text string) string {
	if len(text) > 40 {
		return strings.ToValidUTF8(text[:40], "") + "..."
	}
	return text
}

// join takes a good row: as a new point, or as another evaluation of an earlier one.
func (a *assembly) join(row int) (column, reason string) {
	gens, why := a.generationsOf(row)
	if why != "" {
		return a.Columns[a.generation].Title, why
	}
	point, again := a.known(row)
	if again {
		first := int(a.kept[point])
		for _, list := range [][]int{a.objectives, a.parameters, a.processes, a.channels} {
			for _, i := range list {
				if c := &a.Columns[i]; !c.same(row, first) {
					return c.Title, fmt.Sprintf("is %s, but the same design had %s in row %d", clipped(c.Text(row)),
						clipped(c.Text(first)), a.Number[first])
				}
			}
		}
	} else {
		a.kept = append(a.kept, int32(row))
	}
	for _, g := range gens {
		a.gens = append(a.gens, met{point, g})
	}
	return "", ""
}

// same tells whether two cells are one text or one number.
func (c *Column) same(a, b int) bool {
	x, y := c.Cell[a], c.Cell[b]
	return x == y || c.Numbers[x] == c.Numbers[y]
}

// known gives the point of a row: an earlier one when the table says that it is the same individual, else a new one. A
// table with generations but no individuals means the same by all cells equal; without either each row is a point of
// its own.
func (a *assembly) known(row int) (point int32, again bool) {
	next := int32(len(a.kept))
	if i := max(a.individual, -1); i >= 0 || a.id >= 0 {
		if i < 0 {
			i = a.id
		}
		c := &a.Columns[i]
		if c.Text(row) == "" {
			return next, false
		}
		if a.seen == nil {
			a.seen = make([]int32, len(c.Texts))
			for k := range a.seen {
				a.seen[k] = -1
			}
		}
		if p := a.seen[c.Cell[row]]; p >= 0 {
			return p, true
		}
		a.seen[c.Cell[row]] = next
		return next, false
	}
	if a.generation < 0 && a.d.Population == 0 {
		return next, false
	}
	if a.at == nil {
		a.at = map[string]int32{}
	}
	var key []byte
	for _, list := range [][]int{a.parameters, a.objectives, a.secondary, a.processes, a.channels} {
		for _, i := range list {
			key = binary.AppendVarint(key, int64(a.Columns[i].Cell[row]))
		}
	}
	if p, ok := a.at[string(key)]; ok {
		return p, true
	}
	a.at[string(key)] = next
	return next, false
}

// generationsOf reads the generations of a row: numbers between blanks, commas or semicolons.
func (a *assembly) generationsOf(row int) (list []int32, reason string) {
	if a.generation < 0 {
		if a.d.Population > 0 {
			list = append(list, min((a.Number[row]-1)/int32(a.d.Population), maxGeneration))
		}
		return list, ""
	}
	c := &a.Columns[a.generation]
	code := c.Cell[row]
	list, known := a.times[code]
	if !known {
		if list, reason = parseGenerations(c.Texts[code]); reason != "" {
			return nil, reason
		}
		if a.times == nil {
			a.times = map[int32][]int32{}
		}
		a.times[code] = list
	}
	if len(a.gens)+len(list) > maxEvaluations {
		return nil, fmt.Sprintf("the rows tell more than %d generations", maxEvaluations)
	}
	if list == nil {
		return nil, "is missing"
	}
	return list, ""
}

// parseGenerations reads numbers between blanks, commas or semicolons.
func parseGenerations(text string) (list []int32, reason string) {
	for _, word := range strings.FieldsFunc(strings.Trim(text, "[]"),
		func(r rune) bool { return strings.ContainsRune(" ,;\t", r) }) {
		g, err := strconv.ParseFloat(word, 64)
		if err != nil || g != math.Trunc(g) || g < 0 || g > maxGeneration {
			return nil, fmt.Sprintf("%q is no generation; a number from 0 to %d is", clipped(word), maxGeneration)
		}
		list = append(list, int32(g))
	}
	return list, ""
}
