package heaplog

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"orrery/traceio"
)

// valgrindLog reads what valgrind prints with --trace-malloc=yes, among its other messages:
//
//	--28472-- malloc(32) = 0x4A40040
//	--28472-- _ZnamSt11align_val_t(size 128, al 64) = 0x4D6EE40
//	--28472-- realloc(0x4A40220,5000) = 0x4A40270
//	--28472-- realloc(0x0,10)malloc(10) = 0x4D6EDD0       one call inside the other
//	--28472-- realloc(0x4D6EF10,0)free(0x4D6EF10)
//	--28472--  = 0
//	--28472-- free(0x4A40100)
//
// There is no time, no thread and no caller. With --trace-children=yes several processes write into one log. Their
// addresses have nothing to do with each other, so each process has its own (see traceio.Process) and counts as a
// thread. A process that becomes another program begins anew. One that was forked goes on with blocks that its parent
// has allocated: what it does with these is left out.
type valgrindLog struct {
	log
	callers   callers
	processes map[string]*valgrindProcess // the newest of each number of the system
	list      []traceio.Process
}

// valgrindProcess is one with its events.
type valgrindProcess struct {
	number int
	own    map[traceio.Addr]struct{} // of a forked one, the live blocks that it has allocated itself; nil for others
}

// NewValgrind reads valgrind's log of allocations, already decompressed, from r. The name appears in errors.
func NewValgrind(r io.Reader, name string) traceio.Source {
	v := &valgrindLog{callers: newCallers(), processes: map[string]*valgrindProcess{}}
	v.log = log{lines: newLines(r, name), what: "valgrind's log of allocations",
		hint: "run valgrind with --trace-malloc=yes",
		prog: traceio.Program{Recorder: "valgrind"}, take: v.line, end: v.tell, whole: valgrindWhole}
	return v
}

// SniffValgrind tells whether head, the first bytes of a file, has allocations as valgrind traces them.
func SniffValgrind(head []byte) bool {
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte{'\n'})
		head = rest
		_, text, ok := valgrindLine(bytes.TrimRight(line, "\r "), "--")
		if !ok || !whole {
			continue
		}
		if c, _, ok := parseCall(text); ok && c.n > 0 && actionOf(c.name) != nothing {
			return true
		}
	}
	return false
}

// valgrindLine cuts "--28472-- text" or "==28472== text".
func valgrindLine(line []byte, mark string) (process, text []byte, ok bool) {
	if !bytes.HasPrefix(line, []byte(mark)) {
		return nil, nil, false
	}
	process, text, ok = bytes.Cut(line[2:], []byte(mark))
	if _, number := decimal(process); !ok || !number {
		return nil, nil, false
	}
	return process, bytes.TrimPrefix(text, []byte{' '}), true
}

func (v *valgrindLog) line(line []byte) {
	if len(line) == 0 {
		return
	}
	if id, text, ok := valgrindLine(line, "=="); ok {
		if command, ok := bytes.CutPrefix(text, []byte("Command: ")); ok {
			v.begin(id, strings.Fields(string(command)))
		}
		return
	}
	id, text, ok := valgrindLine(line, "--")
	if !ok {
		v.lose(otherText)
		return
	}
	c, rest, ok := parseCall(text)
	if !ok || actionOf(c.name) == nothing {
		return // another of valgrind's messages
	}
	p := v.processes[string(id)]
	if p == nil {
		p = v.begin(id, nil)
	}
	if p == nil {
		v.lose(otherProcess)
		return
	}
	if c.n == 0 {
		v.lose(badNumber)
		return
	}
	rest = bytes.TrimPrefix(rest, []byte{')'})
	if inner, after, ok := parseCall(rest); ok && string(c.name) == "realloc" {
		c, rest = inner, bytes.TrimPrefix(after, []byte{')'})
	}
	result := uint64(0)
	if actionOf(c.name) != release {
		text, ok := bytes.CutPrefix(rest, []byte(" = "))
		if result, ok = integer(text); !ok {
			v.lose(unfinished)
			return
		}
	}
	first := len(v.out)
	if !v.perform(&c, result, traceio.Alloc{Thread: traceio.Thread(p.number)}) {
		v.lose(badNumber)
	}
	v.place(first, p)
	v.callers.pair(v.out[first:])
}

// valgrindWhole is log.whole: a free ends with its parenthesis, and the log with its summary.
func valgrindWhole(line []byte) bool {
	if _, text, ok := valgrindLine(line, "=="); ok {
		return bytes.HasPrefix(text, []byte("ERROR SUMMARY: ")) && bytes.HasSuffix(text, []byte(")"))
	}
	_, text, _ := valgrindLine(line, "--")
	c, rest, ok := parseCall(text)
	if inner, after, nested := parseCall(bytes.TrimPrefix(rest, []byte{')'})); nested && string(c.name) == "realloc" {
		c, rest = inner, after
	}
	return ok && actionOf(c.name) == release && string(rest) == ")"
}

// begin notes a process, or a program that one becomes; nil when there are too many.
func (v *valgrindLog) begin(id []byte, command []string) *valgrindProcess {
	k := len(v.list)
	if k == traceio.MaxProcesses {
		delete(v.processes, string(id))
		return nil
	}
	number, _ := decimal(id)
	p := &valgrindProcess{number: k}
	switch {
	case k == 0:
		v.prog.Command = command
	case command == nil:
		p.own = map[traceio.Addr]struct{}{}
	}
	v.processes[string(id)] = p
	v.list = append(v.list, traceio.Process{ID: number, Command: command})
	return p
}

// place gives the events from first on the addresses of their process, the first one's are as they are; what belongs to
// another is taken out.
func (v *valgrindLog) place(first int, p *valgrindProcess) {
	if p.number == 0 {
		return
	}
	kept := v.out[:first]
	for _, e := range v.out[first:] {
		at, ok := e.Addr.In(p.number)
		_, own := p.own[e.Addr]
		switch {
		case !ok:
			v.lose(badNumber)
			continue
		case e.Op == traceio.Free && p.own != nil && !own:
			v.lose(inherited)
			continue
		case e.Op == traceio.Free:
			delete(p.own, e.Addr)
		case p.own != nil:
			p.own[e.Addr] = struct{}{}
		}
		e.Addr = at
		kept = append(kept, e)
	}
	v.out = kept
}

// tell completes the program, with its processes where there are several.
func (v *valgrindLog) tell() {
	v.prog.Stacks = v.callers.list
	if len(v.list) > 1 {
		v.prog.Processes = v.list
		v.prog.Notes = append(v.prog.Notes, fmt.Sprintf("The log has %d processes, each with addresses of its own: in "+
			"tables those of the second begin with a 1 before their last twelve digits, those of the third with a 2, and so on.",
			len(v.list)))
	}
}
