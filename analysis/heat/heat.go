// Package heat tells what the nodes of a compiler's graph did to memory in a recording: references, misses and strides.
// In go a recording, a hierarchy of caches and the group of a function; out come numbers for each node, instruction and
// line.
//
// A recorded instruction finds its nodes by its offset in the function where the compiler lists the code with offsets,
// and the recording's instructions fit that list (irgraph.Group.Entry), or by its address where the compiler ran within
// the program. Where they do not, as when the program was built otherwise, all nodes of the source line that refer to
// memory have the line's numbers.
package heat

import (
	"cmp"
	"context"
	"slices"

	"orrery/analysis/attribution"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// Heat is what some code did.
type Heat struct {
	Loads, Stores uint64
	Misses        []uint64 // by level of the hierarchy
	Stride        int64    // the commonest distance in bytes from one address of an instruction to its next
	Strided       uint64   // how many of its distances were so, at least
}

// References is loads and stores together.
func (h *Heat) References() uint64 { return h.Loads + h.Stores }

func (h *Heat) add(o *Heat) {
	h.Loads += o.Loads
	h.Stores += o.Stores
	if h.Misses == nil {
		h.Misses = make([]uint64, len(o.Misses))
	}
	for i := range o.Misses {
		h.Misses[i] += o.Misses[i]
	}
	if o.Strided > h.Strided {
		h.Stride, h.Strided = o.Stride, o.Strided
	}
}

// Counts is the heat of every instruction of a recording.
type Counts struct {
	PCs []traceio.Addr // in order
	Of  []Heat         // by index of PCs
}

// Recording is the part of an open recording that is read here.
type Recording interface {
	attribution.Recording
	PCs() []traceio.Addr
}

// Count simulates a recording from cold caches and counts by instruction. report is told blocks. The error is the
// recording's or the context's.
func Count(ctx context.Context, rec Recording, c cachesim.Config, report func(done, total int64)) (*Counts, error) {
	pcs := rec.PCs()
	out := &Counts{PCs: pcs, Of: make([]Heat, len(pcs))}
	steps := make([]stride, len(pcs))
	classify := func(b *traceio.Block, ids []int32) {
		last, at := traceio.Addr(0), int32(-1)
		for row, pc := range b.PC {
			if at < 0 || pc != last {
				i, ok := slices.BinarySearch(pcs, pc)
				if last, at = pc, int32(i); !ok {
					at = -1
				}
			}
			ids[row] = at
			if at < 0 || b.Kind[row] == traceio.Fetch {
				continue
			}
			steps[at].take(b.Addr[row])
			if b.Kind[row] == traceio.Load {
				out.Of[at].Loads++
			} else {
				out.Of[at].Stores++
			}
		}
	}
	number := map[string]int{}
	name := func(id int32) string {
		key := pcs[id].String()
		number[key] = int(id)
		return key
	}
	rows, err := attribution.Misses(ctx, rec, c, len(pcs), classify, name, report)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if id, ok := number[rows[i].Key]; ok {
			out.Of[id].Misses = rows[i].Misses
		}
	}
	for i := range steps {
		out.Of[i].Stride, out.Of[i].Strided = steps[i].commonest()
	}
	return out, nil
}

// stride finds the commonest distance between successive addresses in little room: the Misra-Gries summary with four
// counters, which keeps each distance that is more than a fifth of all.
type stride struct {
	last  traceio.Addr
	begun bool
	step  [4]int64
	count [4]uint64
}

func (s *stride) take(a traceio.Addr) {
	d := int64(a - s.last)
	s.last = a
	if !s.begun {
		s.begun = true
		return
	}
	free := -1
	for i := range s.step {
		if s.count[i] > 0 && s.step[i] == d {
			s.count[i]++
			return
		}
		if s.count[i] == 0 {
			free = i
		}
	}
	if free >= 0 {
		s.step[free], s.count[free] = d, 1
		return
	}
	for i := range s.count {
		s.count[i]--
	}
}

// commonest is the distance with the largest counter; the counter is at most how often it came.
func (s *stride) commonest() (step int64, count uint64) {
	for i := range s.step {
		if s.count[i] > count || s.count[i] == count && count > 0 && s.step[i] < step {
			step, count = s.step[i], s.count[i]
		}
	}
	return step, count
}

// Line is what one source line of a function did, and by which nodes.
type Line struct {
	File string // as the recording names it
	Line int
	Heat
	// of the snapshot: those whose instructions did it, and for instructions without a node those of the line that refer
	// to memory
	Nodes []int32
	Exact bool // each instruction had its node

	rest Heat // of instructions without a node
}

// Instruction is what one recorded instruction of the function did.
type Instruction struct {
	PC traceio.Addr
	*irgraph.Instruction
	Heat
	Nodes []int32
}

// Joined is a snapshot with the heat of its nodes.
type Joined struct {
	Entry        traceio.Addr  // of the function in the recording; meaningful when Exact
	Exact        bool          // the recorded instructions fit the group's listing
	Nodes        []Heat        // by node of the snapshot; Misses is nil for those that did nothing
	Lines        []Line        // that did something, the most references first
	Instructions []Instruction // in order; none unless Exact
}

// Join puts the counts of a recording onto the nodes of a snapshot. In a snapshot of an early phase an instruction's
// own node is often not yet there; then the nodes of its line that refer to memory in the same way have the line's
// numbers.
func Join(counts *Counts, program *traceio.Program, g *irgraph.Group, s *irgraph.Snapshot) *Joined {
	j := &joiner{counts: counts, program: program, snapshot: s, places: irgraph.NewSourceIndex(g, s),
		lines: map[position]*Line{}}
	j.Nodes = make([]Heat, len(s.Nodes))
	j.Entry, j.Exact = g.Entry(program.Sites)
	var end traceio.Addr
	for i := range g.Listing {
		if o := g.Listing[i].Offset; o != irgraph.NoOffset {
			end = max(end, j.Entry+traceio.Addr(o))
		}
	}
	for i, pc := range counts.PCs {
		if counts.Of[i].References() == 0 {
			continue
		}
		if !j.Exact {
			j.byLine(pc, &counts.Of[i])
		} else if pc >= j.Entry && pc <= end {
			j.byInstruction(pc, &counts.Of[i])
		}
	}
	return j.finish()
}

type position struct {
	file string
	line int
}

type joiner struct {
	Joined
	counts   *Counts
	program  *traceio.Program
	snapshot *irgraph.Snapshot
	places   *irgraph.SourceIndex
	lines    map[position]*Line
}

// line is the line that an instruction belongs to, as the recording knows it or else the compiler; nil when neither
// does.
func (j *joiner) line(pc traceio.Addr, in *irgraph.Instruction) *Line {
	var k position
	if site := j.program.SiteAt(pc); site != nil && len(site.Frames) > 0 {
		k = position{site.Frames[0].File, site.Frames[0].Line}
	}
	if k.line == 0 && in != nil {
		k = position{in.File, in.Line}
	}
	if k.line == 0 {
		return nil
	}
	if j.lines[k] == nil {
		j.lines[k] = &Line{File: k.file, Line: k.line}
	}
	return j.lines[k]
}

func (j *joiner) byInstruction(pc traceio.Addr, h *Heat) {
	in, nodes := j.places.Instruction(pc - j.Entry)
	j.Instructions = append(j.Instructions, Instruction{PC: pc, Instruction: in, Heat: *h, Nodes: nodes})
	for _, n := range nodes {
		j.Nodes[n].add(h)
	}
	if l := j.line(pc, in); l != nil {
		l.add(h)
		if len(nodes) == 0 {
			l.rest.add(h)
		}
		for _, n := range nodes {
			if !slices.Contains(l.Nodes, n) {
				l.Nodes = append(l.Nodes, n)
			}
		}
	}
}

func (j *joiner) byLine(pc traceio.Addr, h *Heat) {
	if l := j.line(pc, nil); l != nil {
		l.add(h)
		l.rest.add(h)
	}
}

// finish gives what instructions without a node did to the nodes of their line that refer to memory in the same way and
// have no instruction of their own.
func (j *joiner) finish() *Joined {
	for _, l := range j.lines {
		l.Exact = l.rest.References() == 0
		var others []int32
		if !l.Exact {
			for _, n := range j.places.Line(l.File, l.Line) {
				access := j.snapshot.Nodes[n].Properties.Get(irgraph.KeyAccess)
				same := access == "load" && l.rest.Loads > 0 || access == "store" && l.rest.Stores > 0 || access == "load store"
				if same && !slices.Contains(l.Nodes, n) {
					others = append(others, n)
				}
			}
		}
		for _, n := range others {
			j.Nodes[n].add(&l.rest)
		}
		l.Nodes = append(l.Nodes, others...)
		if len(l.Nodes) > 0 || j.Exact {
			slices.Sort(l.Nodes)
			j.Lines = append(j.Lines, *l)
		}
	}
	slices.SortFunc(j.Lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.References(), a.References()), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return &j.Joined
}
