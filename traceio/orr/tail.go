package orr

import (
	"io"
	"slices"

	"orrery/traceio"
)

// Tail follows a recording that is being written: it reads each block as soon as it is complete. It serves one
// goroutine; the Files that it gives are immutable.
type Tail struct {
	walk  rescue
	at    int64 // how far it has read; 0: not even the header
	buf   []byte
	seen  map[traceio.Addr]struct{}
	ended bool
}

// Follow is a Tail of the recording that r reads and somebody writes.
func Follow(r io.ReaderAt, name string) *Tail {
	f := &File{r: r, name: name, prog: &traceio.Program{}, pool: decoders}
	return &Tail{walk: rescue{f: f}, seen: map[traceio.Addr]struct{}{}}
}

// Grow reads the complete blocks in the first size bytes and tells whether there were new ones. An incomplete block is
// left for the next call, since its writer may not have finished it. The error is that of Open for what is no
// recording.
func (t *Tail) Grow(size int64) (more bool, err error) {
	f := t.walk.f
	f.size = size
	if t.at == 0 {
		if size < headerLen {
			return false, nil
		}
		if err := f.header(); err != nil {
			return false, err
		}
		t.at = headerLen
	}
	d, err := f.decoder()
	if err != nil {
		return false, err
	}
	defer f.pool.Put(d)
	for !t.ended {
		h, err := f.blockAt(t.at)
		if err != nil {
			break
		}
		if t.buf, err = f.payload(t.at, h.kind, t.buf); err != nil {
			break
		}
		if h.kind == typeRef {
			pcs, err := d.decodePCs(t.buf, int(h.rows))
			if err != nil {
				break
			}
			for _, pc := range pcs {
				t.seen[pc] = struct{}{}
			}
		}
		t.walk.take(t.at, h, t.buf)
		t.at += blockLen + int64(h.packed)
		t.ended, more = h.kind == typeEnd, true
	}
	return more, nil
}

// Size is how many bytes have been read.
func (t *Tail) Size() int64 { return t.at }

// Ended tells whether the writer has closed the recording.
func (t *Tail) Ended() bool { return t.ended }

// File is the recording as far as it has been read. Some events of its last block may be missing still.
func (t *Tail) File() *File {
	f := *t.walk.f
	f.size = t.at
	f.entries, f.loss = slices.Clone(f.entries), slices.Clone(f.loss)
	f.pcs, f.hasPCs = sortedPCs(t.seen), true
	return &f
}
