package session

import (
	"context"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/views/link"
)

// TestCompareWindow: the misses of the lines in windows that lie end to end are those of the whole run, line by line,
// and the words name what the levels missed in the window.
func TestCompareWindow(t *testing.T) {
	var runs [2]*Caches
	for i, name := range []string{"matmul-standard", "matmul-transposed"} {
		s := side(t, name, "default")
		c, err := s.Of.RunCaches(context.Background(), s.Config, nil)
		if err != nil {
			t.Fatal(err)
		}
		runs[i] = c
		sum := map[string]uint64{}
		for from := traceio.Seq(0); from < c.Len(); from += 10_001 {
			part, err := c.lineMisses(from, min(from+10_001, c.Len()))
			if err != nil {
				t.Fatal(err)
			}
			for line, n := range part {
				sum[line] += n
			}
		}
		rows, err := s.Of.MissesBy(context.Background(), s.Config, "line", nil)
		if err != nil {
			t.Fatal(err)
		}
		first := s.Config.Entry(traceio.Load)
		for _, r := range rows {
			if strings.Contains(r.Key, ".c:") && sum[r.Key] != r.Misses[first] {
				t.Errorf("%s: %s misses %d times in all windows, want %d", name, r.Key, sum[r.Key], r.Misses[first])
			}
		}
	}
	w := link.Range{From: 20_000, To: 24_000}
	text, err := CompareWindow([2]string{"standard", "transposed"}, runs, [2]link.Range{w, {From: 20_100, To: 24_100}})
	if err != nil {
		t.Fatal(err)
	}
	if len(text) != 2 || !strings.HasPrefix(text[0],
		"In the window, references 20 000 to 24 000 (20 100 to 24 100 in transposed): L1D misses ") ||
		!strings.Contains(text[1], "matmul.c:16") {
		t.Errorf("told %q", text)
	}
}
