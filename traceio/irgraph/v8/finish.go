package v8

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// finish adds what the end of the file has: the function, what was inlined, lines, the machine code.
func (x *reader) finish() {
	if x.function.Name == "" {
		x.function.Name = "(anonymous)"
	}
	x.group.Name = x.function.Name
	x.apart()
	x.function.index()
	for k, s := range x.sources {
		s.index()
		x.sources[k] = s
	}
	t := tree{x: x, into: map[string][]string{}, codes: map[string][]irgraph.Bytecode{}, seen: map[string]bool{}}
	for _, k := range slices.Sorted(maps.Keys(x.inlinings)) {
		if p := x.inlinings[k].Position; p != nil {
			t.into[string(p.Inlining)] = append(t.into[string(p.Inlining)], k)
		}
	}
	x.group.Method = t.method("-1", x.function, 0)
	for _, s := range x.group.Snapshots {
		for i := range s.Nodes {
			s.Nodes[i].Properties = x.placed(s.Nodes[i].Properties)
		}
	}
	x.group.Listing, x.group.Address = x.code.listing(x)
}

// apart gives functions that were inlined from the same script files of their own, "list.js (next)": lines count from
// each function's first, so that line 1 of one is not that of another.
func (x *reader) apart() {
	for k, s := range x.sources {
		if s.File != "" && s.File == x.function.File && s.Start != x.function.Start {
			s.File += " (" + firstOf(s.Name, "(anonymous)") + ")"
			x.sources[k] = s
		}
	}
}

// placed adds file and line to a node's properties.
func (x *reader) placed(p irgraph.Properties) irgraph.Properties {
	offset, err := strconv.Atoi(p.Get("offset"))
	if err != nil {
		return p
	}
	of := x.function
	if id := p.Get("inlining"); id != "" {
		var ok bool
		if of, ok = x.sources[string(x.inlinings[id].Function)]; !ok {
			return p
		}
	}
	line, ok := of.line(offset)
	if !ok {
		return p
	}
	if _, have := p.Lookup(irgraph.KeyLine); have {
		return p
	}
	p = append(p, irgraph.Property{Key: irgraph.KeyLine, Value: x.pool.Text(strconv.Itoa(line))})
	if of.File != "" {
		p = append(p, irgraph.Property{Key: irgraph.KeyFile, Value: x.pool.Text(of.File)})
	}
	return p
}

// line is the line of a byte of the script, from 1 at the function's first.
func (s *source) line(offset int) (int, bool) {
	if offset < s.Start || offset-s.Start > len(s.Text) {
		return 0, false
	}
	n, _ := slices.BinarySearch(s.ends, offset-s.Start)
	return 1 + n, true
}

// index finds the lines of a text.
func (s *source) index() {
	for i := range len(s.Text) {
		if s.Text[i] == '\n' {
			s.ends = append(s.ends, i)
		}
	}
}

// tree is the making of the tree of inlined calls.
type tree struct {
	x     *reader
	into  map[string][]string           // what was inlined into an inlining, in order
	codes map[string][]irgraph.Bytecode // of functions, which are shared by all of their inlinings
	seen  map[string]bool               // guards against circles in a damaged file
}

// deepest bounds how deep calls are inlined into each other; V8 itself stops at some ten.
const deepest = 256

// method is the function of an inlining with what was inlined into it.
func (t *tree) method(id string, s source, depth int) *irgraph.Method {
	x, m := t.x, &irgraph.Method{Name: s.Name, At: -1}
	of := "-1"
	if id != "-1" {
		of = string(x.inlinings[id].Function)
	}
	m.Bytecodes = t.bytecodes(of)
	if s.Text != "" {
		m.Source = &irgraph.Source{File: s.File, First: 1, Text: s.Text}
	}
	if t.seen[id] = true; depth == deepest {
		return m
	}
	for _, k := range t.into[id] {
		if t.seen[k] {
			continue
		}
		child := t.method(k, x.sources[string(x.inlinings[k].Function)], depth+1)
		if line, ok := s.line(x.inlinings[k].Position.Offset); ok {
			child.At = line
		}
		m.Inlined = append(m.Inlined, child)
	}
	return m
}

func (t *tree) bytecodes(of string) []irgraph.Bytecode {
	list, ok := t.codes[of]
	if !ok {
		for _, b := range t.x.bytecodes[of].Source.Data {
			list = append(list, irgraph.Bytecode{Index: b.Offset, Text: b.Disassembly})
		}
		t.codes[of] = list
	}
	return list
}

// code is the machine code: its text, and which nodes each instruction of it came from by way of the numbers of V8's
// own instructions.
type code struct {
	text   string
	ranges map[string][2]int
	starts map[string]json.RawMessage
}

func (c *code) instructions(p *phase) {
	if p.NodeRange != nil {
		c.ranges = p.NodeRange
	}
	if p.InstrToPCs != nil {
		c.starts = p.InstrToPCs
	}
}

// listing reads the disassembly, "0x7f3ef27c5b80  0  488b59f8  REX.W movq rbx,[rcx-0x8]", and tells where the code
// was.
func (c *code) listing(x *reader) (out []irgraph.Instruction, entry traceio.Addr) {
	nodes := c.nodes()
	lines := map[string][2]string{}
	if n := len(x.group.Snapshots); n > 0 {
		s := x.group.Snapshots[n-1]
		for i := range s.Nodes {
			if p := s.Nodes[i].Properties; p.Get(irgraph.KeyLine) != "" {
				lines[s.Nodes[i].ID] = [2]string{p.Get(irgraph.KeyFile), p.Get(irgraph.KeyLine)}
			}
		}
	}
	for line := range strings.Lines(c.text) {
		part := strings.Fields(line)
		if len(part) < 4 || !strings.HasPrefix(part[0], "0x") {
			if len(out) > 0 && strings.TrimSpace(line) == "" {
				break // behind the instructions stand other tables
			}
			continue
		}
		offset, err := strconv.ParseUint(part[1], 16, 64)
		if err != nil || offset == irgraph.NoOffset {
			continue
		}
		if at, err := strconv.ParseUint(part[0][2:], 16, 64); err == nil && len(out) == 0 && at >= offset {
			entry = traceio.Addr(at - offset)
		}
		in := irgraph.Instruction{Offset: offset, Text: strings.Join(part[3:], " "), Nodes: nodes.at(int(min(offset, 1<<31)))}
		for _, id := range in.Nodes {
			if at, ok := lines[id]; ok {
				in.File = at[0]
				in.Line, _ = strconv.Atoi(at[1])
				break
			}
		}
		out = append(out, in)
	}
	return out, entry
}

// owners finds which nodes the code at an offset came from.
type owners struct {
	from  []int // offsets in order
	nodes [][]string
}

func (o *owners) at(offset int) []string {
	i, found := slices.BinarySearch(o.from, offset)
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	return o.nodes[i]
}

// nodes puts the two tables together: instruction n begins at its gap's offset and goes on to the next beginning.
func (c *code) nodes() *owners {
	type start struct{ offset, instruction int }
	var starts []start
	for text, raw := range c.starts {
		n, err := strconv.Atoi(text)
		if err != nil {
			continue
		}
		var at struct {
			Gap *int `json:"gap"`
		}
		var plain int
		switch {
		case json.Unmarshal(raw, &plain) == nil:
			starts = append(starts, start{plain, n})
		case json.Unmarshal(raw, &at) == nil && at.Gap != nil:
			starts = append(starts, start{*at.Gap, n})
		}
	}
	slices.SortFunc(starts, func(a, b start) int {
		if a.offset != b.offset {
			return a.offset - b.offset
		}
		return a.instruction - b.instruction
	})
	made := map[int][]string{} // by instruction; the ranges of one instruction are few
	room := maxRanges
	for _, id := range slices.Sorted(maps.Keys(c.ranges)) {
		r := c.ranges[id]
		for n := r[0]; n < r[1] && n < r[0]+maxRange && room > 0; n++ {
			made[n] = append(made[n], id)
			room--
		}
	}
	out := &owners{}
	for _, s := range starts {
		ids := made[s.instruction]
		slices.Sort(ids)
		if n := len(out.from); n > 0 && out.from[n-1] == s.offset {
			out.nodes[n-1] = ids // those in front of it have no code
			continue
		}
		out.from = append(out.from, s.offset)
		out.nodes = append(out.nodes, ids)
	}
	return out
}

// Bounds of the instructions of one node, which are a few, and of those of all together.
const (
	maxRange  = 1 << 10
	maxRanges = 1 << 22
)
