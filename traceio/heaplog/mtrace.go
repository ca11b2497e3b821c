package heaplog

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"orrery/traceio"
)

// mtraceLog reads what the C library writes between mtrace() and muntrace():
//
//	= Start
//	@ ./list:[0x11c2] + 0x559da92274a0 0x20          made: address, size
//	@ ./list:(push+0x19)[0x11c2] < 0x559da92274a0    reallocation, old address
//	@ ./list:(push+0x19)[0x11c2] > 0x559da9227590 0x1388    and new one
//	@ ./list:[0x1299] - 0x559da9227590               freed
//	@ ./list:[0x12ed] ! 0x559da9227590 0x40000000    reallocation that failed
//	= End
//
// There is no time, no thread, and one caller. Its address counts from the beginning of the file that it lies in, not
// from 0, so every file gets a place of its own here: its own where the file is there and not to be moved, else one of
// the multiples of moduleRoom.
type mtraceLog struct {
	log
	callers
	modules map[string]int
	names   map[traceio.Addr]string // functions that the log names, by return address
	old     traceio.Addr            // of a reallocation of which only the first half has come
	oldAt   traceio.StackID
	halved  bool
	exe     int // the executable's module, -1 before there is one
}

// moduleRoom is far from where processes have their heaps: the heap of a program that cannot be moved follows it in the
// first 4 GiB, others begin at 0x55 times this.
const (
	moduleRoom = 1 << 40
	mostPlaces = 0x50
)

// NewMtrace reads a log of glibc's mtrace, already decompressed, from r. The name appears in errors.
func NewMtrace(r io.Reader, name string) traceio.Source {
	m := &mtraceLog{callers: newCallers(), modules: map[string]int{}, names: map[traceio.Addr]string{}, exe: -1}
	m.log = log{lines: newLines(r, name), what: "an mtrace log", prog: traceio.Program{Recorder: "mtrace"},
		hint: "set MALLOC_TRACE, preload libc_malloc_debug.so.0 and let the program call mtrace()", take: m.line,
		end: m.tell, whole: mtraceWhole}
	return m
}

// SniffMtrace tells whether head, the first bytes of a file, is an mtrace log.
func SniffMtrace(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(head, []byte("= Start")) {
		return true
	}
	line, _, whole := bytes.Cut(head, []byte{'\n'})
	_, _, rest, ok := mtraceLine(bytes.TrimRight(line, "\r "))
	return ok && whole && line[0] == '@' && len(rest) > 2 && bytes.IndexByte([]byte("+-<>!"), rest[0]) >= 0
}

// mtraceLine cuts "@ FILE:(FUNCTION+0x19)[0x11c2] + ..." into the caller's parts and the rest.
func mtraceLine(line []byte) (where []byte, caller traceio.Addr, rest []byte, ok bool) {
	if len(line) > 1 && line[1] == ' ' && bytes.IndexByte([]byte("+-<>!"), line[0]) >= 0 {
		return nil, 0, line, true // the caller is unknown
	}
	if !bytes.HasPrefix(line, []byte("@ ")) {
		return nil, 0, nil, false
	}
	line = line[2:]
	to := bytes.Index(line, []byte("] "))
	from := -1
	if to >= 0 {
		from = bytes.LastIndexByte(line[:to], '[')
	}
	if from < 0 {
		return nil, 0, nil, false
	}
	pc, ok := hex(line[from+1 : to])
	return line[:from], traceio.Addr(pc), line[to+2:], ok
}

func (m *mtraceLog) line(line []byte) {
	if len(line) == 0 {
		return
	}
	if line[0] == '=' {
		m.used++
		return
	}
	where, pc, rest, ok := mtraceLine(line)
	if !ok || len(rest) < 2 {
		m.lose(otherText)
		return
	}
	words := fields(rest[1:])
	addr, ok := hex(words.next())
	size, sized := uint64(0), true
	if rest[0] == '+' || rest[0] == '>' || rest[0] == '!' {
		size, sized = signed(words.next(), hex)
	}
	if !ok || !sized {
		m.lose(badNumber)
		return
	}
	a := traceio.Alloc{Addr: traceio.Addr(addr), Size: size, Stack: m.of(m.caller(where, pc))}
	if m.halved && rest[0] != '>' && rest[0] != '!' {
		m.half()
	}
	switch rest[0] {
	case '+':
		m.made(a)
	case '-':
		m.freed(a)
	case '<':
		m.used++
		m.old, m.oldAt, m.halved = a.Addr, a.Stack, true
	case '>':
		first := len(m.out)
		if m.halved {
			m.halved = false
			m.freed(traceio.Alloc{Addr: m.old, Stack: m.oldAt})
		} else {
			m.lose(halfRealloc)
		}
		m.made(a)
		m.pair(m.out[first:])
	case '!':
		m.used++
		m.halved = false // the old block lives
	default:
		m.lose(otherText)
	}
}

// mtraceWhole is log.whole: the marks stand for themselves.
func mtraceWhole(line []byte) bool {
	return string(line) == "= Start" || string(line) == "= End"
}

// half uses a reallocation's first half alone.
func (m *mtraceLog) half() {
	m.halved = false
	m.lose(halfRealloc)
	m.freed(traceio.Alloc{Addr: m.old, Stack: m.oldAt})
}

// caller is the return address that a line names.
func (m *mtraceLog) caller(where []byte, pc traceio.Addr) traceio.Addr {
	if pc == 0 {
		return 0
	}
	function := ""
	if i := bytes.LastIndexByte(where, '('); i >= 0 && bytes.HasSuffix(where, []byte(")")) {
		name, _, _ := bytes.Cut(where[i+1:len(where)-1], []byte("+0x"))
		function, where = string(name), where[:i]
	}
	if where = bytes.TrimSuffix(where, []byte{':'}); len(where) > 0 {
		id, ok := m.modules[string(where)]
		if !ok {
			id = m.place(string(where))
		}
		if id < 0 {
			return 0
		}
		mod := &m.prog.Modules[id]
		pc += mod.Low
		mod.High = max(mod.High, pc+1)
	}
	if function != "" {
		m.names[pc] = function
	}
	return pc
}

// place makes a module of a file that the log names; -1 when there are too many.
func (m *mtraceLog) place(path string) int {
	id := len(m.prog.Modules)
	if id >= mostPlaces {
		m.modules[path] = -1
		return -1
	}
	mod := traceio.Module{Path: path, Low: traceio.Addr(id+1) * moduleRoom, Main: m.exe < 0 &&
		!strings.Contains(filepath.Base(path), ".so")}
	if mod.Main {
		m.exe = id
	}
	low, high, fixed, ok := extent(path)
	switch {
	case ok && fixed:
		mod.Low, mod.High = low, high
	case ok:
		mod.Bias = mod.Low - low
		mod.High = mod.Bias + high
	default:
		mod.Bias, mod.High = mod.Low, mod.Low+1
	}
	m.modules[path] = id
	m.prog.Modules = append(m.prog.Modules, mod)
	return id
}

// tell completes the program. The functions that the log names are used where none of its files is there to name them.
func (m *mtraceLog) tell() {
	if m.halved {
		m.half()
	}
	m.prog.Stacks = m.list
	m.prog.Sites = namedSites(m.names, m.prog.Modules)
}
