package cli

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// legible is the one place through which commands write to people. What they write has names in it that come from
// files: of functions, of columns, of the files themselves. A terminal would take a control character in one for a
// command, and a mark that turns the direction of writing would show another name than is there. They are written as
// \u001b is, which JSON reads as the character itself; ends of lines and tabs stay.
type legible struct {
	w    io.Writer
	most int    // bytes of a line that is written at once, 0 for any; the middle of a longer one is left out
	rest []byte // the beginning of a character whose end is yet to be written
	out  []byte
}

// Write passes p on.
func (l *legible) Write(p []byte) (int, error) {
	text := l.shorten(p)
	if len(l.rest) > 0 {
		text = append(l.rest, text...)
	}
	l.out = l.out[:0]
	for len(text) > 0 {
		n := 0
		for n < len(text) && text[n] < utf8.RuneSelf && !commands(rune(text[n])) {
			n++
		}
		if l.out = append(l.out, text[:n]...); n > 0 {
			text = text[n:]
			continue
		}
		if !utf8.FullRune(text) {
			break
		}
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			l.out = fmt.Appendf(l.out, `\x%02x`, text[0])
		} else {
			l.put(r)
		}
		text = text[n:]
	}
	l.rest = append([]byte(nil), text...)
	if _, err := l.w.Write(l.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// shorten leaves out the middle of long lines: what a sentence quotes of a file may be as long as the file.
func (l *legible) shorten(p []byte) []byte {
	if l.most == 0 || len(p) <= l.most {
		return p
	}
	var out []byte
	for line := range bytes.Lines(p) {
		if len(line) > l.most {
			out = append(append(out, line[:l.most*2/3]...), " … "...)
			line = line[len(line)-l.most/3:]
		}
		out = append(out, line...)
	}
	return bytes.ToValidUTF8(out, nil)
}

func (l *legible) put(r rune) {
	if commands(r) {
		l.out = fmt.Appendf(l.out, `\u%04x`, r)
		return
	}
	l.out = utf8.AppendRune(l.out, r)
}

// flush passes on what is no whole character at the end of all.
func (l *legible) flush() {
	for _, c := range l.rest {
		fmt.Fprintf(l.w, `\x%02x`, c)
	}
	l.rest = nil
}

// commands tells whether a terminal may do something else with a character than show it.
func commands(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r >= 0x7f && r <= 0x9f: // C0, DEL and C1
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 // they turn the direction of what follows
}

// longestSentence bounds a line on standard error.
const longestSentence = 1800

// legibly gives streams whose Out and Err are for people, and what must be called when all is written.
func (s Streams) legibly() (Streams, func()) {
	out, errs := &legible{w: s.Out}, &legible{w: s.Err, most: longestSentence}
	s.Out, s.Err = out, errs
	return s, func() {
		out.flush()
		errs.flush()
	}
}

// raw is the stream that is behind one for people: for what is no text, and for programs that are run.
func raw(w io.Writer) io.Writer {
	if l, ok := w.(*legible); ok {
		return l.w
	}
	return w
}

// data is a stream for a file's contents: as they are, unless people would see them.
func data(w io.Writer) io.Writer {
	if isTerminal(w) {
		return w
	}
	return raw(w)
}
