package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCacheCompares: two recordings, or one under two hierarchies, are told against each other; what cannot be is
// refused.
func TestCacheCompares(t *testing.T) {
	standard, transposed := recordings+"matmul-standard.orr", recordings+"matmul-transposed.orr"
	var got comparisonJSON
	object(t, &got, "cache", standard, transposed)
	if got.Sides != [2]string{"matmul-standard", "matmul-transposed"} || got.Levels[0].Misses != [2]uint64{4930, 1154} ||
		len(got.Words) < 4 || got.Regions[0].Key != "B" {
		t.Errorf("standard against transposed: %+v", got)
	}
	object(t, &got, "cache", standard, "--against", "desktop")
	if got.Sides != [2]string{"default", "desktop"} || got.Levels[2].Names != [2]string{"", "L3"} {
		t.Errorf("default against desktop: %+v", got)
	}
	object(t, &got, "cache", recordings+"sharing-packed.orr", "--preset", "desktop", "--cores", "4", "--against", "zen3")
	if names := got.Levels[0].Names; names[0] != names[1] || !strings.HasSuffix(names[1], "#0") {
		t.Errorf("four cores against four: the first levels are %q", names)
	}
	file := filepath.Join(t.TempDir(), "own.toml")
	if err := os.WriteFile(file, []byte(
		"[[level]]\nname = \"L1\"\nkind = \"unified\"\nsize = \"1KiB\"\nways = 2\nblock = \"32B\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, stdout, stderr := run(t, "cache", standard, "--against", file); status != Done || !strings.Contains(stdout,
		"L1D (L1) misses") || !strings.Contains(stdout, "region: misses in L1D") || strings.Contains(stdout, " ns") {
		t.Errorf("against a file: status %d, %s%s", status, stdout, stderr)
	}
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"cache", standard, transposed, "--against", "tiny"}, "not both"},
		{[]string{"cache", standard, "--against", "nonesuch"}, "nonesuch"},
		{[]string{"cache", standard, transposed, standard}, "two to be compared"},
		{[]string{"cache", standard, "nonesuch.orr"}, "nonesuch.orr"},
		{[]string{"render", "cache", standard, "-o", "x.svg", "--show", "nonesuch"}, `"nonesuch"`},
		{[]string{"render", "cache", standard, "-o", "x.svg", "--glyph", "bit"}, "element, block, page"},
	} {
		if status, _, stderr := run(t, row.args...); status == Done || !strings.Contains(stderr, row.want) {
			t.Errorf("orrery %s: status %d, %q, want %q", strings.Join(row.args, " "), status, stderr, row.want)
		}
	}
}

// TestRenderShowsOnly: a filter leaves fewer glyphs in the picture, and pages are fewer glyphs than elements.
func TestRenderShowsOnly(t *testing.T) {
	circles := func(args ...string) int {
		out := filepath.Join(t.TempDir(), "rings.svg")
		if status, _, stderr := run(t, append([]string{"render", "cache", recordings + "matmul-standard.orr", "-o", out,
			"--at", "20000", "--tail", "0"}, args...)...); status != Done {
			t.Fatalf("%q: %s", args, stderr)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(data), "<circle")
	}
	all, a, line, pages := circles(), circles("--show", "A"), circles("--show", "A, line matmul.c:17"),
		circles("--glyph", "page")
	if a >= all/2 || a < 256 || line >= a || pages >= all/2 {
		t.Errorf("%d glyphs, %d of A, %d of A that line 17 uses, %d with pages", all, a, line, pages)
	}
}
