package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenderHeap: rows of bins, their order, and the processes of a log are drawn as they are asked for.
func TestRenderHeap(t *testing.T) {
	out, log := filepath.Join(t.TempDir(), "x.svg"), filepath.Join(t.TempDir(), "log")
	text := "==7== Command: /bin/make all\n--7-- malloc(32) = 0x4a40040\n--7-- malloc(16) = 0x4a40070\n--8-- malloc(8) " +
		"= 0x4a40040\n==9== Command: gcc x.c\n--9-- malloc(8) = 0x4a40040\n--9-- free(0x4a40040)\n"
	if err := os.WriteFile(log, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	list, converted := recordings+"list.orr", filepath.Join(t.TempDir(), "log.orr")
	if status, _, stderr := run(t, "convert", log, converted); status != Done {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for _, row := range []struct {
		file    string
		args    []string
		has     string
		without string // "": anything goes
	}{
		{log, []string{"--by", "process"}, ">process 7  make<", ""},
		{log, []string{"--by", "process"}, ">process 9  gcc<", ""},
		{converted, []string{"--by", "process", "--bins", "threads"}, ">process 8<", ""},
		{list, []string{"--page", "time", "--size", "500x200"}, ">24 B<", ">4088 B<"},
		{list, []string{"--page", "time", "--size", "500x200", "--row", "5"}, ">large<", ">24 B<"},
		{list, []string{"--page", "address", "--size", "1900x1000"}, " % up   peak 9.5 KiB<", ""},
	} {
		args := append([]string{"render", "heap", row.file, "-o", out}, row.args...)
		if status, _, stderr := run(t, args...); status != Done {
			t.Errorf("%q: status %d, %s", args, status, stderr)
			continue
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), row.has) || row.without != "" && strings.Contains(string(data), row.without) {
			t.Errorf("%q: %d bytes with %q %v, with %q %v", args, len(data), row.has, strings.Contains(string(data), row.has),
				row.without, strings.Contains(string(data), row.without))
		}
	}
}

// TestRenderHeapRefuses: what nothing could be seen of, and colours for what nobody measured, are refused in a sentence
// before anything is drawn.
func TestRenderHeapRefuses(t *testing.T) {
	list, log := recordings+"list.orr", "../../traceio/heaplog/testdata/sample.ltrace"
	references := "has no references, so nothing tells the %s of a block; `orrery record` without --heap-only records them"
	for _, row := range []struct {
		file, args, want string
	}{
		{list, "--row 0", "--row 0 is not at least 1"},
		{list, "--row 2", "--row 2 is for a page of bins; choose one with --page"},
		{list, "--page time --size 500x200 --row 6",
			"--row 6 is too far down: at this size the page can begin with the rows 1 to 5"},
		{list, "--page bars --row 2", "--row 2 is too far down: at this size the page shows all rows of bins at once"},
		{list, "--heap-from 5000 --heap-to 100", "--heap-from 5000 is not before --heap-to 100"},
		{list, "--heap-from 70 --heap-to 70", "--heap-from 70 is not before --heap-to 70"},
		{list, "--heap-from 250812", "--heap-from 250812 lies beyond the recording's 250812 references"},
		{log, "--heap-from 5000 --heap-to 6000", "--heap-from 5000 lies beyond the recording's 95 heap events"},
		{list, "--size 10x10", "--size 10x10 has no room for the heap; it needs 40x60 at least"},
		{list, "--page time --size 150x600", "--size 150x600 has no room for the heap; it needs 160x60 at least"},
		{list, "--bins size<", "a number is expected, not the end of the line"},
		{list, "--by latency", "list.orr has no response times of the allocator to colour by; `orrery record --heap-only` " +
			"and `ltrace -T` measure them"},
		{log, "--by latency", "sample.ltrace has no response times"},
		{log, "--by heat", "sample.ltrace " + fmt.Sprintf(references, "touch heat")},
		{log, "--by lag", fmt.Sprintf(references, "lag")},
		{log, "--by drag", fmt.Sprintf(references, "drag")},
		{log, "--by untouched", fmt.Sprintf(references, "bytes never touched")},
	} {
		out := filepath.Join(t.TempDir(), "x.svg")
		status, _, stderr := run(t, append([]string{"render", "heap", row.file, "-o", out}, strings.Fields(row.args)...)...)
		if status == Done || status == Partial || !strings.Contains(stderr, row.want) || !sentence(stderr) {
			t.Errorf("%s: status %d, %q; want %q", row.args, status, stderr, row.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: there is a picture", row.args)
		}
	}
	timed := filepath.Join(t.TempDir(), "timed.ltrace")
	if err := os.WriteFile(timed, []byte("malloc(32) = 0x40 <0.000123>\nfree(0x40) = <void> <0.000009>\n"), 0o644); err !=
		nil {
		t.Fatal(err)
	}
	for _, row := range [][]string{{list, "--by", "untouched"}, {list, "--by", "heat"}, {timed, "--by", "latency"},
		{list, "--size", "40x60", "--heap-from", "250811"}} {
		if status, _, stderr := run(t, append([]string{"render", "heap", "-o", filepath.Join(t.TempDir(), "x.svg")},
			row...)...); status != Done {
			t.Errorf("%q: status %d, %q", row, status, stderr)
		}
	}
}
