package vector

import "testing"

// The drawing has 20 000 points of curves and 5 000 discs.
func BenchmarkSVG(b *testing.B) {
	d := crowd(1, 20000)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(SVG(d))))
	}
}

func BenchmarkPDF(b *testing.B) {
	d := crowd(1, 20000)
	b.ReportAllocs()
	for b.Loop() {
		file, err := PDF(d)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(file)))
	}
}
