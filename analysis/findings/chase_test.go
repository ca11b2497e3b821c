package findings

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/analysis/heat"
	"orrery/cachesim"
	"orrery/traceio/irgraph/graphfile"
	"orrery/traceio/store"
)

// compiled is the hot function of a shipped recording, joined in a hierarchy.
func compiled(t *testing.T, recording, graph string, c cachesim.Config) Compiled {
	t.Helper()
	r, err := store.Open(context.Background(), filepath.Join("../../testdata", recording), store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	doc, err := graphfile.Open(context.Background(), filepath.Join("../../testdata/graphs", graph), nil)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := heat.Count(context.Background(), r, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := doc.Groups[0]
	last := g.Snapshots[len(g.Snapshots)-1]
	return Compiled{Function: g.Name, Snapshot: last, Counts: counts, Heat: heat.Join(counts, r.Program(), g, last),
		Length: r.Len()}
}

// TestChasesOfShippedPrograms: the two walks of a linked list, in Go and in JavaScript, are found with the load that
// waits; the matrix multiply misses as much and chases nothing.
func TestChasesOfShippedPrograms(t *testing.T) {
	config, err := cachesim.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		recording, graph string
		chase            string   // the load on it; "" for no finding
		via              []string // nodes whose loads take their address from it
		line             int      // that misses most
		rounds           float64
	}{
		{"recordings/golist.orr", "golist.ssa.gz", "MOVQload v22", []string{"v22", "v17"}, 35, 4096},
		{"graphs/jslist.orr", "jslist.turbo.json.gz", "Load 72", []string{"72", "74"}, 3, 17741},
		{"recordings/gomatmul.orr", "gomatmul.ssa.gz", "", nil, 0, 0},
	} {
		in := compiled(t, c.recording, c.graph, config)
		list := Chases(in, config)
		if c.chase == "" {
			if len(list) > 0 {
				t.Errorf("%s: found %q", c.graph, list[0].Title)
			}
			continue
		}
		if len(list) != 1 {
			t.Errorf("%s: %d findings, want 1", c.graph, len(list))
			continue
		}
		f := list[0]
		if f.Kind != Chase || !strings.HasSuffix(f.Title, "sum chases a pointer") || f.Line != c.line ||
			!strings.Contains(f.Advice, c.chase) || f.Evidence[0].Value != c.rounds || f.Range.To != in.Length {
			t.Errorf("%s: got %+v", c.graph, f)
		}
		// The same by hand: what each miss waits, and what all references take.
		wait, all := 0.0, 0.0
		for i := range in.Counts.Of {
			if h := &in.Counts.Of[i]; h.References() > 0 {
				all += float64(h.References())*config.Levels[1].Latency + float64(h.Misses[1])*config.Levels[2].Latency +
					float64(h.Misses[2])*config.Memory.Latency
			}
		}
		for v := range in.Snapshot.Nodes {
			if h := &in.Heat.Nodes[v]; slices.Contains(c.via, in.Snapshot.Nodes[v].ID) {
				wait += float64(h.Misses[1])*config.Levels[2].Latency + float64(h.Misses[2])*config.Memory.Latency
			}
		}
		if math.Abs(f.Cost.Nanoseconds-wait) > 1e-6*wait || math.Abs(f.Cost.Share-wait/all) > 1e-9 {
			t.Errorf("%s: costs %v ns, a share of %v; counted %v and %v", c.graph, f.Cost.Nanoseconds,
				f.Cost.Share, wait, wait/all)
		}
	}
}
