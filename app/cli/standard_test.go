package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStandardStreams reads a recording from standard input and writes one to standard output, packed or not, a file or
// a pipe.
func TestStandardStreams(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	din := []byte("2 401000 4\n0 7ffe10 8\n2 401004 4\n1 7ffe18 8\n")
	if err := os.WriteFile("x.din", din, 0o666); err != nil {
		t.Fatal(err)
	}
	from := func(in *os.File, args ...string) (status int, out, errs string) {
		defer in.Close()
		var stdout, stderr bytes.Buffer
		status = Main(context.Background(), args, Streams{In: in, Out: &stdout, Err: &stderr}, nil)
		return status, stdout.String(), stderr.String()
	}
	file := func() *os.File {
		f, err := os.Open("x.din")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	pipe := func() *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			w.Write(din)
			w.Close()
		}()
		return r
	}
	for name, in := range map[string]func() *os.File{"file": file, "pipe": pipe} {
		if status, out, errs := from(in(), "info", "-"); status != Done ||
			!strings.Contains(out, ": din, 2 references (1 load, 1 store), 2 fetches, 0 allocations\n") {
			t.Errorf("info of a %s: status %d, %s%s", name, status, out, errs)
		}
		if status, out, errs := from(in(), "convert", "-", name+".orr"); status != Done ||
			!strings.Contains(errs, "orrery: 2 references in "+name+".orr") {
			t.Errorf("convert of a %s: status %d, %s%s", name, status, out, errs)
		}
		if status, out, errs := from(in(), "export", "-", "-o", "-", "--format", "din"); status != Done ||
			out != string(din) || errs != "orrery: 2 references and 2 fetches in standard output\n" {
			t.Errorf("export of a %s: status %d, %q, %s", name, status, out, errs)
		}
	}
	if status, _, errs := run(t, "export", "x.din", "-o", "-"); status != Usage ||
		!strings.Contains(errs, "standard output does not tell the format; give --format, one of csv") {
		t.Errorf("without a format: status %d, %s", status, errs)
	}
	if _, err := os.Stat("-"); !errors.Is(err, os.ErrNotExist) {
		t.Error("there is a file with the name -")
	}
}

// TestOneOfAThing: what there is one of is told as one.
func TestOneOfAThing(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, text, info, exported string }{
		{"one.csv", "address,kind,pc\n0x1000,load,0x401000\n",
			": csv, 1 reference (1 load, 0 stores), 0 fetches, 0 allocations\n", "orrery: 1 reference and 1 fetch in "},
		{"fetch.csv", "address,kind\n0x1000,fetch\n0x1000,store\n",
			": csv, 1 reference (0 loads, 1 store), 1 fetch, 0 allocations\n", "orrery: 1 reference and 1 fetch in "},
		{"two.csv", "address,kind,pc\n0x1000,load,1\n0x1000,load,2\n",
			": csv, 2 references (2 loads, 0 stores), 0 fetches, 0 allocations\n", "orrery: 2 references and 2 fetches in "},
		{"one.mtrace", "= Start\n@ ./a:[0x401136] + 0x1000 0x18\n",
			", 1 allocator event (1 allocation, 0 frees), no references\n", "orrery: 0 references and 0 fetches in "},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, out, errs := run(t, "info", path); !strings.Contains(out, c.info) || strings.Contains(out, " 1 references") {
			t.Errorf("%s: %s%s", c.name, out, errs)
		}
		_, _, errs := run(t, "export", path, "-o", filepath.Join(dir, "out.lk"), "--fetches")
		if !strings.HasPrefix(errs, c.exported) {
			t.Errorf("%s: %s", c.name, errs)
		}
		if c.name == "one.csv" && !strings.Contains(errs, "1 fetch of one byte was put in") {
			t.Errorf("%s: %s", c.name, errs)
		}
	}
}

// TestExportOfNoReferences reads back the table that a recording without references makes.
func TestExportOfNoReferences(t *testing.T) {
	out := filepath.Join(t.TempDir(), "none.csv")
	if status, _, errs := run(t, "export", "../../traceio/heaplog/testdata/sample.mtrace", "-o", out); status != Done {
		t.Fatalf("status %d, %s", status, errs)
	}
	if status, _, errs := run(t, "info", out); status != Failed || !sentence(errs) ||
		!strings.Contains(errs, "the table has titles and no references") {
		t.Errorf("status %d, %s", status, errs)
	}
	if status, _, errs := run(t, "export", "../../traceio/heaplog/testdata/sample.mtrace", "-o", out,
		"--events"); status != Done {
		t.Fatalf("status %d, %s", status, errs)
	}
	if status, _, errs := run(t, "info", out); status != Failed || !sentence(errs) ||
		!strings.Contains(errs, "this is a table of allocations and marks, which Orrery writes but does not read") {
		t.Errorf("status %d, %s", status, errs)
	}
}
