package heaplog

import (
	"bytes"
	"io"

	"orrery/traceio"
)

// heaptrackLog reads what `heaptrack --raw` writes, a text in hexadecimal numbers:
//
//	v 10400 3                            version of heaptrack and of the format
//	x e /home/me/list                    the executable; e is the length of its path (format 3, before it there is none)
//	X ./list 5                           the command
//	I 1000 5e2990                        bytes and number of the machine's pages
//	m 1 -                                what is mapped is told again:
//	m 1 x 56537817f000 0 7b0 1000 309    length, path, base, then address and size of each segment
//	t 5653781801c1 8                     trace: its instruction address and the trace of its caller, which counts from 1
//	+ 20 9 5653a82ed1d0                  made: size, trace, address
//	- 5653a82ed1d0                       freed
//	c a                                  milliseconds since the beginning
//	R 3aa                                pages of resident memory
type heaptrackLog struct {
	log
	nodes   []node // nodes[0] is the root
	exe     string
	mapped  map[string]int
	version uint64         // of the format
	frames  []traceio.Addr // of the last stacks: many share one piece of memory
	vectors bool           // what the processor has is used
}

// node is one trace: a call and the stack below it.
type node struct {
	ip     traceio.Addr
	parent uint32
	stack  traceio.StackID // 0 until it is used
}

// mostFrames bounds a stack: what heaptrack itself keeps. manyFrames is how many are set aside at a time.
const (
	mostFrames = 64
	manyFrames = 1 << 12
)

// NewHeaptrack reads heaptrack's raw data, already decompressed, from r. The name appears in errors.
func NewHeaptrack(r io.Reader, name string) traceio.Source {
	h := &heaptrackLog{nodes: make([]node, 1), mapped: map[string]int{}, version: 3, vectors: vectors}
	h.log = log{lines: newLines(r, name), what: "heaptrack's raw data", hint: "record with heaptrack --raw",
		prog: traceio.Program{Recorder: "heaptrack", Ticking: true, Stacks: [][]traceio.Addr{{}}}, take: h.line, bulk: h.bulk}
	return h
}

// SniffHeaptrack tells whether head, the first bytes of a file, is of heaptrack, raw or interpreted: NewHeaptrack
// refuses the latter with the remedy.
func SniffHeaptrack(head []byte) bool {
	line, rest, ok := bytes.Cut(head, []byte{'\n'})
	words := fields(line)
	if !ok || string(words.next()) != "v" || len(rest) == 0 {
		return false
	}
	_, ok = hex(words.next())
	return ok && bytes.IndexByte([]byte("xXIms"), rest[0]) >= 0 && len(rest) > 1 && rest[1] == ' '
}

func (h *heaptrackLog) line(line []byte) {
	if len(line) == 0 {
		return
	}
	words := fields(line[1:])
	if len(line) > 1 && line[1] != ' ' {
		h.lose(otherText)
		return
	}
	switch line[0] {
	case '+':
		h.alloc(&words)
	case '-':
		if addr, ok := hex(words.next()); ok {
			h.freed(traceio.Alloc{Addr: traceio.Addr(addr)})
		} else {
			h.lose(badNumber)
		}
	case 't':
		h.trace(&words)
	case 'm':
		h.module(&words)
	case 'c':
		if ms, ok := hex(words.next()); ok && ms < 1<<43 {
			h.ticks = traceio.Ticks(ms) * 1e6
		} else {
			h.lose(badNumber)
		}
	case 'x':
		h.exe = h.text(&words)
	case 'X':
		for w := words.next(); len(w) > 0; w = words.next() {
			h.prog.Command = append(h.prog.Command, string(w))
		}
		h.used++
	case 'v':
		words.next()
		if v, ok := hex(words.next()); ok {
			h.version = v
		}
	case 's', 'i', 'a':
		h.stop = &traceio.Error{File: h.lines.name, Line: int(h.lines.count),
			Msg:  "this is heaptrack's interpreted data, which has no addresses",
			Hint: "record with heaptrack --raw (newer ones: --record-only) and open that file"}
	case 'I', 'R', 'A', 'S', '#':
		h.used++
	default:
		h.lose(otherText)
	}
}

func (h *heaptrackLog) alloc(words *fields) {
	size, ok1 := signed(words.next(), hex)
	trace, ok2 := hex(words.next())
	addr, ok3 := hex(words.next())
	if !ok1 || !ok2 || !ok3 {
		h.lose(badNumber)
		return
	}
	h.made(traceio.Alloc{Addr: traceio.Addr(addr), Size: size, Stack: h.stack(trace)})
}

func (h *heaptrackLog) trace(words *fields) {
	ip, ok1 := hex(words.next())
	parent, ok2 := hex(words.next())
	if !ok1 || !ok2 {
		h.lose(badNumber)
	}
	if parent >= uint64(len(h.nodes)) {
		h.lose(badStack)
		parent = 0
	}
	// The bad ones count too: later lines number all of them.
	h.nodes = append(h.nodes, node{ip: traceio.Addr(ip), parent: uint32(parent)})
}

// stack numbers the stack of a trace. heaptrack writes the last byte of a call where our stacks have the address that
// it returns to.
func (h *heaptrackLog) stack(trace uint64) traceio.StackID {
	if trace >= uint64(len(h.nodes)) {
		h.lose(badStack)
		return 0
	}
	if trace == 0 {
		return 0
	}
	n := &h.nodes[trace]
	if n.stack == 0 {
		if cap(h.frames)-len(h.frames) < mostFrames {
			h.frames = make([]traceio.Addr, 0, manyFrames)
		}
		from := len(h.frames)
		for at := uint32(trace); at != 0 && len(h.frames)-from < mostFrames; at = h.nodes[at].parent {
			h.frames = append(h.frames, h.nodes[at].ip+1)
		}
		n.stack = traceio.StackID(len(h.prog.Stacks))
		h.prog.Stacks = append(h.prog.Stacks, h.frames[from:len(h.frames):len(h.frames)])
	}
	return n.stack
}

// text reads a path with its length in front, which format 2 did not have.
func (h *heaptrackLog) text(words *fields) string {
	if h.version < 3 {
		return string(words.next())
	}
	n, ok := hex(words.next())
	rest := bytes.TrimPrefix(*words, []byte{' '})
	if !ok || n > uint64(len(rest)) {
		h.lose(badNumber)
		*words = nil
		return ""
	}
	*words = rest[n:]
	return string(rest[:n])
}

// module takes in what is mapped, once: heaptrack tells it again whenever something was loaded or unloaded.
func (h *heaptrackLog) module(words *fields) {
	path := h.text(words)
	h.used++
	if path == "-" || path == "" {
		return
	}
	m := traceio.Module{Path: path}
	if path == "x" {
		m.Path, m.Main = h.exe, true
	}
	base, ok := hex(words.next())
	m.Bias = traceio.Addr(base)
	m.Low = ^traceio.Addr(0)
	for ok && len(bytes.TrimLeft(*words, " ")) > 0 {
		at, ok1 := hex(words.next())
		size, ok2 := hex(words.next())
		if ok = ok1 && ok2; ok {
			m.Low, m.High = min(m.Low, traceio.Addr(base+at)), max(m.High, traceio.Addr(base+at+size))
		}
	}
	if !ok || m.Low >= m.High {
		h.lose(badNumber)
		return
	}
	if i, was := h.mapped[m.Path]; was && h.prog.Modules[i].Bias == m.Bias {
		return
	}
	h.mapped[m.Path] = len(h.prog.Modules)
	h.prog.Modules = append(h.prog.Modules, m)
}
