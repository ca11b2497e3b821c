package irgraph

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"orrery/traceio"
)

// SourceIndex finds the nodes of one snapshot by what a recording knows of its references: source line and instruction.
type SourceIndex struct {
	group *Group
	lines map[int][]int32      // by line, nodes of any file
	files []string             // by node
	ids   map[string]int32     // nodes by ID
	code  map[traceio.Addr]int // index into Listing by offset
	names map[[2]string]bool   // known results of SameFile
}

// NewSourceIndex indexes a snapshot of a group.
func NewSourceIndex(g *Group, s *Snapshot) *SourceIndex {
	p := &SourceIndex{group: g, lines: map[int][]int32{}, files: make([]string, len(s.Nodes)),
		ids:  make(map[string]int32, len(s.Nodes)),
		code: map[traceio.Addr]int{}, names: map[[2]string]bool{}}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		p.ids[n.ID] = int32(i)
		p.files[i] = n.Properties.Get(KeyFile)
		for _, line := range n.Properties.Lines() {
			p.lines[line] = append(p.lines[line], int32(i))
		}
	}
	for i := range g.Listing {
		if g.Listing[i].Offset != NoOffset {
			p.code[traceio.Addr(g.Listing[i].Offset)] = i
		}
	}
	return p
}

// Line gives the nodes of a source line in order, also those of which the file is not known.
func (p *SourceIndex) Line(file string, line int) []int32 {
	var out []int32
	for _, i := range p.lines[line] {
		if p.files[i] == "" || p.same(file, p.files[i]) {
			out = append(out, i)
		}
	}
	return out
}

// Instruction gives the instruction that begins at an offset from the function's entry, nil for none, and the nodes of
// the snapshot that it came from.
func (p *SourceIndex) Instruction(offset traceio.Addr) (*Instruction, []int32) {
	i, ok := p.code[offset]
	if !ok {
		return nil, nil
	}
	in := &p.group.Listing[i]
	var nodes []int32
	for _, id := range in.Nodes {
		if n, ok := p.ids[id]; ok {
			nodes = append(nodes, n)
		}
	}
	return in, nodes
}

func (p *SourceIndex) same(a, b string) bool {
	k := [2]string{a, b}
	known, ok := p.names[k]
	if !ok {
		known = SameFile(a, b)
		p.names[k] = known
	}
	return known
}

// SameFile reports whether two names of source files can mean the same one: they are equal, or one has fewer
// directories in front. Compilers and debug information name a file by its whole path, by one relative to where they
// ran, or by its last element.
func SameFile(a, b string) bool {
	a, b = trim(a), trim(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	return a != "" && (a == b || strings.HasSuffix(b, "/"+strings.TrimPrefix(a, "/")) && !strings.HasPrefix(a, "/"))
}

func trim(path string) string {
	for strings.HasPrefix(path, "./") {
		path = path[2:]
	}
	return path
}

// Entry finds where a recorded program had the code of a group: the entry address for which every site in the code is
// an instruction of the listing on the same line. Sites are those of the program, in order of PC; only those whose
// innermost frame is on one of the listing's lines count. ok is false when no address fits, or several fit equally
// well. Where the compiler gives the address itself, and the recording is of the same run, instructions need no lines.
//
// Each site votes for every address from which an instruction of its line would be where the site is; code of some
// hundred instructions gives some thousand votes.
func (g *Group) Entry(sites []traceio.Site) (entry traceio.Addr, ok bool) {
	if g.Address != 0 && g.runs(sites) {
		return g.Address, true
	}
	type position struct{ file, line int }
	var files []string
	number := func(file string) int {
		if i := slices.Index(files, file); i >= 0 {
			return i
		}
		files = append(files, file)
		return len(files) - 1
	}
	offsets := map[position][]uint64{}
	for i := range g.Listing {
		if in := &g.Listing[i]; in.Offset != NoOffset && in.Line > 0 {
			k := position{number(in.File), in.Line}
			offsets[k] = append(offsets[k], in.Offset)
		}
	}
	own := len(files)
	same := map[string]int{}
	place := func(s *traceio.Site) (position, bool) {
		if len(s.Frames) == 0 {
			return position{}, false
		}
		f, known := same[s.Frames[0].File]
		if !known {
			f = slices.IndexFunc(files[:own], func(name string) bool { return SameFile(name, s.Frames[0].File) })
			same[s.Frames[0].File] = f
		}
		return position{f, s.Frames[0].Line}, f >= 0
	}
	votes := map[traceio.Addr]int{}
	for i := range sites {
		if k, ok := place(&sites[i]); ok {
			for _, o := range offsets[k] {
				if uint64(sites[i].PC) >= o {
					votes[sites[i].PC-traceio.Addr(o)]++
				}
			}
		}
	}
	best, ties := 0, 0
	for a, n := range votes {
		switch {
		case n > best:
			best, ties, entry = n, 0, a
		case n == best:
			ties++
		}
	}
	return entry, best > 0 && ties == 0 && g.fits(sites, entry, best)
}

// runs reports whether nearly all instructions that were recorded in the code at the group's own address are in the
// listing.
func (g *Group) runs(sites []traceio.Site) bool {
	known := make(map[traceio.Addr]bool, len(g.Listing))
	for i := range g.Listing {
		if o := g.Listing[i].Offset; o != NoOffset {
			known[g.Address+traceio.Addr(o)] = true
		}
	}
	hits := 0
	for i := range sites {
		if known[sites[i].PC] {
			hits++
		}
	}
	return hits > 0 && g.fits(sites, g.Address, hits)
}

// fits reports whether nearly all sites in the code at an address are instructions of the listing; best of them are.
func (g *Group) fits(sites []traceio.Site, entry traceio.Addr, best int) bool {
	end := uint64(0)
	for i := range g.Listing {
		if o := g.Listing[i].Offset; o != NoOffset {
			end = max(end, o)
		}
	}
	if end == 0 || uint64(entry) > math.MaxUint64-end {
		return false
	}
	from, _ := slices.BinarySearchFunc(sites, entry, func(s traceio.Site, a traceio.Addr) int {
		return cmp.Compare(s.PC, a)
	})
	inside := 0
	for ; from < len(sites) && sites[from].PC <= entry+traceio.Addr(end); from++ {
		inside++
	}
	return best*10 >= inside*9
}
