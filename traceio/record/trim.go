package record

import "orrery/traceio"

// trim removes the variables of modules in which no recorded instruction lies: with debug packages installed, the C
// library alone has thousands.
func trim(prog *traceio.Program, pcs []traceio.Addr, moduleOf func(uint64) int) {
	active := map[int]bool{}
	for _, pc := range pcs {
		active[moduleOf(uint64(pc))] = true
	}
	globals := prog.Globals[:0]
	for _, g := range prog.Globals {
		if active[g.Module] {
			globals = append(globals, g)
		}
	}
	prog.Globals = globals
	keepTypes(prog)
}

// keepTypes removes the types that no variable needs, and renumbers the others. Type 0 stays the unknown one.
func keepTypes(prog *traceio.Program) {
	if len(prog.Types) == 0 {
		return
	}
	number := make([]int, len(prog.Types)) // new number + 1
	number[0] = 1
	kept := []traceio.Type{prog.Types[0]}
	var keep func(int) int
	keep = func(old int) int {
		if old < 0 || old >= len(number) {
			return 0
		}
		if number[old] > 0 {
			return number[old] - 1
		}
		at := len(kept)
		number[old] = at + 1
		t := prog.Types[old]
		kept = append(kept, t)
		if len(t.Dims) > 0 {
			t.Elem = keep(t.Elem)
		}
		fields := make([]traceio.Field, len(t.Fields))
		for i, f := range t.Fields {
			f.Type = keep(f.Type)
			fields[i] = f
		}
		if len(fields) > 0 {
			t.Fields = fields
		}
		kept[at] = t
		return at
	}
	for i := range prog.Globals {
		prog.Globals[i].Type = keep(prog.Globals[i].Type)
	}
	for i := range prog.ThreadLocals {
		prog.ThreadLocals[i].Type = keep(prog.ThreadLocals[i].Type)
	}
	for i := range prog.Functions {
		for j := range prog.Functions[i].Locals {
			l := &prog.Functions[i].Locals[j]
			l.Type = keep(l.Type)
		}
	}
	prog.Types = kept
}
