package region_test

import (
	"strings"
	"testing"

	"orrery/traceio"
)

// The twin asks At for the name of every byte and compares it with names that are written out.
func TestFilter(t *testing.T) {
	r := recordProgram(t, "gcc", "blocks.c", nil, "-O0")
	l := recordProgram(t, "clang", "locals.c", []string{"program"}, "-O0", "-DN=100")
	for _, row := range []struct {
		rec      *recorded
		patterns []string
		has      func(name, region string) bool
	}{
		{r, []string{"C"}, func(n, g string) bool { return g == "C" }},
		// * stands for any text, also for itself
		{r, []string{"*C"}, func(n, g string) bool { return strings.HasSuffix(g, "C") }},
		{r, []string{"P[*]"}, func(n, g string) bool { return g == "P" }},
		{r, []string{"P[4]", "P[1?]"}, func(n, g string) bool { return n == "P[4]" || n == "P[10]" || n == "P[11]" }},
		{r, []string{"word.text", "*main:rows?*?"}, func(n, g string) bool {
			return n == "word.text" || g == "*main:rows[*]"
		}},
		{r, []string{"main:rows[1]"}, func(n, g string) bool { return n == "main:rows[1]" }},
		{r, []string{"main:*"}, func(n, g string) bool { return strings.HasPrefix(g, "main:") }},
		{r, []string{"main::*"}, func(n, g string) bool { return strings.HasPrefix(g, "main:") }},
		{r, []string{"heap@blocks.c:45"}, func(n, g string) bool { return g == "heap@blocks.c:45" }},
		{r, []string{"heap@blocks.c:*"}, func(n, g string) bool {
			return strings.HasPrefix(n, "*") || strings.HasPrefix(n, "heap@")
		}},
		{l, []string{"fill:p.y"}, func(n, g string) bool { return n == "fill:p.y" }},
		{l, []string{"fill:?.x", "fill:a[7]"}, func(n, g string) bool { return n == "fill:p.x" || n == "fill:a[7]" }},
		{l, []string{"give:mine.part[*]"}, func(n, g string) bool { return g == "give:mine" }},
		{l, []string{"give:mine.part[2]", "stack"}, func(n, g string) bool {
			return n == "give:mine.part[2]" || g == "stack"
		}},
	} {
		f, err := row.rec.regions.Filter(row.patterns)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for i := range row.rec.Blocks() {
			b, err := row.rec.Block(i)
			if err != nil {
				t.Fatal(err)
			}
			keep := make([]bool, b.Len())
			f.Keep(b, keep)
			for k, a := range b.Addr {
				s := b.First + traceio.Seq(k)
				region, name := row.rec.regions.At(a, s)
				if want := row.has(name, region.Name); keep[k] != want {
					t.Fatalf("%q: %s of %s is kept: %v, want %v", row.patterns, name, region.Name, keep[k], want)
				}
				if keep[k] {
					kept++
					if kept%64 == 1 && !f.Has(a, s) {
						t.Fatalf("%q: Has differs from Keep at %d", row.patterns, s)
					}
				}
			}
		}
		if kept == 0 {
			t.Errorf("%q keeps nothing", row.patterns)
		}
	}
	if _, err := r.regions.Filter([]string{"C", "nothing:*"}); err == nil ||
		!strings.Contains(err.Error(), `"nothing:*"`) {
		t.Errorf("a pattern without a match gave %v", err)
	}
}
