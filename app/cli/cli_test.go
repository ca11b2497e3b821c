package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	oracles    = "../../testdata/oracles/"
	recordings = "../../testdata/recordings/"
)

// run runs one command line as the program would.
func run(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	noDisplay := func(context.Context, []string, DesktopFlags) error { return errors.New("no window in tests") }
	status = Main(context.Background(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, noDisplay)
	return status, out.String(), errs.String()
}

// object runs a command with --json and decodes what it prints.
func object(t *testing.T, into any, args ...string) {
	t.Helper()
	status, stdout, stderr := run(t, append(args, "--json")...)
	if status != Done {
		t.Fatalf("orrery %s: status %d, %s", strings.Join(args, " "), status, stderr)
	}
	decodeJSON(t, []byte(stdout), into)
}

func decodeJSON(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%v in %.200s", err, data)
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	decodeJSON(t, data, into)
}

// TestCyclesEqualRipser compares the whole barcode with the one that Ripser computed.
func TestCyclesEqualRipser(t *testing.T) {
	var want struct {
		From, Count, Records, Points int
		Bars                         [][2]*float64
	}
	readJSON(t, oracles+"quicksort.barcode.json", &want)
	var got cyclesJSON
	object(t, &got, "cycles", oracles+"quicksort.lk.gz", "--from", "39000", "--count", "800")
	if got.Records != want.Records || got.Points != want.Points || got.Used != want.Count {
		t.Errorf("%d records, %d used, %d points; want %d, %d, %d", got.Records, got.Used, got.Points, want.Records,
			want.Count, want.Points)
	}
	if a, b := bars(got.Barcode), bars(want.Bars); a != b {
		t.Errorf("barcode\n%s\nwant\n%s", a, b)
	}
}

// bars is a barcode as text, independent of order.
func bars(list [][2]*float64) string {
	counts := map[[2]float64]int{}
	for _, b := range list {
		death := -1.0
		if b[1] != nil {
			death = *b[1]
		}
		counts[[2]float64{*b[0], death}]++
	}
	var lines []string
	for birth := 0.0; birth <= 64; birth++ {
		for death := -1.0; death <= 64; death++ {
			if n := counts[[2]float64{birth, death}]; n > 0 {
				data, _ := json.Marshal([]float64{birth, death, float64(n)})
				lines = append(lines, string(data))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// TestCacheEqualsDinero compares every count with those of Dinero IV.
func TestCacheEqualsDinero(t *testing.T) {
	for name, config := range map[string]string{
		"quicksort.cache-4K-2w-32K-4w-32B-lru":  hierarchy("4KiB", 2, "32KiB", 4, 32, "lru"),
		"quicksort.cache-2K-1w-16K-8w-64B-lru":  hierarchy("2KiB", 1, "16KiB", 8, 64, "lru"),
		"quicksort.cache-4K-4w-16K-4w-32B-fifo": hierarchy("4KiB", 4, "16KiB", 4, 32, "fifo"),
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "cache.toml")
			if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
				t.Fatal(err)
			}
			var want, got map[string]any
			readJSON(t, oracles+name+".json", &want)
			object(t, &got, "cache", oracles+"quicksort.lk.gz", "--config", file, "--classes")
			if got["references"] != want["references"] {
				t.Errorf("%v references, want %v", got["references"], want["references"])
			}
			for i, level := range want["levels"].([]any) {
				for field, value := range level.(map[string]any) {
					if have := got["levels"].([]any)[i].(map[string]any)[field]; have != value {
						t.Errorf("level %d %s = %v, want %v", i, field, have, value)
					}
				}
			}
		})
	}
}

func hierarchy(l1 string, ways1 int, l2 string, ways2, block int, policy string) string {
	level := func(name, kind, size string, ways int) string {
		data, _ := json.Marshal([]any{name, kind, size, ways, block, policy})
		f := strings.Split(strings.Trim(string(data), "[]"), ",")
		return "[[level]]\nname = " + f[0] + "\nkind = " + f[1] + "\nsize = " + f[2] + "\nways = " + f[3] + "\nblock = " +
			f[4] + "\npolicy = " + f[5] + "\n"
	}
	return level("L1I", "instruction", l1, ways1) + level("L1D", "data", l1, ways1) + level("L2", "unified", l2, ways2)
}

// TestWrongUseIsStatus2 gives every command something it cannot take.
func TestWrongUseIsStatus2(t *testing.T) {
	file := recordings + "list.orr"
	for _, args := range [][]string{
		{"inof", file}, {"info"}, {"info", ""}, {"info", "a", "b"}, {"info", file, "--nonsense"},
		{"cycles", file, "--alphabet", "colour"}, {"cycles", file, "--every", "0"},
		{"cycles", file, "--window", "many"}, {"cycles", file, "--window", "1"}, {"cycles", file, "--window", "65"},
		{"cycles", file, "--prime", "0"},
		{"cycles", file, "--prime", "2"}, {"cycles", file, "--prime", "4"}, {"cycles", file, "--prime", "1000000"},
		{"cycles", file, "--eps", "-1"},
		{"cycles", file, "--top", "-1"}, {"cycles", file, "--landmarks", "1"}, {"cycles", file, "--count", "-1"},
		{"cycles", file, "--from", "-1"},
		{"cycles", "--points", file, "--window", "0"}, {"cycles", "--points", file, "--matrix", file}, {"render", "cycles",
			file, "-o", "x.png", "--window", "65"}, {"cycles", file, "--points", "x.csv"},
		{"cache", file, "--preset", "nonesuch"}, {"cache", file, "--by", "weather"},
		{"cache", file, "--config", "a.toml", "--preset", "default"}, {"heap"}, {"record"}, {"convert", file},
		{"convert", file, "out.txt"}, {"render", "cycles", file}, {"render", "moon", file, "-o", "x.png"},
		{"render", "cycles", file, "-o", "x.doc"}, {"render", "cycles", file, "-o", "x.png", "--size", "big"},
		{"render", "cache", file, "-o", "x.png", "--at", "99999999"},
		{"render", "heap", file, "-o", "x.png", "--by", "mood"}, {"render", "heap", file, "-o", "x.png", "--theme", "pink"},
		{"render", "flame", file, "-o", "x.png", "--width", "mood"}, {"render", "flame", file, "-o", "x.png",
			"--flame-colors", "mood"}, {"render", "flame", recordings + "list.orr", "-o", "x.png", "--under", "main;nonesuch"},
		{"render", "cycles", file, "-o", "x.png", "--morph", "7"}, {"render", "cycles", file, "-o",
			"x.png", "--morph", "NaN"},
		{"render", "heap", file, "-o", "x.png", "--alpha", "NaN"}, {"render", "cache", file, "-o", "x.png", "--tail", "-1"},
		{"render", "cache", file, "-o", "x.png", "--mean", "0"},
	} {
		status, _, stderr := run(t, args...)
		if status != Usage || !sentence(stderr) || strings.Contains(stderr, "strconv") {
			t.Errorf("orrery %s: status %d, %q; want status 2 and one sentence for people",
				strings.Join(args, " "), status, stderr)
		}
	}
}

// sentence tells whether an error is a single line that says something.
func sentence(s string) bool {
	return strings.HasPrefix(s, "orrery: ") && strings.Count(s, "\n") == 1 && len(s) > 20 &&
		!strings.Contains(s, "goroutine")
}

// TestBadFiles gives every command files that are cut, damaged, empty, mislabelled or random.
func TestBadFiles(t *testing.T) {
	good, err := os.ReadFile(recordings + "list.orr")
	if err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(oracles + "quicksort.lk.gz")
	if err != nil {
		t.Fatal(err)
	}
	elf, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	random := make([]byte, 4096)
	r := rand.New(rand.NewPCG(9, 9))
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	damaged := bytes.Clone(good)
	for i := len(damaged) / 3; i < len(damaged)/3+64; i++ {
		damaged[i] ^= 0x5a
	}
	dir := t.TempDir()
	files := map[string][]byte{
		"empty.orr": {}, "random.orr": random, "elf.lk": elf[:1<<16], "header.orr": good[:40],
		"cut.orr": good[:len(good)*2/3], "damaged.orr": damaged,
		"cut.lk.gz": packed[:len(packed)/16], "prose.txt": []byte("Once upon a time\nthere was a trace.\n"),
		"zip.orr": []byte("PK\x03\x04 something else"),
		"png.lk":  []byte("\x89PNG\r\n\x1a\n"), "zeros.orr": make([]byte, 1<<16),
		"lines.lk": []byte(" L zz,8\n S 10\n L 10,8\n"),
	}
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range badFileCommands(path, dir) {
			status, _, stderr := run(t, args...)
			if status != Failed && status != Partial || len(stderr) == 0 || strings.Contains(stderr, "panic") ||
				strings.Contains(stderr, "goroutine") {
				t.Errorf("orrery %s: status %d, %q", strings.Join(args, " "), status, stderr)
			}
			if status == Failed && !sentence(stderr) {
				t.Errorf("orrery %s: not one sentence: %q", strings.Join(args, " "), stderr)
			}
		}
	}
	for _, args := range append(badFileCommands(filepath.Join(dir, "missing.orr"), dir), badFileCommands(dir, dir)...) {
		if status, _, stderr := run(t, args...); status != Failed || !sentence(stderr) {
			t.Errorf("orrery %s: status %d, %q", strings.Join(args, " "), status, stderr)
		}
	}
}

func badFileCommands(path, dir string) [][]string {
	out := filepath.Join(dir, "out.png")
	return [][]string{{"info", path}, {"cycles", path, "--count", "300"}, {"cache", path}, {"heap", path},
		{"render", "cache", path, "-o", out, "--size", "320x300"},
		{"render", "heap", path, "-o", out, "--size", "320x300"}, {"render", "source", path, "-o", out, "--size", "320x300"}}
}

// TestDamagedRecordingKeepsTheRest checks that a cut recording gives its beginning, and says so.
func TestDamagedRecordingKeepsTheRest(t *testing.T) {
	good, err := os.ReadFile(recordings + "list.orr")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cut.orr")
	if err := os.WriteFile(path, good[:len(good)*2/3], 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := run(t, "info", path, "--json")
	var info infoJSON
	decodeJSON(t, []byte(stdout), &info)
	if status != Partial || info.References == 0 || len(info.Lost) == 0 {
		t.Errorf("status %d, %d references, lost %v, %q; want status 3, some references and the loss told", status,
			info.References, info.Lost, stderr)
	}
}

func TestRenderEveryView(t *testing.T) {
	dir := t.TempDir()
	for _, view := range []string{"cycles", "cache", "heap", "timeline", "source"} {
		for _, ending := range []string{"png", "svg", "pdf"} {
			out := filepath.Join(dir, view+"."+ending)
			status, _, stderr := run(t, "render", view, recordings+"bubble-vector-shuffled.orr", "-o", out, "--size",
				"400x300", "--at", "300")
			if status != Done {
				t.Errorf("render %s to %s: status %d, %s", view, ending, status, stderr)
				continue
			}
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			magic := map[string]string{"png": "\x89PNG", "svg": "<", "pdf": "%PDF-"}[ending]
			if !bytes.HasPrefix(data, []byte(magic)) || len(data) < 1000 {
				t.Errorf("render %s to %s wrote %d bytes that begin %.8q", view, ending, len(data), data)
			}
		}
	}
}

func TestMatrixAndPoints(t *testing.T) {
	dir := t.TempDir()
	points := filepath.Join(dir, "square.csv")
	matrix := filepath.Join(dir, "square.lower")
	os.WriteFile(points, []byte("0,0\n1,0\n1,1\n0,1\n"), 0o644)
	os.WriteFile(matrix, []byte("1\n1.4142135,1\n1,1.4142135,1\n"), 0o644)
	for _, args := range [][]string{{"cycles", "--points", points}, {"cycles", "--matrix", matrix}} {
		var got cyclesJSON
		object(t, &got, args...)
		if len(got.Barcode) != 1 || *got.Barcode[0][0] != 1 || *got.Barcode[0][1] < 1.414 || *got.Barcode[0][1] > 1.415 {
			t.Errorf("orrery %v: barcode of a square %v", args, got.Barcode)
		}
	}
}

// TestTablesThatAreNone gives tables and configurations that hold no such thing, or never end.
func TestTablesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	file := recordings + "list.orr"
	texts := map[string]string{"empty": "", "blank": "\n \n", "words": "a,b\n", "nan": "1\n2,nan\n", "inf": "1\n2,1e999\n",
		"ragged": "0,0\n1\n1,1\n0,1\n3\n",
		"one":    "1\n", "negative": "1\n-1,1\n", "bytes": "\xff\xfe\x00\x01"}
	paths := map[string]string{"device": "/dev/zero", "directory": dir, "recording": file,
		"missing": filepath.Join(dir, "none")}
	for name, text := range texts {
		paths[name] = filepath.Join(dir, name)
		if err := os.WriteFile(paths[name], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, path := range paths {
		for _, args := range [][]string{{"cycles", "--points", path}, {"cycles", "--matrix", path},
			{"cache", file, "--config", path}} {
			status, stdout, stderr := run(t, args...)
			if status != Failed || !sentence(stderr) || stdout != "" || !strings.Contains(stderr, path) {
				t.Errorf("%s: orrery %s: status %d, %q, %q", name, strings.Join(args, " "), status, stdout, stderr)
			}
		}
	}
}

func TestInfoFields(t *testing.T) {
	var info infoJSON
	object(t, &info, "info", oracles+"quicksort.lk.gz")
	if info.References != 46597 || info.Fetches != 137988 || info.Loads+info.Stores != info.References ||
		len(info.Lost) != 0 {
		t.Errorf("info of the yardstick: %+v", info)
	}
	object(t, &info, "info", recordings+"bubble-array-reversed.orr")
	if info.Format != "orr" || info.Sources != 1 || info.Threads != 1 || info.Regions < 2 {
		t.Errorf("info of a shipped recording: %+v", info)
	}
}

// TestInfoIsShort: a program of many variables has those that are used most, what the rest comes to, and --all.
func TestInfoIsShort(t *testing.T) {
	_, short, _ := run(t, "info", recordings+"lua-queens.orr")
	_, all, _ := run(t, "info", recordings+"lua-queens.orr", "--all")
	n := strings.Count(all, "\nregion ")
	if strings.Count(short, "\nregion ") != 40 || n < 100 ||
		!strings.Contains(short, fmt.Sprintf("\nand %d regions more with ", n-40)) || strings.Contains(all, "regions more") {
		t.Errorf("info of a program of %d regions says\n%s", n, short)
	}
}

// TestConvertKeepsEverything converts a lackey text and compares what the commands say of both files.
func TestConvertKeepsEverything(t *testing.T) {
	out := filepath.Join(t.TempDir(), "quicksort.orr")
	if status, _, stderr := run(t, "convert", oracles+"quicksort.lk.gz", out); status != Done {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the recording is open to others: %v, %v", info.Mode(), err)
	}
	for _, command := range []string{"info", "cache", "heap"} {
		var a, b map[string]any
		object(t, &a, command, oracles+"quicksort.lk.gz")
		object(t, &b, command, out)
		for _, of := range []string{"format", "file"} {
			delete(a, of)
			delete(b, of)
		}
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if !bytes.Equal(x, y) {
			t.Errorf("%s says of the text\n%s\nand of the converted file\n%s", command, x, y)
		}
	}
	before, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(t, "convert", empty, out); status != Failed || !sentence(stderr) {
		t.Errorf("converting an empty file: status %d, %q", status, stderr)
	}
	if after, err := os.ReadFile(out); err != nil || !bytes.Equal(before, after) {
		t.Error("a failed conversion changed the file that was there")
	}
}

// TestLandmarksSayThatTheyApproximate analyses a whole recording that is too long for the exact way.
func TestLandmarksSayThatTheyApproximate(t *testing.T) {
	file := recordings + "matmul-standard.orr"
	if status, _, stderr := run(t, "cycles", file); status != Failed || !strings.Contains(stderr, "--landmarks") {
		t.Errorf("exactly: status %d, %q; want a refusal that offers --landmarks", status, stderr)
	}
	var got cyclesJSON
	object(t, &got, "cycles", file, "--landmarks", "300")
	if !got.Approximate || got.Radius <= 0 || got.Used != got.Records || len(got.Parameterizations) == 0 {
		t.Errorf("with landmarks: approximate %v, radius %g, %d of %d used, %d parameterizations", got.Approximate,
			got.Radius, got.Used, got.Records, len(got.Parameterizations))
	}
}
