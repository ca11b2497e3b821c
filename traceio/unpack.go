package traceio

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// HeadLen is how much of a file detection looks at.
const HeadLen = 1 << 16

// maxWindow bounds the memory that a compressed file can make a decompressor take: the largest window of zstd --ultra
// without --long and twice the dictionary of xz -9.
const maxWindow = 128 << 20

// Unpacked is a byte stream without its compression.
type Unpacked struct {
	*bufio.Reader
	Packing string // "gzip", "zstd", "xz" or "" for none
	close   func()
}

// Close frees what the decompressor holds; it does not close the reader below.
func (u *Unpacked) Close() {
	if u.close != nil {
		u.close()
	}
}

// Unpack looks at the first bytes of r, not at any name, and takes off one layer of gzip, zstd or xz. Peek on the
// result gives up to HeadLen bytes without consuming them. The error is an *Error with the given name.
func Unpack(r io.Reader, name string) (*Unpacked, error) {
	raw := bufio.NewReaderSize(r, HeadLen)
	head, _ := raw.Peek(32)
	u := &Unpacked{Reader: raw}
	var inner io.Reader
	var err error
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		u.Packing = "gzip"
		inner, err = gzip.NewReader(raw)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		u.Packing = "zstd"
		var z *zstd.Decoder
		z, err = zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err == nil {
			inner, u.close = z, z.Close
		}
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		u.Packing = "xz"
		if err = checkXZ(head); err == nil {
			in := &ending{r: raw}
			if inner, err = xz.NewReader(in); err == nil {
				inner = &wholeXZ{r: inner, in: in}
			}
		}
	default:
		return u, nil
	}
	if err != nil {
		return nil, &Error{
			File: name, Msg: fmt.Sprintf("the file begins like %s but cannot be decompressed: %v", u.Packing, err),
			Hint: "was it cut? copy it again", Err: err,
		}
	}
	u.Reader = bufio.NewReaderSize(inner, HeadLen)
	return u, nil
}

// ending remembers with what the bytes end that were read through it.
type ending struct {
	r    io.Reader
	last [2]byte // that are not zero
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	for _, b := range p[:n] {
		if b != 0 {
			e.last = [2]byte{e.last[1], b}
		}
	}
	return n, err
}

// wholeXZ takes the end of an xz file for one only behind a stream's footer, which ends with "YZ" and zeros: the
// decoder takes a file that is cut between two blocks for whole. An error stays: the decoder goes on behind one, and
// bufio forgets what Peek met.
type wholeXZ struct {
	r   io.Reader
	in  *ending
	err error
}

func (w *wholeXZ) Read(p []byte) (n int, err error) {
	if w.err != nil {
		return 0, w.err
	}
	n, w.err = w.r.Read(p)
	if w.err == io.EOF && string(w.in.last[:]) != "YZ" {
		w.err = io.ErrUnexpectedEOF
	}
	return n, w.err
}

// checkXZ refuses a dictionary beyond maxWindow before anybody allocates it. The first block header stands behind the
// 12 bytes of the stream header: size, flags, optional sizes (varints), filters; LZMA2 is filter 0x21 with one property
// byte, whose value b means a dictionary of (2|b&1) << (b/2+11) bytes.
func checkXZ(head []byte) error {
	if len(head) < 18 {
		return io.ErrUnexpectedEOF
	}
	flags := head[13]
	rest := head[14:]
	for _, present := range []bool{flags&0x40 != 0, flags&0x80 != 0} {
		for present && len(rest) > 0 {
			present = rest[0]&0x80 != 0
			rest = rest[1:]
		}
	}
	if flags&3 != 0 || len(rest) < 3 || rest[0] != 0x21 {
		return nil // an index without blocks, or a filter that the decoder refuses by itself
	}
	b := uint64(rest[2])
	if b > 40 || (2|b&1)<<(b/2+11) > maxWindow {
		return fmt.Errorf("its dictionary is larger than %d MiB", maxWindow>>20)
	}
	return nil
}
