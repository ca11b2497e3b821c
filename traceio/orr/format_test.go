package orr

import (
	"flag"
	"os"
	"reflect"
	"testing"
)

var update = flag.Bool("update", false, "write testdata again")

const golden = "testdata/v1.orr"

// TestOldFilesStayReadable reads a file written when version 1 was defined. If it fails, the format has changed: a reader
// must keep reading what people have recorded, so raise Version and read both.
func TestOldFilesStayReadable(t *testing.T) {
	want := sample(4)
	if *update {
		if err := os.WriteFile(golden, file(t, want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	f, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	got := readAll(t, f)
	if len(got) != len(want) || len(f.Loss()) > 0 || !reflect.DeepEqual(f.Program(), late) {
		t.Fatalf("%d blocks, want %d; loss %+v", len(got), len(want), f.Loss())
	}
	for i := range got {
		if !equal(got[i], want[i]) {
			t.Errorf("block %d differs", i)
		}
	}
}
