package readtest

import (
	"errors"
	"io"
)

// ErrBroken is the error of a broken stream.
var ErrBroken = errors.New("the disk is broken")

// mostReads is how often a reader may ask a broken stream for more.
const mostReads = 1000

// Broken gives data and then, whenever it is asked for more, ErrBroken, as a damaged disk or packing does. Who does not
// take that for the end is stopped by a panic.
func Broken(data []byte) io.Reader { return &broken{data: data} }

type broken struct {
	data  []byte
	reads int
}

func (b *broken) Read(p []byte) (int, error) {
	if len(b.data) > 0 {
		n := copy(p, b.data)
		b.data = b.data[n:]
		return n, nil
	}
	if b.reads++; b.reads > mostReads {
		panic("a reader reads on behind an error")
	}
	return 0, ErrBroken
}
