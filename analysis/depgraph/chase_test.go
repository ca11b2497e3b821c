package depgraph

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orrery/traceio/irgraph"
)

// program is a graph in words: "2 Phi phi <- 0 3" is node 2, named Phi, of a category, with inputs; a name that ends in
// "load" loads, an input "m1" comes over a memory edge.
func program(lines ...string) *Graph {
	g := &Graph{}
	for _, l := range lines {
		f := strings.Fields(l)
		p := irgraph.Properties{{Key: irgraph.KeyName, Value: f[1]}, {Key: irgraph.KeyCategory, Value: f[2]}}
		if strings.HasSuffix(f[1], "load") {
			p = append(p, irgraph.Property{Key: irgraph.KeyAccess, Value: "load"})
		}
		g.Nodes = append(g.Nodes, Node{ID: f[0], Properties: p, Block: -1})
	}
	for v, l := range lines {
		_, inputs, _ := strings.Cut(l, "<-")
		for slot, in := range strings.Fields(inputs) {
			kind := "value"
			if in[0] == 'm' {
				in, kind = in[1:], "memory"
			}
			from := slices.IndexFunc(g.Nodes, func(n Node) bool { return n.ID == in })
			g.Edges = append(g.Edges, Edge{From: int32(from), To: int32(v), ToSlot: int32(slot), Of: -1,
				Properties: irgraph.Properties{{Key: irgraph.KeyType, Value: kind}}})
		}
	}
	g.CountSlots()
	return g
}

func TestFindChase(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a list", []string{"a Arg data", "p Phi phi <- a n", "n MOVQload memory <- p m0", "0 Mem memory"}, "p n"},
		{"with arithmetic between", []string{"a Arg data", "p Phi phi <- a n", "q Add data <- p a", "n MOVQload memory <- q"},
			"p q n"},
		{"a sum of what is loaded", []string{"z Const constant", "s Phi phi <- z r",
			"r ADDQload memory <- s p", "p Arg data"}, ""},
		{"an accumulating load of an address", []string{"z Const constant", "p Phi phi <- z r", "r ADDQload memory <- z p"},
			"p r"},
		{"a counter", []string{"z Const constant", "i Phi phi <- z j", "j Add data <- i z", "v MOVQload memory <- i"}, ""},
		{"only memory comes back", []string{"0 Mem memory", "h Phi memory <- m0 mv", "v MOVQload memory <- 0 mh"}, ""},
		{"only control comes back", []string{"p Phi phi <- i p0", "p0 Arg data", "c Cmp data <- v", "i If control <- c",
			"v MOVQload memory <- p"}, ""},
		{"a load without a phi", []string{"v MOVQload memory <- v"}, ""},
		{"nothing", nil, ""},
	} {
		g := program(c.lines...)
		got := FindChase(g)
		var on []string
		for v, is := range got.Nodes {
			if is {
				on = append(on, g.Nodes[v].ID)
			}
		}
		if strings.Join(on, " ") != c.want || got.Count != len(on) {
			t.Errorf("%s: on a chase are %q, counted %d, want %q", c.name, strings.Join(on, " "), got.Count, c.want)
		}
	}
}

// Two nodes are in one component when each can be reached from the other.
func TestComponentsAgreeWithReachability(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 16))
	for range 200 {
		n := 1 + r.IntN(12)
		reach := make([][]bool, n)
		for v := range reach {
			reach[v] = make([]bool, n)
			reach[v][v] = true
		}
		var edges [][2]int32
		for range r.IntN(2 * n) {
			e := [2]int32{int32(r.IntN(n)), int32(r.IntN(n))}
			edges = append(edges, e)
			reach[e[0]][e[1]] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		part := components(n, func(follow func(from, to int32)) {
			for _, e := range edges {
				follow(e[0], e[1])
			}
		})
		for i := range n {
			for j := range n {
				if (part[i] == part[j]) != (reach[i][j] && reach[j][i]) {
					t.Fatalf("edges %v: nodes %d and %d are in components %d and %d", edges, i, j, part[i], part[j])
				}
			}
		}
	}
}

// An extract marks what lies on a chase of the whole graph, also where a part of the cycle is out of view; neighbours
// that a chase joins are joined there, too.
func TestChaseInAnExtract(t *testing.T) {
	g := program("a Arg data", "p Phi phi <- a n2", "n MOVQload memory <- p m0", "0 Mem memory", "n2 Copy data <- n",
		"s MOVQload memory <- p m0")
	part, _ := NewSet("n").Extract(g)
	c := FindChase(part)
	var on, edges []string
	for v, is := range c.Nodes {
		if is {
			on = append(on, part.Nodes[v].ID)
		}
	}
	for i, is := range c.Edges {
		if is {
			edges = append(edges, part.Nodes[part.Edges[i].From].ID+">"+part.Nodes[part.Edges[i].To].ID)
		}
	}
	slices.Sort(edges)
	if !slices.Equal(on, []string{"p", "n", "n2"}) || !slices.Equal(edges, []string{"n2>p", "n>n2", "p>n"}) ||
		c.Count != 3 {
		t.Errorf("on the chase are %v and %v, %d nodes", on, edges, c.Count)
	}
	if part, _ := NewSet("s").Extract(g); FindChase(part).Count != 1 { // p alone, a neighbour
		t.Error("a load beside the chase is on it")
	}
	twice, _ := NewSet("n").Extract(part)
	if FindChase(twice).Count != 3 {
		t.Error("an extract of an extract has lost the chase")
	}
}
