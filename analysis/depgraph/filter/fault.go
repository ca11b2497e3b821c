package filter

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"orrery/traceio"
)

// fault is why a filter was stopped, where the script was at the time.
func fault(f Filter, err error, at []goja.StackFrame) *traceio.Error {
	return &traceio.Error{File: "filter " + f.Name, Line: line(f, at), Msg: sentence(err.Error()),
		Hint: "edit the script", Err: err}
}

// broken makes a sentence with its line of an error of the JavaScript engine.
func broken(f Filter, err error) *traceio.Error {
	e := fault(f, err, nil)
	var unread parser.ErrorList
	var deep *goja.StackOverflowError
	var syntax *goja.CompilerSyntaxError
	var stopped *goja.InterruptedError
	var thrown *goja.Exception
	switch {
	case errors.As(err, &unread) && len(unread) > 0:
		e.Msg, e.Line = sentence(unread[0].Message), unread[0].Position.Line
	case errors.As(err, &deep):
		e.Msg, e.Line = "its functions call one another too deep", line(f, deep.Stack())
	case errors.As(err, &syntax):
		e.Msg = sentence(syntax.Message)
		if syntax.File != nil {
			e.Line = syntax.File.Position(syntax.Offset).Line
		}
	case errors.As(err, &stopped):
		e.Msg = sentence(fmt.Sprint(stopped.Value()))
		e.Line = line(f, stopped.Stack())
	case errors.As(err, &thrown):
		e.Line = line(f, thrown.Stack())
		e.Msg = sentence(thrown.Value().String()) // of an object, by its own toString
	}
	return e
}

// panicked makes a sentence of a panic: the script was ended within a function that is written in Go, or such a
// function failed.
func panicked(f Filter, x any) *traceio.Error {
	switch x := x.(type) {
	case halted:
		return fault(f, x.reason, x.at)
	case *goja.InterruptedError:
		return broken(f, x)
	case *goja.Exception:
		return fault(f, errors.New("what it throws cannot be made a text"), x.Stack())
	}
	return fault(f, fmt.Errorf("a built-in function failed: %v", x), nil)
}

// longestSentence is how many bytes of what a script throws are shown.
const longestSentence = 400

// sentence puts a text on one line, and cuts what is too long for a bar.
func sentence(text string) string {
	cut := min(len(text), 4*longestSentence)
	s := strings.Join(strings.Fields(strings.ToValidUTF8(text[:cut], "")), " ")
	if len(s) <= longestSentence {
		return s
	}
	end := longestSentence
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// line is that of the innermost call within the script itself.
func line(f Filter, stack []goja.StackFrame) int {
	for i := range stack {
		if stack[i].SrcName() == f.Name && stack[i].Position().Line > 0 {
			return stack[i].Position().Line
		}
	}
	return 0
}
