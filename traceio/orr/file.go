package orr

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"orrery/traceio"
)

// File is an open recording. Its index is in memory; its references are read and decoded block by block on demand. A
// File can be used from several goroutines.
type File struct {
	r       io.ReaderAt
	size    int64
	name    string
	entries []Entry
	prog    *traceio.Program
	pcs     []traceio.Addr
	hasPCs  bool
	loss    []traceio.Loss
	pool    *sync.Pool // of *decoder
}

// checkAll is the size up to which Open verifies every checksum (some 10 ms), so that damage is reported when the file
// is opened; in longer files it is found when a block is read.
const checkAll = 32 << 20

// ErrDamaged is wrapped by the error of a block that does not decode.
var ErrDamaged = errors.New("damaged block")

// Open reads the index of a recording of size bytes. If the index is missing or damaged, or in a file up to 32 MiB any
// checksum is wrong, it rebuilds the index from the intact blocks, and Loss says what is lost. It fails with an
// *traceio.Error when r is not a recording, or has another version.
func Open(r io.ReaderAt, size int64, name string) (*File, error) {
	return openFile(r, size, name, size <= checkAll)
}

// OpenChecked is Open that verifies every checksum however long the file is. It opens the intact blocks of a file of
// which one did not decode.
func OpenChecked(r io.ReaderAt, size int64, name string) (*File, error) {
	return openFile(r, size, name, true)
}

func openFile(r io.ReaderAt, size int64, name string, check bool) (*File, error) {
	f := &File{r: r, size: size, name: name, prog: &traceio.Program{}, pool: decoders}
	if err := f.header(); err != nil {
		return nil, err
	}
	if f.indexed() && (!check || f.sound()) {
		return f, nil
	}
	return f, f.recover()
}

// decoders are shared by all files: a decoder has no state between calls but its memory.
var decoders = &sync.Pool{New: func() any {
	d, err := newDecoder()
	if err != nil {
		return err
	}
	return d
}}

func (f *File) header() error {
	if f.size == 0 {
		return &traceio.Error{File: f.name, Msg: "the file is empty", Hint: "record again with `orrery record -- PROGRAM`"}
	}
	head := make([]byte, min(headerLen, f.size))
	if err := readFull(f.r, head, 0); err != nil {
		return &traceio.Error{File: f.name, Msg: "the file cannot be read: " + err.Error(), Err: err}
	}
	if !Magic(head) {
		return &traceio.Error{File: f.name, Msg: "this is not an Orrery recording: it does not begin with \"\\x89ORR\""}
	}
	if len(head) < headerLen || binary.LittleEndian.Uint32(head[28:]) != checksum(head[:28]) {
		// With the header only the version is lost; blocks have their own checksums.
		if len(head) == headerLen {
			f.lose("damaged-header", 1, "the checksum of the file header does not hold; the rest was read as format 3", 0)
			return nil
		}
		return &traceio.Error{
			File: f.name, Offset: f.size, Msg: fmt.Sprintf("the file ends inside its header, after %d of %d bytes",
				f.size, headerLen),
			Hint: "record again with `orrery record -- PROGRAM`",
		}
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v != Version {
		hint := "open it with a newer Orrery"
		if v < Version {
			hint = "record again with `orrery record -- PROGRAM`"
		}
		return &traceio.Error{
			File: f.name, Msg: fmt.Sprintf("the recording has format %d and this Orrery reads format %d", v, Version),
			Hint: hint,
		}
	}
	return nil
}

// readFull is ReadAt that ignores io.EOF after a full read.
func readFull(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// indexed loads META, PCS and IDX, whose offsets END has, and tells whether all of them are intact.
func (f *File) indexed() bool {
	if f.size < headerLen+endLen {
		return false
	}
	end, err := f.payload(f.size-endLen, typeEnd, nil)
	if err != nil || len(end) != endLen-blockLen {
		return false
	}
	le := binary.LittleEndian
	meta, pcs, idx := int64(le.Uint64(end)), int64(le.Uint64(end[8:])), int64(le.Uint64(end[16:]))
	if meta == 0 {
		// If there is a description, it is the one in front.
		if h, err := f.blockAt(headerLen); err == nil && h.kind == typeMeta {
			meta = headerLen
		}
	}
	if meta != 0 && !f.readMeta(meta) {
		return false
	}
	raw, err := f.column(pcs, typePCs)
	if err != nil {
		return false
	}
	if f.pcs, err = readPCs(raw); err != nil {
		return false
	}
	f.hasPCs = true
	raw, err = f.column(idx, typeIdx)
	if err != nil {
		return false
	}
	f.entries, err = readIndex(raw, idx)
	return err == nil && f.endsAt(idx, f.size-endLen)
}

// endsAt tells whether the block at an offset ends at end. The index ends where END begins, unless another file has
// been appended to this one.
func (f *File) endsAt(at, end int64) bool {
	h, err := f.blockAt(at)
	return err == nil && at+blockLen+int64(h.packed) == end
}

func (f *File) readMeta(at int64) bool {
	raw, err := f.column(at, typeMeta)
	if err != nil {
		return false
	}
	var p traceio.Program
	if json.Unmarshal(raw, &p) != nil {
		return false
	}
	f.prog = &p
	return true
}

func readPCs(raw []byte) ([]traceio.Addr, error) {
	v := varints{src: raw}
	pcs := make([]traceio.Addr, 0, len(raw)/2)
	pc := uint64(0)
	for len(v.src) > 0 {
		pc += v.next(all)
		pcs = append(pcs, traceio.Addr(pc))
	}
	if v.bad || !slices.IsSorted(pcs) {
		return nil, errRows
	}
	return pcs, nil
}

// sound verifies the checksum of every block of references and events.
func (f *File) sound() bool {
	var buf []byte
	var err error
	for i := range f.entries {
		e := &f.entries[i]
		if buf, err = f.payload(e.offset, typeRef, buf); err != nil {
			return false
		}
		for _, ev := range e.events {
			if buf, err = f.payload(ev.offset, typeEvt, buf); err != nil {
				return false
			}
		}
	}
	return true
}

// blockAt reads the header at an offset.
func (f *File) blockAt(at int64) (block, error) {
	var head [blockLen]byte
	if at < headerLen || at > f.size-blockLen {
		return block{}, io.ErrUnexpectedEOF
	}
	if err := readFull(f.r, head[:], at); err != nil {
		return block{}, err
	}
	return readBlock(head[:])
}

var (
	errType = errors.New("there is a block of another type")
	errSum  = errors.New("its checksum does not hold")
)

// payload reads the payload of the block at an offset, into buf where it fits, and verifies its checksum.
func (f *File) payload(at int64, kind uint8, buf []byte) ([]byte, error) {
	h, err := f.blockAt(at)
	if err != nil {
		return buf, err
	}
	if h.kind != kind {
		return buf, errType
	}
	if int64(h.packed) > f.size-at-blockLen {
		return buf, io.ErrUnexpectedEOF
	}
	if cap(buf) < int(h.packed) {
		buf = make([]byte, h.packed)
	}
	buf = buf[:h.packed]
	if err := readFull(f.r, buf, at+blockLen); err != nil {
		return buf, err
	}
	if checksum(buf) != h.crc {
		return buf, errSum
	}
	return buf, nil
}

// column reads a block that is one column.
func (f *File) column(at int64, kind uint8) ([]byte, error) {
	p, err := f.payload(at, kind, nil)
	if err != nil {
		return nil, err
	}
	d, err := f.decoder()
	if err != nil {
		return nil, err
	}
	defer f.pool.Put(d)
	var keep []byte
	col, _, err := readColumn(p, &keep, d.zstd, nil, maxRawOf(p))
	return col, err
}

// maxRawOf is maxRaw, or the payload's own length for a column stored as it is.
func maxRawOf(p []byte) int { return max(maxRaw(len(p)), len(p)) }

func (f *File) decoder() (*decoder, error) {
	switch d := f.pool.Get().(type) {
	case *decoder:
		return d, nil
	case error:
		return nil, fmt.Errorf("start the decompressor: %w", d)
	}
	panic("orr: pool holds neither decoder nor error")
}

// Name is the name given to Open.
func (f *File) Name() string { return f.name }

// Program is the description of the program, never nil.
func (f *File) Program() *traceio.Program { return f.prog }

// Entries is the index: an entry for each block of references, in order. It must not be changed.
func (f *File) Entries() []Entry { return f.entries }

// Loss is what could not be read.
func (f *File) Loss() []traceio.Loss { return f.loss }

// Len is the number of data references.
func (f *File) Len() traceio.Seq {
	if len(f.entries) == 0 {
		return 0
	}
	e := &f.entries[len(f.entries)-1]
	return e.First + traceio.Seq(e.Data)
}

// Decode fills b with block i, reusing b's memory. An error is an *traceio.Error with the byte offset.
func (f *File) Decode(i int, b *traceio.Block) error {
	d, err := f.decoder()
	if err != nil {
		return err
	}
	defer f.pool.Put(d)
	e := &f.entries[i]
	b.Reset(e.First)
	p, err := f.payload(e.offset, typeRef, d.payload)
	d.payload = p
	if err == nil {
		err = d.decode(b, p, int(e.Rows))
	}
	if err == nil && b.Data() != int(e.Data) {
		err = errRows
	}
	if err != nil {
		b.Reset(e.First)
		return f.damaged(e.offset, err)
	}
	b.Start, b.End = e.Start, e.End
	return f.events(d, i, b)
}

// Events appends the allocations and marks of block i to b, without decoding its references.
func (f *File) Events(i int, b *traceio.Block) error {
	if len(f.entries[i].events) == 0 && f.entries[i].missing == 0 {
		return nil
	}
	d, err := f.decoder()
	if err != nil {
		return err
	}
	defer f.pool.Put(d)
	return f.events(d, i, b)
}

// events appends the events of block i, renumbered where blocks before it were lost.
func (f *File) events(d *decoder, i int, b *traceio.Block) error {
	e := &f.entries[i]
	if e.missing > 0 {
		why := gapWhy
		if e.cut {
			why = fmt.Sprintf("%d references came before; the last %d were to be kept", e.missing, f.prog.KeepLast)
		}
		b.Marks = append(b.Marks, traceio.Mark{Seq: e.First, Kind: traceio.Gap, Value: e.missing, Text: why})
	}
	for _, ev := range e.events {
		p, err := f.payload(ev.offset, typeEvt, d.payload)
		d.payload = p
		allocs, marks := len(b.Allocs), len(b.Marks)
		if err == nil {
			err = readEvents(b, p, d.zstd, ev.first)
		}
		if err != nil {
			return f.damaged(ev.offset, err)
		}
		for k := range b.Allocs[allocs:] {
			a := &b.Allocs[allocs+k]
			a.Seq = e.place(a.Seq)
		}
		for k := range b.Marks[marks:] {
			m := &b.Marks[marks+k]
			m.Seq = e.place(m.Seq)
		}
	}
	return nil
}

// place converts a Seq of the file to the numbering without lost references, within the block.
func (e *Entry) place(s traceio.Seq) traceio.Seq {
	return e.First + min(max(s, e.wrote)-e.wrote, traceio.Seq(e.Data))
}

func (f *File) damaged(at int64, err error) error {
	return &traceio.Error{
		File: f.name, Offset: at, Msg: "the block of references here is damaged: " + err.Error(),
		Hint: "convert the file with `orrery convert` to keep what is whole", Err: fmt.Errorf("%w: %w", ErrDamaged, err),
	}
}

// PCs is every instruction address of the recording, sorted and distinct, without 0, which stands for an unknown one.
// If the file has no end, all blocks are read for it.
func (f *File) PCs() ([]traceio.Addr, error) {
	if f.hasPCs {
		return f.pcs, nil
	}
	d, err := f.decoder()
	if err != nil {
		return nil, err
	}
	defer f.pool.Put(d)
	seen := map[traceio.Addr]struct{}{}
	for i := range f.entries {
		e := &f.entries[i]
		p, err := f.payload(e.offset, typeRef, d.payload)
		d.payload = p
		var pcs []traceio.Addr
		if err == nil {
			pcs, err = d.decodePCs(p, int(e.Rows))
		}
		if err != nil {
			return nil, f.damaged(e.offset, err)
		}
		for _, pc := range pcs {
			seen[pc] = struct{}{}
		}
	}
	return sortedPCs(seen), nil
}
