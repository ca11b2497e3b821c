package flame

import (
	"fmt"
	"testing"

	"orrery/analysis/heap"
	"orrery/views/palette"
	"orrery/views/scene"
)

// bush is a tree of many functions, every one of them wide in some part.
func bush(deep, wide int) *heap.Node {
	n := &heap.Node{Name: fmt.Sprintf("f%d", deep), Site: -1}
	n.Self.Bytes = 1
	n.Total = n.Self
	for i := range wide {
		if deep == 0 {
			break
		}
		c := bush(deep-1, max(1, wide-i))
		n.Children = append(n.Children, c)
		n.Total.Bytes += c.Total.Bytes
	}
	return n
}

func nodes(n *heap.Node) int {
	all := 1
	for _, c := range n.Children {
		all += nodes(c)
	}
	return all
}

// What a frame costs in a tree far larger than what can be seen.
func BenchmarkScene(b *testing.B) {
	root := bush(11, 5)
	s := State{Theme: palette.Dark(), Root: root, Top: Bar}
	size := scene.Size{W: 1200, H: 700, Scale: 1}
	b.ReportAllocs()
	for b.Loop() {
		Scene(s, size)
	}
	b.ReportMetric(float64(nodes(root)), "functions")
}

// What a letter of the filter costs.
func BenchmarkSearch(b *testing.B) {
	root := bush(11, 5)
	s := State{Root: root, Filter: "f3"}
	b.ReportAllocs()
	for b.Loop() {
		Search(s)
	}
}
