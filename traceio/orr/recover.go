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

// rescue reads the blocks of a file whose index cannot be used.
type rescue struct {
	f      *File
	expect traceio.Seq // the Seq in the file that follows the last intact block of references
	reach  traceio.Seq // the highest number of data references that any intact header mentions
	ended  bool        // the last intact block is END
	hole   bool        // what came before the next block was removed, to keep only the last references
}

// recover rebuilds the index from the block headers. It uses every block whose checksums are right, also behind damage.
// Blocks behind lost references are renumbered, so that Seq has no holes, and a Gap mark says how many are missing.
func (f *File) recover() error {
	f.entries, f.pcs, f.hasPCs = nil, nil, false
	f.prog = &traceio.Program{}
	r := rescue{f: f}
	var buf []byte
	for at := int64(headerLen); at < f.size; {
		h, err := f.blockAt(at)
		if err != nil {
			at = r.noHeader(at)
			continue
		}
		if h.kind == typeRef || h.kind == typeEnd {
			r.reach = max(r.reach, h.first+traceio.Seq(h.data))
		}
		if buf, err = f.payload(at, h.kind, buf); err != nil {
			r.noPayload(at, h, err)
			at = f.nextBlock(at + blockLen)
			continue
		}
		r.take(at, h, buf)
		next := at + blockLen + int64(h.packed)
		if h.kind == typeEnd && next < f.size && len(buf) == endLen-blockLen &&
			f.endsAt(int64(binary.LittleEndian.Uint64(buf[16:])), at) {
			if h, err := f.blockAt(next); err == nil && h.kind == typeMeta { // see Amend
				at = next
				continue
			}
			f.lose("joined-bytes", uint64(f.size-next),
				"bytes behind the end of the recording, such as another one joined to it; open that by itself", next)
			break
		}
		at = next
	}
	if r.reach > r.expect {
		f.lose("lost-references", uint64(r.reach-r.expect), refsWhy, f.size)
	}
	if !r.ended && len(f.loss) == 0 {
		f.lose("no-end", 1,
			"the recording was not closed, as when the recorder was killed; its last references may be missing", f.size)
	}
	if len(f.entries) == 0 && len(f.prog.Command) == 0 && len(f.loss) > 0 {
		return &traceio.Error{
			File: f.name, Offset: headerLen, Msg: "no block of references in the recording is whole",
			Hint: "record again with `orrery record -- PROGRAM`",
		}
	}
	return nil
}

const (
	refsWhy   = "data references that stood in damaged blocks"
	eventsWhy = "allocations and marks that stood in damaged blocks"
	metaWhy   = "descriptions of the program that cannot be decoded"
	gapWhy    = "these references stood in a damaged block of the file"
)

// take adds an intact block.
func (r *rescue) take(at int64, h block, payload []byte) {
	f := r.f
	r.ended = h.kind == typeEnd
	switch h.kind {
	case typeMeta:
		if !f.readMeta(at) {
			f.lose("damaged-description", 1, metaWhy, at)
		}
	case typeRef:
		e := Entry{
			First: f.Len(), wrote: h.first, Rows: h.rows, Data: h.data, Start: h.start, End: h.end,
			Summary: readSummary(payload), offset: at, packed: h.packed,
		}
		if h.first < r.expect || !e.plausible() {
			f.lose("repeated-block", 1, "blocks whose references stand in the file already or are miscounted", at)
			return
		}
		e.missing = uint64(h.first - r.expect)
		switch {
		case e.missing == 0:
		case r.hole:
			e.cut, r.hole = true, false
			f.prog.Notes = append(f.prog.Notes,
				fmt.Sprintf("keeps the last references, as was asked for: %d came before them, and what of their blocks and "+
					"threads lived on is not known, because the recorder was killed", e.missing))
		default:
			f.lose("lost-references", e.missing, refsWhy, at)
		}
		r.expect = h.first + traceio.Seq(h.data)
		f.entries = append(f.entries, e)
	case typeEvt:
		if len(f.entries) == 0 {
			f.lose("lost-events", uint64(h.raw), eventsWhy, at)
			return
		}
		e := &f.entries[len(f.entries)-1]
		e.events = append(e.events, eventsRef{offset: at, packed: h.packed, first: h.first})
	}
}

// noPayload records what is lost with a block of which only the header is intact. Its data references are counted when
// the next block shows that they are missing.
func (r *rescue) noPayload(at int64, h block, err error) {
	f := r.f
	if err != errSum {
		f.lose("cut-block", 1, "the file ends inside a block, as when it was cut or its recorder killed", at)
	}
	switch h.kind {
	case typeRef:
		if err == errSum {
			f.lose("damaged-block", 1, "blocks of references whose checksum does not hold", at)
		}
	case typeEvt:
		f.lose("lost-events", uint64(h.raw), eventsWhy, at)
	case typeMeta:
		f.lose("damaged-description", 1, metaWhy, at)
	default:
		f.lose("damaged-index", 1, "parts of the index; it was made anew and nothing is lost by it", at)
	}
}

// noHeader records that there are bytes that are no block, and finds the next intact header.
func (r *rescue) noHeader(at int64) (next int64) {
	f := r.f
	if f.size-at < blockLen {
		f.lose("cut-block", 1, "the file ends inside a block, as when it was cut or its recorder killed", at)
		return f.size
	}
	next = f.nextBlock(at + 1)
	if f.prog.KeepLast > 0 && len(f.entries) == 0 && f.zeros(at, next) {
		r.hole = true
		return next
	}
	f.lose("damaged-bytes", uint64(next-at), "bytes that belong to no whole block, such as a damaged block header", at)
	return next
}

// zeros tells whether bytes [at, end) of the file are all zero.
func (f *File) zeros(at, end int64) bool {
	buf := make([]byte, min(1<<20, end-at))
	for at < end {
		part := buf[:min(int64(len(buf)), end-at)]
		if readFull(f.r, part, at) != nil || bytes.Count(part, []byte{0}) < len(part) {
			return false
		}
		at += int64(len(part))
	}
	return true
}

// nextBlock is the offset of the next intact block header at or behind an offset, or the file's size.
func (f *File) nextBlock(at int64) int64 {
	const step = 1 << 20
	var want [4]byte
	binary.LittleEndian.PutUint32(want[:], blockMagic)
	buf := make([]byte, min(step+blockLen, max(f.size-at, 0)))
	for at < f.size {
		n := min(int64(len(buf)), f.size-at)
		if err := readFull(f.r, buf[:n], at); err != nil {
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
