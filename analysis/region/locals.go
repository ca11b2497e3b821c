package region

import (
	"cmp"
	"slices"

	"orrery/traceio"
)

// locals says which variable holds a byte of a function's frame.
type locals struct {
	functions  [][]piece // by function, in order of offset
	candidates []candidate
}

// piece is a run of bytes of a frame, [low, high) from its base, that the same variables may be in.
type piece struct {
	low, high int64
	first, n  int32 // in candidates
}

// candidate is a variable that is in a piece while code in [low, high) runs; always when both are 0.
type candidate struct {
	region    int32
	offset    int64
	low, high traceio.Addr
}

// mostCandidates bounds the table for functions into which thousands of calls were inlined; what is beyond stays
// unnamed.
const mostCandidates = 1 << 22

// locals makes a region of each variable on the stack. Variables of one name, type and function are one region: to a
// reader the counters of two loops are one i.
func (m *Map) locals(c *code) {
	type key struct {
		name string
		typ  int
	}
	regions := map[key]int32{}
	for _, i := range c.names {
		f := &m.prog.Functions[i]
		ids := make([]int32, len(f.Locals))
		for k, l := range f.Locals {
			id, ok := regions[key{l.Name, l.Type}]
			if !ok {
				id = m.add(Region{Name: l.Name, Kind: Local, Size: l.Size, Type: l.Type, Site: -1, Thread: -1})
				regions[key{l.Name, l.Type}] = id
			}
			ids[k] = id
		}
		m.frame.functions = append(m.frame.functions, m.frame.cut(f.Locals, ids))
	}
}

// cut sorts the bytes of one function's frame by the variables in them.
func (t *locals) cut(all []traceio.Local, ids []int32) []piece {
	order := make([]int, len(all))
	var cuts []int64
	for i, l := range all {
		order[i] = i
		cuts = append(cuts, l.Offset, l.Offset+int64(l.Size))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[a].Offset, all[b].Offset) })
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []piece
	var here []int
	for i := 0; i+1 < len(cuts); i++ {
		low := cuts[i]
		here = slices.DeleteFunc(here, func(k int) bool { return all[k].Offset+int64(all[k].Size) <= low })
		for len(order) > 0 && all[order[0]].Offset <= low {
			here = append(here, order[0])
			order = order[1:]
		}
		if len(here) == 0 || len(t.candidates)+len(here) > mostCandidates {
			continue
		}
		p := piece{low: low, high: cuts[i+1], first: int32(len(t.candidates)), n: int32(len(here))}
		for _, k := range here {
			t.candidates = append(t.candidates, candidate{ids[k], all[k].Offset, all[k].Low, all[k].High})
		}
		// The variable of the innermost block comes first: the one of the shortest code.
		slices.SortStableFunc(t.candidates[p.first:], func(a, b candidate) int {
			return cmp.Compare(a.high-a.low-1, b.high-b.low-1) // none is longest
		})
		out = append(out, p)
	}
	return out
}

// at is the region of the variable at an address in a frame, and the offset in the variable; -1 for none. running is
// the frame that stands innermost on the same stack.
func (t *locals) at(f, running *frame, a traceio.Addr) (region int32, rest uint64) {
	if f.fn < 0 {
		return -1, 0
	}
	at := int64(a - f.base())
	pieces := t.functions[f.fn]
	low, high := 0, len(pieces)
	for low < high {
		mid := (low + high) / 2
		if pieces[mid].high <= at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == len(pieces) || at < pieces[low].low {
		return -1, 0
	}
	p := &pieces[low]
	all := t.candidates[p.first : p.first+p.n]
	pc := f.pc
	if pc == unseen {
		for _, c := range all[1:] {
			if c.region != all[0].region || c.offset != all[0].offset {
				return -1, 0
			}
		}
		if running.fn != f.fn { // it stands in some call
			return all[0].region, uint64(at - all[0].offset)
		}
		pc = running.pc // it has gone on, or the inner call looks at a place where nothing else ever is
	}
	for _, c := range all {
		if c.high == 0 || pc >= c.low && pc < c.high {
			return c.region, uint64(at - c.offset)
		}
	}
	return -1, 0
}

// onStack is the variable at address a of a stack; -1 for none.
func (m *Map) onStack(t *stack, a traceio.Addr) (region int32, rest uint64) {
	own, called := t.within(a)
	if called >= 0 {
		if r, rest := m.frame.at(&t.frames[called], &t.frames[len(t.frames)-1], a); r >= 0 {
			return r, rest
		}
	}
	if own >= 0 {
		return m.frame.at(&t.frames[own], &t.frames[len(t.frames)-1], a)
	}
	return -1, 0
}

// known is onStack for the instruction that runs now, with a memory.
func (m *Map) known(now *recent, t *stack, a traceio.Addr) int32 {
	n := len(t.frames)
	if n == 0 {
		return -1
	}
	top := &t.frames[n-1]
	below := top.base() - a
	if top.fn != now.fn || a >= top.slot {
		r, _ := m.onStack(t, a)
		return r
	}
	if below != now.below {
		now.region, _ = m.frame.at(top, top, a)
		now.below = below
	}
	return now.region
}
