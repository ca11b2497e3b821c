package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenderHeap: rows of bins, their order, and the processes of a log are drawn as they are asked for.
func TestRenderHeap(t *testing.T) {
	out, log := filepath.Join(t.TempDir(), "x.svg"), filepath.Join(t.TempDir(), "log")
	text := "==7== Command: /bin/make all\n--7-- malloc(32) = 0x4a40040\n--7-- malloc(16) = 0x4a40070\n--8-- malloc(8) = 0x4a40040\n==9== Command: gcc x.c\n--9-- malloc(8) = 0x4a40040\n--9-- free(0x4a40040)\n"
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
		without string
	}{
		{log, []string{"--by", "process"}, ">process 7  make<", "no such text"},
		{log, []string{"--by", "process"}, ">process 9  gcc<", "no such text"},
		{converted, []string{"--by", "process", "--bins", "threads"}, ">process 8<", "no such text"},
		{list, []string{"--page", "time", "--size", "500x200"}, ">24 B<", ">4088 B<"},
		{list, []string{"--page", "time", "--size", "500x200", "--row", "100"}, ">large<", ">24 B<"},
		{list, []string{"--page", "address", "--size", "1900x1000"}, " % up<", "no such text"},
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
		if !strings.Contains(string(data), row.has) || strings.Contains(string(data), row.without) {
			t.Errorf("%q: %d bytes with %q %v, with %q %v", args, len(data), row.has, strings.Contains(string(data), row.has), row.without, strings.Contains(string(data), row.without))
		}
	}
	if status, _, stderr := run(t, "render", "heap", list, "-o", out, "--row", "0"); status == Done || !sentence(stderr) {
		t.Errorf("a row 0 of bins: status %d, %q", status, stderr)
	}
}
