package designs

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
)

// literals passes JSON on to a decoder that keeps each text, and all blanks before it, until it is whole: with the NaN
// and Infinity that Python writes in quotes, with one blank for many, and never with more than the bounds of a table.
type literals struct {
	r       *bufio.Reader
	out     bytes.Buffer
	err     error // behind out
	left    int   // bytes that may yet be passed on; unbounded
	quoted  bool
	escaped bool
	blank   bool // the last byte was one
	long    int  // bytes of the text, or of the word that is no text, so far
	depth   int
	read    int64     // bytes that were read
	passed  int64     // bytes that were passed on
	shifts  []shifted // the last places where the two part
}

// shifted is a place in what was passed on, and the place in what was read.
type shifted struct{ passed, read int64 }

const (
	unbounded  = math.MaxInt
	deepest    = 1000 // brackets in brackets
	mostShifts = 4096
	longestOf  = len("-Infinity")
)

// Read gives the next bytes.
func (l *literals) Read(p []byte) (int, error) {
	for l.out.Len() == 0 {
		if l.err != nil {
			return 0, l.err
		}
		chunk, err := l.r.Peek(longestOf)
		upTo := len(chunk)
		if err == nil { // what begins in the last bytes is looked at with those behind them
			chunk, _ = l.r.Peek(l.r.Buffered())
			upTo = len(chunk) - longestOf + 1
		}
		if err != nil && err != io.EOF && len(chunk) > 0 {
			upTo -= unfinished(chunk)
		}
		n := l.pass(chunk, upTo)
		_, _ = l.r.Discard(n) // they are in the buffer
		if err != nil && l.err == nil {
			l.err = err
		}
	}
	return l.out.Read(p)
}

// pass takes what begins in the first bytes of chunk and tells how many bytes that was.
func (l *literals) pass(chunk []byte, upTo int) (n int) {
	l.out.Reset()
	for n < upTo && l.err == nil {
		c, blank := chunk[n], false
		switch {
		case l.escaped:
			l.escaped = false
			l.long++
		case l.quoted:
			l.escaped, l.quoted = c == '\\', c != '"'
			l.long++
		default:
			if c == 'N' || c == 'I' || c == '-' {
				if word := literal(chunk[n:]); word != "" {
					l.give('"')
					l.out.WriteString(word)
					l.passed += int64(len(word))
					l.read += int64(len(word))
					l.give('"')
					n += len(word)
					l.shift()
					continue
				}
			}
			if blank = c == ' ' || c == '\n' || c == '\t' || c == '\r'; blank && l.blank {
				n++
				l.read++
				l.shift()
				continue
			}
			l.structure(c, blank)
		}
		l.blank = blank
		l.read++
		l.give(c)
		n++
	}
	return n
}

// structure takes a byte outside of texts.
func (l *literals) structure(c byte, blank bool) {
	switch {
	case c == '"':
		l.quoted, l.long = true, 0
	case c == '[' || c == '{':
		l.depth++
		l.long = 0
	case c == ']' || c == '}':
		l.depth--
		l.long = 0
	case blank || c == ',' || c == ':':
		l.long = 0
	default:
		l.long++
	}
}

// give passes a byte on if it is within the bounds.
func (l *literals) give(c byte) {
	switch {
	case l.long > maxText:
		l.err = tooMuch(fmt.Sprintf("a text or number is longer than %d MiB", maxText>>20))
	case l.depth > deepest:
		l.err = tooMuch(fmt.Sprintf("lists and objects nest deeper than %d", deepest))
	case l.left <= 0:
		l.err = tooMuch("one value is too long")
	default:
		l.out.WriteByte(c)
		l.passed++
		if l.left != unbounded {
			l.left--
		}
	}
}

// shift notes where the bytes that were read and those that were passed on part.
func (l *literals) shift() {
	if n := len(l.shifts); n > 0 && l.shifts[n-1].passed == l.passed {
		l.shifts[n-1].read = l.read
		return
	}
	if len(l.shifts) == mostShifts {
		l.shifts = l.shifts[:copy(l.shifts, l.shifts[mostShifts/2:])]
	}
	l.shifts = append(l.shifts, shifted{l.passed, l.read})
}

// offset is the place in the file of a place in what was passed on.
func (l *literals) offset(passed int64) int64 {
	for i := len(l.shifts) - 1; i >= 0; i-- {
		if s := l.shifts[i]; s.passed <= passed {
			return s.read + passed - s.passed
		}
	}
	return passed
}

// literalWords are those that JSON does not have.
var literalWords = []string{"NaN", "Infinity", "-Infinity"}

// unfinished is how many bytes at the end of s may be the beginning of a literal.
func unfinished(s []byte) int {
	for n := min(len(s), longestOf-1); n > 0; n-- {
		for _, word := range literalWords {
			if strings.HasPrefix(word, string(s[len(s)-n:])) {
				return n
			}
		}
	}
	return 0
}

func literal(s []byte) string {
	for _, word := range literalWords {
		if bytes.HasPrefix(s, []byte(word)) {
			return word
		}
	}
	return ""
}
