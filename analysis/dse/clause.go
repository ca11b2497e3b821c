package dse

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"orrery/traceio/designs"
)

// clauseHelp says what a clause looks like.
const clauseHelp = "a clause is NAME <= NUMBER (or <, >=, >, =, != or = FROM..TO) with an objective, `norm` and " +
	"an objective, " +
	"distance, generation or a parameter for NAME; PARAMETER = VALUE,VALUE; together, apart or split and processes; on " +
	"TYPE and processes"

// ParseFilter makes a filter of clauses in words, all of which must hold:
//
//	time <= 0.2            an objective as evaluated
//	norm energy = 0..0.2   a normalised objective
//	distance > 0.1         from the global Pareto set
//	generation <= 15       found until then
//	cores = 2,4            a parameter has one of these values; cores != 2, cores >= 2 for numbers
//	together V-Out VLE     processes on one processor; apart: no two of them, split: not all of them
//	on ASIP DCT Q          processes on processors of a type
//
// The error says which clause cannot be read and why.
func ParseFilter(s *Space, clauses []string) (*Filter, error) {
	p := clauseReader{space: s, filter: NewFilter(s), ranges: map[target]Extent{}, allowed: map[int][]bool{}, upTo: -1}
	for _, c := range clauses {
		if err := p.clause(strings.TrimSpace(c)); err != nil {
			return nil, fmt.Errorf("filter %q: %w", c, err)
		}
	}
	for t, e := range p.ranges {
		switch t.kind {
		case byRange:
			p.filter.Range(t.index, e.Min, e.Max)
		case byNorm:
			p.filter.Normalised(t.index, e.Min, e.Max)
		default:
			p.filter.Distance(e.Min, e.Max)
		}
	}
	for j, allowed := range p.allowed {
		p.filter.Parameter(j, allowed)
	}
	p.filter.Generation(p.upTo)
	p.filter.Mapping(p.constraints...)
	return p.filter, nil
}

type target struct {
	kind  criterionKind
	index int
}

type clauseReader struct {
	space       *Space
	filter      *Filter
	ranges      map[target]Extent
	allowed     map[int][]bool
	upTo        int32
	constraints []Constraint
}

func (p *clauseReader) clause(text string) error {
	words := strings.Fields(text)
	if len(words) == 0 {
		return fmt.Errorf("it is empty; %s", clauseHelp)
	}
	if at := strings.IndexAny(text, "<>=!"); at >= 0 {
		name, rest := strings.TrimSpace(text[:at]), text[at:]
		op := rest[:1]
		if len(rest) > 1 && rest[1] == '=' {
			op = rest[:2]
		}
		value := strings.TrimSpace(rest[len(op):])
		if op == "==" {
			op = "="
		}
		if op == "!" || name == "" || value == "" {
			return fmt.Errorf("it has no name, comparison or value; %s", clauseHelp)
		}
		return p.compare(name, op, value)
	}
	kinds := map[string]ConstraintKind{"together": Together, "apart": Apart, "split": NotAllTogether, "on": OnType}
	kind, ok := kinds[strings.ToLower(words[0])]
	if !ok {
		return fmt.Errorf("it cannot be read; %s", clauseHelp)
	}
	return p.mapping(kind, words[1:])
}

// mapping reads the processes of a constraint, and a type in front of them for `on`.
func (p *clauseReader) mapping(kind ConstraintKind, words []string) error {
	platform := p.space.Platform
	if platform == nil || p.space.Mapping == nil {
		return fmt.Errorf("the table tells no mapping")
	}
	c := Constraint{Kind: kind}
	if kind == OnType {
		if len(words) == 0 {
			return fmt.Errorf("it names no type of processor")
		}
		c.Type, words = words[0], words[1:]
		if !slices.ContainsFunc(platform.Processors, func(q designs.Component) bool { return q.Type == c.Type }) {
			return fmt.Errorf("there is no processor of type %q", c.Type)
		}
	}
	for _, w := range words {
		i := slices.IndexFunc(platform.Processes, func(q designs.Process) bool { return strings.EqualFold(q.Name, w) })
		if i < 0 {
			return fmt.Errorf("there is no process %q", w)
		}
		c.Processes = append(c.Processes, i)
	}
	if len(c.Processes) == 0 || kind != OnType && len(c.Processes) < 2 {
		return fmt.Errorf("it names too few processes")
	}
	p.constraints = append(p.constraints, c)
	return nil
}

// compare reads NAME OP VALUE.
func (p *clauseReader) compare(name, op, value string) error {
	s := p.space
	objective := func(name string) int {
		return slices.IndexFunc(s.Objectives, func(o Objective) bool { return strings.EqualFold(o.Name, name) })
	}
	bare, norm := strings.CutPrefix(name, "norm ")
	if i := objective(strings.TrimSpace(bare)); norm && i >= 0 {
		return p.narrow(target{byNorm, i}, op, value)
	}
	if i := objective(name); i >= 0 {
		return p.narrow(target{byRange, i}, op, value)
	}
	if j := slices.IndexFunc(s.Parameters, func(q Parameter) bool { return strings.EqualFold(q.Name, name) }); j >= 0 {
		return p.choose(j, op, value)
	}
	switch strings.ToLower(name) {
	case "distance":
		return p.narrow(target{byDistance, 0}, op, value)
	case "generation":
		g, err := strconv.ParseInt(value, 10, 32)
		if err != nil || g < 0 || op != "<=" && op != "<" {
			return fmt.Errorf("generation takes <= and a number")
		}
		if op == "<" {
			g--
		}
		if p.upTo < 0 || int32(g) < p.upTo {
			p.upTo = int32(g)
		}
		return nil
	}
	return fmt.Errorf("there is no objective or parameter %q", name)
}

// bounds are the least and the greatest number for which OP VALUE holds.
func bounds(op, value string) (Extent, error) {
	low, high, isRange := strings.Cut(value, "..")
	if isRange && op != "=" {
		return Extent{}, fmt.Errorf("a range goes with = only")
	}
	if !isRange {
		high = low
	}
	a, err1 := strconv.ParseFloat(strings.TrimSpace(low), 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(high), 64)
	if err1 != nil || err2 != nil || math.IsNaN(a+b) {
		return Extent{}, fmt.Errorf("%q is not a number", value)
	}
	switch op {
	case "<=":
		return Extent{math.Inf(-1), a}, nil
	case "<":
		return Extent{math.Inf(-1), math.Nextafter(a, math.Inf(-1))}, nil
	case ">=":
		return Extent{a, math.Inf(1)}, nil
	case ">":
		return Extent{math.Nextafter(a, math.Inf(1)), math.Inf(1)}, nil
	case "=":
		return Extent{a, b}, nil
	}
	return Extent{}, fmt.Errorf("%s goes with parameters only", op)
}

func (p *clauseReader) narrow(t target, op, value string) error {
	e, err := bounds(op, value)
	if err != nil {
		return err
	}
	if was, ok := p.ranges[t]; ok {
		e = Extent{max(e.Min, was.Min), min(e.Max, was.Max)}
	}
	p.ranges[t] = e
	return nil
}

// choose narrows the values of a parameter.
func (p *clauseReader) choose(j int, op, value string) error {
	values := p.space.Parameters[j].Values
	allowed := make([]bool, len(values))
	if op == "=" && !strings.Contains(value, "..") || op == "!=" {
		for _, v := range strings.Split(value, ",") {
			i := slices.Index(values, strings.TrimSpace(v))
			if i < 0 {
				return fmt.Errorf("%s is never %q", p.space.Parameters[j].Name, strings.TrimSpace(v))
			}
			allowed[i] = true
		}
		for i := range allowed {
			allowed[i] = allowed[i] == (op == "=")
		}
	} else {
		e, err := bounds(op, value)
		if err != nil {
			return err
		}
		for i, v := range values {
			x, err := strconv.ParseFloat(v, 64)
			allowed[i] = err == nil && x >= e.Min && x <= e.Max
		}
	}
	for i, was := range p.allowed[j] {
		allowed[i] = allowed[i] && was
	}
	p.allowed[j] = allowed
	return nil
}
