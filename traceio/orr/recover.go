package orr

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"orrery/traceio"
)

func (f *File) lose(kind string, n uint64, why string, at int64) {
	for i := range f.loss {
		if f.loss[i].Kind == kind {
			f.loss[i].Count += n
			return
		}
	}
	f.loss = append(f.loss, traceio.Loss{Kind: kind, Count: n, Why: why, First: fmt.Sprintf("byte %d", at)})
}

// recover rebuilds the index from the block headers. It uses every block whose checksums hold, before and behind
// damage. Blocks behind lost references are renumbered so that the recording stays without holes, and a Gap mark
// says how many are missing.
func (f *File) recover() error {
	f.entries, f.pcs, f.hasPCs = nil, nil, false
	f.prog = &traceio.Program{}
	var (
		buf    []byte
		expect traceio.Seq // next Seq as the file has it
		ended  bool
	)
	for at := int64(headerLen); at < f.size; {
		h, err := f.blockAt(at)
		if err == nil && int64(h.packed) <= f.size-at-blockLen {
			if buf, err = f.payload(at, h.kind, buf); err == nil {
				ended = h.kind == typeEnd
				f.take(at, h, buf, &expect)
				at += blockLen + int64(h.packed)
				continue
			}
		}
		at = f.skip(at, err)
	}
	if !ended && len(f.loss) == 0 {
		f.lose("no-end", 1, "the recording was not closed, as when the recorder was killed; its last references may be missing", f.size)
	}
	if len(f.entries) == 0 && len(f.prog.Command) == 0 && len(f.loss) > 0 {
		return &traceio.Error{
			File: f.name, Offset: headerLen, Msg: "no block of references in the recording is whole",
			Hint: "record again with `orrery record -- PROGRAM`",
		}
	}
	return nil
}

// take uses one whole block.
func (f *File) take(at int64, h block, payload []byte, expect *traceio.Seq) {
	switch h.kind {
	case typeMeta:
		if !f.readMeta(at) {
			f.lose("damaged-description", 1, "descriptions of the program that cannot be decoded", at)
		}
	case typeRef:
		e := Entry{
			First: f.Len(), wrote: h.first, Rows: h.rows, Data: h.data, Start: h.start, End: h.end,
			Summary: readSummary(payload), offset: at, packed: h.packed,
		}
		if h.first < *expect || !e.plausible() {
			f.lose("repeated-block", 1, "blocks whose references stand in the file already or are miscounted", at)
			return
		}
		if e.missing = uint64(h.first - *expect); e.missing > 0 {
			f.lose("lost-references", e.missing, "data references that stood in damaged blocks", at)
		}
		*expect = h.first + traceio.Seq(h.data)
		f.entries = append(f.entries, e)
	case typeEvt:
		if len(f.entries) == 0 {
			f.lose("lost-events", uint64(h.raw), "allocations and marks before the first whole block of references", at)
			return
		}
		e := &f.entries[len(f.entries)-1]
		e.events = append(e.events, eventsRef{offset: at, packed: h.packed, first: h.first})
	}
}

// skip tells what is wrong at an offset and finds where the next whole header is. A nil error means a block that
// reaches over the end of the file.
func (f *File) skip(at int64, err error) (next int64) {
	switch {
	case err == nil:
		f.lose("cut-block", 1, cutWhy, at)
		return f.nextBlock(at + blockLen)
	case err == errSum:
		f.lose("damaged-block", 1, "blocks whose checksum does not hold", at)
		return f.nextBlock(at + blockLen)
	}
	next = f.nextBlock(at + 1)
	if f.size-at < blockLen {
		f.lose("cut-block", 1, cutWhy, at)
	} else {
		f.lose("damaged-bytes", uint64(next-at), "bytes that belong to no whole block, such as a damaged block header", at)
	}
	return next
}

const gapWhy = "these references stood in a damaged block of the file"

const cutWhy = "the file ends inside a block, as when it was cut or its recorder killed"

// nextBlock finds the next whole block header at or behind an offset, or gives the file's size.
func (f *File) nextBlock(at int64) int64 {
	const step = 1 << 20
	var want [4]byte
	binary.LittleEndian.PutUint32(want[:], blockMagic)
	buf := make([]byte, min(step+blockLen, max(f.size-at, 0)))
	for at < f.size {
		n := min(int64(len(buf)), f.size-at)
		if _, err := readFull(f.r, buf[:n], at); err != nil {
			return f.size
		}
		part := buf[:n]
		for skip := 0; ; skip++ {
			i := bytes.Index(part[skip:], want[:])
			if i < 0 {
				break
			}
			skip += i
			if len(part)-skip >= blockLen {
				if _, err := readBlock(part[skip:]); err == nil {
					return at + int64(skip)
				}
			}
		}
		if n < int64(len(buf)) || at+n >= f.size {
			return f.size
		}
		at += n - blockLen + 1
	}
	return f.size
}
