package orr

import (
	"encoding/binary"
	"slices"

	"github.com/klauspost/compress/zstd"

	"orrery/traceio"
)

// An EVT payload is two columns: the allocations, then the marks, each field a varint; Seq and Ticks are differences
// from the event before (Seq of the first from the block's first). Where latencies were measured a third column has one
// for each allocation.

// appendEvents appends the EVT payload of b.
func appendEvents(dst []byte, z *zstd.Encoder, b *traceio.Block) []byte {
	col := make([]byte, 0, 16+20*len(b.Allocs))
	col = binary.AppendUvarint(col, uint64(len(b.Allocs)))
	seq, ticks, addr := uint64(b.First), uint64(0), uint64(0)
	const longest = 7*binary.MaxVarintLen64 + 1
	for i := range b.Allocs {
		a := &b.Allocs[i]
		col = slices.Grow(col, longest)
		row := col[len(col) : len(col)+longest]
		n := 0
		for _, x := range [...]uint64{zigzag(uint64(a.Seq) - seq), zigzag(uint64(a.Ticks) - ticks),
			zigzag(uint64(a.Addr) - addr), a.Size, a.Usable,
			uint64(a.Stack), uint64(a.Thread)} {
			for x >= 0x80 {
				row[n] = byte(x) | 0x80
				x >>= 7
				n++
			}
			row[n] = byte(x)
			n++
		}
		row[n] = byte(a.Op)
		col = col[:len(col)+n+1]
		seq, ticks, addr = uint64(a.Seq), uint64(a.Ticks), uint64(a.Addr)
	}
	dst = appendEventColumn(dst, z, col)
	col = binary.AppendUvarint(col[:0], uint64(len(b.Marks)))
	seq, ticks = uint64(b.First), 0
	for i := range b.Marks {
		m := &b.Marks[i]
		col = binary.AppendUvarint(col, zigzag(uint64(m.Seq)-seq))
		col = binary.AppendUvarint(col, zigzag(uint64(m.Ticks)-ticks))
		col = binary.AppendUvarint(col, uint64(m.Thread))
		col = append(col, byte(m.Kind))
		col = binary.AppendUvarint(col, m.Value)
		col = binary.AppendUvarint(col, uint64(len(m.Text)))
		col = append(col, m.Text...)
		seq, ticks = uint64(m.Seq), uint64(m.Ticks)
	}
	dst = appendEventColumn(dst, z, col)
	if !slices.ContainsFunc(b.Allocs, func(a traceio.Alloc) bool { return a.Latency > 0 }) {
		return dst
	}
	col = col[:0]
	for i := range b.Allocs {
		col = binary.AppendUvarint(col, uint64(b.Allocs[i].Latency))
	}
	return appendEventColumn(dst, z, col)
}

// appendEventColumn appends a column, uncompressed where it would compress beyond what maxEvents lets a reader accept.
func appendEventColumn(dst []byte, z *zstd.Encoder, col []byte) []byte {
	at := len(dst)
	if dst = appendColumn(dst, z, col); len(col) > maxEvents(dst[at:]) {
		return appendStored(dst[:at], col)
	}
	return dst
}

// maxEvents bounds the raw length of an event column, so that a hostile file cannot make a reader allocate memory out
// of proportion to its size: zstd exceeds 1000:1 only on repetition.
func maxEvents(payload []byte) int { return min(1<<29, 1<<16+1024*len(payload)) }

// readEvents appends the events of an EVT payload to b, whose first Seq was first when it was written.
func readEvents(b *traceio.Block, payload []byte, z *zstd.Decoder, first traceio.Seq) error {
	limit, had := maxEvents(payload), len(b.Allocs)
	var keep []byte
	col, payload, err := readColumn(payload, &keep, z, nil, limit)
	if err != nil {
		return err
	}
	v := varints{src: col}
	n := v.next(uint64(len(col) / 8)) // an allocation has eight fields of a byte at least
	if n > uint64(cap(b.Allocs)-len(b.Allocs)) {
		// append alone would grow, and copy, in smaller steps
		b.Allocs = slices.Grow(b.Allocs, max(int(n), len(b.Allocs)))
	}
	seq, ticks, addr := uint64(first), uint64(0), uint64(0)
	for ; n > 0 && !v.bad; n-- {
		seq += unzigzag(v.next(all))
		ticks += unzigzag(v.next(all))
		addr += unzigzag(v.next(all))
		a := traceio.Alloc{Seq: traceio.Seq(seq), Ticks: traceio.Ticks(ticks), Addr: traceio.Addr(addr)}
		a.Size, a.Usable = v.next(all), v.next(all)
		a.Stack = traceio.StackID(v.next(1<<32 - 1))
		a.Thread = traceio.Thread(v.next(1<<16 - 1))
		a.Op = traceio.AllocOp(v.byte(byte(traceio.Free)))
		b.Allocs = append(b.Allocs, a)
	}
	if v.bad || len(v.src) > 0 {
		return errRows
	}
	col, payload, err = readColumn(payload, &keep, z, nil, limit)
	if err != nil {
		return err
	}
	v = varints{src: col}
	n = v.next(uint64(len(col) / 6))
	seq, ticks = uint64(first), 0
	for ; n > 0 && !v.bad; n-- {
		seq += unzigzag(v.next(all))
		ticks += unzigzag(v.next(all))
		m := traceio.Mark{Seq: traceio.Seq(seq), Ticks: traceio.Ticks(ticks)}
		m.Thread = traceio.Thread(v.next(1<<16 - 1))
		m.Kind = traceio.MarkKind(v.byte(byte(traceio.Enter)))
		m.Value = v.next(all)
		length := v.next(uint64(len(v.src)))
		if length > uint64(len(v.src)) {
			return errRows
		}
		m.Text = string(v.src[:length])
		v.src = v.src[length:]
		b.Marks = append(b.Marks, m)
	}
	if v.bad || len(v.src) > 0 {
		return errRows
	}
	if len(payload) == 0 {
		return nil
	}
	return readLatencies(b.Allocs[had:], payload, &keep, z, limit)
}

// readLatencies reads the column of latencies, the last of the payload.
func readLatencies(allocs []traceio.Alloc, payload []byte, keep *[]byte, z *zstd.Decoder, limit int) error {
	col, payload, err := readColumn(payload, keep, z, nil, limit)
	if err != nil {
		return err
	}
	v := varints{src: col}
	for i := range allocs {
		allocs[i].Latency = traceio.Ticks(v.next(all))
	}
	if v.bad || len(v.src) > 0 || len(payload) > 0 {
		return errRows
	}
	return nil
}
