package heat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"orrery/analysis/attribution"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphfile"
	"orrery/traceio/store"
)

// shipped opens a shipped recording and the graphs of its hot function.
func shipped(t testing.TB, name string) (*store.Recording, *irgraph.Group) {
	t.Helper()
	r, err := store.Open(context.Background(), filepath.Join("../../testdata/recordings", name+".orr"),
		store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	doc, err := graphfile.Open(context.Background(), filepath.Join("../../testdata/graphs", name+".ssa.gz"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r, doc.Groups[0]
}

func count(t testing.TB, r *store.Recording) *Counts {
	t.Helper()
	c, err := Count(context.Background(), r, hierarchy(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestHotLinesOfShippedRecordings lists the nodes behind each hot line, with references, and holds misses against the
// count by line that attribution makes.
func TestHotLinesOfShippedRecordings(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"gomatmul", "gomatmul.go:18 131072: LoweredNilCheck 32768 LoweredNilCheck 32768 MOVSDloadidx8 32768 MULSDloadidx8 " +
			"32768\n"},
		{"golist", "golist.go:35 4096: MOVQload 4096\ngolist.go:36 4096: ADDQload 4096\n"},
	} {
		r, g := shipped(t, c.name)
		counts := count(t, r)
		last := g.Snapshots[len(g.Snapshots)-1]
		j := Join(counts, r.Program(), g, last)
		if !j.Exact {
			t.Errorf("%s: the recording does not fit the listing", c.name)
		}
		byLine := missesByLine(t, r)
		var b strings.Builder
		for _, l := range j.Lines {
			if l.References() < 4000 {
				continue
			}
			fmt.Fprintf(&b, "%s:%d %d:", filepath.Base(l.File), l.Line, l.References())
			for _, n := range l.Nodes {
				if h := j.Nodes[n]; h.References() > 1000 && last.Nodes[n].Properties.Get(irgraph.KeyAccess) != "" {
					fmt.Fprintf(&b, " %s %d", last.Nodes[n].Name(), h.References())
				}
			}
			b.WriteString("\n")
			if want := byLine[fmt.Sprint(l.File, ":", l.Line)]; fmt.Sprint(l.Misses) != fmt.Sprint(want) {
				t.Errorf("%s:%d has misses %v, counted by line %v", l.File, l.Line, l.Misses, want)
			}
		}
		if b.String() != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, b.String(), c.want)
		}
	}
}

func missesByLine(t *testing.T, r *store.Recording) map[string][]uint64 {
	t.Helper()
	p := r.Program()
	keys, number := []string{}, map[string]int32{}
	classify := func(b *traceio.Block, ids []int32) {
		for row, pc := range b.PC {
			key := ""
			if s := p.SiteAt(pc); s != nil && len(s.Frames) > 0 {
				key = fmt.Sprint(s.Frames[0].File, ":", s.Frames[0].Line)
			}
			if _, ok := number[key]; !ok {
				number[key] = int32(len(keys))
				keys = append(keys, key)
			}
			ids[row] = number[key]
		}
	}
	rows, err := attribution.Misses(context.Background(), r, hierarchy(t), 1000, classify,
		func(id int32) string { return keys[id] }, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]uint64{}
	for _, row := range rows {
		out[row.Key] = row.Misses
	}
	return out
}

// TestStridesTellTheProgram: the loads of the multiply go by columns and rows, the list's by the step in which it was
// linked.
func TestStridesTellTheProgram(t *testing.T) {
	want := map[string]map[string]int64{
		"gomatmul": {"MOVSDloadidx8": 8, "MULSDloadidx8": 32 * 8},
		"golist":   {"MOVQload": 197 * 64, "ADDQload": 197 * 64},
	}
	for name, strides := range want {
		r, g := shipped(t, name)
		last := g.Snapshots[len(g.Snapshots)-1]
		j := Join(count(t, r), r.Program(), g, last)
		for i, h := range j.Nodes {
			if want, ok := strides[last.Nodes[i].Name()]; ok && h.References() > 1000 {
				// The list's ring is cut where the memory ends: some distances wrap round.
				if wrap := want - 512*64; h.Stride != want && (name != "golist" || h.Stride != wrap) ||
					h.Strided*2 < h.References() {
					t.Errorf("%s: %s has stride %d, %d of %d times; want %d", name, last.Nodes[i].Name(), h.Stride, h.Strided,
						h.References(), want)
				}
			}
		}
	}
}

// TestEarlyPhasesHaveHeat joins with the first snapshot: the load of b and the multiplication, two nodes that become
// one instruction, are one node from there on, and it has the heat; its line has the rest.
func TestEarlyPhasesHaveHeat(t *testing.T) {
	r, g := shipped(t, "gomatmul")
	first := g.Snapshots[0]
	j := Join(count(t, r), r.Program(), g, first)
	var got []string
	for i, h := range j.Nodes {
		if h.References() >= 32768 {
			got = append(got, fmt.Sprint(first.Nodes[i].Name(), " ", h.References()))
		}
	}
	if want := "[NilCheck 32768 Load 32768 NilCheck 32768 Mul64F 32768]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	bare := *g
	bare.Listing = nil
	if j = Join(count(t, r), r.Program(), &bare, first); j.Exact || len(j.Lines) == 0 ||
		j.Lines[0].References() != 131072 || len(j.Lines[0].Nodes) != 4 {
		t.Errorf("by line: %+v", j.Lines)
	}
}

// TestWithoutOffsetsLinesDecide takes the offsets away, as when the program was built otherwise.
func TestWithoutOffsetsLinesDecide(t *testing.T) {
	r, g := shipped(t, "golist")
	bare := *g
	bare.Listing = nil
	last := g.Snapshots[len(g.Snapshots)-1]
	j := Join(count(t, r), r.Program(), &bare, last)
	if j.Exact || len(j.Instructions) > 0 || len(j.Lines) < 2 {
		t.Fatalf("exact %v, %d instructions, lines %v", j.Exact, len(j.Instructions), j.Lines)
	}
	for _, l := range j.Lines[:2] {
		if l.Exact || l.References() != 4096 || len(l.Nodes) != 1 ||
			last.Nodes[l.Nodes[0]].Properties.Get(irgraph.KeyAccess) != "load" {
			t.Errorf("line %+v", l)
		}
	}
}

// TestStrideAgainstTwin counts all distances of random walks with one that is commoner than a fifth.
func TestStrideAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	for range 200 {
		var s stride
		all := map[int64]uint64{}
		at := traceio.Addr(1 << 30)
		s.take(at)
		for range 300 {
			d := int64(64)
			if r.IntN(10) < 6 {
				d = int64(r.IntN(40)) * 8
			}
			at += traceio.Addr(d)
			all[d]++
			s.take(at)
		}
		best, n := s.commonest()
		most := int64(0)
		for d, k := range all {
			if k > all[most] {
				most = d
			}
		}
		if best != most || n > all[most] {
			t.Fatalf("stride %d (%d times), counted %d (%d times)", best, n, most, all[most])
		}
	}
}

func BenchmarkCount(b *testing.B) {
	r, _ := shipped(b, "gomatmul")
	b.ReportAllocs()
	for b.Loop() {
		count(b, r)
	}
}

func hierarchy(t testing.TB) cachesim.Config {
	t.Helper()
	c, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
