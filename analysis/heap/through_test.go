package heap

import (
	"testing"

	"orrery/traceio"
)

// A function's stacks have together what its nodes of the tree have, for functions that do not call themselves.
func TestThroughAgreesWithTree(t *testing.T) {
	h := analyze(t, []traceio.Alloc{malloc(1, 0x1000, 8), malloc(2, 0x2000, 24), malloc(3, 0x3000, 48)}, 10, nil)
	total := map[string]uint64{}
	var walk func(n *Node)
	walk = func(n *Node) {
		for _, c := range n.Children {
			total[c.Name] += c.Total.Bytes
			walk(c)
		}
	}
	walk(h.Tree())
	if len(total) == 0 {
		t.Fatal("the tree is empty")
	}
	for name, want := range total {
		sum := uint64(0)
		lit := h.Through(name)
		for i := range h.Count() {
			if lit != nil && lit[h.Block(i).AllocStack] {
				sum += h.Block(i).Size
			}
		}
		if sum != want {
			t.Errorf("%s: %d bytes, the tree has %d", name, sum, want)
		}
	}
	if h.Through("no such function") != nil {
		t.Error("a function that is not there has stacks")
	}
}
