package heap

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"orrery/traceio"
)

// Site is a place in the program that allocates (or frees): the innermost call in the project's own source.
type Site struct {
	Function string // demangled, "" when unknown
	File     string // as the debug information names it
	Line     int
	// Module is for sites without any better name: the module's base name; of the project's modules, and where nothing
	// was found out, with the address that the call returns to: "list+0x1234"; outside of modules that address alone.
	Module string

	Cost

	label string // of a site whose name another one has too
}

// Name is the site's short name: "list.c:22", "list_push", "list+0x1234", the module, or "unknown code". It is unique
// in its heap: where two files of one name allocate in the same line, the site with fewer bytes is "list.c:22#2".
func (s *Site) Name() string {
	switch {
	case s.label != "":
		return s.label
	case s.File != "" && s.Line > 0:
		return path.Base(s.File) + ":" + strconv.Itoa(s.Line)
	case s.Function != "":
		return traceio.ShortFunction(s.Function)
	case s.Module != "":
		return s.Module
	}
	return "unknown code"
}

type siteKey struct {
	function, file, module string
	line                   int
}

// siter numbers sites by the stacks that lead to them.
type siter struct {
	prog  *traceio.Program
	sites []Site
	keys  map[siteKey]int32
	calls words // by return address: index of named plus 1
	named []namedCall
}

// of is the number of the site that a stack stands for, with what the stack cost added to it.
func (s *siter) of(id traceio.StackID, c *Cost) int32 {
	site := s.find(id)
	key := siteKey{site.Function, site.File, site.Module, site.Line}
	if site.File != "" && site.Line > 0 {
		key.function = "" // instances of a template are one place in the source
	}
	n, ok := s.keys[key]
	if !ok {
		n = int32(len(s.sites))
		s.sites = append(s.sites, site)
		s.keys[key] = n
	}
	s.sites[n].plus(c)
	return n
}

// sitesOf makes sites of what stacks cost: those that were used, the most bytes first, and each stack's place among
// them.
func sitesOf(prog *traceio.Program, stacks []Cost) ([]Site, []int32) {
	s := siter{prog: prog, keys: map[siteKey]int32{}}
	of := make([]int32, len(stacks))
	for id := range stacks {
		if stacks[id].Blocks > 0 {
			of[id] = s.of(traceio.StackID(id), &stacks[id])
		}
	}
	numbers := rank(s.sites)
	for id := range stacks {
		if stacks[id].Blocks > 0 {
			of[id] = numbers[of[id]]
		}
	}
	return s.sites, of
}

// makeSites names the places that allocate and those that free.
func (h *Heap) makeSites() {
	h.Sites, h.sites = sitesOf(h.Program, h.stacks)
	freed, t := make([]Cost, len(h.stacks)), &h.blocks
	if t.freeStacks == nil && t.cuts == nil { // none has a stack
		freed[0] = Cost{Blocks: h.Frees, Bytes: h.TotalBytes - h.LiveBytes}
	} else {
		for k, id := range h.ends() {
			if t.cut(id) {
				continue
			}
			stack := traceio.StackID(0)
			if k < len(t.freeStacks) {
				stack = t.freeStacks[k]
			}
			c := &freed[h.knownStack(stack)]
			c.Blocks++
			c.Bytes += t.size(id)
		}
	}
	h.FreeSites, h.frees = sitesOf(h.Program, freed)
}

// find names a stack: by its innermost frame in the project's source; failing that, by the innermost call of the main
// program or of a library that is no part of the system, with its function or, in stripped ones, its place in the
// module; failing that, by the innermost function that is not the allocator itself, unless a call without a name lies
// between, in another module: then by that module; failing that, by a wrapper around the allocator in the project's
// source, or a module; failing all that, by the address that the innermost call returns to.
func (s *siter) find(id traceio.StackID) Site {
	site, _ := s.best(id)
	return site
}

// best is what find gives, and how good it is.
func (s *siter) best(id traceio.StackID) (Site, callRank) {
	if s.prog == nil || int(id) >= len(s.prog.Stacks) {
		return Site{}, nameless
	}
	var best *Site
	rank, hidden := nameless, -1
	for _, ret := range s.prog.Stacks[id] {
		c := s.call(ret)
		switch {
		case c.rank == inFunction && hidden >= 0 && c.module != hidden:
			// Who asked is a function of the hidden module; this one merely called it, as the loader calls what
			// initialises a library.
		case c.rank < rank:
			best, rank = &c.site, c.rank
		}
		if c.hidden && hidden < 0 {
			hidden = c.module
		}
		if rank == inProject {
			break
		}
	}
	if best == nil {
		return Site{}, nameless
	}
	return *best, rank
}

// Nameless is the stacks of a program whose sites no call in the project's source or in its main program names.
func Nameless(prog *traceio.Program) (out [][]traceio.Addr) {
	s := siter{prog: prog}
	for id, stack := range prog.Stacks {
		if _, rank := s.best(traceio.StackID(id)); rank > inMain {
			out = append(out, stack)
		}
	}
	return out
}

// callRank says how good a name a call gives to the stacks that it is in, the best first.
type callRank uint8

const (
	inProject callRank = iota
	inMain
	inFunction
	inWrapper
	inModule
	atAddress
	nameless
)

// namedCall is the best name that one call has, and how good it is.
type namedCall struct {
	site   Site
	rank   callRank
	module int  // it lies in; -1 for none
	hidden bool // in a known module, and no function of it is known
}

// call names the call that returns to ret, once: many stacks have it.
func (s *siter) call(ret traceio.Addr) *namedCall {
	w := s.calls.make(uint64(ret))
	if *w == 0 {
		s.named = append(s.named, s.name(ret))
		*w = uint64(len(s.named))
	}
	return &s.named[*w-1]
}

func (s *siter) name(ret traceio.Addr) namedCall {
	at := s.prog.CallerAt(ret)
	if at == nil {
		return s.unnamed(ret)
	}
	var mod traceio.Module
	best := namedCall{rank: nameless, module: -1}
	if at.Module >= 0 && at.Module < len(s.prog.Modules) {
		mod, best.module = s.prog.Modules[at.Module], at.Module
		best.hidden = !slices.ContainsFunc(at.Frames, func(f traceio.Frame) bool { return f.Function != "" || f.File != "" })
	}
	take := func(rank callRank, site Site) {
		if rank < best.rank {
			best.site, best.rank = site, rank
		}
	}
	for _, f := range at.Frames {
		site := Site{Function: f.Function, File: f.File, Line: f.Line}
		switch wraps := f.Function != "" && allocator(f.Function); {
		case traceio.InProject(f.File) && !wraps:
			take(inProject, site)
		case traceio.InProject(f.File):
			take(inWrapper, site)
		case f.Function == "" || wraps:
		case mod.Main:
			take(inMain, site)
		default:
			take(inFunction, site)
		}
	}
	switch name := path.Base(mod.Path); {
	case mod.Path == "":
	case len(at.Frames) == 0 && (mod.Main || traceio.InProject(mod.Path)):
		take(inMain, Site{Module: name + "+" + (ret - mod.Bias).String()})
	default:
		take(inModule, Site{Module: name})
	}
	return best
}

// unnamed is name for a call of which nothing is known but where it is.
func (s *siter) unnamed(ret traceio.Addr) namedCall {
	if ret == 0 {
		return namedCall{rank: nameless, module: -1}
	}
	for i := range s.prog.Modules {
		mod := &s.prog.Modules[i]
		if ret <= mod.Low || ret > mod.High {
			continue
		}
		rank := inModule
		if mod.Main || traceio.InProject(mod.Path) {
			rank = inMain
		}
		return namedCall{Site{Module: path.Base(mod.Path) + "+" + (ret - mod.Bias).String()}, rank, i, true}
	}
	return namedCall{Site{Module: ret.String()}, atAddress, -1, false}
}

// wrappers are functions around the allocator in well-known programs and libraries: who calls them says more.
var wrappers = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`xmalloc xcalloc xrealloc xnmalloc xzalloc xstrdup xmemdup xfree
		g_malloc g_malloc0 g_malloc_n g_malloc0_n g_realloc g_realloc_n g_try_malloc g_free g_slice_alloc g_slice_alloc0
		Perl_safesysmalloc Perl_safesyscalloc Perl_safesysrealloc Perl_safesysfree
		jv_mem_alloc jv_mem_alloc_unguarded jv_mem_calloc jv_mem_realloc jv_mem_free jv_mem_strdup
		PyMem_Malloc PyMem_RawMalloc PyMem_Calloc PyMem_Realloc PyMem_Free PyObject_Malloc PyObject_Calloc PyObject_Realloc PyObject_Free
		CRYPTO_malloc CRYPTO_zalloc CRYPTO_realloc CRYPTO_free sqlite3_malloc sqlite3_malloc64 sqlite3_realloc sqlite3_free sqlite3Malloc sqlite3DbMallocRaw
		l_alloc luaM_malloc_ luaM_realloc_ luaM_saferealloc_ luaM_free_ luaM_growaux_`) {
		m[name] = true
	}
	return m
}()

// allocator tells whether a function is part of the allocator or a mere wrapper around it, in the language's library or
// elsewhere.
func allocator(function string) bool {
	if wrappers[function] {
		return true
	}
	short := strings.TrimLeft(function, "_")
	for _, p := range []string{"operator new", "operator delete", "malloc", "calloc", "realloc", "free", "libc_malloc",
		"libc_calloc", "libc_realloc", "libc_free",
		"posix_memalign", "aligned_alloc", "memalign", "reallocarray", "std::allocator", "std::allocator_traits",
		"__gnu_cxx::new_allocator", "std::__new_allocator"} {
		if rest, ok := strings.CutPrefix(function, p); ok && (rest == "" || !isWord(rest[0])) {
			return true
		}
		if short == p {
			return true
		}
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// rank orders sites by bytes, then blocks, then name, and gives the new number of each old one.
func rank(sites []Site) (renumber []int32) {
	order := make([]int32, len(sites))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int {
		a, b := &sites[i], &sites[j]
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Blocks, a.Blocks), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
	})
	renumber = make([]int32, len(sites))
	sorted := make([]Site, len(sites))
	for now, was := range order {
		renumber[was] = int32(now)
		sorted[now] = sites[was]
	}
	copy(sites, sorted)
	seen := map[string]int{}
	for i := range sites {
		name := sites[i].Name()
		if seen[name]++; seen[name] > 1 {
			sites[i].label = name + "#" + strconv.Itoa(seen[name])
		}
	}
	return renumber
}
