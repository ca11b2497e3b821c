package drmemtrace

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"
)

// chunks reads the members of a zip archive one after the other as one stream, without the directory at its end: so a
// pipe will do, and a cut archive gives what is there. Members that are no chunks of a trace are passed over.
type chunks struct {
	r      *bufio.Reader
	member io.Reader // nil between members
	name   string
	use    bool // the member is a chunk
	flags  uint16
	sum    uint32 // checksum so far
	want   uint32
	err    error
}

func newChunks(r io.Reader) *chunks { return &chunks{r: bufio.NewReaderSize(r, 1<<16)} }

// Marks in front of the parts of an archive.
const (
	localHeader    = 0x04034b50
	dataDescriptor = 0x08074b50
	directory      = 0x02014b50
)

// Bits of a member's flags.
const (
	flagEncrypted  = 1
	flagDescriptor = 8 // checksum and lengths stand behind the data
)

var (
	errEncrypted = errors.New("it is encrypted")
	errStored    = errors.New("it is stored without its length")
	errSum       = errors.New("its checksum does not hold")
	errPart      = errors.New("what follows it is no part of a zip archive")
)

// Read is io.Reader.
func (c *chunks) Read(p []byte) (int, error) {
	for c.err == nil {
		if c.member == nil {
			if c.err = c.open(); c.err != nil {
				break
			}
		}
		n, err := c.member.Read(p)
		c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
		if err == io.EOF {
			err = c.close()
		}
		if err != nil {
			c.err = fmt.Errorf("%s in the zip archive: %w", c.name, err)
		}
		if n > 0 && c.use {
			return n, nil
		}
	}
	return 0, c.err
}

// open reads the header of the next member: mark, version, flags, method, time, date, checksum, two lengths, the
// lengths of name and extra field, those two.
func (c *chunks) open() error {
	le := binary.LittleEndian
	mark, err := c.r.Peek(4)
	if err != nil {
		return inside(err) // even an empty archive ends with a directory
	}
	if le.Uint32(mark) != localHeader {
		if le.Uint32(mark) == directory {
			return io.EOF
		}
		return fmt.Errorf("%s: %w", c.name, errPart)
	}
	var h [30]byte
	if _, err := io.ReadFull(c.r, h[:]); err != nil {
		return err
	}
	name, err := c.take(int(le.Uint16(h[26:])))
	if err != nil {
		return err
	}
	c.name = strings.ToValidUTF8(string(name), "?")
	extra, err := c.take(int(le.Uint16(h[28:])))
	if err != nil {
		return err
	}
	c.flags, c.want, c.sum, c.use = le.Uint16(h[6:]), le.Uint32(h[14:]), 0, strings.HasPrefix(c.name, "chunk.")
	length := uint64(le.Uint32(h[18:]))
	// The 64-bit extra field: id 1, length, then the unpacked and the packed length.
	if length == 1<<32-1 && len(extra) >= 20 && le.Uint16(extra) == 1 {
		length = le.Uint64(extra[12:])
	}
	switch method := le.Uint16(h[8:]); {
	case c.flags&flagEncrypted != 0:
		return fmt.Errorf("%s in the zip archive: %w", c.name, errEncrypted)
	case method == 8:
		c.member = flate.NewReader(c.r)
	case method == 0 && c.flags&flagDescriptor == 0 && length < 1<<62:
		c.member = io.LimitReader(c.r, int64(length))
	case method == 0:
		return fmt.Errorf("%s in the zip archive: %w", c.name, errStored)
	default:
		return fmt.Errorf("%s in the zip archive is packed by method %d, which Orrery does not read", c.name, method)
	}
	return nil
}

// inside is the error of a stream that has ended inside of an archive.
func inside(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// take reads n bytes, at most the 64 KiB that the field of a header can say.
func (c *chunks) take(n int) ([]byte, error) {
	p := make([]byte, n)
	_, err := io.ReadFull(c.r, p)
	return p, err
}

// close verifies the checksum, which may stand behind the data with both lengths, with or without a mark, in 4 or 8
// bytes each: the mark of the next part says which.
func (c *chunks) close() error {
	c.member = nil
	if c.flags&flagDescriptor != 0 {
		le := binary.LittleEndian
		p, err := c.r.Peek(28)
		if len(p) < 16 {
			return inside(err)
		}
		at := 0
		if le.Uint32(p) == dataDescriptor {
			at = 4
		}
		c.want = le.Uint32(p[at:])
		n := at + 12
		if !partAt(p, n) && partAt(p, at+20) {
			n = at + 20
		}
		if _, err := c.r.Discard(n); err != nil {
			return inside(err)
		}
	}
	if c.sum != c.want {
		return errSum
	}
	return nil
}

// partAt tells whether a part of an archive begins at an offset of p.
func partAt(p []byte, at int) bool {
	return at+4 <= len(p) && p[at] == 'P' && p[at+1] == 'K'
}
