package orr

import (
	"flag"
	"fmt"
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

// TestOldFilesStayReadable reads files written when each version was defined. If it fails, the format has changed: a reader
// must keep reading what people have recorded, so raise Version and read both. -update writes those of this version.
func TestOldFilesStayReadable(t *testing.T) {
	for version := 1; version <= Version; version++ {
		for kind, want := range map[string][]*traceio.Block{"": sample(4), "-shapes": formed()} {
			name := fmt.Sprintf("testdata/v%d%s.orr", version, kind)
			if *update && version == Version {
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
}
