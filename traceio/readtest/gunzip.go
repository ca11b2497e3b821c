package readtest

import (
	"compress/gzip"
	"io"
	"os"
	"testing"
)

// Gunzip gives a packed file as it was before, unpacked by Go's own library, which no reader of ours uses.
func Gunzip(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
