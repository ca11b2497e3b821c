package designs

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Point is one evaluated design as a row, for who makes or looks at few of them.
type Point struct {
	ID string // name; "" for none
	// what makes it the same point when met again; "" : its parameters, its mapping and its objectives
	Individual string
	Values     []int32   // by parameter, an index into its Values
	Objectives []float64 // by objective, as evaluated, finite
	Secondary  []float64 // by secondary objective; nil for none
	Processes  []int16   // by process, its processor; nil for none
	Channels   []int16   // by channel, its component; nil for none
	Generation int32     // in which it was evaluated, from 0; negative for unknown
	Row        int32     // data row of the file, from 1; 0 for none
}

// Builder collects design points. One individual met in several generations is one point with a list of generations.
type Builder struct {
	set   Set
	known map[string]int32
	gens  []met
	named bool
	rows  bool
}

// met is one evaluation: point and generation.
type met struct{ point, generation int32 }

// NewBuilder starts a set with the description of head: its name, parameters, objectives, secondary objectives,
// feasible combinations, platform and note. Points in head's columns are not taken.
func NewBuilder(head Set) *Builder {
	b := &Builder{known: map[string]int32{}}
	b.set = Set{Name: head.Name, Feasible: head.Feasible, Platform: head.Platform, Note: head.Note}
	for _, p := range head.Parameters {
		b.set.Parameters = append(b.set.Parameters, Parameter{Name: p.Name, Values: p.Values})
	}
	for _, o := range head.Objectives {
		o.Values = nil
		b.set.Objectives = append(b.set.Objectives, o)
	}
	for _, s := range head.Secondary {
		s.Values = nil
		b.set.Secondary = append(b.set.Secondary, s)
	}
	if p := head.Platform; p != nil {
		b.set.Mapping = &Mapping{Process: make([][]int16, len(p.Processes)), Channel: make([][]int16, len(p.Channels))}
	}
	return b
}

// Len is the number of points so far.
func (b *Builder) Len() int { return b.set.N }

// Add takes one evaluated point and gives its number, which is an earlier one when the individual was met before. A
// point whose objectives differ from those that its individual had before, or are not finite, is an error and is not
// taken.
func (b *Builder) Add(p Point) (int, error) {
	if err := b.check(&p); err != nil {
		return 0, err
	}
	key := identity(&p)
	i, again := b.known[key]
	if again {
		for j, x := range p.Objectives {
			if o := &b.set.Objectives[j]; o.Values[i] != x {
				return 0, &Conflict{Column: o.Name, Point: int(i), Was: o.Values[i], Is: x}
			}
		}
	} else {
		i = int32(b.set.N)
		b.known[key] = i
		b.take(&p)
	}
	if p.Generation >= 0 {
		b.gens = append(b.gens, met{i, p.Generation})
	}
	return int(i), nil
}

// Conflict is the error of one individual with two values of an objective.
type Conflict struct {
	Column  string
	Point   int // the earlier one
	Was, Is float64
}

// Error says which objective differs.
func (c *Conflict) Error() string {
	return fmt.Sprintf("the same design had %s %g before and has %g now", c.Column, c.Was, c.Is)
}

func (b *Builder) check(p *Point) error {
	if len(p.Values) != len(b.set.Parameters) || len(p.Objectives) != len(b.set.Objectives) {
		return fmt.Errorf("a design of %d parameters and %d objectives does not fit %d and %d", len(p.Values),
			len(p.Objectives), len(b.set.Parameters), len(b.set.Objectives))
	}
	for j, v := range p.Values {
		if v < 0 || int(v) >= len(b.set.Parameters[j].Values) {
			return fmt.Errorf("parameter %s has no value number %d", b.set.Parameters[j].Name, v)
		}
	}
	for j, x := range p.Objectives {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("objective %s is %g, not a finite number", b.set.Objectives[j].Name, x)
		}
	}
	return nil
}

func (b *Builder) take(p *Point) {
	s := &b.set
	for j, v := range p.Values {
		s.Parameters[j].At = append(s.Parameters[j].At, v)
	}
	for j, x := range p.Objectives {
		s.Objectives[j].Values = append(s.Objectives[j].Values, x)
	}
	for j := range s.Secondary {
		x := math.NaN()
		if j < len(p.Secondary) {
			x = p.Secondary[j]
		}
		s.Secondary[j].Values = append(s.Secondary[j].Values, x)
	}
	if s.Mapping != nil {
		bind(s.Mapping.Process, p.Processes)
		bind(s.Mapping.Channel, p.Channels)
	}
	s.ID = append(s.ID, p.ID)
	s.Row = append(s.Row, p.Row)
	b.named = b.named || p.ID != ""
	b.rows = b.rows || p.Row != 0
	s.N++
}

func bind(columns [][]int16, of []int16) {
	for j := range columns {
		at := Unmapped
		if j < len(of) {
			at = of[j]
		}
		columns[j] = append(columns[j], at)
	}
}

// identity is the key under which a point is met again.
func identity(p *Point) string {
	if p.Individual != "" {
		return "i" + p.Individual
	}
	var key []byte
	key = append(key, 'p')
	for _, v := range p.Values {
		key = binary.AppendVarint(key, int64(v))
	}
	for _, list := range [][]int16{p.Processes, p.Channels} {
		key = binary.AppendUvarint(key, uint64(len(list)))
		for _, c := range list {
			key = binary.AppendVarint(key, int64(c))
		}
	}
	for _, x := range p.Objectives {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x+0)) // -0 and 0 are one value
	}
	return string(key)
}

// Set is what was collected so far. The builder may go on: the columns that were handed out do not change.
func (b *Builder) Set() *Set {
	s := b.set
	s.Parameters = slices.Clone(s.Parameters)
	s.Objectives = slices.Clone(s.Objectives)
	s.Secondary = slices.Clone(s.Secondary)
	if m := s.Mapping; m != nil {
		s.Mapping = &Mapping{Process: slices.Clone(m.Process), Channel: slices.Clone(m.Channel)}
	}
	if !b.named {
		s.ID = nil
	}
	if !b.rows {
		s.Row = nil
	}
	s.Rejected = slices.Clone(s.Rejected)
	s.Generations = listed(b.gens, s.N)
	return &s
}

// listed sorts evaluations into each point's list.
func listed(gens []met, n int) Generations {
	if len(gens) == 0 {
		return Generations{}
	}
	gens = slices.Clone(gens)
	slices.SortFunc(gens, func(a, b met) int {
		return cmp.Or(cmp.Compare(a.point, b.point), cmp.Compare(a.generation, b.generation))
	})
	gens = slices.Compact(gens)
	g := Generations{Start: make([]int32, n+1), List: make([]int32, len(gens))}
	for i, m := range gens {
		g.List[i] = m.generation
		g.Start[m.point+1]++
		g.Count = max(g.Count, int(m.generation)+1)
	}
	for i := range n {
		g.Start[i+1] += g.Start[i]
	}
	return g
}
