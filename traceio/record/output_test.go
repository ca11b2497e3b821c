package record

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputKeepsWhatWasThere: a recording that does not come about, or that would overwrite the program, leaves every
// file as it was.
func TestOutputKeepsWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	program := compile(t, "nothing.c", "int main(void) { return 0; }")
	whole, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	cut, old := filepath.Join(dir, "cut"), filepath.Join(dir, "old.orr")
	for path, data := range map[string][]byte{cut: whole[:3000], old: []byte("precious")} {
		if err := os.WriteFile(path, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, opt := range []Options{{Program: cut, Output: old}, {Program: program, Output: program}, {Program: program, Output: dir},
		{Program: program, Output: filepath.Join(dir, "none", "x.orr")}} {
		var stderr bytes.Buffer
		opt.Stderr = &stderr
		if _, err := Run(context.Background(), opt, nil); err == nil || strings.Contains(err.Error(), ".part") {
			t.Errorf("recording %s into %s: %v", opt.Program, opt.Output, err)
		}
	}
	if data, err := os.ReadFile(old); err != nil || string(data) != "precious" {
		t.Errorf("the recording that was there: %q, %v", data, err)
	}
	if data, err := os.ReadFile(program); err != nil || !bytes.Equal(data, whole) {
		t.Errorf("the program was changed: %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("files in the directory: %v, %v", files, err)
	}
}

// TestOutputIsReplacedOnce: a recording takes the place of an older one, and no other file stays behind.
func TestOutputIsReplacedOnce(t *testing.T) {
	old := filepath.Join(t.TempDir(), "old.orr")
	if err := os.WriteFile(old, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	program := compile(t, "nothing.c", "int main(void) { return 0; }")
	if _, err := Run(context.Background(), Options{Program: program, Output: old, MaxRefs: 1}, nil); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(old); err != nil || len(data) < 100 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if files, err := os.ReadDir(filepath.Dir(old)); err != nil || len(files) != 1 {
		t.Errorf("files in the directory: %v, %v", files, err)
	}
}

// TestOutputErrors: what keeps a recording from being made is told with the name that the user gave and with what can be done.
func TestOutputErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none", "x.orr")
	for path, want := range map[string]string{
		missing:     "making the recording: open " + missing + ": no such file or directory; choose a folder that there is",
		"/dev/full": "making the recording: write /dev/full: no space left on device; free some room there or name a file elsewhere with -o",
	} {
		res, err := Run(context.Background(), Options{Program: "/bin/true", Output: path}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || res.Started {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	file, err := createOutput(filepath.Join(t.TempDir(), "closed.orr"), "")
	if err != nil {
		t.Fatal(err)
	}
	file.File.Close()
	if _, err := file.Write([]byte("x")); err == nil || strings.Contains(err.Error(), ".part") || !strings.Contains(err.Error(), "closed.orr") {
		t.Errorf("a write that fails: %v", err)
	}
	file.discard()
}
