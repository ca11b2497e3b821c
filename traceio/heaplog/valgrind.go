package heaplog

import (
	"bytes"
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
// There is no time, no thread and no caller. With --trace-children=yes several processes write into one log; their
// addresses have nothing to do with each other, so only the first process is read.
type valgrindLog struct {
	log
	process string
}

// NewValgrind reads valgrind's log of allocations, already decompressed, from r. The name appears in errors.
func NewValgrind(r io.Reader, name string) traceio.Source {
	v := &valgrindLog{}
	v.log = log{lines: newLines(r, name), what: "valgrind's log of allocations", hint: "run valgrind with --trace-malloc=yes",
		prog: traceio.Program{Recorder: "valgrind", Stacks: [][]traceio.Addr{{}}}, take: v.line}
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
	if process, text, ok := valgrindLine(line, "=="); ok {
		if command, ok := bytes.CutPrefix(text, []byte("Command: ")); ok && len(v.prog.Command) == 0 {
			v.prog.Command = strings.Fields(string(command))
		}
		v.first(process)
		return
	}
	process, text, ok := valgrindLine(line, "--")
	if !ok {
		v.lose(otherText)
		return
	}
	c, rest, ok := parseCall(text)
	if !ok || actionOf(c.name) == nothing {
		return // another of valgrind's messages
	}
	if !v.first(process) {
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
	if !v.perform(&c, result, traceio.Alloc{}) {
		v.lose(badNumber)
	}
}

// first tells whether process is the one that the log began with.
func (v *valgrindLog) first(process []byte) bool {
	if v.process == "" {
		v.process = string(process)
	}
	return v.process == string(process)
}
