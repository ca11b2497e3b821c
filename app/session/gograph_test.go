package session

import (
	"context"
	"strings"
	"testing"

	"orrery/analysis/heat"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// A shipped recording of a program in Go brings enough of its source that the compiler tells of its hot function, and
// the recorded instructions find their nodes exactly.
func TestTheCompilerTellsOfARecordedFunction(t *testing.T) {
	ctx := context.Background()
	rec, err := Load(ctx, "../../testdata/recordings/golist.orr", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	got, err := rec.GoGraph(ctx, "main.sum")
	if err != nil {
		t.Fatal(err)
	}
	config, err := cachesim.Preset(rec.SuggestedPreset())
	if err != nil {
		t.Fatal(err)
	}
	counts, err := heat.Count(ctx, rec, config, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := got.Groups[0]
	last := g.Snapshots[len(g.Snapshots)-1]
	for i := range last.Nodes {
		if file, ok := last.Nodes[i].Properties.Lookup(irgraph.KeyFile); ok && file != "golist.go" &&
			strings.HasSuffix(file, "golist.go") {
			t.Fatalf("node %s comes from %s, in the recording from golist.go", last.Nodes[i].ID, file)
		}
	}
	loads := uint64(0)
	for _, h := range heat.Join(counts, rec.Program(), g, last).Nodes {
		loads += h.Loads
	}
	if loads < 2*4096 {
		t.Errorf("the nodes of sum have %d loads, want those of two fields of 8 walks over 512 nodes", loads)
	}
	_, err = rec.GoGraph(ctx, "main.nothing")
	if e, ok := err.(*traceio.Error); !ok || e.Hint == "" {
		t.Errorf("a function that is not there gives %v", err)
	}
}

func TestFunctionsAreNamedAsInTheirPackage(t *testing.T) {
	for name, want := range map[string]string{"main.sum": "sum", "example.com/a.b/list.(*List).Sum": "(*List).Sum",
		"main.work.func1": "work.func1", "sum": "sum"} {
		if got := inPackage(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
