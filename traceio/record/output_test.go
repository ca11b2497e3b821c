package record

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"orrery/traceio/orr"
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
	for path, data := range map[string][]byte{cut: whole[:3000], old: nil} {
		if err := os.WriteFile(path, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, opt := range []Options{{Program: cut, Output: old}, {Program: program, Output: program},
		{Program: program, Output: dir},
		{Program: program, Output: filepath.Join(dir, "none", "x.orr")}} {
		var stderr bytes.Buffer
		opt.Stderr = &stderr
		if _, err := Run(context.Background(), opt, nil); err == nil || strings.Contains(err.Error(), ".part") {
			t.Errorf("recording %s into %s: %v", opt.Program, opt.Output, err)
		}
	}
	if data, err := os.ReadFile(old); err != nil || len(data) > 0 {
		t.Errorf("the recording that was there: %q, %v", data, err)
	}
	if data, err := os.ReadFile(program); err != nil || !bytes.Equal(data, whole) {
		t.Errorf("the program was changed: %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("files in the directory: %v, %v", files, err)
	}
}

// TestOutputReplaces: a recording takes the place of an older one, which is kept, and of nothing else; no other file
// stays behind, and only the user may read it.
func TestOutputReplaces(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	program := compile(t, "forks.c",
		"#include <unistd.h>\n#include <sys/wait.h>\nint main(void) { if (fork()) wait(0); return 0; }")
	made := filepath.Join(t.TempDir(), "made.orr")
	if _, err := Run(context.Background(), Options{Program: program, Output: made, MaxRefs: 1}, nil); err != nil {
		t.Fatal(err)
	}
	recording, notes := read(made), "notes of mine\n"
	if len(recording) < 100 {
		t.Fatalf("%d bytes", len(recording))
	}
	for _, row := range []struct {
		name  string
		there map[string]string
		keep  uint64
		want  map[string]string // the files afterwards, "new": another recording
		err   string
		note  string
	}{
		{name: "nothing", want: map[string]string{"x.orr": "new", "x.2.orr": "new"}},
		{name: "an empty file", there: map[string]string{"x.orr": ""},
			want: map[string]string{"x.orr": "new", "x.2.orr": "new"}},
		{name: "a recording", there: map[string]string{"x.orr": recording},
			note: "the recording that had this name before is ",
			want: map[string]string{"x.orr": "new", "x.orr.old": recording, "x.2.orr": "new"}},
		{name: "with --keep-last", there: map[string]string{"x.orr": recording}, keep: 10,
			note: "the recording that had this name before is ",
			want: map[string]string{"x.orr": "new", "x.orr.old": recording, "x.2.orr": "new"}},
		{name: "recordings", there: map[string]string{"x.orr": recording, "x.2.orr": recording},
			note: "2 recordings that had these names before are kept",
			want: map[string]string{"x.orr": "new", "x.orr.old": recording, "x.2.orr": "new", "x.2.orr.old": recording}},
		{name: "two generations", there: map[string]string{"x.orr": recording, "x.orr.old": recording},
			note: "the recording that had",
			want: map[string]string{"x.orr": "new", "x.orr.old": recording, "x.2.orr": "new"}},
		{name: "no recording", there: map[string]string{"x.orr": notes},
			err:  "x.orr is there already and is no recording; name another file with -o",
			want: map[string]string{"x.orr": notes}},
		{name: "a program for a child", there: map[string]string{"x.2.orr": notes}, want: map[string]string{"x.orr": "new",
			"x.2.orr": notes, "x.3.orr": "new"}},
		{name: "no recording behind", there: map[string]string{"x.orr": recording, "x.orr.old": notes},
			err:  "would be kept as ",
			want: map[string]string{"x.orr": recording, "x.orr.old": notes}},
		{name: "no recording behind a child's", there: map[string]string{"x.2.orr": recording, "x.2.orr.old": notes},
			want: map[string]string{"x.orr": "new", "x.2.orr": recording, "x.2.orr.old": notes, "x.3.orr": "new"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range row.there {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			res, err := Run(context.Background(), Options{Program: program, Output: filepath.Join(dir, "x.orr"),
				KeepLast: row.keep}, nil)
			if (err != nil) != (row.err != "") || err != nil && (!strings.Contains(err.Error(), row.err) || res.Started) {
				t.Errorf("error %v, want %q; started: %v", err, row.err, res.Started)
			}
			if said := strings.Join(res.Notes, "\n"); row.note == "" && strings.Contains(said, "before") ||
				!strings.Contains(said, row.note) {
				t.Errorf("notes %q, want %q", said, row.note)
			}
			files, _ := os.ReadDir(dir)
			for _, f := range files {
				text := read(filepath.Join(dir, f.Name()))
				info, _ := f.Info()
				switch want, ok := row.want[f.Name()]; {
				case !ok:
					t.Errorf("%s was not to be there", f.Name())
				case want == "new" && (!orr.Magic([]byte(text[:min(len(text), 16)])) || text == recording || info.Mode() != 0o600):
					t.Errorf("%s is no new recording of the user's own: %d bytes, %v", f.Name(), len(text), info.Mode())
				case want != "new" && text != want:
					t.Errorf("%s was changed", f.Name())
				}
			}
			if len(files) != len(row.want) {
				t.Errorf("there are %v, want %d files", files, len(row.want))
			}
		})
	}
}

// TestOutputErrors: what keeps a recording from being made is told with the name that the user gave and with what can
// be done.
func TestOutputErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none", "x.orr")
	for path, want := range map[string]string{
		missing: "making the recording: open " + missing + ": no such file or directory; choose a folder that there is",
		"/dev/full": "making the recording: write /dev/full: no space left on device; free some room there or name a file " +
			"elsewhere with -o",
	} {
		res, err := Run(context.Background(), Options{Program: "/bin/true", Output: path}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || res.Started {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	file, err := createOutput(context.Background(), filepath.Join(t.TempDir(), "closed.orr"), "")
	if err != nil {
		t.Fatal(err)
	}
	file.File.Close()
	if _, err := file.Write([]byte("x")); err == nil || strings.Contains(err.Error(), ".part") ||
		!strings.Contains(err.Error(), "closed.orr") {
		t.Errorf("a write that fails: %v", err)
	}
	file.discard()
}
