package irgraph

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"orrery/traceio"
)

// Position is where something is in a file: a line from 1, or in binary formats, where Line is 0, a byte.
type Position struct {
	Line   int
	Offset int64
}

// Problem notes what could not be used, as a sentence with its position, and a remedy where there is one.
func (d *Document) Problem(at Position, hint, format string, args ...any) {
	if len(d.Problems) == MaxProblems {
		d.MoreProblems++
		return
	}
	d.Problems = append(d.Problems, &traceio.Error{File: d.Path, Line: at.Line, Offset: at.Offset,
		Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// Truncated notes what ended the document early. It is kept however many problems come before it.
func (d *Document) Truncated(at Position, format string, args ...any) {
	d.Problems = append(d.Problems, &traceio.Error{File: d.Path, Line: at.Line, Offset: at.Offset,
		Msg: fmt.Sprintf(format, args...), Hint: "what stands in front of it is kept"})
}

// NoGraphs is the error for a damaged document without any readable graph: what ended it, and the first of the problems
// before that.
func (d *Document) NoGraphs(at Position, hint string, err error, format string, args ...any) *traceio.Error {
	msg := "no function could be read: " + fmt.Sprintf(format, args...)
	if n := len(d.Problems) + d.MoreProblems; n > 0 {
		first, where := d.Problems[0], ""
		if first.Line > 0 {
			where = fmt.Sprintf("line %d: ", first.Line)
		} else if first.Offset > 0 {
			where = fmt.Sprintf("byte %d: ", first.Offset)
		}
		others := "another fault,"
		if n > 1 {
			others = fmt.Sprintf("%d other faults, the first is", n)
		}
		msg += fmt.Sprintf("; it has %s %s%s", others, where, first.Msg)
	}
	return &traceio.Error{File: d.Path, Line: at.Line, Offset: at.Offset, Msg: msg, Hint: hint, Err: err}
}

// Empty reports whether no group has a graph.
func (d *Document) Empty() bool {
	empty := true
	d.Walk(func([]string, *Group) { empty = false })
	return empty
}

// XMLMessage is an error of encoding/xml as part of a sentence.
func XMLMessage(err error) string {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
		return "the document ends before its elements do"
	case syntax != nil:
		return syntax.Msg
	}
	return strings.TrimPrefix(err.Error(), "xml: ")
}
