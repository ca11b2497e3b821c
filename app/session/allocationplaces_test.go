package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/views/link"
	"orrery/views/palette"
)

// TestPlacesOfBlocks: twenty blocks one above the other, of which three stay. They are a burst upward and one region,
// and the one in the middle of those that stay keeps what the others left in two pieces.
func TestPlacesOfBlocks(t *testing.T) {
	var log strings.Builder
	log.WriteString("= Start\n")
	for i := range 20 {
		fmt.Fprintf(&log, "@ ./a:(main+0x1)[0x401136] + 0x%x 0x28\n", 0x1000+0x30*i)
	}
	for i := range 20 {
		if i != 0 && i != 10 && i != 19 {
			fmt.Fprintf(&log, "@ ./a:(main+0x2)[0x401140] - 0x%x\n", 0x1000+0x30*i)
		}
	}
	path := filepath.Join(t.TempDir(), "places.mtrace")
	if err := os.WriteFile(path, []byte(log.String()+"= End\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := open(t, path)
	a := Allocating{Heap: r.Heap, Unit: r.TimeUnit()}
	for _, row := range []struct {
		key    string
		thing  link.What
		values []float64 // of the first row
		rows   int
		told   string
	}{
		{"order", link.Block, []float64{20, 1, 0, 19}, 1, "1 burst of 16 allocations or more: in 1 addresses go up, in 0 " +
			"down, in 0 both ways; 100 % of all steps go up."},
		{"regions", link.Address, []float64{19*0x30 + 0x28, 20 * 0x28, 20}, 1,
			"At the peak the largest region without a hole is 952 B with 20 blocks, most of it from main (800 B)."},
		{"holes", link.Address, nil, 0, "At the peak there is no free memory between live blocks."},
		{"latency", link.Address, nil, 0, "The log does not tell how long the allocator took to answer."},
		{"pins", link.Block, []float64{440 + 392, 440, 392, 0, 0x28}, 3,
			"At the end 3 blocks pin free memory; beside block #10 of main lie 832 B of it."},
	} {
		s := r.AllocationTable(palette.Dark(), a, row.key)
		if len(s.Rows) != row.rows || row.rows > 0 && (s.Rows[0].Thing.What != row.thing ||
			fmt.Sprint(s.Rows[0].Values) != fmt.Sprint(row.values)) {
			t.Errorf("%s: %+v, want %d, the first of %v", row.key, s.Rows, row.rows, row.values)
		}
		if told := strings.Join(a.Told(row.key), " "); told != row.told {
			t.Errorf("%s comes to %q, want %q", row.key, told, row.told)
		}
	}
}
