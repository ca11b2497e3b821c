package heaplog

import (
	"bufio"
	"bytes"
	"io"

	"orrery/traceio"
)

// maxLine bounds what is kept of one line: a file without line ends must not fill the memory.
const maxLine = 1 << 16

// lines splits a text.
type lines struct {
	r     *bufio.Reader
	name  string
	count uint64 // lines handed out
	bytes int64
	err   error // what ended the text, if not its end
	open  bool  // the line handed out last has no end: the text stops in or behind it
}

func newLines(r io.Reader, name string) lines {
	// twice as large as those below, which it reads past then
	return lines{r: bufio.NewReaderSize(r, 2*traceio.HeadLen), name: name}
}

// next gives the next line without its end, valid until the next call, or nil for one longer than maxLine; more is
// false at the end of the text.
func (l *lines) next() (line []byte, more bool) {
	long := false
	line, err := l.r.ReadSlice('\n')
	l.bytes += int64(len(line))
	if err == bufio.ErrBufferFull {
		for err == bufio.ErrBufferFull {
			var rest []byte
			rest, err = l.r.ReadSlice('\n')
			l.bytes += int64(len(rest))
		}
		line, long = nil, true
	} else if len(line) > maxLine {
		line, long = nil, true
	} else {
		n := len(line)
		l.open = err != nil && n > 0 && line[n-1] != '\r'
		for n > 0 && (blank(line[n-1]) || line[n-1] == '\n' || line[n-1] == '\r') {
			n--
		}
		if line = line[:n]; line == nil {
			line = []byte{}
		}
	}
	if err != nil && err != io.EOF {
		l.err = err
	}
	if err != nil && len(line) == 0 && !long {
		return nil, false
	}
	if l.count++; l.count == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return line, true
}

// fields cuts blank-separated words off the front of a text.
type fields []byte

func (f *fields) next() []byte {
	s := *f
	from := 0
	for from < len(s) && blank(s[from]) {
		from++
	}
	to := from
	for to < len(s) && !blank(s[to]) {
		to++
	}
	*f = s[to:]
	return s[from:to]
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// hex reads a hexadecimal number, with or without 0x in front.
func hex(s []byte) (x uint64, ok bool) {
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		s = s[2:]
	}
	if len(s) == 0 || len(s) > 16 {
		return 0, false
	}
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		x = x<<4 | uint64(c)
	}
	return x, true
}

// decimal reads a number that fits into 64 bits.
func decimal(s []byte) (x uint64, ok bool) {
	if len(s) == 0 || len(s) > 20 {
		return 0, false
	}
	for _, c := range s {
		if c < '0' || c > '9' || x > (1<<64-1)/10 {
			return 0, false
		}
		next := x*10 + uint64(c-'0')
		if next < x*10 {
			return 0, false
		}
		x = next
	}
	return x, true
}

// signed reads a size with one of the functions above. A negative one is what C makes of it: the same number in 64 bits
// without a sign.
func signed(s []byte, number func([]byte) (uint64, bool)) (x uint64, ok bool) {
	if len(s) == 0 || s[0] != '-' {
		return number(s)
	}
	x, ok = number(s[1:])
	return -x, ok && x <= 1<<63
}

// integer reads a number as C prints it: decimal, or hexadecimal behind 0x.
func integer(s []byte) (x uint64, ok bool) {
	if bytes.HasPrefix(s, []byte("0x")) {
		return hex(s)
	}
	return decimal(s)
}
