package region

import (
	"slices"
	"strings"

	"orrery/traceio"
)

// level is one of the calls that led to an allocation.
type level struct {
	ret    traceio.Addr
	low    traceio.Addr // of the code of the function that called
	size   uint64
	inline int // functions inlined where it called
	own    traceio.Frame
	height int // calls around it
}

// levelsOf are the calls of a stack that lie in the program's own modules, innermost first, down to the one that called
// the allocator or something that gives its result back. known keeps what was found.
func levelsOf(prog *traceio.Program, stack []traceio.Addr, known map[traceio.Addr]level) (out []level) {
	for i, ret := range stack {
		at := prog.CallerAt(ret)
		switch {
		case at != nil && ownModule(prog, at):
		case len(out) == 0 && at != nil && handsOn(at):
			continue
		default:
			return out
		}
		l, ok := known[ret]
		if !ok {
			l = levelAt(prog, at)
			known[ret] = l
		}
		l.height = len(stack) - i
		if out = append(out, l); len(out) == holderCalls {
			return out
		}
	}
	return out
}

// ownModule tells whether a site lies in the program or in a library of the project's.
func ownModule(prog *traceio.Program, at *traceio.Site) bool {
	return at.Module >= 0 && at.Module < len(prog.Modules) && prog.Modules[at.Module].Main ||
		traceio.InProject(at.Own().File)
}

// handsOn tells whether a library's function that allocates gives the block to its caller.
func handsOn(at *traceio.Site) bool {
	for _, f := range at.Frames {
		for _, word := range []string{"alloc", "operator new", "memalign", "strdup", "strndup", "fopen",
			"fdopen", "opendir"} {
			if strings.Contains(f.Function, word) {
				return true
			}
		}
	}
	return false
}

// levelAt finds the code of the function around a call: what is recorded around it under the same name.
func levelAt(prog *traceio.Program, call *traceio.Site) level {
	const blind = 48 // bytes behind a call in code without names
	if len(call.Frames) == 0 {
		return level{ret: call.PC + 1, low: call.PC, size: blind}
	}
	same := func(s *traceio.Site) bool {
		return s.Module == call.Module && len(s.Frames) > 0 && s.Frames[len(s.Frames)-1].Function ==
			call.Frames[len(call.Frames)-1].Function
	}
	at, _ := slices.BinarySearchFunc(prog.Sites, call.PC, func(s traceio.Site, pc traceio.Addr) int {
		if s.PC < pc {
			return -1
		}
		return 1
	})
	first, last := at, at
	for first > 0 && same(&prog.Sites[first-1]) {
		first--
	}
	for last+1 < len(prog.Sites) && same(&prog.Sites[last+1]) {
		last++
	}
	low := prog.Sites[first].PC
	return level{ret: call.PC + 1, low: low, size: uint64(prog.Sites[last].PC-low) + 1,
		inline: len(call.Frames), own: call.Own()}
}

// inside tells whether a call is made on the way from another one to the store of its result: in a function called
// there, or inlined there.
func (l *level) inside(o *level) bool {
	return l.height > o.height || l.height == o.height && l.low == o.low && l.inline > o.inline
}

// statement tells whether an instruction may belong to the statement of the call; sure, when lines tell. A statement of
// several lines stores in its first.
func (l *level) statement(i *traceio.Site, pc traceio.Addr) (sure, ok bool) {
	const tall, near = 4, 48
	own := i.Own()
	switch {
	case l.own.Line == 0 || own.Line == 0:
		return false, pc-l.ret < near
	case !traceio.InProject(l.own.File) || !traceio.InProject(own.File):
		return true, true
	}
	return true, own.File == l.own.File && own.Line <= l.own.Line && own.Line+tall >= l.own.Line
}
