package orr

import (
	"flag"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"orrery/traceio"
)

var update = flag.Bool("update", false, "write testdata again")

// formed has a block of every shape.
func formed() (out []*traceio.Block) {
	first := traceio.Seq(0)
	for i, shape := range shapes {
		rnd := rand.New(rand.NewPCG(3, uint64(i)))
		b := &traceio.Block{First: first}
		for k := range 700 {
			b.Append(shape.row(k, rnd))
		}
		first += traceio.Seq(b.Data())
		out = append(out, b)
	}
	return out
}

// TestFormatIsKept reads files that were written when the format was defined. If it fails, the format has changed: then
// Version must grow and shipped recordings must be converted; -update writes the files.
func TestFormatIsKept(t *testing.T) {
	for name, want := range map[string][]*traceio.Block{
		"testdata/sample.orr": sample(4), "testdata/shapes.orr": formed(),
	} {
		if *update {
			if err := os.WriteFile(name, file(t, want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := open(data)
		if err != nil {
			t.Fatal(err)
		}
		got := readAll(t, f)
		if len(got) != len(want) || len(f.Loss()) > 0 || !reflect.DeepEqual(f.Program(), late) {
			t.Fatalf("%s: %d blocks, want %d; loss %+v", name, len(got), len(want), f.Loss())
		}
		for i := range got {
			if !equal(got[i], want[i]) {
				t.Errorf("%s: block %d differs", name, i)
			}
		}
	}
}
