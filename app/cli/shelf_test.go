package cli

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"orrery/traceio/shelf"
)

func TestShelf(t *testing.T) {
	kept := shelf.At(t.TempDir())
	t.Setenv(shelf.Variable, kept.Dir())
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
		{"shelf --json", 1, shelf.DefaultLimit},
		{"shelf --json --limit 1GiB", 1, 1 << 30},
		{"shelf --json", 1, 1 << 30},
		{"shelf --json --clear", 0, 1 << 30},
		{"shelf --json --limit 0", 0, 0},
	} {
		put()
		status, out, errs := run(t, strings.Fields(c.args)...)
		var got shelfJSON
		if err := json.Unmarshal([]byte(out), &got); err != nil || status != Done || got.Directory != kept.Dir() ||
			got.Entries != c.entries || got.Limit != c.limit {
			t.Errorf("%s: %s%s (status %d), want %d entries and limit %d", c.args, out, errs, status, c.entries, c.limit)
		}
	}
	if status, _, errs := run(t, "shelf", "--limit", "much"); status != Usage || !strings.Contains(errs, "is not a size") {
		t.Errorf("no size: %q, status %d", errs, status)
	}
	if status, _, _ := run(t, "shelf", "x.orr"); status != Usage {
		t.Errorf("a file: status %d", status)
	}
	t.Setenv(shelf.Variable, "off")
	if _, out, _ := run(t, "shelf"); !strings.Contains(out, "switched off") {
		t.Errorf("switched off: %q", out)
	}
}
