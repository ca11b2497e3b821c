// Package champsim reads the instruction traces of the ChampSim simulator: records of fixed size without a header, one
// an instruction, each with the instruction's address and up to four addresses read and two written (see layouts).
// Every record becomes a fetch, then its loads, then its stores. The format has no sizes: an instruction that falls
// through is as long as the way to the next one, else one byte; a data reference is taken as traceio.NaturalSize.
//
// Three record sizes are in use, 64, 72 and 96 bytes, and no byte of the file says which: it is found from the chain of
// instruction addresses, see layout.fit. Traces come packed, usually by xz or gzip.
package champsim

import (
	"encoding/binary"
	"fmt"
	"io"

	"orrery/traceio"
)

// Reader is a traceio.Source of a trace.
type Reader struct {
	in    *traceio.Window
	name  string
	l     *layout
	seq   traceio.Seq
	ended bool
	prog  traceio.Program
	tally traceio.Tally
}

// New reads a trace, already decompressed, from r. The name appears in errors.
func New(r io.Reader, name string) *Reader {
	return &Reader{in: traceio.NewWindow(r, 1<<18), name: name, prog: traceio.Program{
		Recorder: "champsim",
		Notes: []string{"ChampSim traces have no sizes: each reference is taken as the widest aligned one at its " +
			"address, up to 8 bytes"},
	}}
}

// rowsOf is the most rows that one record makes.
const rowsOf = 9

// Next fills b with the next references, at most traceio.MaxBlock. It returns io.EOF at the end, and an *traceio.Error
// when the file is no trace.
func (r *Reader) Next(b *traceio.Block) error {
	b.Reset(r.seq)
	b.Room()
	if r.l == nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	for b.Len() <= traceio.MaxBlock-rowsOf {
		// The next record is needed for the length of this one's instruction; the last has none.
		if len(r.in.Bytes()) < 2*r.l.size && r.in.More() {
			continue
		}
		if len(r.in.Bytes()) < r.l.size {
			r.end()
			break
		}
		r.in.Skip(r.take(r.in.Bytes(), b))
	}
	r.seq += traceio.Seq(b.Data())
	if b.Len() > 0 {
		return nil
	}
	return io.EOF
}

// Loss counts the records that could not be used, by kind.
func (r *Reader) Loss() []traceio.Loss { return r.tally.List() }

// Program notes that sizes are guessed, and which record size was found.
func (r *Reader) Program() *traceio.Program { return &r.prog }

func (r *Reader) begin() error {
	for len(r.in.Bytes()) < evidence*96 && r.in.More() {
	}
	if r.l = find(r.in.Bytes()); r.l == nil {
		e := &traceio.Error{File: r.name,
			Msg:  "this is no ChampSim trace: neither 64, 72 nor 96 bytes a record make a chain of instructions",
			Hint: "was it cut? copy it again"}
		return e.Because(r.in.Err())
	}
	r.prog.Notes = append(r.prog.Notes,
		fmt.Sprintf("its records are taken to be of %s bytes, by the chain of instruction addresses", r.l.name))
	return nil
}

// end counts how the stream stopped, once.
func (r *Reader) end() {
	if r.ended {
		return
	}
	r.ended = true
	r.tally.Rest(r.in, "a last record that ends in the middle, as when the file was cut")
}

// take uses whole records until the buffer runs out or the block is full, and gives the bytes used. A record whose
// successor is not in the buffer is left, unless it is the only one. Columns are written by index: this is where the
// time goes.
func (r *Reader) take(buf []byte, b *traceio.Block) (used int) {
	le := binary.LittleEndian
	l := *r.l
	n, fetches, p := b.Len(), b.Fetches, 0
	addrs, pcs := b.Addr[:traceio.MaxBlock], b.PC[:traceio.MaxBlock]
	sizes, kinds := b.Size[:traceio.MaxBlock], b.Kind[:traceio.MaxBlock]
	for ; len(buf)-p >= l.size && n <= traceio.MaxBlock-rowsOf; p += l.size {
		last := len(buf)-p < 2*l.size
		if last && p > 0 {
			break
		}
		e := buf[p : p+l.size]
		ip := le.Uint64(e)
		possible := code(ip) && e[8] <= 1 && e[9] <= e[8]
		begin := n
		length := uint16(1)
		if !last && e[9] == 0 {
			if d := le.Uint64(buf[p+l.size:]) - ip; d > 0 && d <= 15 {
				length = uint16(d)
			}
		}
		pc := traceio.Addr(ip)
		addrs[n], pcs[n], sizes[n], kinds[n] = pc, pc, length, traceio.Fetch
		n++
		for m := e[l.reads : l.reads+8*l.nReads]; len(m) >= 8; m = m[8:] {
			if a := traceio.Addr(le.Uint64(m)); a != 0 {
				possible = possible && address(uint64(a))
				addrs[n], pcs[n], sizes[n], kinds[n] = a, pc, traceio.NaturalSize(a), traceio.Load
				n++
			}
		}
		for m := e[l.writes : l.writes+8*l.nWrites]; len(m) >= 8; m = m[8:] {
			if a := traceio.Addr(le.Uint64(m)); a != 0 {
				possible = possible && address(uint64(a))
				addrs[n], pcs[n], sizes[n], kinds[n] = a, pc, traceio.NaturalSize(a), traceio.Store
				n++
			}
		}
		if !possible {
			r.tally.Byte("bad-record", "records whose addresses or branch flags cannot be, as where the file is damaged",
				r.in.Offset()+int64(p))
			n = begin
			continue
		}
		fetches++
	}
	threads := b.Thread[:n]
	clear(threads[b.Len():])
	b.Addr, b.PC, b.Size, b.Kind, b.Thread, b.Fetches = addrs[:n], pcs[:n], sizes[:n], kinds[:n], threads, fetches
	return p
}
