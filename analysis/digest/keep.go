package digest

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
)

// What is kept of a Result is one zstd frame of the hints (as gob, with its length in front) and then of numbers as
// varints, differences where they ascend. It is no format for exchange: whoever keeps it must give it back to the same
// program, with the same recording.

// Keep gives what Restore needs to make an exact result again.
func (r *Result) Keep() ([]byte, error) {
	found := r.Regions.Keep(r.hints, r.Use)
	use := found
	found.Regions, found.Blocks = nil, nil
	var hints bytes.Buffer
	if err := gob.NewEncoder(&hints).Encode(&found); err != nil {
		return nil, fmt.Errorf("keep the counts: %w", err)
	}
	n := numbers{binary.AppendUvarint(nil, uint64(hints.Len()))}
	n.out = append(n.out, hints.Bytes()...)
	r.Digest.keep(&n)
	n.put(uint64(len(use.Regions)))
	for _, u := range use.Regions {
		n.put(u.Loads, u.Stores)
	}
	n.put(uint64(len(use.Blocks)))
	for _, b := range use.Blocks {
		n.put(b.Loads, b.Stores, uint64(b.First), uint64(b.Last-b.First))
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("keep the counts: %w", err)
	}
	return z.EncodeAll(n.out, nil), nil
}

func (d *Digest) keep(n *numbers) {
	n.put(uint64(d.Len), uint64(d.Grain), uint64(d.Bin))
	for i := range d.Pieces {
		p := &d.Pieces[i]
		n.put(uint64(p.Low), uint64(p.High-p.Low), uint64(len(p.Code)), uint64(len(p.Data)))
		pc := traceio.Addr(0)
		for _, c := range p.Code {
			n.put(uint64(c.PC-pc), uint64(c.Loads), uint64(c.Stores))
			pc = c.PC
		}
		for _, x := range p.Data {
			n.put(uint64(x.Region), uint64(x.Loads), uint64(x.Stores))
		}
	}
	n.put(uint64(len(d.Fine)))
	before := uint64(0)
	for _, f := range d.Fine {
		n.put(f - before)
		before = f
	}
}

var errKept = errors.New("what was kept of the recording's counts is damaged")

// mostKept bounds what is unpacked: a recording of 10^10 references makes a tenth of it.
const mostKept = 4 << 30

// Restore makes a result again from what Keep gave of the same recording.
func Restore(rec Recording, prog *traceio.Program, h *heap.Heap, kept []byte) (*Result, error) {
	raw, err := unpack(kept)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errKept, err)
	}
	return restoreRaw(rec, prog, h, raw)
}

func unpack(kept []byte) ([]byte, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostKept))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.DecodeAll(kept, nil)
}

func restoreRaw(rec Recording, prog *traceio.Program, h *heap.Heap, raw []byte) (*Result, error) {
	n := numbers{raw}
	length := n.length(1)
	if n.out == nil {
		return nil, errKept
	}
	var found region.Found
	if err := gob.NewDecoder(bytes.NewReader(n.out[:length])).Decode(&found); err != nil {
		return nil, fmt.Errorf("%w: %w", errKept, err)
	}
	n.out = n.out[length:]
	d := restore(&n, rec.Len())
	if d == nil {
		return nil, errKept
	}
	found.Regions = make([]region.Use, n.length(2))
	for i := range found.Regions {
		found.Regions[i] = region.Use{Loads: n.next(), Stores: n.next()}
	}
	found.Blocks = make([]region.BlockUse, n.length(4))
	for i := range found.Blocks {
		b := &found.Blocks[i]
		b.Loads, b.Stores = n.next(), n.next()
		b.First = traceio.Seq(n.next())
		b.Last = b.First + traceio.Seq(n.next())
	}
	if n.out == nil || len(n.out) > 0 {
		return nil, errKept
	}
	m, u, err := region.Restore(rec, prog, h, found)
	if err != nil {
		return nil, err
	}
	for i := range d.Pieces {
		for _, x := range d.Pieces[i].Data {
			if int(x.Region) >= len(m.Regions()) {
				return nil, errKept
			}
		}
	}
	return &Result{d, m, u, region.Hints{Stacks: found.Stacks, Pointers: found.Pointers, Made: found.Made}}, nil
}

// restore reads the digest of a recording of the given length, nil when it is none.
func restore(n *numbers, length traceio.Seq) *Digest {
	d := empty(length)
	if traceio.Seq(n.next()) != length || traceio.Seq(n.next()) != d.Grain || traceio.Seq(n.next()) != d.Bin {
		return nil
	}
	for i := range d.Pieces {
		p := &d.Pieces[i]
		p.Low = traceio.Addr(n.next())
		p.High = p.Low + traceio.Addr(n.next())
		codes, data := n.next(), n.next()
		if n.out == nil || codes > uint64(len(n.out)) || data > uint64(len(n.out)) {
			return nil
		}
		p.Code, p.Data = make([]Code, codes), make([]Data, data)
		pc := traceio.Addr(0)
		for k := range p.Code {
			pc += traceio.Addr(n.next())
			p.Code[k] = Code{pc, uint32(n.next()), uint32(n.next())}
			p.Loads, p.Stores = p.Loads+p.Code[k].Loads, p.Stores+p.Code[k].Stores
		}
		for k := range p.Data {
			p.Data[k] = Data{int32(n.next()), uint32(n.next()), uint32(n.next())}
			if p.Data[k].Region < 0 {
				return nil
			}
		}
	}
	d.Fine = make([]uint64, n.length(1))
	sum := uint64(0)
	for i := range d.Fine {
		sum += n.next()
		d.Fine[i] = sum
	}
	if n.out == nil || len(d.Fine) != int((length+d.Bin-1)/d.Bin)+1 {
		return nil
	}
	d.Seen = length
	return d
}

// numbers is a row of varints. Reading beyond its end leaves out nil.
type numbers struct{ out []byte }

func (n *numbers) put(all ...uint64) {
	for _, v := range all {
		n.out = binary.AppendUvarint(n.out, v)
	}
}

func (n *numbers) next() uint64 {
	v, size := binary.Uvarint(n.out)
	if size <= 0 {
		n.out = nil
		return 0
	}
	n.out = n.out[size:]
	return v
}

// length reads how many things follow of at least so many bytes each; 0 when there cannot be as many.
func (n *numbers) length(each int) int {
	v := n.next()
	if v > uint64(len(n.out)/each) {
		n.out = nil
		return 0
	}
	return int(v)
}
