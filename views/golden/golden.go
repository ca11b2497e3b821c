// Package golden compares drawings with files that were looked at before they were kept: testdata/NAME.svg or NAME.png
// beside the test. It is for tests alone. A mismatch prints what differs, writes the new drawing to
// testdata/NAME.got.svg and fails with the command that accepts it (`go test -run TEST -update`); look at the
// difference before doing so.
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

// Check fails the test when a drawing is not the one that was kept under this name, and prints the lines that differ.
func Check(t *testing.T, name string, d scene.Drawing) {
	t.Helper()
	got, file := vector.SVG(d), filepath.Join("testdata", name+".svg")
	if *update {
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err == nil && bytes.Equal(got, want) {
		return
	}
	differs(t, file, ".svg", got, lines(string(want), string(got)))
}

// differs leaves a drawing beside the golden file and fails the test with what differs.
func differs(t *testing.T, file, ending string, got []byte, difference string) {
	t.Helper()
	beside := file[:len(file)-len(ending)] + ".got" + ending
	write(t, beside, got)
	t.Errorf("%s is not what is drawn now (%s):\n%s\nif the new one is right: go test -run '%s' -update", file, beside,
		difference, t.Name())
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
