package dot

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// kind of a token.
type kind uint8

const (
	end    kind = iota
	word        // an identifier, a number, or a text in quotes or in angle brackets
	symbol      // one of { } [ ] ; , = : -> --
)

type token struct {
	kind   kind
	text   string
	quoted bool // a word that is no keyword whatever it says
	line   int
}

// maxText bounds one token; labels of large basic blocks have some hundred thousand characters.
const maxText = 4 << 20

// lexer splits the text of a DOT file into tokens.
type lexer struct {
	r    *bufio.Reader
	line int
	err  error
}

func newLexer(r io.Reader) *lexer { return &lexer{r: bufio.NewReaderSize(r, 1<<16), line: 1} }

func (l *lexer) byte() (byte, bool) {
	b, err := l.r.ReadByte()
	if err != nil {
		if err != io.EOF {
			l.err = err
		}
		return 0, false
	}
	if b == '\n' {
		l.line++
	}
	return b, true
}

func (l *lexer) peek() byte {
	b, err := l.r.Peek(1)
	if err != nil {
		return 0
	}
	return b[0]
}

// next gives the next token; the error says what is wrong at its line.
func (l *lexer) next() (token, error) {
	for {
		b, ok := l.byte()
		t := token{line: l.line, kind: symbol, text: string(b)}
		switch {
		case !ok:
			return token{kind: end, line: l.line}, l.err
		case b <= ' ':
		case b == '#': // a line of a preprocessor
			l.skipLine()
		case b == '/' && l.peek() == '/':
			l.skipLine()
		case b == '/' && l.peek() == '*':
			if err := l.skipComment(); err != nil {
				return t, err
			}
		case strings.IndexByte("{}[];,=:", b) >= 0:
			return t, nil
		case b == '-' && (l.peek() == '>' || l.peek() == '-'):
			c, _ := l.byte()
			t.text += string(c)
			return t, nil
		case b == '"':
			return l.quoted(t)
		case b == '<':
			return l.html(t)
		case letter(b):
			return l.word(t, b)
		default:
			return t, fmt.Errorf("%q begins nothing", b)
		}
	}
}

func letter(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '.' ||
		b == '-' || b >= 0x80
}

func (l *lexer) skipLine() {
	for {
		if b, ok := l.byte(); !ok || b == '\n' {
			return
		}
	}
}

func (l *lexer) skipComment() error {
	l.byte()
	for before := byte(0); ; {
		b, ok := l.byte()
		if !ok {
			return fmt.Errorf("a comment does not end")
		}
		if before == '*' && b == '/' {
			return nil
		}
		before = b
	}
}

func (l *lexer) word(t token, first byte) (token, error) {
	b := []byte{first}
	for {
		c := l.peek()
		if !letter(c) || c == 0 || c == '-' {
			break
		}
		l.byte()
		if b = append(b, c); len(b) > maxText {
			return t, fmt.Errorf("a word is longer than %d MiB", maxText>>20)
		}
	}
	t.kind, t.text = word, string(b)
	return t, nil
}

// quoted reads a text in quotes. Only \" and a backslash at the end of a line mean something here; other escapes are
// the layout's and stay. Texts joined by + are one.
func (l *lexer) quoted(t token) (token, error) {
	b, err := l.literal(nil)
	if err != nil {
		return t, err
	}
	t.kind, t.text, t.quoted = word, string(b), true
	return l.joined(t)
}

// literal appends the rest of one text in quotes to b.
func (l *lexer) literal(b []byte) ([]byte, error) {
	for {
		c, ok := l.byte()
		switch {
		case !ok:
			return b, fmt.Errorf("a text in quotes does not end")
		case len(b) > maxText:
			return b, fmt.Errorf("a text is longer than %d MiB", maxText>>20)
		case c == '"':
			return b, nil
		case c == '\\':
			n, _ := l.byte()
			switch n {
			case '"':
				b = append(b, '"')
			case '\n':
			case '\r':
				if l.peek() == '\n' {
					l.byte()
				}
			default:
				b = append(b, '\\', n)
			}
		default:
			b = append(b, c)
		}
	}
}

// joined looks for + and other texts.
func (l *lexer) joined(t token) (token, error) {
	b := []byte(t.text)
	for {
		switch c := l.peek(); {
		case c != 0 && c <= ' ':
			l.byte()
		case c == '+':
			l.byte()
			for c := l.peek(); c != 0 && c <= ' '; c = l.peek() {
				l.byte()
			}
			if l.peek() != '"' {
				return t, fmt.Errorf("behind + stands no text in quotes")
			}
			l.byte()
			var err error
			if b, err = l.literal(b); err != nil {
				return t, err
			}
		default:
			t.text = string(b)
			return t, nil
		}
	}
}

// html reads a text in angle brackets, which nest.
func (l *lexer) html(t token) (token, error) {
	var b []byte
	for depth := 1; ; {
		c, ok := l.byte()
		switch {
		case !ok:
			return t, fmt.Errorf("a text in angle brackets does not end")
		case len(b) > maxText:
			return t, fmt.Errorf("a text is longer than %d MiB", maxText>>20)
		case c == '<':
			depth++
		case c == '>':
			if depth--; depth == 0 {
				t.kind, t.text, t.quoted = word, string(b), true
				return t, nil
			}
		}
		b = append(b, c)
	}
}
