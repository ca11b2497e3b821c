package record

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/store"
)

// TestShipped (F10): the recordings beside the sources show what the programs do, carry today's source text and tell
// nothing of the machine that made them. Turns are counted as stores of the line that a turn passes once.
func TestShipped(t *testing.T) {
	type count struct {
		line   string // text in the source
		stores int
	}
	for _, test := range []struct {
		name, source, global string
		counts               []count
	}{
		{"bubble-array-sorted", "bubble.c", "numbers", []count{{"swapped = 0;", 1}, {"swapped = 1;\n            }", 0}}},
		{"bubble-array-reversed", "bubble.c", "numbers", []count{{"swapped = 0;", 4}, {"swapped = 1;\n            }", 10}}},
		{"bubble-array-shuffled", "bubble.c", "numbers", []count{{"swapped = 0;", 4}, {"swapped = 1;\n            }", 6}}},
		{"bubble-vector-sorted", "bubble_vector.cpp", "", []count{{"swapped = false;", 1},
			{"swapped = true;\n            }", 0}}},
		{"bubble-vector-reversed", "bubble_vector.cpp", "", []count{{"swapped = false;", 4},
			{"swapped = true;\n            }", 10}}},
		{"bubble-vector-shuffled", "bubble_vector.cpp", "", []count{{"swapped = false;", 4},
			{"swapped = true;\n            }", 6}}},
		{"matmul-standard", "matmul.c", "A", []count{{"sum += A[i][k] * B[k][j];\n            C[i][j] = sum;", 4096},
			{"C[i][j] = sum;\n        }\n    }\n}\n\n/* B holds", 256}}},
		{"matmul-transposed", "matmul.c", "B", []count{{"sum += A[i][k] * B[j][k];", 4096}}},
		{"matmul-blocked", "matmul.c", "C", []count{{"sum += A[i][k] * B[k][j];\n                    C", 4096},
			{"C[i][j] += sum;", 1024}}},
		{"list", "list.c", "seed", []count{{"w->next = next;", 540}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join("../../testdata/programs", test.source))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("../../testdata/recordings", test.name+".orr")
			rec, err := store.Open(context.Background(), path, store.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			prog := rec.Program()
			if len(prog.Sources) == 0 || prog.Sources[0].Path != test.source || prog.Sources[0].Text != string(source) {
				t.Fatalf("the recording's source is not %s as it is; run testdata/record.sh", test.source)
			}
			m := made{rec: rec}
			if test.global != "" {
				m.global(t, test.global)
			}
			stores := map[int]int{}
			m.each(t, func(a traceio.Access) {
				if line := lineOf(prog, a.PC, test.source); a.Kind == traceio.Store {
					stores[line]++
				}
			})
			for _, c := range test.counts {
				before, _, ok := strings.Cut(string(source), c.line)
				line := 1 + strings.Count(before, "\n")
				if !ok || stores[line] != c.stores {
					t.Errorf("%d stores in line %d, want %d", stores[line], line, c.stores)
				}
			}
			for _, mod := range prog.Modules {
				if filepath.IsAbs(mod.Path) && !strings.HasPrefix(mod.Path, "/usr/lib/") {
					t.Errorf("the recording tells of %s", mod.Path)
				}
			}
			for _, s := range prog.Sites {
				for _, f := range s.Frames {
					if filepath.IsAbs(f.File) && !strings.HasPrefix(f.File, "/usr/") {
						t.Errorf("the recording tells of %s", f.File)
					}
				}
			}
		})
	}
}

func lineOf(prog *traceio.Program, pc traceio.Addr, file string) int {
	for i := range prog.Sites {
		if s := &prog.Sites[i]; s.PC == pc && len(s.Frames) > 0 && s.Frames[0].File == file {
			return s.Frames[0].Line
		}
	}
	return 0
}
