package bgv

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// stream reads the format's elements, all big-endian. The first error stays; everything read after it is zero.
type stream struct {
	r      *bufio.Reader
	offset int64
	err    error
	buf    [8]byte
}

func newStream(r io.Reader) *stream { return &stream{r: bufio.NewReaderSize(r, 1<<16)} }

func (s *stream) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

func (s *stream) fill(n int) []byte {
	b := s.buf[:n]
	if s.err == nil {
		var k int
		k, s.err = io.ReadFull(s.r, b)
		s.offset += int64(k)
		if errors.Is(s.err, io.ErrUnexpectedEOF) {
			s.err = io.EOF
		}
	}
	if s.err != nil {
		clear(b)
	}
	return b
}

func (s *stream) byte() int   { return int(s.fill(1)[0]) }
func (s *stream) short() int  { return int(binary.BigEndian.Uint16(s.fill(2))) }
func (s *stream) int() int    { return int(int32(binary.BigEndian.Uint32(s.fill(4)))) }
func (s *stream) long() int64 { return int64(binary.BigEndian.Uint64(s.fill(8))) }
func (s *stream) float() float64 {
	return float64(math.Float32frombits(binary.BigEndian.Uint32(s.fill(4))))
}
func (s *stream) double() float64 { return math.Float64frombits(binary.BigEndian.Uint64(s.fill(8))) }

// maxBytes bounds one text or array of bytes.
const maxBytes = 16 << 20

// bytes reads a length and so many bytes; a length of -1 means none. A claim beyond the end of the stream takes no more
// memory than what is there.
func (s *stream) bytes() []byte {
	n := s.int()
	switch {
	case s.err != nil || n == -1:
		return nil
	case n < 0 || n > maxBytes:
		s.fail("a text or array claims %d bytes", n)
		return nil
	}
	var b []byte
	for len(b) < n && s.err == nil {
		part := make([]byte, min(n-len(b), 1<<16))
		var k int
		k, s.err = io.ReadFull(s.r, part)
		s.offset += int64(k)
		if errors.Is(s.err, io.ErrUnexpectedEOF) {
			s.err = io.EOF
		}
		b = append(b, part[:k]...)
	}
	return b
}

func (s *stream) text() string { return string(s.bytes()) }
