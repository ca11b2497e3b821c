package depgraph

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"orrery/traceio/irgraph"
)

// sea makes a random snapshot of n nodes with some twenty names.
func sea(seed uint64, n int) *irgraph.Snapshot {
	r := rand.New(rand.NewPCG(seed, 3))
	s := &irgraph.Snapshot{Name: fmt.Sprint("sea ", seed)}
	for v := range n {
		s.Nodes = append(s.Nodes, irgraph.Node{ID: fmt.Sprint("n", v), Block: -1, Properties: irgraph.Properties{
			{Key: irgraph.KeyName, Value: fmt.Sprint("Op", r.IntN(20))}, {Key: "line", Value: fmt.Sprint(1 + v/4)}}})
		for slot := range min(v, 1+r.IntN(3)) {
			s.Edges = append(s.Edges, irgraph.Edge{From: int32(max(0, v-1-r.IntN(12))), To: int32(v), ToSlot: int32(slot)})
		}
	}
	return s
}

// renamed is the same graph with other IDs in another order, and where each node went.
func renamed(s *irgraph.Snapshot, seed uint64) (*irgraph.Snapshot, []int) {
	to := rand.New(rand.NewPCG(seed, 9)).Perm(len(s.Nodes))
	t := &irgraph.Snapshot{Name: "renamed", Nodes: make([]irgraph.Node, len(s.Nodes))}
	for v, n := range s.Nodes {
		n.ID = fmt.Sprint("x", to[v])
		t.Nodes[to[v]] = n
	}
	for _, e := range s.Edges {
		e.From, e.To = int32(to[e.From]), int32(to[e.To])
		t.Edges = append(t.Edges, e)
	}
	return t, to
}

func states(s *irgraph.Snapshot) map[string]int {
	n := map[string]int{}
	for i := range s.Nodes {
		n["node "+s.Nodes[i].Properties.Get(KeyState)]++
	}
	for i := range s.Edges {
		n["edge "+s.Edges[i].Properties.Get(KeyState)]++
	}
	return n
}

func TestDifferenceOfTwoPhases(t *testing.T) {
	a := snapshot([][3]string{{"1", "Add", "data"}, {"2", "Mul", "data"}, {"3", "Old", "data"}}, "1 2 0",
		"3 2 1", "3 1 0 control")
	b := snapshot([][3]string{{"1", "Add", "data"}, {"2", "Shift", "data"}, {"4", "New", "data"}}, "1 2 0",
		"4 2 1", "4 1 0 control")
	d := Difference(a, b, ByID(a, b))
	var got []string
	for _, n := range d.Nodes {
		got = append(got, n.ID+" "+n.Properties.Get(KeyState)+" "+n.Properties.Get("was:name"))
	}
	want := []string{"1 same ", "2 changed Mul", "4 new ", "3 deleted "}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("nodes %q, want %q", got, want)
	}
	if n := states(d); n["edge same"] != 1 || n["edge new"] != 2 || n["edge deleted"] != 2 {
		t.Errorf("edges %v", n)
	}
}

// What is not deleted is the later snapshot, what is not new the earlier, whatever the two are.
func TestDifferenceHoldsBothSnapshots(t *testing.T) {
	for seed := range uint64(20) {
		a, b := sea(seed, 60), sea(seed+100, 80)
		for name, p := range map[string]Pairing{"by ID": ByID(a, b), "approximate": Approximate(a, b)} {
			d := Difference(a, b, p)
			n := states(d)
			if got := n["node same"] + n["node changed"] + n["node new"]; got != len(b.Nodes) {
				t.Fatalf("%s: %d nodes of %d", name, got, len(b.Nodes))
			}
			if got := n["node same"] + n["node changed"] + n["node deleted"]; got != len(a.Nodes) {
				t.Fatalf("%s: %d former nodes of %d", name, got, len(a.Nodes))
			}
			if n["edge same"]+n["edge new"] != len(b.Edges) || n["edge same"]+n["edge deleted"] != len(a.Edges) {
				t.Fatalf("%s: edges %v of %d and %d", name, n, len(a.Edges), len(b.Edges))
			}
			ids := map[string]bool{}
			for i := range d.Nodes {
				if ids[d.Nodes[i].ID] {
					t.Fatalf("%s: ID %s twice", name, d.Nodes[i].ID)
				}
				ids[d.Nodes[i].ID] = true
			}
		}
	}
}

func TestApproximateFindsTheSameGraphUnderOtherIDs(t *testing.T) {
	for seed := range uint64(10) {
		a := sea(seed, 400)
		b, to := renamed(a, seed)
		p := Approximate(a, b)
		wrong := 0
		for v, w := range p {
			if int(w) != to[v] {
				wrong++
			}
		}
		if d := Difference(a, b, p); wrong > 4 || states(d)["edge same"] < len(a.Edges)-12 {
			t.Errorf("graph %d: %d of %d nodes have another partner, %v", seed, wrong, len(p), states(d))
		}
	}
}

func TestApproximatePairsEqualNamesOnlyAndEachOnce(t *testing.T) {
	a, b := sea(1, 300), sea(2, 500)
	once := map[int32]bool{}
	for v, w := range Approximate(a, b) {
		if w < 0 {
			continue
		}
		if once[w] || a.Nodes[v].Name() != b.Nodes[w].Name() {
			t.Fatalf("node %d %s has partner %d %s", v, a.Nodes[v].Name(), w, b.Nodes[w].Name())
		}
		once[w] = true
	}
}

// A compiler that adds a node in the middle and takes one away leaves the rest what it was.
func TestApproximateSurvivesASmallChange(t *testing.T) {
	a := sea(5, 300)
	b, _ := renamed(a, 6)
	b.Nodes = append(b.Nodes, irgraph.Node{ID: "added", Block: -1,
		Properties: irgraph.Properties{{Key: irgraph.KeyName, Value: "Spill"}}})
	old := b.Edges[100].To
	b.Edges[100].To = int32(len(b.Nodes) - 1)
	b.Edges = append(b.Edges, irgraph.Edge{From: int32(len(b.Nodes) - 1), To: old})
	n := states(Difference(a, b, Approximate(a, b)))
	if n["node new"] != 1 || n["node deleted"] != 0 || n["edge same"] < len(a.Edges)-6 {
		t.Errorf("%v", n)
	}
}
