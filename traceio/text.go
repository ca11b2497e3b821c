package traceio

import (
	"bytes"
	"fmt"
	"io"
)

// Text turns lines of text into blocks of references. The readers of formats with at most a few references a line, and
// no blocks of their own, stand on it.
type Text struct {
	*Lines
	Tally   Tally
	Program Program
	Name    string // of the file, for errors
	Wanted  string // what a line should be: "a din reference"
	Hint    string // what to do where no line is

	seq   Seq
	rows  uint64
	ended bool
}

// NewText reads lines from r, which is already unpacked.
func NewText(r io.Reader, t Text) *Text {
	t.Lines = NewLines(r)
	return &t
}

// Rows is how many references, fetches included, the blocks before had.
func (t *Text) Rows() uint64 { return t.rows }

// Fill fills b with the references of the next lines, at most MaxBlock. It returns io.EOF behind the last one, and an
// *Error when no line was a reference. line handles a line that is neither empty nor too long, and adds at most two
// references and one mark; end, unless nil, is called once behind the last line.
func (t *Text) Fill(b *Block, line func(line []byte, whole bool, b *Block), end func(b *Block)) error {
	b.Reset(t.seq)
	b.Room()
	for b.Len() < MaxBlock-1 && len(b.Marks) < MaxBlock {
		text, whole, ok := t.Next()
		if !ok {
			t.finish(b, end)
			break
		}
		switch {
		case t.Long():
			t.Tally.Line("long-line", "lines longer than 64 KiB", t.Count())
		case len(text) > 0:
			line(text, whole, b)
		}
	}
	t.seq += Seq(b.Data())
	t.rows += uint64(b.Len())
	switch {
	case b.Len() > 0 || len(b.Marks) > 0:
		return nil
	case t.rows == 0:
		e := &Error{File: t.Name, Msg: fmt.Sprintf("none of its %d lines is %s", t.Count(), t.Wanted), Hint: t.Hint}
		return e.Because(t.Err())
	}
	return io.EOF
}

// finish counts how the text stopped, once.
func (t *Text) finish(b *Block, end func(b *Block)) {
	if t.ended {
		return
	}
	t.ended = true
	if end != nil {
		end(b)
	}
	if err := t.Err(); err != nil {
		t.Tally.Tail(err, t.Offset())
	}
}

// Cut counts a last line that ends in the middle.
func (t *Text) Cut() {
	t.Tally.Line("cut-line", "a last line that ends in the middle, as when the file was cut", t.Count())
}

// CountLines counts how many lines of head, the first bytes of a file, fit a format and how many do not. Empty
// lines and comments behind # count as neither, nor does a last line that is cut, unless it is the only one.
func CountLines(head []byte, fits func(line []byte) bool) (good, other int) {
	for len(head) > 0 {
		line, rest, ended := bytes.Cut(head, []byte{'\n'})
		head = rest
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))); len(line) == 0 || line[0] == '#' {
			continue
		}
		if fits(line) {
			good++
		} else if ended || good+other == 0 {
			other++
		}
	}
	return good, other
}
