package layout

import (
	"math/rand/v2"
	"testing"
)

// A tree of sums and insertion count what all pairs do.
func TestBothWaysOfCountingAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	for range 200 {
		slots := 1 + r.IntN(40)
		row := make([]ownedSegment, r.IntN(90))
		for i := range row {
			row[i] = ownedSegment{0, r.Int32N(int32(slots)), int64(1 + r.IntN(3))}
		}
		want := int64(0)
		for i := range row {
			for _, s := range row[:i] {
				if s.to > row[i].to {
					want += s.weight * row[i].weight
				}
			}
		}
		l := &layering{}
		if got := l.treeSum(row, slots); got != want {
			t.Fatalf("a tree counts %d crossings of %v, want %d", got, row, want)
		}
		if got := insertionCount(row); got != want {
			t.Fatalf("insertion counts %d crossings of %v, want %d", got, row, want)
		}
	}
}

// Marks count what weights do, in one word and in several.
func TestMarksCountAsWeightsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	few, many := false, false
	for range 60 {
		wide := 2 + r.IntN(60)
		g := Graph{Nodes: make([]Node, 4*wide)}
		for range 10 * wide {
			from := r.IntN(3 * wide)
			g.Edges = append(g.Edges, Edge{From: int32(from), To: int32((from/wide+1)*wide + r.IntN(wide))})
		}
		l := levelsOf(g)
		for i, row := range l.order {
			r.Shuffle(len(row), func(i, j int) { row[i], row[j] = row[j], row[i] })
			l.renumber(i)
		}
		for i := range len(l.order) - 1 {
			if !l.plain[i] {
				continue
			}
			want := l.countByTree(i)
			if got := l.between(i); got != want {
				t.Fatalf("marks count %d crossings below layer %d, want %d", got, i, want)
			}
			segments := 0
			for _, v := range l.order[i] {
				segments += len(l.down.of(v))
			}
			few, many = few || segments <= 64, many || segments > 64
		}
	}
	if !few || !many {
		t.Errorf("layers with few segments: %v, with many: %v; want both", few, many)
	}
}
