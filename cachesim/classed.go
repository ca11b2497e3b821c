package cachesim

import (
	"slices"

	"orrery/traceio"
)

// Miss classes of plain levels need no levels that wait for them: the levels run together and keep notes, as for a log,
// and the notes then tell each classifier which of its requests missed.

// runNoted is run with miss classes for hierarchies whose levels go together.
func (h *Hierarchy) runNoted(b *traceio.Block, from, to int) {
	h.stale = true
	for at := from; at < to; at += chunk {
		n := min(chunk, to-at)
		h.startNotes(n)
		h.passAll(b, at, at+n, h.marks, nil)
	}
	h.noting = false
	h.rows += uint64(to - from)
}

// startNotes begins new notes in all levels, and marks of n rows.
func (h *Hierarchy) startNotes(n int) {
	h.noting = true
	for _, l := range h.levels {
		l.notes, l.ordered = l.notes[:0], true
	}
	h.marks = slices.Grow(h.marks[:0], n)[:n]
}

// classifyRows tells the classifiers of the levels where rows enter of these rows.
func (h *Hierarchy) classifyRows(b *traceio.Block, from, to int, marks []uint8) {
	var notes [MaxLevels][]uint64
	for _, l := range h.doorways {
		notes[l.served>>1] = l.notes
	}
	kinds := b.Kind[from:to]
	addrs, sizes := b.Addr[from:to][:len(kinds)], b.Size[from:to][:len(kinds)]
	for i, kind := range kinds {
		e := &h.entries[kind&3]
		l := e.level
		switch {
		case l == nil:
		case marks[i] == asked:
			left := &notes[l.served>>1]
			*left = l.classifyParts(*left, addrs[i], sizes[i])
		default:
			if line := uint64(addrs[i]) >> (e.bits & 63); line != l.classes.last {
				l.classes.touch(line, false)
			}
		}
	}
}

// classifyParts tells of the blocks of one row, and gives the notes behind theirs.
func (l *level) classifyParts(notes []uint64, addr traceio.Addr, size uint16) []uint64 {
	low, high := extent(addr, size)
	for line := low >> l.bits; ; line++ {
		l.classes.touch(line, missed(notes[0]))
		if notes = notes[1:]; line == high>>l.bits {
			return notes
		}
	}
}

// classifyQuestions tells of what a level was asked by those above.
func (l *level) classifyQuestions(questions []uint64) {
	for i, q := range questions {
		l.classes.touch(q>>lineBits, missed(l.notes[i]))
	}
}

// missed tells whether a note is of a miss.
func missed(note uint64) bool { return note&validBit != 0 || note == absent }
