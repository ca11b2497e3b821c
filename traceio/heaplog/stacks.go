package heaplog

import (
	"debug/elf"

	"orrery/traceio"
	"orrery/traceio/named"
)

// callers numbers call stacks of one frame.
type callers struct {
	ids   map[traceio.Addr]traceio.StackID
	list  [][]traceio.Addr
	joint traceio.StackID // a stack without frames, 0 before there is one
}

func newCallers() callers {
	return callers{ids: map[traceio.Addr]traceio.StackID{0: 0}, list: [][]traceio.Addr{{}}}
}

// of is the stack of the one return address ret; 0 is the unknown stack.
func (c *callers) of(ret traceio.Addr) traceio.StackID {
	id, ok := c.ids[ret]
	if !ok {
		id = traceio.StackID(len(c.list))
		c.ids[ret] = id
		c.list = append(c.list, []traceio.Addr{ret})
	}
	return id
}

// pair marks the free and the allocation that one reallocation made, where its caller is unknown, as of one call:
// events in a row of one stack are, unless that is the unknown one. So they get another stack of which nothing is
// known.
func (c *callers) pair(events []traceio.Alloc) {
	if len(events) != 2 || events[0].Stack != 0 || events[1].Stack != 0 {
		return
	}
	if c.joint == 0 {
		c.joint = traceio.StackID(len(c.list))
		c.list = append(c.list, nil)
	}
	events[0].Stack, events[1].Stack = c.joint, c.joint
}

// extent is where an ELF file's segments lie as it was linked: [low, high), and whether it always lies there. ok is
// false when there is no such file.
func extent(path string) (low, high traceio.Addr, fixed, ok bool) {
	f, done, err := named.ELF(path)
	if err != nil {
		return 0, 0, false, false
	}
	defer done()
	low = ^traceio.Addr(0)
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			low, high = min(low, traceio.Addr(p.Vaddr&^0xfff)), max(high, traceio.Addr(p.Vaddr+p.Memsz))
		}
	}
	return low, high, f.Type == elf.ET_EXEC, low < high
}
