package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExportAndBack exports a recording in every format that Orrery reads and compares what info says of the files.
func TestExportAndBack(t *testing.T) {
	dir := t.TempDir()
	var want infoJSON
	object(t, &want, "info", oracles+"quicksort.lk.gz")
	for _, name := range []string{"x.csv", "x.din", "x.lk"} {
		out := filepath.Join(dir, name)
		status, _, stderr := run(t, "export", oracles+"quicksort.lk.gz", "-o", out)
		if status != Done || stderr != "orrery: 46597 references and 137988 fetches in "+out+"\n" {
			t.Fatalf("%s: status %d, %s", name, status, stderr)
		}
		var got infoJSON
		object(t, &got, "info", out)
		if got.Loads != want.Loads || got.Stores != want.Stores || got.Fetches != want.Fetches ||
			got.Threads != want.Threads || len(got.Lost) > 0 || len(got.Notes) > 0 {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
		// The same references again, as text: through the format and back there is no difference.
		first, second := filepath.Join(dir, "first.csv"), filepath.Join(dir, "second.csv")
		for in, csv := range map[string]string{oracles + "quicksort.lk.gz": first, out: second} {
			if status, _, stderr := run(t, "export", in, "-o", csv); status != Done {
				t.Fatal(stderr)
			}
		}
		if a, b := read(t, first), read(t, second); a != b {
			t.Errorf("%s: the references differ", name)
		}
	}
	out := filepath.Join(dir, "x.parquet")
	if status, _, stderr := run(t, "export", oracles+"quicksort.lk.gz", "-o", out); status != Done ||
		!strings.HasPrefix(read(t, out), "PAR1") {
		t.Errorf("parquet: %s", stderr)
	}
	if status, _, stderr := run(t, "info", out); status != Failed ||
		!strings.Contains(stderr, "this is a Parquet table, which Orrery writes but does not read") {
		t.Errorf("parquet: %s", stderr)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestExportPart writes a range and the table of events, and says what a format leaves behind.
func TestExportPart(t *testing.T) {
	dir := t.TempDir()
	part := filepath.Join(dir, "part.csv")
	if status, _, stderr := run(t, "export", oracles+"quicksort.lk.gz", "-o", part, "--from", "1000", "--to",
		"1010"); status != Done {
		t.Fatal(stderr)
	}
	lines := strings.Split(strings.TrimSpace(read(t, part)), "\n")
	data := 0
	for _, l := range lines[1:] {
		if !strings.Contains(l, ",fetch,") {
			data++
		}
	}
	if data != 10 || !strings.HasPrefix(lines[1], "1000,") || !strings.HasPrefix(lines[len(lines)-1], "1009,") {
		t.Errorf("%d references, first %s, last %s", data, lines[1], lines[len(lines)-1])
	}
	events := filepath.Join(dir, "events.csv")
	status, _, stderr := run(t, "export", recordings+"list.orr", "-o", events, "--events")
	if text := read(t, events); status != Done || !strings.HasPrefix(text, "seq,ticks,thread,event,address,") ||
		!strings.Contains(text, ",malloc,0x") || !strings.Contains(stderr, " allocations and marks in ") {
		t.Errorf("status %d, %s%.200s", status, stderr, text)
	}
	din := filepath.Join(dir, "x.din")
	if status, _, stderr := run(t, "export", recordings+"list.orr", "-o", din); status != Done ||
		!strings.Contains(stderr, "allocations and marks were left behind") || !strings.Contains(stderr, ": din carries ") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

func TestExportUsage(t *testing.T) {
	file := oracles + "quicksort.lk.gz"
	out := filepath.Join(t.TempDir(), "x.csv")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"export needs -o and the file to write", []string{file}},
		{"x.txt does not tell the format; give --format, one of csv, din, lackey, parquet", []string{file, "-o", "x.txt"}},
		{`there is no format "xlsx"; the formats are csv, din, lackey, parquet`,
			[]string{file, "-o", out, "--format", "xlsx"}},
		{"din has no place for allocations and marks; export them as csv or parquet", []string{file, "-o", out, "--format",
			"din", "--events"}},
		{"--to 5 is not behind --from 5", []string{file, "-o", out, "--from", "5", "--to", "5"}},
	} {
		status, _, stderr := run(t, append([]string{"export"}, c.args...)...)
		if status != Usage || !sentence(stderr) || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d, %s", c.args, status, stderr)
		}
	}
	if status, _, stderr := run(t, "export", file, "-o", out, "--from", "99999999"); status != Failed ||
		!strings.Contains(stderr, "has 46597 data references; --from 99999999 is behind its end") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed export left a file")
	}
}

// TestConvertedFileTellsTheLoss converts a text of which a part is unusable; info says so of the .orr file too.
func TestConvertedFileTellsTheLoss(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "x.trace"), filepath.Join(dir, "x.orr")
	if err := os.WriteFile(in, []byte("0x401000: R 0x7ffe10\nhello\n0x401004: W 0x7ffe18\n#eof\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(t, "convert", in, out); status != Partial {
		t.Fatalf("status %d, %s", status, stderr)
	}
	var got infoJSON
	status, stdout, stderr := run(t, "info", out, "--json")
	decodeJSON(t, []byte(stdout), &got)
	if status != Partial || got.Format != "orr" || got.References != 2 || got.Lost["other-text"] != 1 ||
		len(got.Notes) != 1 || got.Recorder != "pinatrace" {
		t.Errorf("status %d, %s%+v", status, stderr, got)
	}
	_, stdout, stderr = run(t, "info", out)
	if !strings.Contains(stdout, "\nnote      this pinatrace has no sizes: ") ||
		!strings.Contains(stderr, "other text (1, the first at line 2): lines that are no references of pinatrace") {
		t.Errorf("%s%s", stdout, stderr)
	}
}
