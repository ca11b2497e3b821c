// Package csv reads tables of references as text, one a line, as scripts and spreadsheets make them and as `orrery
// export` does. Fields stand between commas, semicolons, tabs, bars or blanks; a first line of titles says which is
// which, in any order and among any others:
//
//	address  addr, ea, vaddr...       the only one that must be there
//	kind     type, op, rw, access...  load, store, fetch or modify; also L S I M, R W, read write, 0 1 2
//	size     bytes, length, width     missing: traceio.NaturalSize
//	pc       ip, iaddr...             instruction address; missing: unknown
//	thread   tid, cpu, core           numbers from 0 under the title thread stay, others are numbered in their order
//	seq                               must grow: a jump is a gap in the recording, a step back is counted as a loss
//
// Fields may stand in quotes as RFC 4180 has it, with separators, line ends and doubled quotes inside; lines may end as
// those of Windows do, and a byte order mark may come first.
//
// Numbers with 0x are hexadecimal, sizes, threads and seq without it decimal; addresses without it are hexadecimal when
// one of the first 400 has a hexadecimal letter, else decimal. Without titles, the columns are guessed: see
// layout.guess.
package csv

import (
	"bytes"
	"fmt"
	"io"

	"orrery/traceio"
)

// Reader is a traceio.Source of a table.
type Reader struct {
	text    *traceio.Text
	l       *layout
	open    record // a row whose quotes are still open
	fields  [][]byte
	last    uint64 // seq column of the line before
	seen    bool
	titled  bool // the header has been passed
	threads traceio.ThreadIDs
}

// New reads a table, already decompressed, from r. The name appears in errors.
func New(r io.Reader, name string) *Reader {
	text := traceio.NewText(r, traceio.Text{Name: name, Program: traceio.Program{Recorder: "csv"}})
	text.Tabs = true // an empty field at an end of the line is a field
	return &Reader{text: text}
}

// Sniff tells whether head, the first bytes of a file, is a table of references: its titles say so, or nine of ten of
// its lines can be read.
func Sniff(head []byte) bool { return find(head) != nil }

// Next fills b with the next references, at most traceio.MaxBlock. It returns io.EOF at the end, and an *traceio.Error
// when the file is no table or has no usable line.
func (r *Reader) Next(b *traceio.Block) error {
	if r.l == nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	err := r.text.Fill(b, r.line, r.end)
	if err != nil && err != io.EOF {
		return r.nothing()
	}
	return err
}

// nothing says why a table gave no reference.
func (r *Reader) nothing() error {
	e := &traceio.Error{File: r.text.Name, Msg: "the table has titles and no references",
		Hint: "allocations and marks alone are exported with --events"}
	if losses := r.Loss(); len(losses) > 0 {
		e.Msg, e.Hint = fmt.Sprintf("the table has no references that can be used: %s", losses[0]),
			"see `orrery export --help` for what a table must have"
	}
	return e.Because(r.text.Err())
}

// Loss counts the lines that could not be used, by kind.
func (r *Reader) Loss() []traceio.Loss { return r.text.Tally.List() }

// Program notes what the table lacks.
func (r *Reader) Program() *traceio.Program { return &r.text.Program }

func (r *Reader) begin() error {
	for len(r.text.Bytes()) < traceio.HeadLen && r.text.More() {
	}
	if r.l = find(r.text.Bytes()); r.l == nil {
		e := &traceio.Error{File: r.text.Name, Line: 1, Msg: "this is no table of references: no column holds addresses",
			Hint: "put a line of titles in front, such as address,kind,size,pc,thread"}
		return e.Because(r.text.Err())
	}
	if r.l.events {
		return &traceio.Error{File: r.text.Name, Line: 1,
			Msg:  "this is a table of allocations and marks, which Orrery writes but does not read",
			Hint: "`orrery convert` saves a recording with all that it has"}
	}
	prog := &r.text.Program
	if r.l.at[kind] < 0 {
		prog.Notes = append(prog.Notes, "the table does not distinguish loads from stores: all references are taken as loads")
	}
	if r.l.at[size] < 0 {
		prog.Notes = append(prog.Notes,
			"the table has no sizes: each reference is taken as the widest aligned one at its address, up to 8 bytes")
	}
	return nil
}

var whys = map[string]string{
	"missing-field": "lines with too few fields",
	"bad-address":   "references whose address is not a number below 2^64",
	"bad-kind":      "references that are neither load, store nor fetch",
	"bad-size":      "references whose size is not a number of bytes from 1 to 65535",
	"bad-pc":        "references whose instruction address is not a number below 2^64",
	"bad-thread":    "references whose thread is not a number, or above 65535 where threads are numbered",
	"bad-seq":       "references whose seq is not a number",
}

// line reads a line: a row, or a part of one with line ends in quotes.
func (r *Reader) line(line []byte, whole bool, b *traceio.Block) {
	at := r.text.Count()
	if r.open.lines == 0 && (line[0] == '#' || !r.l.opens(line)) {
		if len(bytes.TrimSpace(line)) > 0 {
			r.row(line, whole, at, b)
		}
		return
	}
	if r.open.add(line, at); r.l.opens(r.open.text) {
		if r.open.full() {
			r.unclosed()
		}
		return
	}
	r.row(r.open.text, whole, r.open.first, b)
	r.open.reset()
}

// end handles the end of the text.
func (r *Reader) end(*traceio.Block) {
	if r.open.lines > 0 {
		r.unclosed()
	}
}

// unclosed gives up a row.
func (r *Reader) unclosed() {
	r.text.Tally.Add(uint64(r.open.lines), "open-quote", "lines behind a quote that nothing closes",
		"line", int64(r.open.first))
	r.open.reset()
}

// row reads a complete row, which begins in line at.
func (r *Reader) row(line []byte, whole bool, at int, b *traceio.Block) {
	if line[0] == '#' {
		return
	}
	if r.l.header && !r.titled {
		r.titled = true
		return
	}
	a, extra, modify, bad := r.l.parse(line, &r.fields)
	if bad == "" && r.l.at[thread] >= 0 {
		if r.l.dense {
			if a.Thread = traceio.Thread(extra.thread); extra.thread > 1<<16-1 {
				bad, extra.field = "bad-thread", r.l.at[thread]
			}
		} else {
			a.Thread, _ = r.threads.Number(extra.thread)
		}
	}
	if bad != "" {
		if !whole {
			r.text.Cut()
			return
		}
		r.text.Tally.Field(bad, whys[bad], at, extra.field+1)
		return
	}
	if r.l.at[seq] >= 0 {
		r.place(extra.seq, at, b)
	}
	b.Append(a)
	if modify {
		a.Kind = traceio.Store
		b.Append(a)
	}
}

// place compares the seq column with the one before: fetches share the number of the data reference behind them.
func (r *Reader) place(s uint64, at int, b *traceio.Block) {
	switch {
	case !r.seen:
	case s < r.last:
		r.text.Tally.Line("out-of-order",
			"references whose seq is below the one before; they stand where they are in the file", at)
	case s > r.last+1:
		b.Marks = append(b.Marks, traceio.Mark{Seq: b.First + traceio.Seq(b.Data()), Kind: traceio.Gap, Value: s - r.last - 1,
			Text: "the table leaves these references out"})
	}
	r.seen, r.last = true, s
}
