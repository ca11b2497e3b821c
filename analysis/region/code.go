package region

import (
	"slices"
	"strings"

	"orrery/traceio"
)

// Functions that a frame may be of, beside the numbers of known ones from 0.
const (
	open   = int32(-1) // not known yet: the first instruction that uses the frame tells
	closed = int32(-2) // code without variables on the stack, or code that is not recorded
	begun  = int32(-3) // not known yet: the next instruction is its first one
)

// suspend marks a known function whose frame is used by code of another one for now (a sibling call, a handler); twice,
// it gives the function back. -4 and below.
func suspend(fn int32) int32 { return -4 - fn }

// entryZone is how many bytes of a function count as its beginning: the prolog.
const entryZone = 16

// instr is what one instruction says about frames.
type instr struct {
	fn     int32 // the function it lies in, closed when that has no variables on the stack
	target int32 // of a call: the function that it enters, closed when that is another one, open when it cannot be told
	flow   traceio.Flow
	place  int64 // see traceio.Site
	grows  bool  // it belongs to the function that a function calls for a larger stack
	copies bool  // it belongs to the one that copies a stack
	entry  bool  // it stands at its function's beginning
}

// code is what the program's instructions say about frames.
type code struct {
	pcs    []traceio.Addr // ascending
	instrs []instr
	names  []int // by function: an index of Program.Functions, of its first piece
	flows  bool  // it knows which instructions are calls
	moving bool  // stacks move, and some instructions tell where their frames are
}

// newCode reads a program's sites and functions.
func newCode(prog *traceio.Program) *code {
	c := &code{}
	if prog == nil {
		return c
	}
	entries := map[traceio.Addr]int32{}
	pieces := make([]int32, len(prog.Functions))
	for i := range prog.Functions {
		f := &prog.Functions[i]
		id, ok := entries[f.Entry]
		if !ok {
			id = int32(len(c.names))
			entries[f.Entry] = id
			c.names = append(c.names, i)
		}
		pieces[i] = id
	}
	for i := range prog.Sites {
		s := &prog.Sites[i]
		x := instr{fn: closed, target: open, flow: s.Flow, place: s.Place}
		if n := len(s.Frames); s.Place != 0 && n > 0 {
			name := s.Frames[n-1].Function
			x.grows, x.copies = strings.HasPrefix(name, "runtime.morestack"), name == "runtime.copystack"
		}

		k, found := slices.BinarySearchFunc(prog.Functions, s.PC, func(f traceio.Function, pc traceio.Addr) int {
			switch {
			case f.High <= pc:
				return -1
			case f.Low > pc:
				return 1
			}
			return 0
		})
		if found {
			x.fn = pieces[k]
			x.entry = s.PC-prog.Functions[k].Entry < entryZone
		}
		c.flows = c.flows || s.Flow != traceio.Plain
		c.moving = c.moving || s.Place != 0
		if s.Target != 0 {
			x.target = closed
			if id, ok := entries[s.Target]; ok {
				x.target = id
			}
		}
		c.pcs, c.instrs = append(c.pcs, s.PC), append(c.instrs, x)
	}
	return c
}

// at is what the instruction at pc says.
func (c *code) at(pc traceio.Addr) instr {
	if i, ok := slices.BinarySearch(c.pcs, pc); ok {
		return c.instrs[i]
	}
	return instr{fn: closed, target: open}
}
