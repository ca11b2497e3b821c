package traceio_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"orrery/traceio"
)

// pack compresses text in each way that Unpack takes off.
func pack(t testing.TB, text []byte) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"": text}
	for name, make := range map[string]func(io.Writer) (io.WriteCloser, error){
		"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		"xz":   func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	} {
		var buf bytes.Buffer
		w, err := make(&buf)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		out[name] = buf.Bytes()
	}
	return out
}

func TestUnpack(t *testing.T) {
	text := []byte(strings.Repeat("I  04001234,3\n L 1fff000688,8\n", 20000))
	for name, data := range pack(t, text) {
		u, err := traceio.Unpack(bytes.NewReader(data), "x")
		if err != nil {
			t.Fatal(err)
		}
		if u.Packing != name {
			t.Errorf("packing %q, want %q", u.Packing, name)
		}
		if head, err := u.Peek(traceio.HeadLen); err != nil || !bytes.Equal(head, text[:traceio.HeadLen]) {
			t.Errorf("%s: peek gives %d bytes, %v", name, len(head), err)
		}
		got, err := io.ReadAll(u)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		u.Close()
	}
}

func TestUnpackCut(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	text := make([]byte, 300000)
	for i := range text {
		text[i] = "0123456789abcdef\n"[rnd.IntN(17)]
	}
	for name, data := range pack(t, text) {
		if name == "" {
			continue
		}
		for _, n := range []int{7, 13, len(data) / 2, len(data) - 3} {
			u, err := traceio.Unpack(bytes.NewReader(data[:n]), "x")
			if err != nil {
				var e *traceio.Error
				if !errors.As(err, &e) || e.File != "x" {
					t.Errorf("%s cut at %d: %v is not positioned", name, n, err)
				}
				continue
			}
			got, err := io.ReadAll(u)
			if err == nil {
				t.Errorf("%s cut at %d: no error", name, n)
			}
			if !bytes.HasPrefix(text, got) {
				t.Errorf("%s cut at %d: wrong bytes", name, n)
			}
			u.Close()
		}
	}
}

// TestUnpackClaims opens headers that claim windows of gigabytes.
func TestUnpackClaims(t *testing.T) {
	zst := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8}, make([]byte, 64)...) // window 2^31
	xzHead := pack(t, []byte("text"))["xz"]
	big := bytes.Clone(xzHead)
	// Behind the stream header: header size, flags, filter 0x21, property size 1, dictionary size.
	if big[14] != 0x21 || big[15] != 1 {
		t.Fatalf("unexpected block header % x", big[12:20])
	}
	big[16] = 40
	for name, data := range map[string][]byte{"zstd": zst, "xz": big} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		u, err := traceio.Unpack(bytes.NewReader(data), "x")
		if err == nil {
			_, err = io.ReadAll(u)
			u.Close()
		}
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for _, data := range pack(f, []byte("I  04001234,3\n L 1fff000688,8\n")) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := traceio.Unpack(bytes.NewReader(data), "x")
		if err != nil {
			return
		}
		io.Copy(io.Discard, io.LimitReader(u, 1<<20))
		u.Close()
	})
}

// TestCutXZ: a file that is cut anywhere is not whole, even if its beginning was looked at first; one whose streams
// have padding behind them is.
func TestCutXZ(t *testing.T) {
	var packed bytes.Buffer
	text := strings.Repeat("a line of text\n", 40)
	for range 3 { // blocks
		w, err := xz.WriterConfig{BlockSize: 200}.NewWriter(&packed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	whole := packed.Bytes()
	one := len(whole) / 3
	for _, data := range [][]byte{whole, append(bytes.Clone(whole), 0, 0, 0, 0)} {
		u, err := traceio.Unpack(bytes.NewReader(data), "x")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(u); err != nil || string(got) != strings.Repeat(text, 3) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	for n := 6; n < len(whole); n++ {
		u, err := traceio.Unpack(bytes.NewReader(whole[:n]), "x")
		if err != nil {
			continue
		}
		_, _ = u.Peek(traceio.HeadLen)
		if _, err := io.ReadAll(u); err == nil && n%one != 0 {
			t.Errorf("cut at byte %d of %d, it is taken for whole", n, len(whole))
		}
		u.Close()
	}
}
