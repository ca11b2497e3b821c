package traceio

import (
	"bytes"
	"errors"
	"io"
)

// Window reads a stream through a buffer that never grows: what has not been used yet is Bytes. It is what the readers
// of foreign formats stand on.
type Window struct {
	r          io.Reader
	buf        []byte
	start, end int
	offset     int64 // of buf[start] in the stream
	eof        bool
	err        error
}

// NewWindow gives a window of at most size bytes on r.
func NewWindow(r io.Reader, size int) *Window { return &Window{r: r, buf: make([]byte, size)} }

// Bytes gives what has been read and not yet skipped. It is valid until More.
func (w *Window) Bytes() []byte { return w.buf[w.start:w.end] }

// Skip marks n bytes as used.
func (w *Window) Skip(n int) {
	w.start += n
	w.offset += int64(n)
}

// Offset is the position of the first byte of Bytes in the stream.
func (w *Window) Offset() int64 { return w.offset }

// Err is what ended the stream before its end, nil if nothing did.
func (w *Window) Err() error { return w.err }

// More reads more behind Bytes and tells whether there was any. It is false when the window is full, too.
func (w *Window) More() bool {
	if w.eof || w.end-w.start == len(w.buf) {
		return false
	}
	w.end = copy(w.buf, w.buf[w.start:w.end])
	w.start = 0
	for range 100 {
		n, err := w.r.Read(w.buf[w.end:])
		w.end += n
		if err != nil {
			w.eof = true
			if !errors.Is(err, io.EOF) {
				w.err = err
			}
			return n > 0
		}
		if n > 0 {
			return true
		}
	}
	w.eof, w.err = true, io.ErrNoProgress
	return false
}

// maxLine bounds a line of text: no format's is a tenth as long, and a file without line ends must not fill the memory.
const maxLine = 1 << 16

// Lines splits a stream of text into lines of at most 64 KiB.
type Lines struct {
	*Window
	Tabs  bool // tabs around a line belong to it
	count int
	long  bool
}

// NewLines reads lines from r, which is already unpacked.
func NewLines(r io.Reader) *Lines { return &Lines{Window: NewWindow(r, 4*maxLine)} }

// Count is how many lines Next has given: the number of the last one, from 1.
func (l *Lines) Count() int { return l.count }

// Long tells whether the last line was too long to be of use; Next gave it empty.
func (l *Lines) Long() bool { return l.long }

// Next gives the next line without its end and without blanks around it, valid until the next call; ok is false at the
// end of the text. whole is false for a last line without its end, which may have been cut.
func (l *Lines) Next() (line []byte, whole, ok bool) {
	l.long = false
	for seen := 0; ; {
		b := l.Bytes()
		if i := bytes.IndexByte(b[seen:], '\n'); i >= 0 {
			line, seen = b[:seen+i], seen+i+1
			l.Skip(seen)
			return l.trim(line), true, true
		}
		if seen = len(b); seen >= maxLine {
			l.long = true
			l.Skip(seen)
			seen = 0
		}
		if l.More() {
			continue
		}
		if line = l.Bytes(); len(line) == 0 && !l.long {
			return nil, false, false
		}
		l.Skip(len(line))
		return l.trim(line), false, true
	}
}

func (l *Lines) trim(line []byte) []byte {
	if l.count++; l.count == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // the byte order mark of Windows' editors
	}
	if len(line) >= maxLine {
		l.long = true
	}
	if l.long {
		return nil
	}
	if l.Tabs {
		return bytes.Trim(line, " \r\n")
	}
	return bytes.TrimSpace(line)
}
