package symbols

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"slices"

	"orrery/traceio"
	"orrery/traceio/named"
)

// threadOffset evaluates the location of a variable of which each thread has one: a constant, the variable's place in
// the thread's block, and then DW_OP_form_tls_address or its GNU predecessor.
func (w *variables) threadOffset(expr []byte) (uint64, bool) {
	const opAddr, opConst4u, opConst8u, opConstx, opGNUConstIndex = 0x03, 0x0c, 0x0e, 0xa2, 0xfc
	const opTLS, opGNUTLS = 0x9b, 0xe0
	n := len(expr) - 1
	if n < 2 || expr[n] != opTLS && expr[n] != opGNUTLS {
		return 0, false
	}
	switch value := expr[1:n]; {
	case expr[0] == opConst4u && len(value) == 4:
		return uint64(binary.LittleEndian.Uint32(value)), true
	case (expr[0] == opConst8u || expr[0] == opAddr) && len(value) == 8:
		return binary.LittleEndian.Uint64(value), true
	case expr[0] == opConstx || expr[0] == opGNUConstIndex:
		const opAddrx = 0xa1 // the same index into the same table
		return w.address(append([]byte{opAddrx}, value...))
	}
	return 0, false
}

// threadBlock is the size of the block of variables that each thread has of this file, rounded up to its alignment. On
// x86-64 the main program's block ends at the thread pointer.
func (o *object) threadBlock() (uint64, bool) {
	for _, p := range o.file.Progs {
		if p.Type == elf.PT_TLS && p.Memsz < 1<<31 && p.Align < 1<<31 {
			align := max(p.Align, 1)
			return (p.Memsz + align - 1) / align * align, true
		}
	}
	return 0, false
}

// threadLocal adds a variable whose Addr is its offset in the block.
func (o *object) threadLocal(c *collector, g traceio.Global) {
	size, ok := o.threadBlock()
	if !ok || g.Size == 0 || uint64(g.Addr) >= size || g.Size > size-uint64(g.Addr) || len(c.threads) >= maxGlobals {
		return
	}
	c.threads = append(c.threads, g)
}

// threadLocals adds the variables that only the symbol table knows. The main program's get their distance from the
// thread pointer.
func (o *object) threadLocals(c *collector, module int, main bool) {
	if !main && system(o.path) {
		return // nobody asks for errno
	}
	known := map[traceio.Addr]bool{}
	for _, g := range c.threads {
		if g.Module == module {
			known[g.Addr] = true
		}
	}
	for _, s := range o.tls {
		if at := traceio.Addr(s.low); !known[at] {
			known[at] = true
			o.threadLocal(c, traceio.Global{Name: named.Symbol(s.name), Addr: at, Size: s.high - s.low, Module: module})
		}
	}
	if size, ok := o.threadBlock(); main && ok {
		for i := range c.threads {
			if c.threads[i].Module == module {
				c.threads[i].Addr -= traceio.Addr(size)
			}
		}
	}
}

// finishThreads puts the variables of which each thread has one in order.
func (c *collector) finishThreads(mods []traceio.Module) []traceio.Global {
	rank := func(g *traceio.Global) int {
		if mods[g.Module].Main {
			return -1
		}
		return g.Module
	}
	slices.SortStableFunc(c.threads, func(a, b traceio.Global) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(int64(a.Addr), int64(b.Addr)))
	})
	return slices.CompactFunc(c.threads, func(a, b traceio.Global) bool {
		return a.Addr == b.Addr && a.Module == b.Module
	})
}
