package orr

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// TestTailGrows lets a file grow by steps of all sizes. After each step there must be exactly the blocks that are
// whole, as Open has them, and Files given before must not change.
func TestTailGrows(t *testing.T) {
	blocks := sample(6)
	data := file(t, blocks)
	at := places(t, data)
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		tail := Follow(bytes.NewReader(data), "x.orr")
		var given []*File
		var lengths []traceio.Seq
		for size := 0; size < len(data); {
			size = min(len(data), size+1+rnd.IntN(1+int(seed)*40))
			if _, err := tail.Grow(int64(size)); err != nil {
				t.Fatal(err)
			}
			whole, end := 0, headerLen
			for _, p := range at {
				if p.end <= size {
					end = p.end
					if p.kind == typeRef {
						whole++
					}
				}
			}
			f := tail.File()
			if len(f.Entries()) != whole || size >= headerLen && tail.Size() != int64(end) ||
				tail.Ended() != (size == len(data)) {
				t.Fatalf("%d bytes: %d blocks up to byte %d, ended %v; want %d up to %d", size, len(f.Entries()), tail.Size(),
					tail.Ended(), whole, end)
			}
			given, lengths = append(given, f), append(lengths, f.Len())
		}
		for i, f := range given {
			if f.Len() != lengths[i] {
				t.Fatalf("a file of %d references has %d later", lengths[i], f.Len())
			}
		}
		last, whole := given[len(given)-1], mustOpen(t, data)
		for i, b := range readAll(t, last) {
			if !equal(b, blocks[i]) {
				t.Fatalf("block %d differs", i)
			}
		}
		got, err1 := last.PCs()
		want, err2 := whole.PCs()
		if err1 != nil || err2 != nil || !slices.Equal(got, want) || len(last.Loss()) > 0 ||
			len(last.Program().Sources) != 1 {
			t.Fatalf("%d PCs, want %d; loss %v", len(got), len(want), last.Loss())
		}
	}
}

func mustOpen(t *testing.T, data []byte) *File {
	t.Helper()
	f, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestTailWaitsAtDamage: what is not whole may become so; a file that is no recording never will.
func TestTailWaitsAtDamage(t *testing.T) {
	data := file(t, sample(4))
	at := places(t, data)
	bad := slices.Clone(data)
	bad[at[3].at+blockLen+3] ^= 4
	tail := Follow(bytes.NewReader(bad), "x.orr")
	if _, err := tail.Grow(int64(len(bad))); err != nil || tail.Size() != int64(at[3].at) {
		t.Fatalf("%d bytes taken in, want %d; %v", tail.Size(), at[3].at, err)
	}
	copy(bad, data)
	if more, err := tail.Grow(int64(len(bad))); err != nil || !more || !tail.Ended() {
		t.Errorf("more %v, ended %v, %v", more, tail.Ended(), err)
	}
	if _, err := Follow(bytes.NewReader(make([]byte, 99)), "x.orr").Grow(99); err == nil {
		t.Error("zeros are followed")
	}
}

// FuzzTail grows any bytes in two steps: it must not matter where they were cut, nor may anything of it fail to decode
// in another way than an error.
func FuzzTail(f *testing.F) {
	data := file(f, sample(3))
	f.Add(data, 300)
	f.Add(data[:len(data)/2], 40)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		if cut < 0 || cut > len(data) {
			return
		}
		whole, steps := Follow(bytes.NewReader(data), "x"), Follow(bytes.NewReader(data), "x")
		_, err := whole.Grow(int64(len(data)))
		steps.Grow(int64(cut))
		_, err2 := steps.Grow(int64(len(data)))
		if (err == nil) != (err2 == nil) || whole.Size() != steps.Size() {
			t.Fatalf("at once %d bytes, %v; in two steps %d, %v", whole.Size(), err, steps.Size(), err2)
		}
		var b traceio.Block
		file := whole.File()
		for i := range file.Entries() {
			file.Decode(i, &b)
		}
	})
}
