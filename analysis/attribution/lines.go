// Package attribution answers "which code, which data": it counts references and misses by source line, function,
// region and cache set.
package attribution

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"orrery/traceio"
)

// Line is one source line of the program with what it did in the recording.
type Line struct {
	File     string // as the debug information names it; "" for code without lines
	Line     int    // from 1; 0 for code without lines
	Function string
	// base name of the library that code outside of the project is in; "" for the project and the program itself
	Module string
	Loads  uint64
	Stores uint64
}

// References is loads and stores together.
func (l Line) References() uint64 { return l.Loads + l.Stores }

// Name is "FILE:LINE", or for code without lines the function with its library, "memcpy (libc.so.6)", or only the
// library, or "unknown code".
func (l Line) Name() string {
	if l.Line > 0 {
		return fmt.Sprintf("%s:%d", l.File, l.Line)
	}
	if name := l.Code(); name != "" {
		return name
	}
	return "unknown code"
}

// Code is the function, with its library if it is in one: "memcpy (libc.so.6)"; of unnamed code the library; or "".
func (l Line) Code() string {
	switch {
	case l.Function == "" || l.Module == "":
		return l.Function + l.Module
	default:
		return l.Function + " (" + l.Module + ")"
	}
}

// Lines numbers the source lines that a program's instructions come from densely from 0: the most referenced first,
// ties by name. Instructions of a library are attributed to the library's line unless a project frame inlined them.
type Lines struct {
	lines []Line
	index map[traceio.Addr]int32
}

// Unknown is the number of no line.
const Unknown = int32(-1)

type lineKey struct {
	file     string
	line     int
	function string
	module   string
}

// LinesOf numbers the lines of a program whose references were counted by instruction: each gives loads and stores of
// every instruction, once or in parts.
func LinesOf(prog *traceio.Program, each func(add func(pc traceio.Addr, loads, stores uint64))) *Lines {
	l := number(prog)
	if len(l.lines) == 0 {
		return l
	}
	each(func(pc traceio.Addr, loads, stores uint64) {
		if id := l.Of(pc); id != Unknown && pc != 0 { // 0 is an unknown instruction
			l.lines[id].Loads += loads
			l.lines[id].Stores += stores
		}
	})
	l.rank()
	return l
}

// number numbers the lines of a program as its sites come.
func number(prog *traceio.Program) *Lines {
	l := &Lines{index: make(map[traceio.Addr]int32, len(prog.Sites))}
	ids := map[lineKey]int32{}
	for i := range prog.Sites {
		site := &prog.Sites[i]
		f := site.Own()
		in := library(prog, site)
		key := lineKey{file: f.File, line: f.Line}
		if f.Line == 0 {
			key = lineKey{function: f.Function, module: in}
		}
		id, ok := ids[key]
		if !ok {
			id = int32(len(l.lines))
			ids[key] = id
			l.lines = append(l.lines, Line{File: key.file, Line: key.line, Function: f.Function, Module: in})
		}
		l.index[site.PC] = id
	}
	return l
}

// library is the base name of the module around code that neither the program itself nor the project's source explains.
func library(prog *traceio.Program, s *traceio.Site) string {
	if s.Module < 0 || s.Module >= len(prog.Modules) || prog.Modules[s.Module].Main || traceio.InProject(s.Own().File) {
		return ""
	}
	return path.Base(prog.Modules[s.Module].Path)
}

// rank puts the most referenced line first.
func (l *Lines) rank() {
	order := make([]int32, len(l.lines))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := l.lines[a], l.lines[b]
		return cmp.Or(cmp.Compare(y.References(), x.References()), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line),
			cmp.Compare(x.Function, y.Function), cmp.Compare(x.Module, y.Module))
	})
	ranked := make([]Line, len(order))
	place := make([]int32, len(order))
	for rank, old := range order {
		ranked[rank], place[old] = l.lines[old], int32(rank)
	}
	l.lines = ranked
	for pc, old := range l.index {
		l.index[pc] = place[old]
	}
}

// Len is the number of lines.
func (l *Lines) Len() int { return len(l.lines) }

// At is line i, 0 <= i < Len().
func (l *Lines) At(i int32) Line { return l.lines[i] }

// Of is the number of the line that the instruction at pc comes from, Unknown when the program does not tell. Bulk work
// uses a Lookup.
func (l *Lines) Of(pc traceio.Addr) int32 {
	if id, ok := l.index[pc]; ok {
		return id
	}
	return Unknown
}

// Find is the number of a line, Unknown when the recording never ran it.
func (l *Lines) Find(file string, line int) int32 {
	return int32(slices.IndexFunc(l.lines, func(x Line) bool { return x.Line == line && x.File == file }))
}

// Lookup remembers recent instructions: programs run few of them at a time. It belongs to one goroutine.
type Lookup struct {
	lines *Lines
	pc    [1024]traceio.Addr
	id    [1024]int32
}

// Lookup makes an empty memory.
func (l *Lines) Lookup() *Lookup {
	k := &Lookup{lines: l}
	for i := range k.id {
		k.id[i] = Unknown // pc 0, an unknown instruction, has no line
	}
	return k
}

// Of is Lines.Of.
func (k *Lookup) Of(pc traceio.Addr) int32 {
	slot := (pc ^ pc>>10) & 1023
	if k.pc[slot] != pc {
		k.pc[slot], k.id[slot] = pc, k.lines.Of(pc)
	}
	return k.id[slot]
}

// Classify numbers the lines of a block's rows, for Misses.
func (k *Lookup) Classify(b *traceio.Block, ids []int32) {
	for row, pc := range b.PC {
		ids[row] = k.Of(pc)
	}
}
