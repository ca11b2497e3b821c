// Package dinero reads the traces of the Dinero cache simulators, one line a reference:
//
//	0 1fff000688        din: label (0 read, 1 write, 2 instruction fetch), hexadecimal address
//	r 1fff000688 8      extended din: r, w or i, hexadecimal address, hexadecimal size
//
// What follows is a comment, except that a number behind the address of a din line is taken as its size, too: Orrery
// writes them so, and Dinero passes over it. Without a size a reference is taken as traceio.NaturalSize. A data
// reference belongs to the instruction fetched before it; a trace without fetches knows no instructions. Labels 3 and
// m, which Dinero treats as reads without saying what they are, and the cache operations 4, c and v are counted.
package dinero

import (
	"io"

	"orrery/traceio"
)

// Reader is a traceio.Source of a trace.
type Reader struct {
	text *traceio.Text
	pc   traceio.Addr
}

// New reads a trace, already decompressed, from r. The name appears in errors.
func New(r io.Reader, name string) *Reader {
	return &Reader{text: traceio.NewText(r, traceio.Text{Name: name, Program: traceio.Program{Recorder: "din"},
		Wanted: "a din reference", Hint: "a line is a label (0, 1, 2 or r, w, i) and a hexadecimal address"})}
}

// Next fills b with the next references, at most traceio.MaxBlock. It returns io.EOF at the end, and an *traceio.Error
// when the file ends without a single usable line.
func (r *Reader) Next(b *traceio.Block) error {
	return r.text.Fill(b, r.line, nil)
}

// Loss counts the lines that could not be used, by kind.
func (r *Reader) Loss() []traceio.Loss { return r.text.Tally.List() }

// Program tells whether sizes are guessed.
func (r *Reader) Program() *traceio.Program { return &r.text.Program }

func (r *Reader) line(line []byte, whole bool, b *traceio.Block) {
	if line[0] == '#' {
		return
	}
	a, sized, bad := parse(line)
	switch {
	case !whole && (bad != "" || !sized):
		r.text.Cut()
	case bad != "":
		r.text.Tally.Line(bad, whys[bad], r.text.Count())
	default:
		if prog := &r.text.Program; !sized && len(prog.Notes) == 0 {
			prog.Notes = []string{"this din trace has no sizes: each reference is taken as the widest aligned one at its " +
				"address, up to 8 bytes"}
		}
		if a.Kind == traceio.Fetch {
			r.pc = a.Addr
		}
		a.PC = r.pc
		b.Append(a)
	}
}

var whys = map[string]string{
	"other-text":  "lines that do not begin with a label of din",
	"other-label": "cache operations and references of unknown kind (labels 3, 4, m, c and v)",
	"bad-address": "references whose address is not a hexadecimal number below 2^64",
	"bad-size":    "references whose size is not a hexadecimal number of bytes from 1 to ffff",
}

// parse reads one line. sized tells whether it has a size; bad is a kind of loss.
func parse(line []byte) (a traceio.Access, sized bool, bad string) {
	label, rest := traceio.Word(line)
	if len(label) != 1 || len(rest) == 0 {
		return a, false, "other-text"
	}
	extended := false
	switch c := label[0]; c {
	case '0', '1', '2':
		a.Kind = traceio.Kind(c - '0')
	case '3', '4':
		return a, false, "other-label"
	default:
		extended = true
		switch c | 0x20 {
		case 'r':
			a.Kind = traceio.Load
		case 'w':
			a.Kind = traceio.Store
		case 'i':
			a.Kind = traceio.Fetch
		case 'm', 'c', 'v':
			return a, false, "other-label"
		default:
			return a, false, "other-text"
		}
	}
	word, rest := traceio.Word(rest)
	addr, ok := traceio.Hex(word)
	if !ok {
		return a, false, "bad-address"
	}
	a.Addr, a.Size = traceio.Addr(addr), traceio.NaturalSize(traceio.Addr(addr))
	word, _ = traceio.Word(rest)
	size, ok := traceio.Hex(word)
	if !ok || size == 0 || size > 1<<16-1 {
		if extended {
			return a, false, "bad-size"
		}
		return a, false, ""
	}
	if addr+size-1 < addr {
		return a, false, "bad-address"
	}
	a.Size = uint16(size)
	return a, true, ""
}

// Sniff tells whether head, the first bytes of a file, is a trace: nine of ten of its lines are references, and they
// are more than one unless the file has no other line.
func Sniff(head []byte) bool {
	good, other := traceio.CountLines(head, func(line []byte) bool {
		_, _, bad := parse(line)
		return bad == "" || bad == "other-label"
	})
	return good > 0 && good >= 9*other
}
