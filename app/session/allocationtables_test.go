package session

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/table"
)

// total adds a column up by its title.
func total(t *testing.T, s table.State, title string) (sum uint64) {
	t.Helper()
	for k, c := range s.Columns {
		if c.Title != title {
			continue
		}
		for i := range s.Rows {
			if v := s.Rows[i].Values[k]; !math.IsNaN(v) {
				sum += uint64(int64(v))
			}
		}
		return sum
	}
	t.Fatalf("the table has no column %q", title)
	return 0
}

// TestAllocationTablesAddUp: the tables of a heap add up to a plain count over its blocks, every row leads to a thing
// of the other views, and every table has a sentence.
func TestAllocationTablesAddUp(t *testing.T) {
	for _, name := range []string{"list", "containers"} {
		r := open(t, shipped+name+".orr")
		h := r.Heap
		usage, err := heap.Observe(context.Background(), h, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := Allocating{Heap: h, Usage: usage, Baseline: heap.Compare(h, h), Than: "other.orr", Unit: r.TimeUnit()}
		var bytes, leaked, temporary, leaks, untouched uint64
		for i := range h.Count() {
			b := h.Block(i)
			bytes += b.Size
			if !b.Freed() {
				leaked += b.Size
				leaks++
			}
			if b.Temporary {
				temporary++
			}
			untouched += b.Size - usage.Blocks[i].Touched
		}
		for _, row := range []struct {
			key, column string
			want        uint64
		}{
			{"sites", "bytes", bytes}, {"sites", "calls", uint64(h.Count())}, {"sites", "never freed", leaked},
			{"sites", "temporary", temporary},
			{"leaks", "bytes", leaked}, {"leaks", "blocks", leaks}, {"temporary", "temporary", temporary},
			{"threads", "blocks", h.Crossed},
			{"use", "never touched", untouched}, {"against", "bytes more", 0}, {"against", "bytes here", bytes},
			{"errors", "event", 0},
		} {
			s := r.AllocationTable(palette.Dark(), a, row.key)
			if got := total(t, s, row.column); got != row.want {
				t.Errorf("%s, %s: %s add up to %d, want %d", name, row.key, row.column, got, row.want)
			}
		}
		for _, k := range AllocationTables {
			s := r.AllocationTable(palette.Light(), a, k.Key)
			told := strings.Join(a.Told(k.Key), " ")
			if s.Title == "" || !strings.HasSuffix(told, ".") {
				t.Errorf("%s, %s is of %q and comes to %q", name, k.Key, s.Title, told)
			}
			for i := range s.Rows {
				if row := &s.Rows[i]; row.Thing.What == link.Region && r.Regions.Find(row.Thing.Name) < 0 ||
					row.Thing.What == link.Nothing || len(row.Values) != len(s.Columns) {
					t.Errorf("%s, %s: the row %q leads to %+v", name, k.Key, row.Name, row.Thing)
				}
			}
		}
	}
}

// TestToldChange says what differs, by hand.
func TestToldChange(t *testing.T) {
	old := &heap.Heap{Allocations: 100, TotalBytes: 4096, PeakBytes: 2048, LiveBytes: 0}
	now := &heap.Heap{Allocations: 112, TotalBytes: 1024, PeakBytes: 2048, LiveBytes: 10}
	a := Allocating{Heap: now, Than: "runs/old.orr", Baseline: &heap.Comparison{Old: old, New: now,
		Sites: []heap.SiteChange{
			{Name: "a.c:1", Before: heap.Cost{Bytes: 3584}, After: heap.Cost{Bytes: 10}},
			{Name: "b.c:2", After: heap.Cost{Bytes: 1014}}}}}
	got := strings.Join(a.Told("against"), " ")
	want := "Against old.orr: calls 112 instead of 100 (+12 %), bytes 1 KiB instead of 4 KiB (−75 %), peak 2 KiB, as " +
		"there, never freed 10 B instead of 0 B. Most grew b.c:2 by 1014 B; most shrank a.c:1 by 3.5 KiB."
	if got != want {
		t.Errorf("told\n%s, want\n%s", got, want)
	}
}

// TestGrowth draws leaks and says how they grew.
func TestGrowth(t *testing.T) {
	var once, always heap.Leak
	once.Growth[3] = 8
	for i := range always.Growth {
		always.Growth[i] = uint64(i + 1)
	}
	for _, row := range []struct {
		leak heap.Leak
		want string
	}{{once, "···█············ was made once"}, {always, "▁▁▂▂▃▃▄▄▄▅▅▆▆▇▇█ grows through the run"}} {
		if got := Growth(row.leak); got != row.want {
			t.Errorf("drawn %q, want %q", got, row.want)
		}
	}
}

// TestErrorsOfALog are listed with the block that they are of, and counted in words.
func TestErrorsOfALog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e.mtrace")
	log := "= Start\n@ ./a:(main+0x1)[0x401136] + 0x1000 0x18\n@ ./a:(main+0x2)[0x401140] - 0x1000\n@ " +
		"./a:(main+0x3)[0x401150] - 0x1000\n" +
		"@ ./a:(main+0x4)[0x401160] - 0x5000\n@ ./a:(main+0x5)[0x401170] + 0x2000 0x40\n@ ./a:(main+0x6)[0x401180] + " +
		"0x2010 0x40\n= End\n"
	if err := os.WriteFile(path, []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	r := open(t, path)
	a := Allocating{Heap: r.Heap, Unit: r.TimeUnit()}
	s := r.AllocationTable(palette.Dark(), a, "errors")
	var got []string
	for i := range s.Rows {
		got = append(got, fmt.Sprint(s.Rows[i].Name, " ", s.Rows[i].Thing.AsMemory().What == link.Block, " ",
			s.Rows[i].Values[0]))
	}
	want := "double-free of 0x1000 in main true 2; unknown-free of 0x5000 in main false 3; overlap of 0x2010 in " +
		"main true 5"
	if strings.Join(got, "; ") != want {
		t.Errorf("the errors are %s, want %s", strings.Join(got, "; "), want)
	}
	if told, want := strings.Join(a.Told("errors"), " "), "The log has 1 double-free, 1 unknown-free, 1 overlap."; told !=
		want {
		t.Errorf("told %q, want %q", told, want)
	}
	if none := r.AllocationTable(palette.Dark(), a, "use"); len(none.Rows)+len(r.AllocationTable(palette.Dark(), a,
		"against").Rows) > 0 || a.Told("use") != nil {
		t.Error("a table that cannot be known has rows")
	}
}

// TestPortion: a half goes up, as in the tables of the command.
func TestPortion(t *testing.T) {
	for part, want := range map[uint64]string{1: "13 %", 3: "38 %", 4: "50 %", 0: "0 %"} {
		if got := strings.ReplaceAll(portion(part, 8), "\u00a0", " "); got != want {
			t.Errorf("%d of 8 is %q, want %q", part, got, want)
		}
	}
}
