package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain lets the test's own program be the worker.
func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestShortCampaign runs a few mutants of every format; the whole campaign is run by hand.
func TestShortCampaign(t *testing.T) {
	var out bytes.Buffer
	failures, err := campaign([]string{"-count", "6", "-good=false", "-o", t.TempDir()}, &out)
	if err != nil || failures > 0 {
		t.Errorf("%d kinds of failure, %v\n%s", failures, err, out.String())
	}
}

// TestSameSeedSameMutants: what a seed and a number make is always the same, and others make others.
func TestSameSeedSameMutants(t *testing.T) {
	at, err := root()
	if err != nil {
		t.Fatal(err)
	}
	first, err := formats(at)
	if err != nil {
		t.Fatal(err)
	}
	second, err := formats(at)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range first {
		if f.prepare != nil {
			continue // its good files are made by a worker
		}
		different := map[string]bool{}
		for index := range uint64(40) {
			a, b := mutantOf(7, f, index), mutantOf(7, second[i], index)
			if !bytes.Equal(a.data, b.data) || !slices.Equal(a.edits, b.edits) {
				t.Fatalf("%s, mutant %d: %v and %v", f.name, index, a.edits, b.edits)
			}
			different[fmt.Sprint(a.pipe, string(a.data))] = true
		}
		if len(different) < 30 {
			t.Errorf("%s: only %d different mutants of 40", f.name, len(different))
		}
	}
}

// TestEditsLeaveGoodFilesAlone: mutants are made of copies.
func TestEditsLeaveGoodFilesAlone(t *testing.T) {
	good := []byte("address,kind\n0x10,load\n0x20,store\n")
	keep := slices.Clone(good)
	for index := range uint64(3000) {
		mutate(source(1, &format{name: "x"}, index), good, good)
		if !bytes.Equal(good, keep) {
			t.Fatalf("mutant %d has changed the good file", index)
		}
	}
}

// TestResealedRecordingsAreChains: the blocks of a recording, sealed anew, are a chain whose checksums hold. When the
// layout of the file changes, recording.go has to follow.
func TestResealedRecordingsAreChains(t *testing.T) {
	at, err := root()
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(at, "testdata/recordings/bubble-array-sorted.orr"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := chunks(good)
	if len(blocks) < 4 {
		t.Fatalf("a recording has %d blocks", len(blocks))
	}
	for i, b := range blocks {
		sealed := slices.Clone(b)
		if seal(sealed); !bytes.Equal(sealed, b) {
			t.Errorf("the checksums of block %d are others than the writer's", i)
		}
	}
	if written(source(1, &format{name: "x"}, 1)) == nil {
		t.Error("the writer has refused what it should write")
	}
}

// faults are commands that misbehave, each with what the judge has to say of it.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name      string
		status    int
		out, errs string
		want      string
	}{
		{"good", 0, "fine\n", "", ""},
		{"refused", 1, "", "orrery: f.x:3: \"7\" is no address; was the file cut?\n", ""},
		{"a panic", 1, "", "orrery: runtime error: index out of range [3]\n", "panic"},
		{"no place", 1, "", "orrery: it is broken; mend it\n", "no place"},
		{"no remedy", 1, "", "orrery: f.x:3: it is broken\n", "no remedy"},
		{"silence", 1, "", "", "not a word"},
		{"silent loss", 3, "fine\n", "", "not a word"},
		{"two sentences", 1, "", "orrery: f.x:3: one; mend\norrery: f.x:4: two; mend\n", "2 lines"},
		{"an escape", 0, "\x1b[2J", "", "control character"},
		{"another status", 5, "", "", "status: 5"},
		{"wrong use", 2, "", "orrery: f.x:1: no; see --help\n", "status: 2"},
	} {
		var got []string
		fault := func(text string, args ...any) { got = append(got, fmt.Sprintf(text, args...)) }
		v := verdict{
			m:       &mutant{name: "f.x"},
			command: []string{"info", "@"},
			status:  c.status,
			out:     []byte(c.out),
			errs:    []byte(c.errs),
			fault:   fault,
		}
		v.words()
		if all := strings.Join(got, "\n"); c.want == "" && all != "" || !strings.Contains(all, c.want) {
			t.Errorf("%s: %q, want %q", c.name, all, c.want)
		}
	}
}

// TestDeathsAreFound: a worker that is killed in the middle is replaced, and the campaign goes on.
func TestDeathsAreFound(t *testing.T) {
	d := &driver{options: options{seed: 1, draw: 0, count: 20, out: t.TempDir()}, log: t.Logf, temp: t.TempDir()}
	var err error
	if d.root, err = root(); err != nil {
		t.Fatal(err)
	}
	all, err := formats(d.root)
	if err != nil {
		t.Fatal(err)
	}
	d.formats = slices.DeleteFunc(all, func(f *format) bool { return f.name != "session" })
	if err := d.load(); err != nil {
		t.Fatal(err)
	}
	f := d.formats[0]
	if err := d.step(f, 1); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("kill", "-9", fmt.Sprint(d.proc.cmd.Process.Pid)).Run(); err != nil {
		t.Fatal(err)
	}
	if err := d.step(f, 5); err != nil {
		t.Fatal(err)
	}
	if len(d.kept.Found) != 1 || d.proc != nil || d.of(f).Next < 2 {
		t.Errorf("found %v, next %d", d.kept.Found, d.of(f).Next)
	}
	if err := d.step(f, 5); err != nil || d.of(f).Next < 7 {
		t.Errorf("the campaign does not go on: %v, next %d", err, d.of(f).Next)
	}
	d.proc.end()
}
