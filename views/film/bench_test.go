package film

import (
	"bytes"
	"context"
	"testing"
)

// BenchmarkGIF writes 20 frames of 160 x 121 pixels; time and allocations are those of the whole film.
func BenchmarkGIF(b *testing.B) {
	f := sample(20)
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		if err := f.EncodeGIF(context.Background(), &out, nil); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(f.Frames * 160 * 121 * 4))
	}
}
