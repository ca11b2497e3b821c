package session

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphfile"
)

// A recording of V8's code has no names; the graphs of the same run give it functions, lines and the function's text, and what
// was inlined from the same script has lines of its own.
func TestGraphsNameMadeCode(t *testing.T) {
	rec, err := Load(context.Background(), "../../testdata/graphs/jslist.orr", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	doc, err := graphfile.Open(context.Background(), "../../testdata/graphs/jslist.turbo.json.gz", nil)
	if err != nil {
		t.Fatal(err)
	}
	var groups []*irgraph.Group
	doc.Walk(func(_ []string, g *irgraph.Group) { groups = append(groups, g) })
	named := rec.WithGraphs(groups)
	hottest := named.Lines.At(0)
	if hottest.File != "list.js" || hottest.Line != 3 || hottest.Function != "sum" || hottest.References() < 70000 {
		t.Errorf("the hottest line is %+v, want list.js:3 of sum", hottest)
	}
	if i := named.Lines.Find("list.js (next)", 1); i < 0 || named.Lines.At(i).References() < 17000 { // one load a round
		t.Error("what was inlined has no line of its own")
	}
	if text := named.LineText("list.js", 3); text != "for (let p = list; p !== null; p = next(p)) total += p.value;" {
		t.Errorf("the line says %q", text)
	}
	if named.Len() != rec.Len() || len(named.Regions.Regions()) != len(rec.Regions.Regions()) {
		t.Error("names changed what was recorded")
	}
	if rec.Lines.Find("list.js", 3) >= 0 {
		t.Error("the recording itself was changed")
	}
	if again := named.WithGraphs(groups); again != named {
		t.Error("the same graphs say something new")
	}
	if other := rec.WithGraphs([]*irgraph.Group{{Name: "f", Listing: groups[0].Listing}}); other != rec {
		t.Error("code without an address has been found")
	}
}

// A perf map beside a recording names code that is in no file.
func TestMapBesideTheRecording(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile("../../testdata/graphs/jslist.orr")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "jslist.orr")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	load := func() *Recording {
		rec, err := Load(context.Background(), file, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rec.Close() })
		return rec
	}
	if err := os.WriteFile(filepath.Join(dir, "jslist.perf.map"), []byte("no map\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bare := load()
	if notes := bare.Program().Notes; !slices.ContainsFunc(notes, func(s string) bool { return filepath.IsAbs(s) }) {
		t.Errorf("nothing tells of a map that is none: %q", notes)
	}
	low := traceio.Addr(0x7f7cbc005b80) // where V8 put sum
	if err := os.WriteFile(filepath.Join(dir, "jslist.perf.map"), []byte("7f7cbc005b80 300 JS:*sum /home/me/list.js:3:13\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	named := load()
	for _, pc := range named.PCs() {
		if s := named.Program().SiteAt(pc); pc >= low && pc < low+0x300 && (s == nil || s.Own().Function != "sum") {
			t.Fatalf("%v is called %+v, want sum", pc, s)
		}
	}
	if l := named.Lines.At(0); l.Name() != "sum" || l.References() < 80000 {
		t.Errorf("most references are those of %+v, want sum", l)
	}
}
