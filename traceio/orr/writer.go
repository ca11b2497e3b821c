package orr

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"orrery/traceio"
)

// Writer writes a recording. Every block is one Write, so what a process has written until it was killed can be read. A
// Writer serves one goroutine.
type Writer struct {
	w       io.Writer
	at      int64
	body    int64 // where the blocks begin, behind the header and the first description
	packer  *Packer
	block   Packed
	entries []Entry
	next    traceio.Seq
	pcs     map[traceio.Addr]struct{}
	err     error // the first failure, which ends the file
	full    bool  // err is an error of w
}

// Create begins a recording on w. prog, which may be nil, is what is known about the program so far; it stands in
// front, so that a file that is never closed has the command.
func Create(w io.Writer, prog *traceio.Program) (*Writer, error) {
	packer, err := NewPacker()
	if err != nil {
		return nil, err
	}
	o := &Writer{w: w, packer: packer, pcs: map[traceio.Addr]struct{}{}}
	o.write(appendFileHeader(nil))
	if prog != nil && o.err == nil {
		o.meta(prog)
	}
	o.body = o.at
	return o, o.err
}

// WriteBlock appends the references and events of b, at most traceio.MaxBlock references. Blocks must follow one
// another: b.First is the number of data references written so far. A block without references is kept only if it
// has events.
func (o *Writer) WriteBlock(b *traceio.Block) error {
	if o.err != nil {
		return o.err
	}
	if err := o.packer.Pack(b, &o.block); err != nil {
		return err
	}
	return o.WritePacked(&o.block)
}

// WritePacked appends an encoded block, which must follow the one before it: its First is the number of data references
// written so far.
func (o *Writer) WritePacked(p *Packed) error {
	if o.err != nil {
		return o.err
	}
	if p.entry.First != o.next {
		return fmt.Errorf("write a block of references: a block begins at reference %d where %d is next",
			p.entry.First, o.next)
	}
	if len(p.buf) == 0 {
		return nil
	}
	e := p.entry
	e.offset = o.at
	if p.evt.packed > 0 {
		e.events = []eventsRef{{offset: o.at + blockLen + int64(p.ref.packed), packed: p.evt.packed, first: e.First}}
	}
	o.write(p.buf)
	if o.err != nil {
		return o.err
	}
	for _, pc := range p.pcs {
		o.pcs[pc] = struct{}{}
	}
	o.entries = append(o.entries, e)
	o.next += traceio.Seq(e.Data)
	return nil
}

func (o *Writer) write(p []byte) {
	if o.err != nil {
		return
	}
	n, err := o.w.Write(p)
	o.at += int64(n)
	if err != nil {
		o.full, o.err = true, fmt.Errorf("write the recording at byte %d: %w", o.at, err)
	}
}

// WriteProgram writes what is known about the program by now, for instance once its modules are mapped. The last
// description in the file counts.
func (o *Writer) WriteProgram(prog *traceio.Program) error {
	o.meta(prog)
	return o.err
}

// Flush calls the Sync or Flush method of the underlying writer, if it has one. The file is readable after it even if
// nothing more is ever written.
func (o *Writer) Flush() error {
	if o.err != nil {
		return o.err
	}
	switch w := o.w.(type) {
	case interface{ Flush() error }:
		return w.Flush()
	case interface{ Sync() error }:
		return w.Sync()
	}
	return nil
}

// Len is the number of data references in the blocks that were written completely.
func (o *Writer) Len() traceio.Seq { return o.next }

// PCs is every instruction address written so far, sorted and distinct, without 0, which stands for an unknown one.
func (o *Writer) PCs() []traceio.Addr {
	return sortedPCs(o.pcs)
}

func sortedPCs(set map[traceio.Addr]struct{}) []traceio.Addr {
	pcs := slices.Sorted(maps.Keys(set))
	if len(pcs) > 0 && pcs[0] == 0 {
		pcs = pcs[1:]
	}
	return pcs
}

// Snapshot is what has been written so far as a File that reads from r, which must already hold those bytes. It does
// not change when more is written.
func (o *Writer) Snapshot(r io.ReaderAt, name string, prog *traceio.Program) *File {
	if prog == nil {
		prog = &traceio.Program{}
	}
	return &File{
		r: r, size: o.at, name: name, prog: prog, pool: decoders,
		entries: o.entries[:len(o.entries):len(o.entries)], pcs: o.PCs(), hasPCs: true,
	}
}

// Close writes the program, if not nil, and the index. It does not close the underlying writer.
func (o *Writer) Close(prog *traceio.Program) error {
	if o.err != nil {
		return o.err
	}
	var tail [3]int64
	if prog != nil {
		tail[0] = o.at
		o.meta(prog)
	}
	tail[1] = o.at
	o.packedBlock(typePCs, appendPCs(nil, o.PCs()))
	tail[2] = o.at
	o.packedBlock(typeIdx, appendIndex(nil, o.entries))
	o.end(tail)
	if o.err != nil {
		return o.err
	}
	o.err = errors.New("the recording is closed")
	return nil
}

// end writes the END block, which has the offsets of META, PCS and IDX.
func (o *Writer) end(tail [3]int64) {
	end := make([]byte, blockLen, endLen)
	for _, v := range tail {
		end = binary.LittleEndian.AppendUint64(end, uint64(v))
	}
	end = binary.LittleEndian.AppendUint64(end, 0)
	seal(end, &block{kind: typeEnd, first: o.next})
	o.write(end)
}

// endLen is the length of the END block: offsets of META (0: only an early one or none), PCS and IDX, and a reserved
// number.
const endLen = blockLen + 32

func (o *Writer) meta(prog *traceio.Program) {
	if o.err != nil {
		return
	}
	text, err := json.Marshal(prog)
	if err != nil {
		o.err = fmt.Errorf("encode the program's description: %w", err)
		return
	}
	o.packedBlock(typeMeta, text)
}

// packedBlock writes a block whose payload is one column.
func (o *Writer) packedBlock(kind uint8, raw []byte) {
	if o.err != nil {
		return
	}
	buf := appendColumn(make([]byte, blockLen, blockLen+len(raw)/4+64), o.packer.encoder.zstd, raw)
	if len(buf)-blockLen > maxPacked || len(raw) > maxRaw(len(buf)-blockLen) {
		// compressed beyond what a reader accepts
		buf = appendStored(buf[:blockLen], raw)
	}
	if len(buf)-blockLen > maxPacked {
		o.err = fmt.Errorf("the program's description or index is longer than %d bytes", maxPacked)
		return
	}
	seal(buf, &block{kind: kind, first: o.next, raw: uint32(len(raw))})
	o.write(buf)
}

// maxRaw bounds the raw length of META, PCS and IDX in terms of the payload's.
func maxRaw(packed int) int { return min(maxPacked, 1<<16+256*packed) }

func appendPCs(dst []byte, pcs []traceio.Addr) []byte {
	prev := traceio.Addr(0)
	for _, pc := range pcs {
		dst = binary.AppendUvarint(dst, uint64(pc-prev))
		prev = pc
	}
	return dst
}
