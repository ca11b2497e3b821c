package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenderFlame: what is drawn is what `orrery heap --flame` counts, and --under leaves out what calls the function.
func TestRenderFlame(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.svg")
	for _, row := range []struct {
		args    []string
		has     string
		without string
	}{
		{nil, ">make_word<", "no such text"},
		{[]string{"--width", "leaked"}, "all allocations", ">index_list<"},
		{[]string{"--under", "main;build_list", "--flame-colors", "site", "--theme", "light"}, ">make_text<", ">index_list<"},
		{[]string{"--under", "main", "--find", "TEXT"}, ">make_text<", "no such text"},
	} {
		args := append([]string{"render", "flame", recordings + "list.orr", "-o", out}, row.args...)
		if status, _, stderr := run(t, args...); status != Done {
			t.Errorf("%q: status %d, %s", args, status, stderr)
			continue
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), row.has) || strings.Contains(string(data), row.without) {
			t.Errorf("%q: %d bytes with %q %v, with %q %v", args, len(data), row.has, strings.Contains(string(data), row.has),
				row.without, strings.Contains(string(data), row.without))
		}
	}
	if status, _, stderr := run(t, "render", "flame", recordings+"bubble-vector-shuffled.orr", "-o", out); status != Done {
		t.Errorf("status %d, %s", status, stderr)
	}
}
