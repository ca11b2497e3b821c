package output

import (
	"path/filepath"
	"testing"
)

// TestBeside: what is made of a file is proposed beside it, and of what ships with the application where that was
// started.
func TestBeside(t *testing.T) {
	cache, home, work := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", home)
	t.Chdir(work)
	for _, row := range []struct{ name, path, want string }{
		{"a recording", "/data/runs/a.orr", "/data/runs/a-cycles.png"},
		{"a table with two endings", "/data/a.tar.gz", "/data/a.tar-cycles.png"},
		{"an example", filepath.Join(cache, "orrery", "examples", "list.orr"), filepath.Join(work, "list-cycles.png")},
		{"a folder whose name begins like the cache", cache + "d/list.orr", cache + "d/list-cycles.png"},
		{"a built-in example", "motion-jpeg", filepath.Join(work, "motion-jpeg-cycles.png")},
	} {
		if got := Beside(row.path, "-cycles.png"); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
	if got := Working(); got != work {
		t.Errorf("started in %s, works in %s", work, got)
	}
	t.Chdir("/")
	if got := Working(); got != home {
		t.Errorf("started from nowhere, works in %s, want %s", got, home)
	}
}
