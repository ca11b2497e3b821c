package symbols

import (
	"cmp"
	"context"
	"debug/dwarf"
	"encoding/binary"
	"slices"
	"sort"

	"orrery/traceio"
)

// maxLocals bounds the variables on the stack of one program.
const maxLocals = 1 << 18

// Frame-base expressions, DWARF 5 section 2.5.1: the base may be the canonical frame address itself, or the register
// rbp. After the usual prolog (push rbp; mov rbp, rsp) rbp is 16 below the canonical frame address.
const (
	opFbreg        = 0x91
	opCallFrameCFA = 0x9c
	opReg6         = 0x56
	opPiece        = 0x93
	opBreg6        = 0x76
	rbpBelowCFA    = -16
)

// functions adds those functions of the file with variables on the stack that one of the sites (in order of PC) lies
// in.
func (o *object) functions(ctx context.Context, c *collector, sites []*traceio.Site, module int,
	bias traceio.Addr) error {
	pcs := linked(sites, bias)
	if system(o.path) || len(pcs) == 0 {
		return nil
	}
	if o.lists != nil {
		o.lists()
		o.lists = nil
	}
	return o.units(ctx, func(e *dwarf.Entry, ranges [][2]uint64) error {
		if len(within(pcs, ranges)) == 0 {
			return nil
		}
		v := variables{o: o, t: o.typer(c), c: c, module: module, bias: bias}
		v.base, _ = e.Val(dwarf.AttrAddrBase).(int64)
		w := framer{variables: v, pcs: pcs, sites: sites, names: &namer{o: o, names: map[dwarf.Offset]string{}},
			listed: map[*traceio.Function][]bool{}}
		w.low, _ = e.Val(dwarf.AttrLowpc).(uint64)
		w.lists, _ = e.Val(dwarf.AttrLoclistsBase).(int64)
		_ = guard(o.path, func() error { return w.walk(e) }) // damage keeps the functions before it
		return nil
	})
}

// framer walks one unit for functions and their variables on the stack.
type framer struct {
	variables
	pcs   []uint64
	sites []*traceio.Site // by pc
	low   uint64          // of the unit, the base of its location lists
	lists int64           // where the offsets of the unit's location lists are, from DWARF 5 on
	names *namer

	listed map[*traceio.Function][]bool // by local: its place is from a list
}

// body is an open level of the walk: a function, a block of it, or a call inlined into it.
type body struct {
	function *traceio.Function // nil outside of functions that matter
	ranges   [][2]uint64       // of all pieces of the function
	prefix   string            // "function:"
	base     int64             // what fbreg offsets count from, relative to the canonical frame address
	based    bool              // base is known
	live     [][2]uint64       // where the level's variables exist; nil: in all of the function
}

func (w *framer) walk(head *dwarf.Entry) error {
	r := w.o.debug.Reader()
	r.Seek(head.Offset)
	if _, err := r.Next(); err != nil || !head.Children {
		return err
	}
	stack := []body{{}}
	pop := func() {
		top := &stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if f := top.function; f != nil && (len(stack) == 0 || stack[len(stack)-1].function != f) {
			w.keep(f, top.ranges)
		}
	}
	for len(stack) > 0 {
		e, err := r.Next()
		if err != nil || e == nil || unitTag(e.Tag) {
			for len(stack) > 0 {
				pop()
			}
			return err
		}
		if e.Tag == 0 {
			pop()
			continue
		}
		here, enter := stack[len(stack)-1], false
		switch e.Tag {
		case dwarf.TagNamespace, dwarf.TagModule:
			enter = true
		case dwarf.TagSubprogram:
			here, enter = w.open(e)
		case dwarf.TagLexDwarfBlock, dwarf.TagInlinedSubroutine:
			if enter = here.function != nil; enter {
				here = w.nest(e, here)
			}
		case dwarf.TagVariable, dwarf.TagFormalParameter:
			if here.function != nil {
				w.local(e, &here)
			}
		}
		switch {
		case e.Children && enter && len(stack) < maxDepth:
			stack = append(stack, here)
		case e.Children:
			r.SkipChildren()
		}
	}
	return nil
}

// open begins a function, if one of the addresses lies in it.
func (w *framer) open(e *dwarf.Entry) (body, bool) {
	ranges, err := w.o.debug.Ranges(e)
	if err != nil || len(within(w.pcs, ranges)) == 0 {
		return body{}, false
	}
	name := w.names.name(e)
	entry := ranges[0][0]
	if low, ok := e.Val(dwarf.AttrLowpc).(uint64); ok {
		entry = low
		if !w.names.linked {
			if f := w.o.mangled(low); f != "" {
				name = f
			}
		}
	}
	if name == "" {
		name = w.o.function(entry)
	}
	b := body{function: &traceio.Function{Name: name, Entry: traceio.Addr(entry) + w.bias, Module: w.module},
		ranges: ranges, prefix: traceio.ShortFunction(name) + ":"}
	b.base, b.based = frameBase(e)
	return b, true
}

// frameBase is what the function's fbreg offsets count from, relative to the canonical frame address.
func frameBase(e *dwarf.Entry) (int64, bool) {
	expr, _ := e.Val(dwarf.AttrFrameBase).([]byte)
	switch {
	case len(expr) == 1 && expr[0] == opCallFrameCFA:
		return 0, true
	case len(expr) == 1 && expr[0] == opReg6:
		return rbpBelowCFA, true
	case len(expr) > 1 && expr[0] == opBreg6:
		n, size := sleb(expr[1:])
		return rbpBelowCFA + n, size == len(expr)-1
	}
	return 0, false
}

// nest is the level of a block, or of an inlined call, whose variables are named after the inlined function.
func (w *framer) nest(e *dwarf.Entry, around body) body {
	in := around
	if ranges, err := w.o.debug.Ranges(e); err == nil && len(ranges) > 0 {
		in.live = ranges
	}
	if e.Tag == dwarf.TagInlinedSubroutine {
		in.prefix = traceio.ShortFunction(w.names.name(e)) + ":"
	}
	return in
}

// local adds the variable or parameter that e describes, where it is in the frame.
func (w *framer) local(e *dwarf.Entry, b *body) {
	places := w.places(e, b)
	if len(places) == 0 {
		return
	}
	name, _, typ := w.describe(e, 0)
	if name == "" {
		return
	}
	id := w.t.of(typ, 0)
	size := w.c.types[id].Size
	if size == 0 || size > 1<<32 {
		return
	}
	for _, p := range places {
		if w.c.locals >= maxLocals {
			return
		}
		w.c.locals++
		l := traceio.Local{Name: b.prefix + name, Offset: p.offset, Size: size, Type: id}
		if p.size > 0 {
			l.Size = min(size, p.size)
		}
		if p.high != 0 {
			l.Low, l.High = traceio.Addr(p.low)+w.bias, traceio.Addr(p.high)+w.bias
		}
		b.function.Locals = append(b.function.Locals, l)
		w.listed[b.function] = append(w.listed[b.function], p.listed)
	}
}

// place is where in the frame a variable is while code in [low, high) runs; in all of the function when both are 0.
type place struct {
	offset    int64
	size      uint64 // when it is only the variable's beginning; else 0
	low, high uint64
	listed    bool // the place is one of several
}

// places evaluates a location: an offset in the frame for the whole block, or a list of such for parts of the code.
func (w *framer) places(e *dwarf.Entry, b *body) []place {
	switch loc := e.Val(dwarf.AttrLocation).(type) {
	case []byte:
		offset, size, ok := frameOffset(loc, b)
		if !ok {
			return nil
		}
		if b.live == nil {
			return []place{{offset: offset, size: size}}
		}
		var out []place
		for _, g := range b.live {
			out = append(out, place{offset: offset, size: size, low: g[0], high: g[1]})
		}
		return out
	case uint64:
		return w.numbered(loc, b)
	case int64:
		return w.fromList(loc, b)
	}
	return nil
}

// numbered is fromList for a list that is told by its number in the unit.
func (w *framer) numbered(index uint64, b *body) []place {
	at := uint64(w.lists) + 4*index
	if w.lists < 0 || index > 1<<30 || at+4 > uint64(len(w.o.loclists)) {
		return nil
	}
	return w.fromList(w.lists+int64(w.o.file.ByteOrder.Uint32(w.o.loclists[at:])), b)
}

// fromList is places for a list of locations.
func (w *framer) fromList(at int64, b *body) (out []place) {
	w.each(at, func(low, high uint64, expr []byte) {
		if offset, size, ok := frameOffset(expr, b); ok && low < high {
			out = append(out, place{offset, size, w.spill(low, offset), high, true})
		}
	})
	return out
}

// spill is where code begins that finds the variable at an offset in the frame, when a list says low: the instruction
// before belongs to it if it stores there, as Go's spills do.
func (w *framer) spill(low uint64, offset int64) uint64 {
	const longest = 15
	i := sort.Search(len(w.pcs), func(i int) bool { return w.pcs[i] >= low }) - 1
	if i >= 0 && low-w.pcs[i] <= longest && w.sites[i].Place != 0 && w.sites[i].Place == offset+8 &&
		w.sites[i].Flow == traceio.Plain {
		return w.pcs[i]
	}
	return low
}

// frameOffset is the place that an expression gives relative to the canonical frame address, if it does nothing else.
// Of a variable in pieces it is the place of those at its beginning that lie in order in the frame, size bytes in all;
// else size is 0.
func frameOffset(expr []byte, b *body) (offset int64, size uint64, ok bool) {
	for len(expr) > 0 {
		at, n := int64(0), 1
		switch {
		case expr[0] == opCallFrameCFA:
		case expr[0] == opFbreg && b.based:
			at, n = sleb(expr[1:])
			const far = 1 << 40
			if n == 0 || at < -far || at > far {
				return 0, 0, false
			}
			at, n = at+b.base, n+1
		default:
			return offset, size, size > 0
		}
		expr = expr[n:]
		if len(expr) == 0 {
			return at, 0, size == 0
		}
		bytes, n := binary.Uvarint(expr[1:])
		if expr[0] != opPiece || n <= 0 || bytes > 1<<32 {
			return 0, 0, false
		}
		if size > 0 && at != offset+int64(size) {
			break
		}
		if size == 0 {
			offset = at
		}
		size, expr = size+bytes, expr[1+n:]
	}
	return offset, size, size > 0
}

// sleb reads a signed LEB128 number and tells its length, 0 where there is none.
func sleb(b []byte) (v int64, size int) {
	for shift := uint(0); size < len(b) && shift < 64; shift += 7 {
		c := b[size]
		size++
		v |= int64(c&0x7f) << shift
		if c&0x80 == 0 {
			if shift < 57 && c&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v, size
		}
	}
	return 0, 0
}

// keep hands a finished function to the collector, once for each of its pieces.
func (w *framer) keep(f *traceio.Function, ranges [][2]uint64) {
	f.Locals = unshared(f.Locals, w.listed[f])
	delete(w.listed, f)
	if len(f.Locals) == 0 {
		return
	}
	for _, g := range ranges {
		i := sort.Search(len(w.pcs), func(i int) bool { return w.pcs[i] >= g[0] })
		if g[0] == 0 || i == len(w.pcs) || w.pcs[i] >= g[1] {
			continue
		}
		piece := *f
		piece.Locals = slices.Clone(f.Locals) // types are numbered anew piece by piece
		piece.Low, piece.High = traceio.Addr(g[0])+w.bias, traceio.Addr(g[1])+w.bias
		w.c.functions = append(w.c.functions, piece)
	}
}

// unshared drops variables that a list of locations puts into the memory of a variable with a place of its own: the
// list only says that their value, which is equal for a while, can be found there.
func unshared(all []traceio.Local, listed []bool) []traceio.Local {
	var fixed []traceio.Local
	for i, l := range all {
		if !listed[i] {
			fixed = append(fixed, l)
		}
	}
	slices.SortStableFunc(fixed, func(a, b traceio.Local) int { return cmp.Compare(a.Offset, b.Offset) })
	reach := make([]int64, len(fixed)) // the highest end of the variables up to each
	for i, l := range fixed {
		reach[i] = l.Offset + int64(l.Size)
		if i > 0 {
			reach[i] = max(reach[i], reach[i-1])
		}
	}
	out := all[:0]
	for i, l := range all {
		if listed[i] {
			// variables that begin before l's end and end behind its beginning
			n := sort.Search(len(fixed), func(i int) bool { return fixed[i].Offset >= l.Offset+int64(l.Size) })
			if n > 0 && reach[n-1] > l.Offset {
				continue
			}
		}
		out = append(out, l)
	}
	return out
}

// finishFunctions orders the functions and drops those that lie on another one: the linker can fold equal functions.
func (c *collector) finishFunctions() []traceio.Function {
	slices.SortStableFunc(c.functions, func(a, b traceio.Function) int { return cmp.Compare(a.Low, b.Low) })
	out := c.functions[:0]
	for _, f := range c.functions {
		if n := len(out); f.Low < f.High && (n == 0 || f.Low >= out[n-1].High) {
			out = append(out, f)
		}
	}
	return out
}
