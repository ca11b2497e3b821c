// Package golden holds drawings against files that were looked at before they were kept: testdata/NAME.svg beside the
// test. It is for tests alone. `go test -update` writes the files anew; look at the difference in a browser before
// keeping it.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"orrery/views/scene"
	"orrery/views/vector"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Check fails the test when a drawing is not the one that was kept under this name, and leaves the new one beside it.
func Check(t *testing.T, name string, d scene.Drawing) {
	t.Helper()
	got := vector.SVG(d)
	path := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want, err := os.ReadFile(path); err == nil && bytes.Equal(got, want) {
		return
	}
	beside := filepath.Join("testdata", name+".got.svg")
	if err := os.WriteFile(beside, got, 0o644); err != nil {
		t.Error(err)
	}
	t.Errorf("%s is not what is drawn now, %s; if that is right: go test -run '%s' -update", path, beside, t.Name())
}
