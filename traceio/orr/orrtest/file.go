// Package orrtest makes recordings for tests of those that read them.
package orrtest

import (
	"os"
	"path/filepath"
	"testing"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// File is a recording with what write writes and says of the program.
func File(t testing.TB, write func(w *orr.Writer) (*traceio.Program, error)) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "made.orr")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := orr.Create(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := write(w)
	if err == nil {
		err = w.Close(prog)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
