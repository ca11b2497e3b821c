package orr

import (
	"encoding/binary"

	"orrery/traceio"
)

// Entry is a block of references in the index of a file.
type Entry struct {
	First      traceio.Seq   // Seq of its first data reference
	Rows, Data uint32        // references, fetches included, and data references
	Start, End traceio.Ticks // wall-clock of its first and last row
	Summary    Summary

	offset int64       // of the block header in the file
	packed uint32      // length of the payload
	events []eventsRef // its EVT blocks; more than one where a REF between them was lost
	wrote  traceio.Seq // its first Seq in the file: greater than First behind lost blocks

	missing uint64 // data references that are missing before it: lost,
	cut     bool   // or removed, because only the last references were to be kept
}

// plausible tells whether the counts agree.
func (e *Entry) plausible() bool {
	s := &e.Summary
	return e.Rows <= traceio.MaxBlock && e.Data <= e.Rows && s.Fetches == e.Rows-e.Data &&
		uint64(s.Loads)+uint64(s.Stores) == uint64(e.Data)
}

// eventsRef is where an EVT block is.
type eventsRef struct {
	offset int64
	packed uint32
	first  traceio.Seq // in the file
}

// appendIndex appends the raw IDX payload: for each entry the differences from where the entry before ends, which are 0
// in a file without other blocks in between.
func appendIndex(dst []byte, entries []Entry) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(entries)))
	at, ticks := int64(0), traceio.Ticks(0)
	for i := range entries {
		e := &entries[i]
		dst = binary.AppendUvarint(dst, uint64(e.offset-at))
		dst = binary.AppendUvarint(dst, uint64(e.packed))
		dst = binary.AppendUvarint(dst, uint64(e.Rows))
		dst = binary.AppendUvarint(dst, uint64(e.Data))
		dst = binary.AppendUvarint(dst, zigzag(uint64(e.Start-ticks)))
		dst = binary.AppendUvarint(dst, zigzag(uint64(e.End-e.Start)))
		dst = e.Summary.append(dst)
		at, ticks = e.offset+blockLen+int64(e.packed), e.End
		events := uint64(0)
		if len(e.events) > 0 {
			events = uint64(e.events[0].packed) + 1
			at += blockLen + int64(e.events[0].packed)
		}
		dst = binary.AppendUvarint(dst, events)
	}
	return dst
}

// entryMin is the least number of bytes of an entry in the raw index.
const entryMin = 7 + summaryLen

// readIndex reads the raw IDX payload of a file whose blocks end at end.
func readIndex(src []byte, end int64) ([]Entry, error) {
	v := varints{src: src}
	n := v.next(uint64(len(src) / entryMin))
	entries := make([]Entry, 0, n)
	at, ticks, first := int64(0), uint64(0), traceio.Seq(0)
	for ; n > 0; n-- {
		var e Entry
		e.offset = at + int64(v.next(1<<62))
		e.packed = uint32(v.next(maxPacked))
		e.Rows, e.Data = uint32(v.next(traceio.MaxBlock)), uint32(v.next(traceio.MaxBlock))
		ticks += unzigzag(v.next(all))
		e.Start = traceio.Ticks(ticks)
		ticks += unzigzag(v.next(all))
		e.End = traceio.Ticks(ticks)
		if v.bad || len(v.src) < summaryLen {
			return nil, errRows
		}
		e.Summary = readSummary(v.src)
		v.src = v.src[summaryLen:]
		e.First, e.wrote = first, first
		first += traceio.Seq(e.Data)
		if e.offset < at || e.offset > end || !e.plausible() {
			return nil, errRows
		}
		at = e.offset + blockLen + int64(e.packed)
		if p := v.next(maxPacked + 1); p > 0 {
			e.events = []eventsRef{{offset: at, packed: uint32(p - 1), first: e.wrote}}
			at += blockLen + int64(p-1)
		}
		if v.bad || at > end {
			return nil, errRows
		}
		entries = append(entries, e)
	}
	if len(v.src) > 0 {
		return nil, errRows
	}
	return entries, nil
}
