package designs

import (
	"slices"
	"testing"

	"orrery/analysis/dse"
	"orrery/views/palette"
)

// TestFrontsAsOfAGeneration: where the user wants so the tree and the filter have the fronts that the search knew, in
// one step that can be taken back.
func TestFrontsAsOfAGeneration(t *testing.T) {
	e, v := tree(t)
	spreading := e.side.spread
	e.Generation(3)
	caption := v.Caption()
	e.choose("fronts of the tree", func(c *choices) { c.asOf, c.criteria.show = true, dse.ShowGlobal })
	if v.Caption() == caption {
		t.Errorf("the caption stays %q", caption)
	}
	for _, g := range []int32{3, 0, 7} {
		e.Generation(g)
		s := e.shade.Layout.Tree.Space
		want := dse.Front(e.space.F, e.space.Until(g))
		var got []int32
		e.Pass().Each(func(p int) { got = append(got, int32(p)) })
		if s.UpTo != g || !slices.Equal(got, want) {
			t.Errorf("generation %d: as of %d the front is %v, want %v", g, s.UpTo, got, want)
		}
		if table := spreading.state(palette.Dark()).Table; !slices.Equal(table.Front, want) {
			t.Errorf("generation %d: the spread has the front %v, want %v", g, table.Front, want)
		}
		if g == 7 && len(v.fresh) == 0 {
			t.Error("nothing is new in generation 7")
		}
	}
	e.Generation(dse.None)
	if e.tree.Space != e.space || e.then != e.space {
		t.Error("at the end the tree is not that of all designs")
	}
	e.Generation(3)
	if e.link.Undo(); e.tree.Space != e.space || e.Pass().Count() != len(e.space.Until(3)) {
		t.Errorf("after undo the fronts are as of %d, %d designs pass", e.tree.Space.UpTo, e.Pass().Count())
	}
}
