package gossa

import (
	"strconv"
	"strings"

	"orrery/traceio/irgraph"
)

// code is the machine code of the functions in a dump. The compiler lists it twice: as it generates it, with the value
// that each instruction comes from but without addresses,
//
//	v34   	00029 (12)	MOVSD	(R8)(DI*8), X1
//
// and, with -S, as the assembler wrote it, with addresses but without values:
//
//	0x0040 00064 (/home/u/m/main.go:12)	MOVSD	(R8)(DI*8), X1
type code struct {
	functions []*function
	into      *function // whose assembly is being read
}

// function is the code of one group.
type function struct {
	group     *irgraph.Group
	symbol    string // as the assembler calls it: "main.multiply"
	file      string // of the function itself
	current   string // file of the next generated lines
	generated []instruction
	assembled []instruction
	taken     bool // its assembly was found
}

type instruction struct {
	offset   uint64
	op, args string
	file     string
	line     int
	node     string // ID; "" for none
	shape    string // see align
}

func (i *instruction) text() string { return strings.TrimSpace(i.op + " " + i.args) }

// directive reports whether an operation makes no code.
func directive(op string) bool {
	return op == "TEXT" || op == "FUNCDATA" || op == "PCDATA" || op == "END"
}

// begin begins the listing of the group that is being read.
func (c *code) begin(d *dump) {
	c.functions = append(c.functions, &function{group: d.group})
}

// take parses one line of the generated code, and reports whether it was one.
func (c *code) take(d *dump, line string) bool {
	f := c.functions[len(c.functions)-1]
	if file, ok := strings.CutPrefix(line, "# "); ok {
		if !strings.HasPrefix(file, "live at ") {
			f.current = d.pool.Text(file)
		}
		return true
	}
	part := strings.SplitN(line, "\t", 4)
	if len(part) < 3 {
		return false
	}
	number, place, ok := strings.Cut(part[1], " ")
	if !ok || strings.Trim(number, "0123456789") != "" {
		return false
	}
	args := ""
	if len(part) == 4 {
		args = part[3]
	}
	return c.generate(d, strings.TrimSpace(part[0]), place, part[2], args)
}

// generate parses one generated instruction: the value or block that it comes from, its place "(+12)", and what it
// is.
func (c *code) generate(d *dump, source, place, op, args string) bool {
	line, _, ok := position(place)
	if !ok {
		return false
	}
	f := c.functions[len(c.functions)-1]
	if op == "TEXT" {
		f.symbol, _, _ = strings.Cut(args, "(SB)")
		f.file = f.current
	}
	if !directive(op) {
		i := instruction{op: d.pool.Text(op), args: d.pool.Text(args), file: f.current}
		i.line, _ = strconv.Atoi(line)
		if g, ok := d.past[source]; ok {
			i.node = d.pool.Text(g.id(source))
		}
		f.generated = append(f.generated, i)
	}
	return true
}

// assembled parses one line of what -S prints.
func (c *code) assembled(d *dump, line string) {
	if name, _, ok := strings.Cut(line, " STEXT "); ok {
		c.into = nil
		for _, f := range c.functions {
			if f.symbol == name && !f.taken {
				c.into, f.taken = f, true
				break
			}
		}
		return
	}
	if c.into == nil || !strings.HasPrefix(line, "\t0x") {
		return
	}
	part := strings.SplitN(line[1:], "\t", 3)
	if len(part) < 2 || directive(part[1]) {
		if len(part) == 3 && part[1] == "TEXT" {
			_, c.into.file, _ = assemblyPlace(part[0])
		}
		return
	}
	i := instruction{op: d.pool.Text(part[1])}
	if len(part) == 3 {
		i.args = d.pool.Text(part[2])
	}
	if i.offset, i.file, i.line = assemblyPlace(part[0]); i.file != "" {
		i.file = d.pool.Text(i.file)
		c.into.assembled = append(c.into.assembled, i)
	}
}

// assemblyPlace reads "0x0040 00064 (/home/u/m/main.go:12)".
func assemblyPlace(s string) (offset uint64, file string, line int) {
	hex, rest, _ := strings.Cut(s, " ")
	_, place, _ := strings.Cut(rest, " ")
	offset, err := strconv.ParseUint(strings.TrimPrefix(hex, "0x"), 16, 64)
	place, ok := strings.CutSuffix(strings.TrimPrefix(place, "("), ")")
	at := strings.LastIndexByte(place, ':')
	if err != nil || !ok || at < 1 {
		return 0, "", 0
	}
	line, _ = strconv.Atoi(place[at+1:])
	return offset, place[:at], line
}

// finish gives each group its listing and source, and its nodes their files.
func (c *code) finish(d *dump) {
	for _, f := range c.functions {
		listing := f.assembled
		if len(listing) == 0 {
			listing = f.generated
			for i := range listing {
				listing[i].offset = irgraph.NoOffset
			}
		} else {
			align(f.generated, listing)
		}
		for i := range listing {
			in := irgraph.Instruction{Offset: listing[i].offset, Text: listing[i].text(), File: listing[i].file,
				Line: listing[i].line}
			if listing[i].node != "" {
				in.Nodes = []string{listing[i].node}
			}
			f.group.Listing = append(f.group.Listing, in)
		}
	}
	for _, g := range d.doc.Groups {
		f := c.of(g)
		g.Method = d.heading.method(g, func(t *text) bool { return inCode(g, t) })
		if own := d.heading.own(g); own != nil {
			f.file = own.file
		}
		if d.heading.compiler != "" {
			g.Properties = append(g.Properties, irgraph.Property{Key: "compiler", Value: d.heading.compiler})
		}
		if f.symbol != "" {
			g.Properties = append(g.Properties, irgraph.Property{Key: "symbol", Value: f.symbol})
		}
		f.name(g)
	}
}

// of is the code of a group.
func (c *code) of(g *irgraph.Group) *function {
	for _, f := range c.functions {
		if f.group == g {
			return f
		}
	}
	return &function{group: g}
}

// inCode reports whether lines of a function are in a group's code.
func inCode(g *irgraph.Group, t *text) bool {
	for i := range g.Listing {
		if in := &g.Listing[i]; in.File == t.file && in.Line >= t.first && in.Line <= t.last {
			return true
		}
	}
	return false
}

// name finds the nodes' files. A dump has only lines, and a line of an inlined function looks like one of the function
// itself; so a node's own instruction decides, then where the code has this line, then the function.
func (f *function) name(g *irgraph.Group) {
	byNode, byLine := map[string]string{}, map[string]string{}
	for i := range g.Listing {
		in := &g.Listing[i]
		line := strconv.Itoa(in.Line)
		for _, id := range in.Nodes {
			byNode[id+" "+line] = in.File
		}
		if old, ok := byLine[line]; ok && old != in.File {
			byLine[line] = f.file // of several, rather its own
		} else {
			byLine[line] = in.File
		}
	}
	for _, s := range g.Snapshots {
		for i := range s.Nodes {
			n := &s.Nodes[i]
			line := n.Properties.Get(irgraph.KeyLine)
			if _, named := n.Properties.Lookup(irgraph.KeyFile); named || line == "" {
				continue // a snapshot may share its nodes with another
			}
			file, ok := byNode[n.ID+" "+line]
			if !ok {
				file, ok = byLine[line]
			}
			if !ok {
				file = f.file
			}
			if file != "" {
				// The properties have room for it, and those that share the memory get the same.
				n.Properties = append(n.Properties, irgraph.Property{Key: irgraph.KeyFile, Value: file})
			}
		}
	}
}
