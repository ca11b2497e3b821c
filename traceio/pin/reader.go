// Package pin reads the text that Pin's example tool pinatrace writes, one line a reference:
//
//	0x7f2b1c0a1b40: R 0x7ffe6c3a9f58               instruction, read, address
//	0x7f2b1c0a1b44: W 0x7ffe6c3a9f50  8  0x1       the same of the tool in source/tools/Memtrace: with size and value
//	3 0x7f2b1c0a1b44: W 0x7ffe6c3a9f50             the same of many tools made from it: the thread in front
//	#eof                                           the last line ("# eof" of others); other lines with # are comments
//
// The short form has no sizes: each reference is then taken as traceio.NaturalSize. No form has instruction
// fetches or time. Lines that are none of these are counted, not fatal. Pin's kit has the tools in
// source/tools/ManualExamples/pinatrace.cpp (fprintf(trace, "%p: R %p\n", ip, addr) and, at the end, "#eof\n") and
// source/tools/Memtrace; %p is hexadecimal with 0x in front on Linux, without on Windows.
package pin

import (
	"bytes"
	"io"

	"orrery/traceio"
)

// Reader is a traceio.Source of pinatrace text.
type Reader struct {
	text    *traceio.Text
	eof     bool // #eof was the last line of use
	threads traceio.ThreadIDs
}

// New reads pinatrace text, already decompressed, from r. The name appears in errors.
func New(r io.Reader, name string) *Reader {
	return &Reader{text: traceio.NewText(r, traceio.Text{Name: name, Program: traceio.Program{Recorder: "pinatrace"},
		Wanted: "a reference of Pin's pinatrace", Hint: "run pin -t pinatrace.so -- PROGRAM"})}
}

// Next fills b with the next references, at most traceio.MaxBlock. It returns io.EOF at the end, and an *traceio.Error
// when the file ends without a single usable line.
func (r *Reader) Next(b *traceio.Block) error {
	return r.text.Fill(b, r.line, r.end)
}

// Loss counts the lines that could not be used, by kind.
func (r *Reader) Loss() []traceio.Loss { return r.text.Tally.List() }

// Program is the description of the program: only that Pin was the recorder.
func (r *Reader) Program() *traceio.Program { return &r.text.Program }

func (r *Reader) line(line []byte, whole bool, b *traceio.Block) {
	if line[0] == '#' {
		r.eof = string(bytes.TrimLeft(line[1:], " ")) == "eof"
		return
	}
	a, who, sized, bad := parse(line)
	switch {
	case bad == "" && (whole || sized):
		r.eof = false
		if who.known {
			a.Thread, _ = r.threads.Number(who.thread)
		}
		if prog := &r.text.Program; !sized && len(prog.Notes) == 0 {
			prog.Notes = []string{"this pinatrace has no sizes: each reference is taken as the widest aligned one at its " +
				"address, up to 8 bytes"}
		}
		b.Append(a)
	case !whole:
		r.text.Cut()
	default:
		r.text.Tally.Line(bad, whys[bad], r.text.Count())
	}
}

// end tells whether the text is all that there was.
func (r *Reader) end(b *traceio.Block) {
	if r.text.Err() == nil && !r.eof && r.text.Rows()+uint64(b.Len()) > 0 {
		r.text.Tally.Line("no-end", "the text does not end with #eof, as when it was cut or the program killed; its last "+
			"references may be missing", r.text.Count())
	}
}

var whys = map[string]string{
	"other-text":  "lines that are no references of pinatrace",
	"bad-address": "references whose instruction or address is not a hexadecimal number below 2^64",
	"bad-size":    "references whose size is not a number of bytes from 1 to 65535",
}

// runner is the thread of a line, if the line has one.
type runner struct {
	thread uint64
	known  bool
}

// parse reads "[THREAD] PC: R ADDRESS [SIZE [VALUE]]". sized tells whether the line has a size; bad is a kind of loss.
func parse(line []byte) (a traceio.Access, who runner, sized bool, bad string) {
	left, right, ok := bytes.Cut(line, []byte{':'})
	kind, right := traceio.Word(right)
	if !ok || len(kind) != 1 || kind[0] != 'R' && kind[0] != 'W' {
		return a, who, false, "other-text"
	}
	if kind[0] == 'W' {
		a.Kind = traceio.Store
	}
	if first, rest := traceio.Word(left); len(rest) > 0 {
		if who.thread, who.known = traceio.Decimal(first); who.known {
			left = rest
		}
	}
	word, right := traceio.Word(right)
	pc, ok1 := traceio.Hex(left)
	addr, ok2 := traceio.Hex(word)
	if !ok1 || !ok2 {
		return a, who, false, "bad-address"
	}
	a.PC, a.Addr = traceio.Addr(pc), traceio.Addr(addr)
	if a.Size = traceio.NaturalSize(a.Addr); len(right) == 0 {
		return a, who, false, ""
	}
	word, _ = traceio.Word(right)
	size, ok := traceio.Decimal(word)
	if !ok || size == 0 || size > 1<<16-1 {
		return a, who, false, "bad-size"
	}
	if addr+size-1 < addr {
		return a, who, false, "bad-address"
	}
	a.Size = uint16(size)
	return a, who, true, ""
}

// Sniff tells whether head, the first bytes of a file, is pinatrace text: references of that form make up at least half
// of the lines that are no comments.
func Sniff(head []byte) bool {
	good, other := traceio.CountLines(head, func(line []byte) bool {
		_, _, _, bad := parse(line)
		return bad == ""
	})
	return good > 0 && good >= other
}
