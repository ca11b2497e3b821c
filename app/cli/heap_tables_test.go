package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/orr/orrtest"
)

// TestNoTableWithoutRows makes recordings of which some table has nothing to tell: a sentence says what that means.
func TestNoTableWithoutRows(t *testing.T) {
	const loads = 9
	make := func(s traceio.Seq, size uint64) traceio.Alloc {
		return traceio.Alloc{Seq: s, Addr: 0x1000, Size: size, Stack: 1}
	}
	free := func(s traceio.Seq) traceio.Alloc {
		return traceio.Alloc{Seq: s, Addr: 0x1000, Op: traceio.Free, Stack: 1}
	}
	for _, c := range []struct {
		name, args string
		allocs     []traceio.Alloc
		want       string
		not        string
	}{
		{"regions", "", []traceio.Alloc{make(4, 1)},
			"1 allocation, 0 frees, 1 byte in all, peak 1 byte at reference 4\n1 block with 1 byte never freed", "no regions"},
		{"behind the end", "", []traceio.Alloc{make(loads, 24)}, "The peak comes behind the last reference",
			"largest compact"},
		{"between two references", "", []traceio.Alloc{make(4, 24), free(4)},
			"The blocks of the peak are freed before the next reference", "largest compact"},
		{"without bytes", "", []traceio.Alloc{make(4, 0)}, "No block has a byte", "largest compact"},
		{"freed at once", "--temporaries", []traceio.Alloc{make(4, 24)}, "No block was freed at once.\n", "of its blocks"},
		{"sites", "--sites", []traceio.Alloc{free(4)}, "Nothing was allocated.\n", "allocated at"},
		{"one error", "", []traceio.Alloc{make(4, 24), free(5), free(6)},
			"double-free: 1 block freed that had been freed already\n", "blocks freed that"},
		{"two errors", "", []traceio.Alloc{make(4, 24), free(5), free(6), free(7)},
			"double-free: 2 blocks freed that had been freed already\n", "block freed that"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := orrtest.File(t, func(w *orr.Writer) (*traceio.Program, error) {
				b := traceio.Block{Allocs: c.allocs}
				for i := range loads {
					b.Append(traceio.Access{Addr: traceio.Addr(0x500000 + 8*i), PC: 0x401000, Size: 8})
				}
				return &traceio.Program{Stacks: [][]traceio.Addr{nil, {0x401001}}}, w.WriteBlock(&b)
			})
			status, text, stderr := run(t, append([]string{"heap", path}, strings.Fields(c.args)...)...)
			if status != Done || !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
				t.Errorf("status %d, %s: want %q and not %q in\n%s", status, stderr, c.want, c.not, text)
			}
		})
	}
}

// The longest bursts are listed with their steps, in text and in JSON: what the columns of the bins count can be looked
// at.
func TestHeapListsBursts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.mtrace")
	var log strings.Builder
	log.WriteString("= Start\n")
	for i := range 20 {
		fmt.Fprintf(&log, "@ ./a:(main+0x1)[0x401136] + %#x 0x18\n", 0x2000-0x20*i)
	}
	log.WriteString("= End\n")
	if err := os.WriteFile(path, []byte(log.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, stderr := run(t, "heap", path)
	if status != Done || !regexp.MustCompile(`24 B +0 +19 +20 +0 +19 +down\n`).MatchString(out) {
		t.Errorf("status %d, %s; the bursts are in\n%s", status, stderr, out)
	}
	status, out, _ = run(t, "heap", path, "--json")
	var got struct{ Bursts []burstJSON }
	if err := json.Unmarshal([]byte(out), &got); status != Done || err != nil ||
		!slices.Equal(got.Bursts, []burstJSON{{"24 B", 0, 19, 20, 0, 19}}) {
		t.Errorf("status %d, %v: the bursts are %+v", status, err, got.Bursts)
	}
}
