package igv

import (
	"bufio"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxToken bounds one tag or one text: the decoder holds it whole. The longest in real files are bytecodes and
// disassemblies.
const maxToken = 16 << 20

// guard filters a stream for the decoder. It ends a token that grows without end, and replaces what XML forbids but
// compilers write: control characters by blanks, bytes that are no UTF-8 by U+FFFD.
type guard struct {
	r       *bufio.Reader
	latin1  bool // the document declares Latin-1
	left    int  // bytes that the current token may still have
	pending []byte
	rune    [utf8.UTFMax]byte
}

var errToken = fmt.Errorf("a tag or text is longer than %d MiB", maxToken>>20)

func newGuard(r io.Reader) *guard {
	return &guard{r: bufio.NewReaderSize(r, 1<<16), left: maxToken}
}

// token begins the next token.
func (g *guard) token() { g.left = maxToken }

// ReadByte makes it an io.ByteReader, which the decoder reads without a buffer of its own.
func (g *guard) ReadByte() (byte, error) {
	if len(g.pending) > 0 {
		b := g.pending[0]
		g.pending = g.pending[1:]
		return b, nil
	}
	b, err := g.r.ReadByte()
	if err != nil {
		return 0, err
	}
	if g.left--; g.left < 0 {
		return 0, errToken
	}
	switch {
	case b < ' ' && b != '\n' && b != '\t' && b != '\r':
		return ' ', nil
	case b < utf8.RuneSelf:
		return b, nil
	}
	r := rune(b)
	if !g.latin1 {
		if err := g.r.UnreadByte(); err != nil {
			return 0, err
		}
		if r, _, err = g.r.ReadRune(); err != nil {
			return 0, err
		}
		if r == 0xfffe || r == 0xffff {
			r = utf8.RuneError
		}
	}
	n := utf8.EncodeRune(g.rune[:], r)
	g.pending = g.rune[1:n]
	return g.rune[0], nil
}

// Read is for the decoder's interface only.
func (g *guard) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := g.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}
