package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Pictures of graphs, by phase, as difference, with filters, with what a recording says.
func TestRenderGraph(t *testing.T) {
	graphs := "../../testdata/graphs/"
	for _, c := range []struct {
		name, file string
		flags      []string
		has        string
	}{
		{"the last phase", "golist.ssa.gz", nil, "MOVQload"},
		{"a phase by name", "golist.ssa.gz", []string{"--phase", "start"}, "NeqPtr"},
		{"blocks", "gomatmul.ssa.gz", []string{"--phase", "20", "--blocks", "--theme", "light"}, "b1"},
		{"a difference", "hotspot.xml", []string{"--against", "1", "--long-edges"}, "Phi"},
		{"a part", "golist.ssa.gz", []string{"--nodes", "v22"}, "MOVQload"},
		{"heat", "golist.ssa.gz", []string{"--over", "../../testdata/recordings/golist.orr", "--graph-colors", "misses"},
			"misses of a node"},
		{"a filter", "golist.ssa.gz", []string{"--script", `set("id", "v22", "name", "here")`, "--filter", "hide constants"},
			"here"},
	} {
		out := filepath.Join(t.TempDir(), "g.svg")
		code, _, said := run(t, append([]string{"render", "graph", graphs + c.file, "-o", out, "--size", "4000x3000"},
			c.flags...)...)
		data, _ := os.ReadFile(out)
		if code != 0 || !strings.Contains(string(data), c.has) {
			t.Errorf("%s: exit %d, %s, a picture of %d bytes without %q", c.name, code, said, len(data), c.has)
		}
	}
	for _, c := range []struct {
		flags []string
		says  string
	}{
		{[]string{"--phase", "nowhere"}, "has no phase"},
		{[]string{"--func", "nobody"}, "no function has"},
		{[]string{"--graph-colors", "pink"}, "is none of"},
		{[]string{"--filter", "magic"}, "shipped filters"},
		{[]string{"--nodes", "v22,v9999"}, "--nodes v9999: there is no such node in "},
		{[]string{"--script", `remove("name", ".*")`}, "the filters leave none"},
	} {
		code, _, said := run(t, append([]string{"render", "graph", graphs + "golist.ssa.gz", "-o",
			filepath.Join(t.TempDir(), "g.svg")}, c.flags...)...)
		if code == 0 || !strings.Contains(said, c.says) {
			t.Errorf("%v: exit %d, %q, want %q", c.flags, code, said, c.says)
		}
	}
}

// A graph without nodes is no picture.
func TestRenderGraphWithoutNodes(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "empty.dot"), filepath.Join(dir, "g.svg")
	if err := os.WriteFile(in, []byte("digraph{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, said := run(t, "render", "graph", in, "-o", out)
	if _, err := os.Stat(out); code != Failed || !strings.Contains(said, "has no nodes to draw") || err == nil {
		t.Errorf("exit %d, %q, a picture: %v", code, said, err == nil)
	}
}

// A filter that fails does not keep the others from what they do, nor the picture from being drawn; it is named with
// its line.
func TestRenderGraphWithoutTheFilterThatFails(t *testing.T) {
	out := filepath.Join(t.TempDir(), "g.svg")
	code, _, said := run(t, "render", "graph", "../../testdata/graphs/golist.ssa.gz", "-o", out, "--size", "4000x3000",
		"--script", `set("id", "v22", "name", "before")`, "--script",
		"var a\nset('id', 'v22', 'name', 'fails')\nthrow new Error('no')", "--script",
		`set("name", "before", "name", "behind")`)
	if code != Partial || !strings.Contains(said, "filter --script 2:3: Error: no") ||
		!strings.Contains(said, "the other filters apply") || strings.Contains(said, "--script 3") {
		t.Errorf("exit %d, %q", code, said)
	}
	if data, err := os.ReadFile(out); err != nil || !strings.Contains(string(data), "behind") ||
		strings.Contains(string(data), "fails") {
		t.Errorf("%v, a picture of %d bytes without what the other filters do", err, len(data))
	}
}
