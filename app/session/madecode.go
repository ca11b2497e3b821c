package session

import (
	"cmp"
	"slices"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// WithGraphs gives the recording with what graphs say of code that a compiler within the program made: the function of
// each instruction, and where the compiler tells, its line and the function's text. It is the recording itself where
// the graphs say nothing that it does not know.
func (r *Recording) WithGraphs(groups []*irgraph.Group) *Recording {
	prog := *r.Program()
	if !nameByGraphs(&prog, r.PCs(), groups) {
		return r
	}
	named := *r
	named.Recording = r.Recording.WithProgram(&prog)
	named.fill(r.result)
	return &named
}

// nameByGraphs puts the graphs' functions and lines into the program and tells whether there were any that it had not.
func nameByGraphs(prog *traceio.Program, pcs []traceio.Addr, groups []*irgraph.Group) (changed bool) {
	sites := slices.Clone(prog.Sites)
	sources := slices.Clone(prog.Sources)
	for _, g := range groups {
		if g.Address == 0 || len(g.Listing) == 0 {
			continue
		}
		for i := range g.Listing {
			in := &g.Listing[i]
			if in.Offset == irgraph.NoOffset {
				continue
			}
			pc := g.Address + traceio.Addr(in.Offset)
			if _, ran := slices.BinarySearch(pcs, pc); !ran {
				continue
			}
			frames := []traceio.Frame{{Function: g.Name, File: in.File, Line: in.Line}}
			at, found := slices.BinarySearchFunc(sites, pc, func(s traceio.Site, pc traceio.Addr) int {
				return cmp.Compare(s.PC, pc)
			})
			switch {
			case !found:
				sites = slices.Insert(sites, at, traceio.Site{PC: pc, Module: -1, Frames: frames})
			case sites[at].Module >= 0 || slices.Equal(sites[at].Frames, frames):
				continue
			default:
				sites[at].Frames = frames
			}
			changed = true
		}
		sources = withTexts(sources, g.Method)
	}
	prog.Sites, prog.Sources = sites, sources
	return changed
}

// withTexts adds the text of a method and of those inlined into it to the sources, unless there is one of that file.
func withTexts(list []traceio.SourceText, m *irgraph.Method) []traceio.SourceText {
	if m == nil {
		return list
	}
	if s := m.Source; s != nil && s.First == 1 && s.Text != "" && !slices.ContainsFunc(list,
		func(x traceio.SourceText) bool { return x.Path == s.File }) {
		list = append(list, traceio.SourceText{Path: s.File, Text: s.Text})
	}
	for _, in := range m.Inlined {
		list = withTexts(list, in)
	}
	return list
}
