package depgraph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphfile"
)

// joint is how many nodes phases have together, and how many the smallest has.
func commonNodes(phases []*irgraph.Snapshot) (all, least int) {
	ids := map[string]bool{}
	least = len(phases[0].Nodes)
	for _, s := range phases {
		least = min(least, len(s.Nodes))
		for v := range s.Nodes {
			ids[s.Nodes[v].ID] = true
		}
	}
	return len(ids), least
}

// cutAll tries all ways to cut phases and gives how many stretches the best has and how much room it leaves empty.
func cutAll(phases []*irgraph.Snapshot) (stretches, empty int) {
	stretches = len(phases) + 1
	for cuts := range 1 << (len(phases) - 1) {
		n, room, from, ok := 0, 0, 0, true
		for at := 1; at <= len(phases); at++ {
			if at < len(phases) && cuts>>(at-1)&1 == 0 {
				continue
			}
			all, least := commonNodes(phases[from:at])
			ok = ok && (at == from+1 || all <= 6+2*least)
			for _, s := range phases[from:at] {
				room += all - len(s.Nodes)
			}
			n, from = n+1, at
		}
		if ok && (n < stretches || n == stretches && room < empty) {
			stretches, empty = n, room
		}
	}
	return stretches, empty
}

func TestStretchesAreFewAndLeaveLittleRoomEmpty(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for i := range 300 {
		phases := make([]*irgraph.Snapshot, 1+r.IntN(8))
		from := 0
		for k := range phases {
			phases[k] = &irgraph.Snapshot{}
			from += r.IntN(12)
			for v := range 3 + r.IntN(25) {
				phases[k].Nodes = append(phases[k].Nodes, irgraph.Node{ID: fmt.Sprint(from + v)})
			}
		}
		first := Stretches(phases)
		if len(first) == 0 || first[0] != 0 || !slices.IsSorted(first) {
			t.Fatalf("case %d: stretches begin at %v", i, first)
		}
		empty := 0
		for k, at := range first {
			to := len(phases)
			if k+1 < len(first) {
				to = first[k+1]
			}
			all, _ := commonNodes(phases[at:to])
			for _, s := range phases[at:to] {
				empty += all - len(s.Nodes)
			}
		}
		if n, room := cutAll(phases); n != len(first) || room != empty {
			t.Fatalf("case %d: %d stretches leave %d places empty; %d that leave %d would do", i, len(first), empty, n, room)
		}
	}
	if first := Stretches(nil); len(first) != 0 {
		t.Errorf("no phases have stretches at %v", first)
	}
}

// Of what is shipped each function is drawn two or three times at most, and few nodes move where one drawing follows
// another.
func TestStretchesOfShippedFunctions(t *testing.T) {
	for _, c := range []struct {
		file         string
		most, moving int
	}{{"golist.ssa.gz", 2, 15}, {"gomatmul.ssa.gz", 3, 120}, {"list.turbo.json.gz", 2, 70}, {"hotspot.xml", 1, 0}} {
		doc, err := graphfile.Open(context.Background(), "../../testdata/graphs/"+c.file, nil)
		if err != nil {
			t.Fatal(err)
		}
		phases := doc.Groups[0].Snapshots
		first := Stretches(phases)
		moving := 0
		for _, at := range first[1:] {
			for _, v := range ByID(phases[at-1], phases[at]) {
				if v >= 0 {
					moving++
				}
			}
		}
		if len(first) > c.most || moving > c.moving {
			t.Errorf("%s: %d phases have stretches from %v on, between which %d nodes move; want %d at most, and %d", c.file,
				len(phases), first, moving, c.most, c.moving)
		}
	}
}

// TestTogetherIsWhatIsInViewTheSame compares with what the set leaves of the graph that is drawn of each phase.
func TestTogetherIsWhatIsInViewTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	longest := 0
	for _, file := range []string{"golist.ssa.gz", "gomatmul.ssa.gz", "list.turbo.json.gz"} {
		doc, err := graphfile.Open(context.Background(), "../../testdata/graphs/"+file, nil)
		if err != nil {
			t.Fatal(err)
		}
		g := doc.Groups[0]
		for range 20 {
			at := r.IntN(len(g.Snapshots))
			nodes := g.Snapshots[at].Nodes
			set := NewSet(nodes[r.IntN(len(nodes))].ID, nodes[r.IntN(len(nodes))].ID)
			first, behind := set.Together(g.Snapshots, at)
			want := brought(set, g.Snapshots[at])
			for i := max(0, first-1); i <= min(behind, len(g.Snapshots)-1); i++ {
				if same := slices.Equal(brought(set, g.Snapshots[i]), want); same != (i >= first && i < behind) {
					t.Fatalf("%s: with %v in phase %d, phases %d to %d: phase %d has the same in view: %v", g.Name, set, at, first,
						behind-1, i, same)
				}
			}
			longest = max(longest, behind-first)
		}
	}
	if longest < 3 {
		t.Errorf("no more than %d phases go together", longest)
	}
}

// brought are the nodes and edges that a set brings to view, in order; edges that it does not, but a pointer chase, are
// left out.
func brought(s Set, phase *irgraph.Snapshot) (list []string) {
	g, faint := s.Extract(Display(phase))
	for v := range g.Nodes {
		list = append(list, g.Nodes[v].ID)
	}
	for _, e := range g.Edges {
		if !faint[e.From] || !faint[e.To] {
			list = append(list, g.Nodes[e.From].ID+" to "+g.Nodes[e.To].ID)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
