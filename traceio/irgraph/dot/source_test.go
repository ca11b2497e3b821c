package dot

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSourceBesideTheDumps: functions have their own lines of the source file that lies with the dumps, from the head
// to the brace that ends them, and none where there is no file, one that is shorter than the lines that blocks name, or
// something that is no file.
func TestSourceBesideTheDumps(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(dumps, "sum.c"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(dumps, "*.dot"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.SplitAfter(string(text), "\n")
	whole := [2]string{strings.Join(lines[1:9], ""), strings.Join(lines[1:10], "")} // sum is inlined into twice
	cut := strings.Join(lines[1:6], "")
	source := filepath.Join(dir, "sum.c")
	for _, c := range []struct {
		name  string
		make  func() error
		first [2]int // of sum and of twice, 0 for no text
		text  [2]string
	}{
		{"no file", func() error { return nil }, [2]int{}, [2]string{}},
		{"the file", func() error { return os.WriteFile(source, text, 0o600) }, [2]int{2, 2}, whole},
		{"cut", func() error { return os.WriteFile(source, []byte(strings.Join(lines[:6], "")), 0o600) }, [2]int{2, 2},
			[2]string{cut, cut}},
		{"empty", func() error { return os.WriteFile(source, nil, 0o600) }, [2]int{}, [2]string{}},
		{"too long", func() error {
			return os.WriteFile(source, []byte(string(text)+strings.Repeat("\n", mostSource)), 0o600)
		}, [2]int{}, [2]string{}},
		{"a directory", func() error { os.Remove(source); return os.Mkdir(source, 0o700) }, [2]int{}, [2]string{}},
	} {
		if err := c.make(); err != nil {
			t.Fatal(err)
		}
		doc, err := ReadSeries(context.Background(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range doc.Groups {
			first, text := 0, ""
			if g.Method != nil {
				first, text = g.Method.Source.First, g.Method.Source.Text
			}
			if first != c.first[i] || text != c.text[i] {
				t.Errorf("%s: %s has from line %d\n%swant from line %d\n%s", c.name, g.Name, first, text, c.first[i], c.text[i])
			}
		}
	}
}

// What bears the name of a dump and is no file is not waited for.
func TestSeriesWithWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.c.015t.cfg.dot"),
		[]byte("digraph \"a.c.015t.cfg\" { subgraph \"cluster_f\" { fn_0_basic_block_2 [label=\"{\\<bb\\ 2\\>:\\l}\"]; } }"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "a.c.016t.pipe.dot"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "a.c.017t.dir.dot"), 0o700); err != nil {
		t.Fatal(err)
	}
	doc, err := ReadSeries(context.Background(), dir, nil)
	if err != nil || len(doc.Groups) != 1 || len(doc.Problems) != 2 || !strings.Contains(doc.Problems[0].Error(),
		"a.c.016t.pipe.dot is not a file; the pass is left out") {
		t.Errorf("%v, %v", doc, err)
	}
}
