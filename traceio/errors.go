package traceio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Error is what every reader returns for input that it cannot use: one sentence with its position and, where there is
// one, the remedy. Line counts from 1 and Offset is a byte offset; a position that does not apply is negative or zero.
type Error struct {
	File   string
	Line   int
	Offset int64
	Msg    string
	Hint   string
	Err    error // cause, may be nil
}

// Error gives "FILE:LINE: message; hint" or "FILE: byte OFFSET: message; hint".
func (e *Error) Error() string {
	var s strings.Builder
	s.WriteString(e.File)
	switch {
	case e.Line > 0:
		fmt.Fprintf(&s, ":%d", e.Line)
	case e.Offset > 0:
		fmt.Fprintf(&s, ": byte %d", e.Offset)
	}
	if s.Len() > 0 {
		s.WriteString(": ")
	}
	s.WriteString(e.Msg)
	if e.Hint != "" {
		s.WriteString("; ")
		s.WriteString(e.Hint)
	}
	return s.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Because adds why the stream ended before its end, unless err is nil or io.EOF: a file that is cut is not called empty
// or foreign.
func (e *Error) Because(err error) *Error {
	if err != nil && !errors.Is(err, io.EOF) {
		e.Msg += fmt.Sprintf(" (the rest of it cannot be read: %v)", err)
		e.Err = err
	}
	return e
}

// Unreadable is the error of a file that the system does not open or read, without its path twice.
func Unreadable(path string, err error) error {
	var p *fs.PathError
	msg := err.Error()
	if errors.As(err, &p) {
		msg = p.Err.Error()
	}
	return &Error{File: path, Msg: msg, Err: err}
}
