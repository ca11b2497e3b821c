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

// layouts are the beginnings of the names of the files that were written with each layout of columns, the latest last.
var layouts = []struct {
	layout int
	name   string
}{{layoutBytes, "v1"}, {layoutBits, "v2"}, {layoutNibbles, "v2-nibbles"}, {layoutWays, "v2-ways"},
	{layoutFirst, "v2-first"}}

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

// TestOldFilesStayReadable reads files written when each version and each layout of columns was defined. If it fails,
// the format has changed: a reader must keep reading what people have recorded, so add a layout, or raise Version, and
// read both. -update writes those of the latest layout.
func TestOldFilesStayReadable(t *testing.T) {
	for i, l := range layouts {
		for kind, want := range map[string][]*traceio.Block{"": sample(4), "-shapes": formed()} {
			name := fmt.Sprintf("testdata/%s%s.orr", l.name, kind)
			if *update && i == len(layouts)-1 {
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
			if written := layoutOf(t, f); written != l.layout {
				t.Fatalf("%s: layout %d, want %d", name, written, l.layout)
			}
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

// layoutOf is the layout of the columns of a file's first block.
func layoutOf(t *testing.T, f *File) int {
	t.Helper()
	e := &f.entries[0]
	payload := make([]byte, e.packed)
	if _, err := f.r.ReadAt(payload, e.offset+blockLen); err != nil {
		t.Fatal(err)
	}
	return int(readLayout(payload))
}
