package main

import (
	"bytes"
	"io"
	"math/rand/v2"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"orrery/traceio/orr"
)

// packings are those that readers take off.
var packings = []string{"gz", "zst", "xz"}

// pack compresses data.
func pack(packing string, data []byte) []byte {
	var out bytes.Buffer
	var w io.WriteCloser
	var err error
	switch packing {
	case "gz":
		w = gzip.NewWriter(&out)
	case "zst":
		w, err = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	default:
		w, err = xz.NewWriter(&out)
	}
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // nothing but memory is written to
	}
	return out.Bytes()
}

// bombPiece is the unpacked size of one of the equal pieces that a bomb ends with.
const bombPiece = 16 << 20

// bomb is a file that begins like data and unpacks to between 64 and 256 MiB: in all packings, what follows the end of
// one stream is read as another.
func bomb(r *rand.Rand, data []byte) []byte {
	packing := packings[r.IntN(len(packings))]
	fill := []byte("\x00\n 9([{<a,\xff")[r.IntN(11)]
	piece := pack(packing, bytes.Repeat([]byte{fill}, bombPiece))
	return join(pack(packing, data), bytes.Repeat(piece, 4<<r.IntN(3)))
}

// whole tells whether data is not damaged as far as its packing tells: all of it unpacks with checksums that hold, as
// two good files one after the other do; or it has no packing any more and is another file. Recordings are whole when
// they are one of the good files.
func whole(data []byte) bool {
	var r io.Reader
	var err error
	switch in := bytes.NewReader(data); {
	case orr.Magic(data):
		return false
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		r, err = gzip.NewReader(in)
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		r, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
	case bytes.HasPrefix(data, []byte("\xfd7zXZ\x00")):
		r, err = xz.NewReader(in)
	default:
		return true
	}
	if err != nil {
		return false
	}
	if z, ok := r.(*zstd.Decoder); ok {
		defer z.Close()
	}
	_, err = io.Copy(io.Discard, r)
	return err == nil
}
