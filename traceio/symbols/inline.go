package symbols

import (
	"cmp"
	"container/heap"
	"debug/dwarf"
	"slices"
	"sort"
	"strings"

	"orrery/traceio/named"
)

// scope is a function or an inlined call in the tree of one unit.
type scope struct {
	name   string
	parent *scope // the scope that this call was inlined into; nil for a function
	file   string // where the call stands
	line   int
	depth  int
}

// span is a range of code in which a scope is the innermost one that its entry tells of.
type span struct {
	low, high uint64
	scope     *scope
}

// unit is what is known of one compilation unit: lines, and the innermost scope of every address.
type unit struct {
	lines lineTable
	spans []span // disjoint, in order of low
}

// maxDepth bounds the nesting of entries and chains of references between them in damaged files.
const maxDepth = 200

// namer finds names of functions by following abstract origins and specifications.
type namer struct {
	o      *object
	names  map[dwarf.Offset]string
	linked bool // the last name was a linkage name
}

// name is the demangled name of the function that e describes.
func (n *namer) name(e *dwarf.Entry) string {
	link, plain := n.follow(e, 0)
	if n.linked = link != ""; !n.linked {
		return plain
	}
	s, ok := n.names[e.Offset]
	if !ok {
		s = readable(link)
		n.names[e.Offset] = s
	}
	return s
}

// follow gives the linkage name and the plain name along the chain of references from e.
func (n *namer) follow(e *dwarf.Entry, depth int) (link, plain string) {
	const mipsLinkageName = dwarf.Attr(0x2007) // of older compilers
	for _, attr := range []dwarf.Attr{dwarf.AttrLinkageName, mipsLinkageName} {
		if link = n.o.text(e, attr); link != "" {
			return link, ""
		}
	}
	plain = n.o.text(e, dwarf.AttrName)
	for _, attr := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		off, ok := n.o.ref(e, attr)
		if !ok || depth > maxDepth {
			continue
		}
		if to, _ := n.o.entryAt(off); to != nil {
			l, p := n.follow(to, depth+1)
			if l != "" {
				return l, ""
			}
			if plain == "" {
				plain = p
			}
		}
	}
	return "", plain
}

// readable demangles a symbol and drops the mark of a clone: a specialised or split copy is still that function.
func readable(link string) string {
	s := named.Symbol(link)
	if i := strings.Index(s, " [clone "); i > 0 {
		s = s[:i]
	}
	for _, mark := range []string{".cold", ".constprop.", ".isra.", ".part.", ".llvm."} {
		if i := strings.Index(s, mark); i > 0 {
			s = s[:i]
		}
	}
	return s
}

// readUnit reads lines and scopes of the unit that e heads. Damage inside keeps what stands before it.
func (o *object) readUnit(e *dwarf.Entry) *unit {
	u := &unit{}
	_ = guard("line table", func() (err error) { u.lines, err = o.readLines(e, o.text(e, dwarf.AttrCompDir)); return err })
	u.spans = flatten(o.walkScopes(e).all)
	return u
}

// walkScopes collects the functions and inlined calls of the unit that e heads.
func (o *object) walkScopes(e *dwarf.Entry) *scopes {
	w := &scopes{o: o, names: &namer{o: o, names: map[dwarf.Offset]string{}}}
	comp := o.text(e, dwarf.AttrCompDir)
	_ = guard("line table", func() error {
		if r, err := o.lineReader(e); err == nil && r != nil {
			for _, f := range r.Files() {
				if f == nil {
					f = &dwarf.LineFile{}
				}
				w.files = append(w.files, placed(comp, f.Name))
			}
		}
		return nil
	})
	_ = guard("debug information", func() error { return w.walk(e) })
	return w
}

// scopes walks one unit's entries and collects the ranges of functions and of inlined calls.
type scopes struct {
	o     *object
	names *namer
	files []string // by the number that calls use
	all   []span
}

func (w *scopes) walk(head *dwarf.Entry) error {
	r := w.o.debug.Reader()
	r.Seek(head.Offset)
	if _, err := r.Next(); err != nil || !head.Children {
		return err
	}
	stack := []*scope{nil} // the enclosing scope of each open level
	for len(stack) > 0 {
		e, err := r.Next()
		if err != nil || e == nil || unitTag(e.Tag) { // the next unit: levels were not closed
			return err
		}
		if e.Tag == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		here := stack[len(stack)-1]
		if e.Tag == dwarf.TagSubprogram || e.Tag == dwarf.TagInlinedSubroutine {
			if s := w.scope(e, here); s != nil {
				here = s
			}
		}
		if e.Children {
			if len(stack) > maxDepth {
				r.SkipChildren()
				continue
			}
			stack = append(stack, here)
		}
	}
	return nil
}

// scope adds the ranges of the function or inlined call e inside the scope around it; nil when it has no code.
func (w *scopes) scope(e *dwarf.Entry, around *scope) *scope {
	ranges, err := w.o.debug.Ranges(e)
	if err != nil {
		return nil
	}
	s := &scope{}
	n := len(w.all)
	for _, g := range ranges {
		if g[0] < g[1] && g[0] != 0 { // 0: dropped by the linker
			w.all = append(w.all, span{g[0], g[1], s})
		}
	}
	if len(w.all) == n {
		return nil
	}
	s.name = w.names.name(e)
	if e.Tag == dwarf.TagInlinedSubroutine && around != nil {
		s.parent, s.depth = around, around.depth+1
		s.file, s.line = w.call(e)
	} else if low, ok := e.Val(dwarf.AttrLowpc).(uint64); ok && !w.names.linked {
		// Functions of C++ without linkage in the source have only their plain name here; the symbol tells all of it.
		if f := w.o.mangled(low); f != "" {
			s.name = f
		}
	}
	if s.name == "" && s.parent == nil { // its name is in a file that dwz has set apart
		s.name = w.o.function(ranges[0][0])
	}
	return s
}

// call is the place that an inlined call stands at.
func (w *scopes) call(e *dwarf.Entry) (file string, line int) {
	if i, ok := e.Val(dwarf.AttrCallFile).(int64); ok && i >= 0 && i < int64(len(w.files)) {
		file = w.files[i]
	}
	l, _ := e.Val(dwarf.AttrCallLine).(int64)
	return file, int(l)
}

// flatten turns nested spans into disjoint ones, each with its deepest scope (of equal depth: the one of the shorter
// span), by sweeping over the addresses with the open spans in a heap. n spans cost n log n.
func flatten(all []span) []span {
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	cuts := make([]uint64, 0, 2*len(all))
	for _, s := range all {
		cuts = append(cuts, s.low, s.high)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []span
	var open deepest
	next := 0
	for i, low := range cuts[:len(cuts)-1] {
		for next < len(all) && all[next].low <= low {
			heap.Push(&open, all[next])
			next++
		}
		for len(open) > 0 && open[0].high <= low {
			heap.Pop(&open)
		}
		if len(open) == 0 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].high == low && out[n-1].scope == open[0].scope {
			out[n-1].high = cuts[i+1]
			continue
		}
		out = append(out, span{low, cuts[i+1], open[0].scope})
	}
	return out
}

// deepest is a heap of spans with the deepest scope on top.
type deepest []span

func (h deepest) Len() int      { return len(h) }
func (h deepest) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h deepest) Less(i, j int) bool {
	if a, b := h[i].scope.depth, h[j].scope.depth; a != b {
		return a > b
	}
	return h[i].high-h[i].low < h[j].high-h[j].low
}
func (h *deepest) Push(x any) { *h = append(*h, x.(span)) }
func (h *deepest) Pop() any {
	s := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return s
}

// at is the innermost scope of pc, nil outside of every function.
func (u *unit) at(pc uint64) *scope {
	i := sort.Search(len(u.spans), func(i int) bool { return u.spans[i].low > pc })
	if i == 0 || pc >= u.spans[i-1].high {
		return nil
	}
	return u.spans[i-1].scope
}
