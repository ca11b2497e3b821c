package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphfile"
)

// A recording of V8's code has no names; the graphs of the same run give it functions, lines and the function's text,
// and what was inlined from the same script has lines of its own.
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
	// of the list, four loads an element
	if heap, stack := rec.Regions.Find("JavaScript heap"), rec.Regions.Find("stack"); heap < 0 || stack < 0 ||
		rec.Use.Regions[heap].References() < 50000 || rec.Use.Regions[stack].References() > 10000 {
		t.Errorf("the list is in regions %+v with counts %+v, want it in the JavaScript heap",
			rec.Regions.Regions()[max(0, heap)], rec.Use.Regions)
	}
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
	file, beside := filepath.Join(dir, "run.lackey"), filepath.Join(dir, "run.perf.map")
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "I  %08x,4\n L %08x,8\n", 0x5b80+4*(i%8), 0x10000+64*(i%50))
	}
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	load := func() *Recording {
		rec, err := Load(context.Background(), file, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rec.Close() })
		return rec
	}
	write(file, text.String())
	write(beside, "no map\n")
	if notes := load().Program().Notes; !slices.ContainsFunc(notes,
		func(s string) bool { return strings.Contains(s, "run.perf.map") }) {
		t.Errorf("nothing tells of a map that is none: %q", notes)
	}
	write(beside, "5b80 10 JS:*sum /home/me/list.js:3:13\n5b90 10 JS:*next /home/me/list.js:2:14\n")
	named := load()
	for name, want := range map[string]uint64{"sum": 200, "next": 200} {
		i := -1
		for k := range named.Lines.Len() {
			if named.Lines.At(int32(k)).Name() == name {
				i = k
			}
		}
		if i < 0 || named.Lines.At(int32(i)).References() != want {
			t.Errorf("%s is line %d, want %d references of it", name, i, want)
		}
	}
}
