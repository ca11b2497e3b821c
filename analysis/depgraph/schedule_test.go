package depgraph

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/bgv"
	"orrery/traceio/irgraph/igv"
)

// snapshot makes one of lines: nodes as "id name category", edges as "from to toSlot type".
func snapshot(nodes [][3]string, edges ...string) *irgraph.Snapshot {
	s := &irgraph.Snapshot{Name: "test"}
	at := map[string]int32{}
	for _, n := range nodes {
		at[n[0]] = int32(len(s.Nodes))
		s.Nodes = append(s.Nodes, irgraph.Node{ID: n[0], Block: -1,
			Properties: irgraph.Properties{{Key: irgraph.KeyName, Value: n[1]}, {Key: irgraph.KeyCategory, Value: n[2]}}})
	}
	for _, line := range edges {
		var from, to, kind string
		var slot int32
		fmt.Sscan(line, &from, &to, &slot, &kind)
		e := irgraph.Edge{From: at[from], To: at[to], ToSlot: slot}
		if kind != "" {
			e.Properties = irgraph.Properties{{Key: irgraph.KeyType, Value: kind}}
		}
		s.Edges = append(s.Edges, e)
	}
	return s
}

// A loop that sums what a pointer leads to, then returns: the sea of nodes of for p != nil { sum += k*2; p = p.next }.
func loop() *irgraph.Snapshot {
	return snapshot([][3]string{
		{"0", "Start", "control"}, {"1", "Loop", "control"}, {"2", "Branch", "control"}, {"3", "IfTrue", "control"},
		{"4", "IfFalse", "control"},
		{"5", "Return", "control"}, {"6", "Phi p", "phi"}, {"7", "Load next", "memory"}, {"8", "Cmp", "data"},
		{"9", "Phi sum", "phi"},
		{"10", "Add", "data"}, {"11", "Mul", "data"}, {"12", "Parameter", "data"}, {"13", "Neg", "data"},
	},
		"0 1 0 control", "1 2 0 control", "2 3 0 control", "2 4 0 control", "3 1 1 control", "4 5 0 control",
		"1 6 2 control", "1 9 2 control", "0 12 0 control",
		"12 6 0 value", "7 6 1 value", "6 7 0 value", "3 7 1 control", "6 8 0 value", "8 2 1 value",
		"9 10 0 value", "11 10 1 value", "10 9 1 value", "12 9 0 value", "12 11 0 value", "9 13 0 value", "13 5 1 value")
}

func TestScheduleOfALoop(t *testing.T) {
	s := Schedule(loop())
	got := map[string]string{}
	for _, n := range s.Nodes {
		got[n.Properties.Get(irgraph.KeyName)] = s.Blocks[n.Block].Name
	}
	// The multiplication moves out of the loop, the negation behind it, the addition stays.
	for name, want := range map[string]string{
		"Start": "B0", "Parameter": "B0", "Mul": "B0", "Loop": "B1", "Branch": "B1", "Phi p": "B1",
		"Phi sum": "B1", "Cmp": "B1",
		"IfTrue": "B2", "Load next": "B2", "Add": "B2", "IfFalse": "B3", "Return": "B3", "Neg": "B3",
	} {
		if got[name] != want {
			t.Errorf("%s is in %s, want %s", name, got[name], want)
		}
	}
	if first := s.Nodes[s.Blocks[1].Nodes[0]].ID; first != "1" {
		t.Errorf("block 1 begins with node %s, want the loop's", first)
	}
}

func TestScheduleKeepsEveryNodeOnceAndInputsAbove(t *testing.T) {
	s := Schedule(loop())
	seen := map[int32]int{}
	var next [][]int32
	for b, x := range s.Blocks {
		next = append(next, x.Successors)
		for _, v := range x.Nodes {
			seen[v]++
			if s.Nodes[v].Block != int32(b) {
				t.Errorf("node %s is listed in %s but says %d", s.Nodes[v].ID, x.Name, s.Nodes[v].Block)
			}
		}
	}
	for v := range s.Nodes {
		if seen[int32(v)] != 1 {
			t.Errorf("node %s is in %d blocks", s.Nodes[v].ID, seen[int32(v)])
		}
	}
	d := newDominators(next)
	for _, e := range s.Edges {
		if from, to := s.Nodes[e.From], s.Nodes[e.To]; to.Properties.Get(irgraph.KeyCategory) != phi &&
			e.Properties.Get(irgraph.KeyType) == "value" && !d.dominates(from.Block, to.Block) {
			t.Errorf("%s in block %d does not come before %s in block %d", from.Name(), from.Block, to.Name(), to.Block)
		}
	}
}

func TestScheduleOfWhatHasNoControl(t *testing.T) {
	for _, c := range []struct {
		name   string
		s      *irgraph.Snapshot
		blocks int
	}{
		{"nothing", &irgraph.Snapshot{}, 0},
		{"data", snapshot([][3]string{{"a", "x", "data"}, {"b", "y", "data"}}, "a b 0", "b a 0"), 1},
		{"a ring", snapshot([][3]string{{"a", "x", "control"}, {"b", "y", "control"}}, "a b 0", "b a 0"), 1},
		{"to itself", snapshot([][3]string{{"a", "x", "control"}}, "a a 0 control"), 1},
	} {
		if got := Schedule(c.s); len(got.Blocks) != c.blocks {
			t.Errorf("%s: %d blocks, want %d", c.name, len(got.Blocks), c.blocks)
		}
	}
}

// TestScheduleIsLikeTheCompilersOwn: HotSpot gives blocks to the last phase of the shipped graph alone. Those that are
// guessed for the others, and for the last without its own, divide the nodes of control in the same way and follow each
// other in the same order.
func TestScheduleIsLikeTheCompilersOwn(t *testing.T) {
	f, err := os.Open("../../testdata/graphs/hotspot.xml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := igv.Read(f, "hotspot.xml")
	if err != nil {
		t.Fatal(err)
	}
	of := func(s *irgraph.Snapshot, id string) int32 { return s.Nodes[s.Find(id)].Block }
	for _, s := range doc.Groups[0].Snapshots {
		own := len(s.Blocks) > 0
		bare := *s
		bare.Blocks, bare.Nodes = nil, slices.Clone(s.Nodes)
		guess := Schedule(&bare)
		entry, head, body, exit := of(guess, "3"), of(guess, "20"), of(guess, "33"), of(guess, "34")
		follows := map[int32][]int32{entry: {head}, head: {body, exit}, body: {head}, exit: nil}
		for b, want := range follows {
			got := slices.Sorted(slices.Values(guess.Blocks[b].Successors))
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("%s: behind block %d of %d come %v, want %v", s.Name, b, len(guess.Blocks), got, want)
			}
		}
		if len(follows) != 4 || entry != 0 || head != of(guess, "32") || exit != of(guess, "50") || len(guess.Blocks) != 4 {
			t.Errorf("%s: blocks %d, %d, %d, %d of %d", s.Name, entry, head, body, exit, len(guess.Blocks))
		}
		if own && len(s.Blocks) != 4 {
			t.Errorf("the compiler has %d blocks", len(s.Blocks))
		}
	}
}

// Graal's graphs have no edges of control where paths join. The schedule of the shipped one is that of its second
// phase, which has blocks: there the empty node Begin is gone.
func TestScheduleWherePathsJoin(t *testing.T) {
	f, err := os.Open("../../testdata/graphs/sum.bgv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := bgv.Read(f, "sum.bgv")
	if err != nil {
		t.Fatal(err)
	}
	tell := func(s *irgraph.Snapshot) string {
		var all []string
		for _, b := range s.Blocks {
			var ids []string
			for _, v := range b.Nodes {
				if s.Nodes[v].Properties.Get("class") != "jdk.graal.compiler.nodes.BeginNode" {
					ids = append(ids, s.Nodes[v].ID)
				}
			}
			slices.Sort(ids)
			all = append(all, fmt.Sprint(b.Name, ids, b.Successors))
		}
		return fmt.Sprint(all)
	}
	phases := doc.Groups[0].Groups[0].Snapshots
	given := Schedule(phases[0])
	if got, want := tell(given), tell(phases[1]); got != want {
		t.Errorf("scheduled as %s, Graal's blocks are %s", got, want)
	}
	if !slices.EqualFunc(given.Edges, phases[0].Edges,
		func(a, b irgraph.Edge) bool { return a.From == b.From && a.To == b.To && a.ToSlot == b.ToSlot }) {
		t.Error("the schedule has changed edges")
	}
}
