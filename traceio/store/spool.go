package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"orrery/traceio"
)

// A recording of ours is compressed already, so gzip around it saves next to nothing: what unpacks to more than
// spoolRatio times its size, beyond spoolFree, is no such file but one made to fill a disk.
const (
	spoolRatio = 16
	spoolFree  = 64 << 20
)

var errSwells = errors.New("it unpacks to far more than a recording can")

// spool copies a recording of ours that comes out of a packing or a pipe into a temporary file without a name, since
// its blocks are read out of order. packed counts the bytes that u is unpacked from.
func spool(ctx context.Context, u *traceio.Unpacked, packed *counting,
	path string) (f *os.File, size int64, err error) {
	if f, err = os.CreateTemp("", "orrery-*.orr"); err != nil {
		return nil, 0, fmt.Errorf("unpack %s: %w", path, err)
	}
	os.Remove(f.Name())
	size, err = io.Copy(f, &bounded{ctx: ctx, r: u, packed: packed})
	var e *traceio.Error
	switch {
	case ctx.Err() != nil:
		f.Close()
		return nil, 0, ctx.Err()
	case errors.Is(err, errSwells):
		e = &traceio.Error{File: path, Msg: "this begins like an Orrery recording, but " + err.Error(),
			Hint: "was it damaged?", Err: err}
	case err != nil && size == 0:
		e = &traceio.Error{File: path, Msg: "the recording inside cannot be unpacked: " + err.Error(),
			Hint: "was it cut? copy it again", Err: err}
	}
	if e != nil {
		f.Close()
		return nil, 0, e
	}
	return f, size, nil // what is missing at a cut end, the recording tells itself
}

// bounded is a reader that fails when it is told to stop, or gives too much for what it is unpacked from.
type bounded struct {
	ctx    context.Context
	r      io.Reader
	packed *counting
	n      int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.r.Read(p)
	if b.n += int64(n); b.n > spoolFree && b.n/spoolRatio > b.packed.n {
		return 0, errSwells
	}
	return n, err
}
