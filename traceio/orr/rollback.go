package orr

import (
	"errors"
	"io"
	"slices"
)

// truncater is a file whose end can be cut off.
type truncater interface {
	io.Seeker
	Truncate(size int64) error
}

// Rollback makes room at the end of a file on a full disk, so that the recording can be closed: it removes the block
// whose writing failed, and as many complete blocks before it as are needed for room bytes to be free. The Writer can
// be used again after it. left tells whether any block of references remains. The recording must begin at byte 0 of the
// file. A failure that was not one of writing stays.
//
//	| META | block | block | blo         writing fails here
//	| META | block | META | IDX | END    after Rollback and Close
//
// PCs keeps the addresses of blocks that were removed.
func (o *Writer) Rollback(room int64) (left bool, err error) {
	if o.err != nil && !o.full {
		return len(o.entries) > 0, o.err
	}
	file, ok := o.w.(truncater)
	if !ok {
		return false, errors.New("the recording is not written to a file that can be truncated")
	}
	keep, n, at := o.at-room, len(o.entries), o.body
	for n > 0 && o.entries[n-1].endOffset() > keep {
		n--
		o.next = o.entries[n].First
	}
	if n > 0 {
		at = o.entries[n-1].endOffset()
	}
	if err := file.Truncate(at); err != nil {
		return n > 0, err
	}
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		return n > 0, err
	}
	o.entries = slices.Clip(o.entries[:n]) // a Snapshot may use the others
	o.at, o.err, o.full = at, nil, false
	return n > 0, nil
}

// Blocks is the number of blocks of references that were written completely.
func (o *Writer) Blocks() int { return len(o.entries) }

// endOffset is where the block and its events end in the file.
func (e *Entry) endOffset() int64 {
	at := e.offset + blockLen + int64(e.packed)
	for _, ev := range e.events {
		at += blockLen + int64(ev.packed)
	}
	return at
}
