package designs

import (
	"context"
	"errors"
	"fmt"
	"io"

	"orrery/traceio"
)

// Bounds of a table. A million designs of 20 columns whose cells all differ are within them.
const (
	maxColumns = 1024
	maxRow     = 4 << 20 // bytes of a row, and of what stands between two
	maxText    = 1 << 20 // bytes of a text in JSON
	maxMemory  = 2 << 30 // bytes that the cells of a table may take
)

// What a part of a table takes, with what a Set makes of it. Equal cells of a column share their text.
const (
	rowCost  = 64
	cellCost = 8
	textCost = 64 // a text's number, its places in the list and the map; the text comes in addition
)

// put appends a cell to column j.
func (t *Table) put(j int, text string) {
	c := &t.Columns[j]
	before := len(c.Texts)
	c.put(text)
	if t.memory += cellCost; len(c.Texts) > before {
		t.memory += textCost + int64(len(c.Texts[before]))
	}
}

// row ends a row whose cells have been put, the n-th of the file.
func (t *Table) row(n int) {
	t.Rows++
	t.Number = append(t.Number, int32(n))
	t.memory += rowCost
}

// room is an error when the table takes more memory than it may.
func (t *Table) room() error {
	if t.memory <= maxMemory {
		return nil
	}
	return &traceio.Error{File: t.Name, Msg: fmt.Sprintf("its first %d rows of %d columns take more than %d MiB of memory",
		t.Rows, len(t.Columns), maxMemory>>20),
		Hint: "leave out rows, or columns that do not matter"}
}

// tooMuch is the error of a stream that is beyond a bound.
type tooMuch string

// Error says which.
func (t tooMuch) Error() string { return string(t) }

// errLong is the error of a portion.
var errLong = tooMuch(fmt.Sprintf("a row, or what stands between two, is longer than %d MiB", maxRow>>20))

// broken says why the rest of a file is lost.
func broken(what string, err error) string {
	var beyond tooMuch
	if errors.As(err, &beyond) {
		return fmt.Sprintf("the rest of the %s cannot be read: %v", what, err)
	}
	return fmt.Sprintf("the rest of the %s cannot be read (%v); was it cut?", what, err)
}

// portion passes a stream on: only so many bytes before somebody says how many more there may be, since who reads a row
// keeps all of it.
type portion struct {
	r    io.Reader
	left int
}

// Read gives the next bytes.
func (p *portion) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, errLong
	}
	n, err := p.r.Read(b[:min(len(b), p.left)])
	p.left -= n
	return n, err
}

// cancellable passes a stream on until ctx ends.
type cancellable struct {
	ctx context.Context
	r   io.Reader
}

// Read gives the next bytes.
func (c cancellable) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}
