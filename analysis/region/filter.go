package region

import (
	"fmt"
	"strings"

	"orrery/traceio"
	"orrery/traceio/symbols"
)

// Filter chooses memory by name. It belongs to one goroutine.
type Filter struct {
	m       *Map
	look    *Lookup
	choice  []choice // by region
	regions []int32  // of a block's rows
}

// choice is what of a region is chosen.
type choice struct {
	all   bool
	parts [][]string // "[3]", ".id": paths into the variable
}

// Filter makes a filter of patterns, in which * stands for any text and ? for one character:
//
//	A, numbers, *C, stack       a region by its name
//	P[*].id, main:p.x, A[3]     elements and fields of a variable, with all that is in them
//	bubble:*, matmul::*         the variables of a function on the stack and, with two colons, its static ones too
//	heap@bzlib.c:104            the blocks of a place, whatever they are named after
//
// The error names the first pattern that nothing in the program is called by.
func (m *Map) Filter(patterns []string) (*Filter, error) {
	f := &Filter{m: m, look: m.Lookup(), choice: make([]choice, len(m.regions)), regions: make([]int32, traceio.MaxBlock)}
	for _, p := range patterns {
		found := false
		for i := range m.regions {
			found = f.choice[i].add(p, &m.regions[i]) || found
		}
		if !found {
			return nil, fmt.Errorf(
				"nothing in memory is called %q; names are as in the tables of regions, * stands for anything", p)
		}
	}
	return f, nil
}

// add takes in a pattern, and says whether it concerns the region.
func (c *choice) add(pattern string, r *Region) bool {
	names := []string{r.Name}
	if r.Place != "" {
		names = append(names, r.Place)
	}
	if function, variable, ok := cutLast(r.Name, ":"); ok && r.Kind == Local {
		names = append(names, function+"::"+variable)
	}
	found := false
	for _, name := range names {
		if symbols.Match(pattern, name) {
			c.all, found = true, true
		}
		if r.Kind != Global && r.Kind != Local {
			continue
		}
		for i := 1; i < len(pattern); i++ {
			if (pattern[i] == '[' || pattern[i] == '.') && symbols.Match(pattern[:i], name) {
				c.parts, found = append(c.parts, steps(pattern[i:])), true
			}
		}
	}
	return found
}

func cutLast(s, separator string) (before, after string, ok bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

// steps cuts "[3].at[2]" into its steps.
func steps(s string) []string {
	var out []string
	begin := 0
	for i := 1; i <= len(s); i++ {
		if i == len(s) || s[i] == '[' || s[i] == '.' || s[i] == '+' {
			out = append(out, s[begin:i])
			begin = i
		}
	}
	return out
}

// Has tells whether the byte at address a at reference s is chosen.
func (f *Filter) Has(a traceio.Addr, s traceio.Seq) bool {
	id, _ := f.look.Locate(a, s)
	return f.chosen(id, a, s)
}

// Keep tells for every row of a block of references whether its first byte is chosen; instruction fetches are not. keep
// must be as long as b.
func (f *Filter) Keep(b *traceio.Block, keep []bool) {
	f.look.Classify(b, f.regions[:b.Len()], nil)
	s := b.First
	for row, id := range f.regions[:b.Len()] {
		if keep[row] = false; b.Kind[row] != traceio.Fetch {
			keep[row] = f.chosen(id, b.Addr[row], s)
			s++
		}
	}
}

func (f *Filter) chosen(id int32, a traceio.Addr, s traceio.Seq) bool {
	c := &f.choice[id]
	if c.all || len(c.parts) == 0 {
		return c.all
	}
	r := &f.m.regions[id]
	rest := uint64(a - r.Low)
	if r.Kind == Local {
		_, _, rest = f.m.locate(a, s)
	}
	at := steps(f.m.prog.Element("", r.Type, rest))
	for _, want := range c.parts {
		if leads(want, at) {
			return true
		}
	}
	return false
}

// leads tells whether a path of patterns leads to an element or to something around it.
func leads(want, at []string) bool {
	if len(want) > len(at) {
		return false
	}
	for i, p := range want {
		if !symbols.Match(p, at[i]) {
			return false
		}
	}
	return true
}
