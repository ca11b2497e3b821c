package orr

import (
	"errors"
	"fmt"
	"slices"

	"orrery/traceio"
)

// Packer encodes blocks independently of the Writer that writes them, so that several goroutines can encode, each with
// a Packer of its own. It reuses its memory from block to block.
type Packer struct {
	encoder *encoder
	added   int // references that are not packed yet
}

// NewPacker makes a Packer.
func NewPacker() (*Packer, error) {
	e, err := newEncoder()
	if err != nil {
		return nil, fmt.Errorf("start the compressor: %w", err)
	}
	return &Packer{encoder: e}, nil
}

// Packed is an encoded block. Its memory can be reused for another.
type Packed struct {
	buf   []byte // headers and payloads; empty for a block with neither references nor events
	entry Entry
	ref   block
	evt   block // packed is 0 when there are no events
	pcs   []traceio.Addr
}

// First is the Seq of the block's first data reference.
func (p *Packed) First() traceio.Seq { return p.entry.First }

// Data is the number of data references in the block.
func (p *Packed) Data() uint64 { return uint64(p.entry.Data) }

// Len is the number of bytes that the block takes in a file.
func (p *Packed) Len() int { return len(p.buf) }

// Bytes is the block as it is written to a file, valid until the memory is reused.
func (p *Packed) Bytes() []byte { return p.buf }

// Detach is a copy without the bytes, which the caller keeps elsewhere until Attach.
func (p *Packed) Detach() Packed {
	q := *p
	q.buf, q.pcs = nil, slices.Clone(p.pcs)
	return q
}

// Attach gives a detached block its bytes back. They belong to p from then on.
func (p *Packed) Attach(data []byte) error {
	want := blockLen + int(p.ref.packed)
	if p.evt.packed > 0 {
		want += blockLen + int(p.evt.packed)
	}
	if len(data) != want {
		return errOther
	}
	h, err := readBlock(data)
	if err != nil || h != p.ref {
		return errOther
	}
	if body := data[blockLen : blockLen+h.packed]; checksum(body) != h.crc {
		return errSum
	}
	p.buf = data
	return nil
}

var errOther = errors.New("these are not the bytes of the block")

// Renumber changes the Seq of the block's first data reference, and those of its events accordingly.
func (p *Packed) Renumber(first traceio.Seq) {
	if len(p.buf) == 0 {
		return
	}
	p.entry.First, p.entry.wrote = first, first
	p.ref.first, p.evt.first = first, first
	p.ref.append(p.buf[:0])
	if p.evt.packed > 0 {
		p.evt.append(p.buf[blockLen+p.ref.packed : blockLen+p.ref.packed])
	}
}

// Pack encodes b, at most traceio.MaxBlock references and their events, into p. References that were added are dropped.
func (k *Packer) Pack(b *traceio.Block, p *Packed) error {
	switch n := b.Len(); {
	case n > traceio.MaxBlock:
		return fmt.Errorf("write a block of references: a block of %d references is longer than %d", n, traceio.MaxBlock)
	case len(b.PC) != n || len(b.Size) != n || len(b.Kind) != n || len(b.Thread) != n || b.Fetches < 0 || b.Fetches > n:
		return errors.New("write a block of references: a block's columns differ in length")
	}
	p.begin()
	sum := Summary{}
	if b.Len() > 0 || hasEvents(b) {
		p.buf, sum = k.encoder.encode(p.buf, b)
	}
	return k.pack(b, b.Len(), b.Data(), sum, p)
}

// Add encodes references of one thread for PackAdded, behind those added before: at most traceio.MaxBlock in all. Their
// keys are xored with tag. The rows are not kept.
func (k *Packer) Add(rows []Row, tag SiteKey) error {
	n := len(rows)
	if k.added+n > traceio.MaxBlock {
		return fmt.Errorf("write a block of references: more than %d rows were added", traceio.MaxBlock)
	}
	if n == 0 {
		return nil
	}
	if k.added == 0 {
		k.encoder.reset()
	}
	k.added += n
	k.encoder.add(rows[0].Thread(), batch{rows: rows, shift: AddressShift, tag: tag})
	return nil
}

// PackAdded is Pack for the references that were added, with First, Start, End and the events of b, which has none
// itself.
func (k *Packer) PackAdded(b *traceio.Block, p *Packed) error {
	if b.Len() > 0 {
		return errors.New("write a block of references: it has rows beside those that were added")
	}
	n := k.added
	if n == 0 {
		return k.Pack(b, p)
	}
	p.begin()
	sum := Summary{}
	p.buf, sum = k.encoder.finish(p.buf)
	return k.pack(b, n, n, sum, p)
}

func hasEvents(b *traceio.Block) bool { return len(b.Allocs)+len(b.Marks) > 0 }

func (p *Packed) begin() {
	p.buf, p.pcs, p.evt = append(p.buf[:0], make([]byte, blockLen)...), p.pcs[:0], block{}
}

// pack completes p: the payload of references is in its buf, behind room for the header.
func (k *Packer) pack(b *traceio.Block, rows, data int, sum Summary, p *Packed) error {
	k.added = 0
	if rows == 0 && !hasEvents(b) {
		p.buf, p.entry = p.buf[:0], Entry{First: b.First, wrote: b.First}
		return nil
	}
	e := Entry{First: b.First, wrote: b.First, Rows: uint32(rows), Data: uint32(data), Start: b.Start,
		End: b.End, Summary: sum}
	if k.encoder.unknownKind || !e.plausible() {
		return errors.New("write a block of references: it counts its fetches wrong or has a reference of no known kind")
	}
	p.ref = block{kind: typeRef, rows: e.Rows, data: e.Data, first: b.First, start: b.Start, end: b.End}
	seal(p.buf, &p.ref)
	e.packed = p.ref.packed
	if hasEvents(b) {
		at := len(p.buf)
		p.buf = append(p.buf, make([]byte, blockLen)...)
		p.buf = appendEvents(p.buf, k.encoder.zstd, b)
		p.evt = block{kind: typeEvt, first: b.First, start: b.Start, end: b.End, raw: uint32(len(b.Allocs) + len(b.Marks))}
		if seal(p.buf[at:], &p.evt); p.evt.packed > maxPacked {
			return errors.New("too many events in one block")
		}
	}
	for i := range k.encoder.known {
		p.pcs = append(p.pcs, traceio.Addr(k.encoder.known[i].pc))
	}
	p.entry = e
	return nil
}

// seal fills in the header in front of the payload that follows it in buf, with the payload's length and checksum.
func seal(buf []byte, h *block) {
	payload := buf[blockLen:]
	h.packed, h.crc = uint32(len(payload)), checksum(payload)
	h.append(buf[:0])
}
