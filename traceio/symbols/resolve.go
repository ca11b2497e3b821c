// Package symbols gives names to addresses: ELF files and their DWARF debug information in; source positions with
// inlined frames, variables with their types (global, of each thread, on the stack), which instructions call, return or
// open a frame, and source text out. It reads the files that a recording's modules name, from disk, and degrades step
// by step: without debug information to the symbol table, without that to modules.
package symbols

import (
	"context"
	"debug/dwarf"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"orrery/traceio"
)

// Resolve fills prog.Sites with one entry for each distinct address of pcs (and of the sites that prog has already, and
// for the calls in prog.Stacks: see traceio.Program.CallerAt), and Globals, Functions, Types and Sources where they are
// empty. prog.Modules must be set. A module whose file is missing, damaged, rebuilt or without debug information is no
// error: its addresses keep less of a name, and prog.Notes say so if it is not one of the system's. The error is ctx's.
func Resolve(ctx context.Context, prog *traceio.Program, pcs []traceio.Addr) error {
	return resolve(ctx, prog, pcs, openObject)
}

func resolve(ctx context.Context, prog *traceio.Program, pcs []traceio.Addr,
	open func(path, wantID string) (*object, error)) error {
	known := map[traceio.Addr]traceio.Site{}
	all := slices.Clone(pcs)
	for _, s := range prog.Sites {
		known[s.PC] = s
		all = append(all, s.PC)
	}
	for _, stack := range prog.Stacks {
		for _, ret := range stack {
			if ret != 0 {
				all = append(all, ret-1)
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	sites := make([]traceio.Site, len(all))
	for i, pc := range all {
		sites[i] = traceio.Site{PC: pc, Module: moduleOf(prog.Modules, pc)}
	}

	wantGlobals, wantLocals := len(prog.Globals) == 0, len(prog.Functions) == 0
	found := collector{types: slices.Clone(prog.Types)}
	for m := range prog.Modules {
		if err := ctx.Err(); err != nil {
			return err
		}
		mod := &prog.Modules[m]
		var mine []*traceio.Site
		for i := range sites {
			if sites[i].Module == m {
				mine = append(mine, &sites[i])
			}
		}
		told := len(mine) > 0 && !system(mod.Path) // what is missing matters to somebody
		o, err := open(mod.Path, mod.BuildID)
		if err != nil {
			if told && !haveNames(mine, known) {
				note(prog, unopened(mod.Path, err))
			}
			continue // the sites keep their module
		}
		if told {
			note(prog, o.lacks())
		}
		if err := o.resolve(ctx, mine, mod.Bias); err != nil {
			return err
		}
		o.flows(mine, mod.Bias)
		table, err := o.goFrames(ctx, linked(mine, mod.Bias))
		if err != nil {
			return err
		}
		table.frames(o, mine, mod.Bias)
		if system(mod.Path) {
			anchor(mine, mod.Path)
		}
		if wantGlobals {
			if err := o.globals(ctx, &found, m, mod.Bias); err != nil {
				return err
			}
			o.threadLocals(&found, m, mod.Main)
		}
		if wantLocals {
			if err := o.functions(ctx, &found, mine, m, mod.Bias); err != nil {
				return err
			}
		}
	}
	for i := range sites {
		if old, ok := known[sites[i].PC]; ok && len(sites[i].Frames) == 0 {
			sites[i].Frames, sites[i].Flow, sites[i].Target, sites[i].Place = old.Frames, old.Flow, old.Target, old.Place
		}
	}
	prog.Sites = sites
	if wantGlobals {
		prog.Globals, prog.ThreadLocals = found.finish(), found.finishThreads(prog.Modules)
	}
	if wantLocals {
		prog.Functions = found.finishFunctions()
	}
	prog.Types = found.types
	if len(prog.Sources) == 0 {
		prog.Sources = readSources(prog)
	}
	return nil
}

// haveNames tells whether what is known of some of the sites has names.
func haveNames(sites []*traceio.Site, known map[traceio.Addr]traceio.Site) bool {
	return slices.ContainsFunc(sites, func(s *traceio.Site) bool { return len(known[s.PC].Frames) > 0 })
}

// system tells whether a module is installed with the system rather than built by the user.
func system(path string) bool {
	return strings.HasPrefix(path, "/usr/lib") || strings.HasPrefix(path, "/lib") ||
		strings.HasPrefix(path, "/usr/bin/") || strings.HasPrefix(path, "/bin/")
}

// anchor puts relative file names of a system module ("malloc/malloc.c" in Debian's detached debug information of the C
// library) below /usr/src, so that nobody takes them for files of the project.
func anchor(sites []*traceio.Site, path string) {
	for _, s := range sites {
		for i := range s.Frames {
			if f := &s.Frames[i]; f.File != "" && f.File[0] != '/' {
				f.File = filepath.Join("/usr/src", filepath.Base(path), f.File)
			}
		}
	}
}

// moduleOf is the index of the module around pc, -1 when there is none.
func moduleOf(mods []traceio.Module, pc traceio.Addr) int {
	for i := range mods {
		if pc >= mods[i].Low && pc < mods[i].High {
			return i
		}
	}
	return -1
}

// resolve gives frames to sites of this file, which are in order of PC.
func (o *object) resolve(ctx context.Context, sites []*traceio.Site, bias traceio.Addr) error {
	if len(sites) == 0 {
		return nil
	}
	link := linked(sites, bias)
	err := o.units(ctx, func(e *dwarf.Entry, ranges [][2]uint64) error {
		hits := within(link, ranges)
		if len(hits) == 0 {
			return nil
		}
		u := o.unit(e)
		for _, i := range hits {
			if len(sites[i].Frames) == 0 {
				sites[i].Frames = o.frames(u, link[i])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, s := range sites {
		if len(s.Frames) > 0 {
			continue
		}
		if f := o.function(link[i]); f != "" {
			s.Frames = []traceio.Frame{{Function: f}}
		}
	}
	return nil
}

// linked are the link-time addresses of sites.
func linked(sites []*traceio.Site, bias traceio.Addr) []uint64 {
	link := make([]uint64, len(sites))
	for i, s := range sites {
		link[i] = uint64(s.PC - bias)
	}
	return link
}

// units calls f for each compilation unit with the ranges of its code. Damage ends the walk without an error; the only
// errors are those of f and ctx.
func (o *object) units(ctx context.Context, f func(e *dwarf.Entry, ranges [][2]uint64) error) error {
	for _, u := range o.unitHeads() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var failed error
		_ = guard(o.path, func() error { failed = f(u.entry, u.ranges); return nil })
		if failed != nil {
			return failed
		}
	}
	return nil
}

// unitHead is the entry of a compilation unit and the ranges of its code.
type unitHead struct {
	entry  *dwarf.Entry
	ranges [][2]uint64
}

// unitTag tells whether an entry is the first of a unit.
func unitTag(t dwarf.Tag) bool { return t == dwarf.TagCompileUnit || t == dwarf.TagPartialUnit }

// unitHeads lists the units, up to the first damage.
func (o *object) unitHeads() []unitHead {
	if o.debug == nil || o.heads != nil {
		return o.heads
	}
	_ = guard(o.path, func() error {
		r := o.debug.Reader()
		for {
			e, err := r.Next()
			if err != nil || e == nil {
				return err
			}
			if e.Tag == dwarf.TagCompileUnit || e.Tag == dwarf.TagSkeletonUnit {
				ranges, err := o.debug.Ranges(e)
				if err != nil {
					ranges = nil
				}
				o.heads = append(o.heads, unitHead{e, ranges})
			}
			r.SkipChildren()
		}
	})
	return o.heads
}

// unit is readUnit with a memory, where the file is kept for others.
func (o *object) unit(e *dwarf.Entry) *unit {
	if u := o.parsed[e.Offset]; u != nil {
		return u
	}
	u := o.readUnit(e)
	if o.parsed != nil {
		o.parsed[e.Offset] = u
	}
	return u
}

// within gives the indexes of those addresses (ascending) that lie in one of the ranges, in ascending order.
func within(pcs []uint64, ranges [][2]uint64) []int {
	var hits []int
	for _, g := range ranges {
		if g[0] == 0 { // code that the linker dropped
			continue
		}
		for i := sort.Search(len(pcs), func(i int) bool { return pcs[i] >= g[0] }); i < len(pcs) && pcs[i] < g[1]; i++ {
			hits = append(hits, i)
		}
	}
	slices.Sort(hits)
	return slices.Compact(hits)
}

// frames is the source position of a link-time address with the calls that were inlined there, innermost first.
func (o *object) frames(u *unit, pc uint64) []traceio.Frame {
	file, line := u.lines.at(pc)
	s := u.at(pc)
	if s == nil {
		f := o.function(pc)
		if f == "" && file == "" {
			return nil
		}
		return []traceio.Frame{{Function: f, File: file, Line: line}}
	}
	var out []traceio.Frame
	for ; s != nil; s = s.parent {
		out = append(out, traceio.Frame{Function: s.name, File: file, Line: line})
		file, line = s.file, s.line
	}
	return out
}
