package orr

import (
	"errors"
	"io"
	"slices"
)

// shrinking is what the file of a recording must be so that the end of it can be taken back.
type shrinking interface {
	io.Seeker
	Truncate(size int64) error
}

// Retreat makes room at the end of a file that could take no more, so that the recording can be ended: what was written
// of the last block is taken back, and of the whole blocks of references as many as it takes until room bytes are free
// in front of where writing failed. Then the Writer may be used again. left tells whether blocks of references remain.
// The file must be one that can be cut, and the recording must begin at its byte 0. A failure that is not one of the
// file stays.
//
//	| META | block | block | blo         writing fails here
//	| META | block | META | IDX | END    after Retreat and Close
//
// PCs keeps the addresses of blocks that are gone.
func (o *Writer) Retreat(room int64) (left bool, err error) {
	if o.err != nil && !o.full {
		return len(o.entries) > 0, o.err
	}
	file, ok := o.w.(shrinking)
	if !ok {
		return false, errors.New("the recording is written to what cannot be cut")
	}
	keep, n, at := o.at-room, len(o.entries), o.body
	for n > 0 && o.entries[n-1].behind() > keep {
		n--
		o.next = o.entries[n].First
	}
	if n > 0 {
		at = o.entries[n-1].behind()
	}
	if err := file.Truncate(at); err != nil {
		return n > 0, err
	}
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		return n > 0, err
	}
	o.entries = slices.Clip(o.entries[:n]) // a Snapshot may have those behind
	o.at, o.err, o.full = at, nil, false
	return n > 0, nil
}

// Blocks is the number of blocks of references that were written whole.
func (o *Writer) Blocks() int { return len(o.entries) }

// behind is where the block ends that the Writer has put down, with its events.
func (e *Entry) behind() int64 {
	at := e.offset + blockLen + int64(e.packed)
	for _, ev := range e.events {
		at += blockLen + int64(ev.packed)
	}
	return at
}
