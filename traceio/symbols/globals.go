package symbols

import (
	"cmp"
	"context"
	"debug/dwarf"
	"encoding/binary"
	"slices"
	"strings"

	"orrery/traceio"
	"orrery/traceio/named"
)

// maxGlobals bounds the variables of one program; beyond it (no program we know) the rest stays unnamed.
const maxGlobals = 1 << 20

// collector gathers the variables and types of all modules.
type collector struct {
	globals   []traceio.Global
	functions []traceio.Function
	threads   []traceio.Global // with offsets from the thread pointer
	locals    int              // of all functions
	types     []traceio.Type
	pointer   int // the type of pointers, 0 while there is none
}

// finish orders the globals and drops those that a better known one covers at the same address.
func (c *collector) finish() []traceio.Global {
	slices.SortStableFunc(c.globals, func(a, b traceio.Global) int { return cmp.Compare(a.Addr, b.Addr) })
	out := c.globals[:0]
	for _, g := range c.globals {
		if n := len(out); n > 0 && out[n-1].Addr == g.Addr {
			if out[n-1].Type == 0 && g.Type != 0 || out[n-1].Size < g.Size && out[n-1].Type == 0 {
				out[n-1] = g
			}
			continue
		}
		out = append(out, g)
	}
	return out
}

// globals adds the variables of one file: those of the debug information, then data symbols at places it does not name.
func (o *object) globals(ctx context.Context, c *collector, module int, bias traceio.Addr) error {
	first := len(c.globals)
	t := o.typer(c)
	walk := o.units
	if system(o.path) { // nobody asks for the fields of the C library's variables; their names are in the symbol table
		walk = func(context.Context, func(*dwarf.Entry, [][2]uint64) error) error { return nil }
	}
	err := walk(ctx, func(e *dwarf.Entry, _ [][2]uint64) error {
		base, _ := e.Val(dwarf.AttrAddrBase).(int64)
		w := variables{o: o, t: t, c: c, module: module, bias: bias, base: base, homes: map[dwarf.Offset]string{}}
		return guard(o.path, func() error { return w.walk(e) })
	})
	if ctx.Err() != nil {
		return err
	}
	// The only other error is a damaged unit; variables before it stay.
	taken := map[traceio.Addr]bool{}
	for _, g := range c.globals[first:] {
		taken[g.Addr] = true
	}
	for i, s := range o.datas {
		if i+1 < len(o.datas) && o.datas[i+1].low == s.low {
			continue // another name of the same place follows and is the better one
		}
		at := traceio.Addr(s.low) + bias
		if taken[at] || len(c.globals) >= maxGlobals {
			continue
		}
		c.globals = append(c.globals, traceio.Global{Name: named.Symbol(s.name), Addr: at,
			Size: s.high - s.low, Module: module})
	}
	return nil
}

// variables walks one unit for variables with static storage.
type variables struct {
	o      *object
	t      *typer
	c      *collector
	module int
	bias   traceio.Addr
	base   int64                   // of the unit's part of .debug_addr
	homes  map[dwarf.Offset]string // prefixes of declarations, which definitions at the top level refer to
}

// walk visits namespaces, functions and blocks. The name of a variable inside a function is "function::name".
func (w *variables) walk(head *dwarf.Entry) error {
	r := w.o.debug.Reader()
	r.Seek(head.Offset)
	if _, err := r.Next(); err != nil || !head.Children {
		return err
	}
	stack := []string{""} // the qualifying prefix of each open level
	names := &namer{o: w.o, names: map[dwarf.Offset]string{}}
	for len(stack) > 0 {
		e, err := r.Next()
		if err != nil || e == nil {
			return err
		}
		if e.Tag == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		if unitTag(e.Tag) {
			return nil
		}
		prefix := stack[len(stack)-1]
		enter := false
		switch e.Tag {
		case dwarf.TagVariable:
			if of, ok := w.o.ref(e, dwarf.AttrSpecification); ok && w.homes[of] != "" {
				prefix = w.homes[of]
			} else if prefix != "" && e.Val(dwarf.AttrDeclaration) != nil {
				w.homes[e.Offset] = prefix
			}
			w.variable(e, prefix)
		case dwarf.TagNamespace:
			enter = true
			if s := w.o.text(e, dwarf.AttrName); s != "" {
				prefix += s + "::"
			}
		case dwarf.TagSubprogram:
			enter = true
			// clang writes functions without a name where it inlined all calls
			if f := traceio.ShortFunction(names.name(e)); f != "" {
				prefix = f + "::"
			}
		case dwarf.TagLexDwarfBlock, dwarf.TagInlinedSubroutine:
			enter = true
		}
		switch {
		case e.Children && enter && len(stack) < maxDepth:
			stack = append(stack, prefix)
		case e.Children:
			r.SkipChildren()
		}
	}
	return nil
}

// variable adds the global that e describes, if e gives it an address.
func (w *variables) variable(e *dwarf.Entry, prefix string) {
	expr, ok := e.Val(dwarf.AttrLocation).([]byte)
	if !ok || len(w.c.globals) >= maxGlobals {
		return
	}
	addr, ok := w.address(expr)
	offset, threads := w.threadOffset(expr)
	if (!ok || addr == 0) && !threads {
		return
	}
	name, link, typ := w.describe(e, 0)
	switch {
	case name == "" && link == "":
		return
	case link != "" && link != name:
		name = named.Symbol(link) // qualified by the mangling
	case strings.HasPrefix(name, "_ZGV"):
		return
	default:
		name = prefix + name
	}
	id := w.t.of(typ, 0)
	size := w.c.types[id].Size
	if threads {
		w.o.threadLocal(w.c, traceio.Global{Name: name, Addr: traceio.Addr(offset), Size: size, Type: id, Module: w.module})
		return
	}
	if size == 0 {
		size = w.symbolSize(addr)
	}
	if size == 0 || size > 1<<47 {
		return
	}
	at := traceio.Addr(addr) + w.bias
	w.c.globals = append(w.c.globals, traceio.Global{Name: name, Addr: at, Size: size, Type: id, Module: w.module})
}

// describe follows specifications to a variable's name, linkage name and type (0: none).
func (w *variables) describe(e *dwarf.Entry, depth int) (name, link string, typ dwarf.Offset) {
	name, link = w.o.text(e, dwarf.AttrName), w.o.text(e, dwarf.AttrLinkageName)
	typ, _ = w.o.ref(e, dwarf.AttrType)
	for _, attr := range []dwarf.Attr{dwarf.AttrSpecification, dwarf.AttrAbstractOrigin} {
		off, ok := w.o.ref(e, attr)
		if !ok || depth > maxDepth {
			continue
		}
		to, _ := w.o.entryAt(off)
		if to == nil {
			continue
		}
		n, l, t := w.describe(to, depth+1)
		if name == "" {
			name = n
		}
		if link == "" {
			link = l
		}
		if typ == 0 {
			typ = t
		}
	}
	return name, link, typ
}

// address evaluates a location that is a plain address: DW_OP_addr, or DW_OP_addrx (also its GNU predecessor), the
// index of an address in .debug_addr, which debug/dwarf does not resolve inside expressions.
func (w *variables) address(expr []byte) (uint64, bool) {
	const opAddr, opAddrx, opGNUAddrIndex = 0x03, 0xa1, 0xfb
	if len(expr) < 2 {
		return 0, false
	}
	order := w.o.file.ByteOrder
	word := func(b []byte) (uint64, bool) {
		switch len(b) {
		case 8:
			return order.Uint64(b), true
		case 4:
			return uint64(order.Uint32(b)), true
		}
		return 0, false
	}
	switch expr[0] {
	case opAddr:
		return word(expr[1:])
	case opAddrx, opGNUAddrIndex:
		index, n := binary.Uvarint(expr[1:])
		size := uint64(8)
		if w.o.file.Class.String() == "ELFCLASS32" {
			size = 4
		}
		if n != len(expr)-1 || w.base < 0 || index > 1<<32 {
			return 0, false
		}
		at := uint64(w.base) + index*size
		if at > uint64(len(w.o.addrs)) || uint64(len(w.o.addrs))-at < size {
			return 0, false
		}
		return word(w.o.addrs[at : at+size])
	}
	return 0, false
}

// symbolSize is the extent of the data symbol at addr, for variables whose type has no size (extern int a[]).
func (w *variables) symbolSize(addr uint64) uint64 {
	i, ok := slices.BinarySearchFunc(w.o.datas, addr, func(s symbol, a uint64) int { return cmp.Compare(s.low, a) })
	if !ok {
		return 0
	}
	return w.o.datas[i].high - w.o.datas[i].low
}
