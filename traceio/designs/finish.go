package designs

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Absent is the value of a parameter that a point does not have: conditional parameters leave it out.
const Absent = "none"

// finish makes the set's columns of the kept rows.
func (a *assembly) finish() (*Set, error) {
	s := a.out
	s.N = len(a.kept)
	if err := a.parameterColumns(); err != nil {
		return nil, err
	}
	for _, i := range a.objectives {
		r := a.role(i)
		s.Objectives = append(s.Objectives, Objective{Name: r.Name, Unit: r.Unit, Maximise: r.Maximise,
			Architecture: r.Architecture, Values: a.numbers(i)})
	}
	for _, i := range a.secondary {
		r := a.role(i)
		of, err := a.about(r)
		if err != nil {
			return nil, err
		}
		s.Secondary = append(s.Secondary, Secondary{Name: r.Name, Unit: r.Unit, Kind: r.Kind, Of: of, Values: a.numbers(i)})
	}
	names := a.id
	if names < 0 {
		names = a.individual
	}
	if names >= 0 {
		s.ID = make([]string, s.N)
		for p, row := range a.kept {
			s.ID[p] = a.Columns[names].Text(int(row))
		}
	}
	s.Row = make([]int32, s.N)
	for p, row := range a.kept {
		s.Row[p] = a.Number[row]
	}
	s.Generations = listed(a.gens, s.N)
	return s, a.mapping()
}

// role is what the description says of column i, with a name.
func (a *assembly) role(i int) ColumnRole {
	r := *a.d.Of(a.Columns[i].Title)
	if r.Name == "" {
		r.Name = r.Title
	}
	return r
}

// numbers are the numbers of a column by point.
func (a *assembly) numbers(i int) []float64 {
	c, out := &a.Columns[i], make([]float64, len(a.kept))
	for p, row := range a.kept {
		out[p] = c.Numbers[c.Cell[row]] + 0 // -0 and 0 are one value
	}
	return out
}

// about is the index that a secondary objective's Of means.
func (a *assembly) about(r ColumnRole) (int, error) {
	p, at := a.d.Platform, -1
	switch {
	case r.Kind == Plain:
		return 0, nil
	case p == nil:
		return 0, a.misfit("column %s is about %s, but the description has no platform", r.Title, r.Of)
	case r.Kind == Utilization || r.Kind >= ReadTime:
		at = p.component(r.Of)
	default:
		at = p.process(r.Of)
	}
	if at < 0 {
		return 0, a.misfit("column %s is about %q, which the platform does not have", r.Title, r.Of)
	}
	return at, nil
}

// mapping makes the binding's columns.
func (a *assembly) mapping() error {
	p := a.d.Platform
	if p == nil || len(a.processes)+len(a.channels) == 0 {
		return nil
	}
	m := &Mapping{Process: unmapped(len(p.Processes), len(a.kept)), Channel: unmapped(len(p.Channels), len(a.kept))}
	for k, list := range [][]int{a.processes, a.channels} {
		to, find := m.Process, p.process
		if k == 1 {
			to, find = m.Channel, p.channel
		}
		for _, i := range list {
			r := a.role(i)
			at := find(r.Of)
			if at < 0 {
				return a.misfit("column %s binds %q, which the platform does not have", r.Title, r.Of)
			}
			c := &a.Columns[i]
			codes := make([]int16, len(c.Texts))
			for code, text := range c.Texts {
				codes[code] = Unmapped
				if n, ok := a.numbered[text]; ok {
					codes[code] = n
				}
			}
			for point, row := range a.kept {
				to[at][point] = codes[c.Cell[row]]
			}
		}
	}
	a.out.Mapping = m
	return nil
}

func unmapped(n, points int) [][]int16 {
	out := make([][]int16, n)
	for i := range out {
		out[i] = slices.Repeat([]int16{Unmapped}, points)
	}
	return out
}

// parameterColumns makes the levels' values and, of each point, which it has, and the feasible combinations.
func (a *assembly) parameterColumns() error {
	s := a.out
	for n, i := range a.parameters {
		c, r := &a.Columns[i], a.role(i)
		v := values{at: map[string]int32{}}
		for _, text := range r.Values {
			v.code(text)
		}
		told := len(v.texts)
		codes := make([]int32, len(c.Texts))
		for k := range codes {
			codes[k] = -1
		}
		at := make([]int32, len(a.kept))
		for p, row := range a.kept {
			k := c.Cell[row]
			if codes[k] < 0 {
				codes[k] = v.code(c.Texts[k])
			}
			at[p] = codes[k]
		}
		for _, combo := range a.d.Feasible {
			if len(combo) != len(a.parameters) {
				return a.misfit("a feasible combination has %d values, but there are %d parameters", len(combo), len(a.parameters))
			}
			v.code(combo[n])
		}
		rank := v.sort(told)
		for p := range at {
			at[p] = rank[at[p]]
		}
		s.Parameters = append(s.Parameters, Parameter{Name: r.Name, Values: v.texts, At: at})
		for k, combo := range a.d.Feasible {
			if n == 0 {
				s.Feasible = append(s.Feasible, make([]int32, len(a.parameters)))
			}
			s.Feasible[k][n] = rank[v.at[valueKey(combo[n])]]
		}
	}
	return nil
}

// values numbers the values of a parameter. Texts of one number, 1 and 1.0, are one value.
type values struct {
	texts []string
	at    map[string]int32
}

func valueKey(text string) string {
	if x := number(strings.TrimSpace(text)); !math.IsNaN(x) {
		return formatNumber(x)
	}
	return strings.TrimSpace(text)
}

func (v *values) code(text string) int32 {
	key := valueKey(text)
	if code, ok := v.at[key]; ok {
		return code
	}
	if key == "" {
		text = Absent
	}
	code := int32(len(v.texts))
	v.at[key] = code
	v.texts = append(v.texts, strings.TrimSpace(text))
	return code
}

// sort orders the values behind the first told ones by size when all of them have one, an absent value last, and gives
// the new number of each old one.
func (v *values) sort(told int) []int32 {
	order := make([]int32, len(v.texts))
	sized := true
	for k := range order {
		order[k] = int32(k)
		sized = sized && (k < told || v.texts[k] == Absent || !math.IsNaN(magnitude(v.texts[k])))
	}
	slices.SortStableFunc(order[told:], func(a, b int32) int {
		switch {
		case v.texts[a] == Absent:
			return 1
		case v.texts[b] == Absent:
			return -1
		}
		if !sized {
			return 0
		}
		return cmp.Compare(magnitude(v.texts[a]), magnitude(v.texts[b]))
	})
	rank, texts := make([]int32, len(order)), make([]string, len(order))
	for k, o := range order {
		rank[o], texts[k] = int32(k), v.texts[o]
	}
	v.texts = texts
	return rank
}

var withUnit = regexp.MustCompile(`^([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?) ?([kKMGT]?)(i?)([bB]?)$`)

// magnitude is the size of a number with or without a binary unit, "32KiB" or "0.5"; NaN of any other text.
func magnitude(text string) float64 {
	if x := number(text); !math.IsNaN(x) {
		return x
	}
	m := withUnit.FindStringSubmatch(text)
	if m == nil {
		return math.NaN()
	}
	power := 0
	if m[2] != "" {
		power = strings.Index("KMGT", strings.ToUpper(m[2])) + 1
	}
	return number(m[1]) * math.Pow(1024, float64(power))
}
