package cli

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"orrery/traceio/resultcache"
)

func TestResultCache(t *testing.T) {
	kept := resultcache.At(t.TempDir())
	t.Setenv(resultcache.Variable, kept.Dir())
	put := func() {
		if err := kept.Put("a.orr", 100, func(w io.Writer) error { _, err := w.Write(make([]byte, 100)); return err }); err !=
			nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args    string
		entries int
		limit   int64
	}{
		{"result-cache --json", 1, resultcache.DefaultLimit},
		{"result-cache --json --limit 1GiB", 1, 1 << 30},
		{"result-cache --json", 1, 1 << 30},
		{"result-cache --json --clear", 0, 1 << 30},
		{"result-cache --json --limit 0", 0, 0},
	} {
		put()
		status, out, errs := run(t, strings.Fields(c.args)...)
		var got resultCacheJSON
		if err := json.Unmarshal([]byte(out), &got); err != nil || status != Done || got.Directory != kept.Dir() ||
			got.Entries != c.entries || got.Limit != c.limit {
			t.Errorf("%s: %s%s (status %d), want %d entries and limit %d", c.args, out, errs, status, c.entries, c.limit)
		}
	}
	if status, _, errs := run(t, "result-cache", "--limit", "much"); status != Usage ||
		!strings.Contains(errs, "is not a size") {
		t.Errorf("no size: %q, status %d", errs, status)
	}
	if status, _, _ := run(t, "result-cache", "x.orr"); status != Usage {
		t.Errorf("a file: status %d", status)
	}
	t.Setenv(resultcache.Variable, "off")
	if _, out, _ := run(t, "shelf"); !strings.Contains(out, "switched off") {
		t.Errorf("switched off: %q", out)
	}
}
