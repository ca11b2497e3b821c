// Package csv reads tables of references as text, one a line, as scripts and spreadsheets make them and as `orrery export`
// does. Fields stand between commas, semicolons, tabs, bars or blanks; a first line of titles says which is which, in any
// order and among any others:
//
//	address  addr, ea, vaddr...       the only one that must be there
//	kind     type, op, rw, access...  load, store, fetch or modify; also L S I M, R W, read write, 0 1 2
//	size     bytes, length, width     missing: traceio.NaturalSize
//	pc       ip, iaddr...             instruction address; missing: unknown
//	thread   tid, cpu, core           numbers from 0 under the title thread stay, others are numbered in their order
//	seq                               must grow: a jump is a gap in the recording, a step back is told
//
// Numbers with 0x are hexadecimal, sizes, threads and seq without it decimal; addresses without it are hexadecimal when
// one of the first 400 has a hexadecimal letter, else decimal. Without titles, the columns are guessed: see layout.guess.
package csv

import (
	"fmt"
	"io"

	"orrery/traceio"
)

// Reader is a traceio.Source of a table.
type Reader struct {
	in     *traceio.Lines
	name   string
	l      *layout
	fields [][]byte
	seq    traceio.Seq
	rows   uint64
	last   uint64 // seq column of the line before
	seen   bool
	titled bool // the header has been passed
	ended  bool
	crew   traceio.Crew
	prog   traceio.Program
	tally  traceio.Tally
}

// New reads a table, already decompressed, from r. The name appears in errors.
func New(r io.Reader, name string) *Reader {
	return &Reader{in: traceio.NewLines(r), name: name, prog: traceio.Program{Recorder: "csv"}}
}

// Sniff tells whether head, the first bytes of a file, is a table of references: nine of ten of its lines can be read.
func Sniff(head []byte) bool { return find(head) != nil }

// Next fills b with the next references, at most traceio.MaxBlock. It returns io.EOF at the end, and an *traceio.Error
// when the file is no table or has no usable line.
func (r *Reader) Next(b *traceio.Block) error {
	b.Reset(r.seq)
	b.Room()
	if r.l == nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	for b.Len() < traceio.MaxBlock-1 && len(b.Marks) < traceio.MaxBlock {
		line, whole, ok := r.in.Next()
		if !ok {
			if err := r.in.Err(); err != nil && !r.ended {
				r.tally.Tail(err, r.in.Offset())
			}
			r.ended = true
			break
		}
		r.line(line, whole, b)
	}
	r.seq += traceio.Seq(b.Data())
	r.rows += uint64(b.Len())
	if b.Len() > 0 || len(b.Marks) > 0 {
		return nil
	}
	if r.rows == 0 {
		return r.nothing()
	}
	return io.EOF
}

// Loss tells which lines could not be used.
func (r *Reader) Loss() []traceio.Loss { return r.tally.List() }

// Program tells what the table leaves out.
func (r *Reader) Program() *traceio.Program { return &r.prog }

func (r *Reader) nothing() error {
	return &traceio.Error{File: r.name, Msg: fmt.Sprintf("none of its %d lines is a reference", r.in.Count()),
		Hint: "a table needs a first line of titles, one of them address; see `orrery export --help`"}
}

func (r *Reader) begin() error {
	for len(r.in.Bytes()) < traceio.HeadLen && r.in.More() {
	}
	if r.l = find(r.in.Bytes()); r.l == nil {
		return &traceio.Error{File: r.name, Line: 1, Msg: "this is no table of references: no column holds addresses",
			Hint: "put a line of titles in front, such as address,kind,size,pc,thread", Err: r.in.Err()}
	}
	if r.l.at[kind] < 0 {
		r.prog.Notes = append(r.prog.Notes, "the table does not tell loads from stores: all references are taken as loads")
	}
	if r.l.at[size] < 0 {
		r.prog.Notes = append(r.prog.Notes, "the table tells no sizes: each reference is taken as the widest aligned one at its address, up to 8 bytes")
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

func (r *Reader) line(line []byte, whole bool, b *traceio.Block) {
	if r.in.Long() {
		r.tally.Line("long-line", "lines longer than 64 KiB", r.in.Count())
		return
	}
	if len(line) == 0 || line[0] == '#' {
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
				bad = "bad-thread"
			}
		} else {
			a.Thread, _ = r.crew.Number(extra.thread)
		}
	}
	if bad != "" {
		if !whole {
			r.tally.Line("cut-line", "a last line that ends in the middle, as when the file was cut", r.in.Count())
			return
		}
		r.tally.Line(bad, whys[bad], r.in.Count())
		return
	}
	if r.l.at[seq] >= 0 {
		r.place(extra.seq, b)
	}
	b.Append(a)
	if modify {
		a.Kind = traceio.Store
		b.Append(a)
	}
}

// place compares the seq column with the one before: fetches share the number of the data reference behind them.
func (r *Reader) place(s uint64, b *traceio.Block) {
	switch {
	case !r.seen:
	case s < r.last:
		r.tally.Line("out-of-order", "references whose seq is below the one before; they stand where they are in the file", r.in.Count())
	case s > r.last+1:
		b.Marks = append(b.Marks, traceio.Mark{Seq: b.First + traceio.Seq(b.Data()), Kind: traceio.Gap, Value: s - r.last - 1, Text: "the table leaves these references out"})
	}
	r.seen, r.last = true, s
}
