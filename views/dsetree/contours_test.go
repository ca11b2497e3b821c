package dsetree

import (
	"fmt"
	"strings"
	"testing"

	"orrery/analysis/dse"
	"orrery/views/scene"
)

// said are the texts of a drawing outside of groups.
func said(d scene.Drawing) (out []string) {
	for _, s := range d.Shapes {
		if t, ok := s.(scene.Text); ok {
			out = append(out, t.S)
		}
	}
	return out
}

// TestContours: each compared subspace that is in the picture has its name, and below its local Pareto set what a slow
// mean over its points gives, in whatever order the levels are.
func TestContours(t *testing.T) {
	s := encoder()
	var chosen []int32
	for k := range s.Combos {
		if len(s.Points(k)) > 40 && len(chosen) < 4 {
			chosen = append(chosen, int32(k))
		}
	}
	for _, order := range [][]int{nil, {3, 1, 0, 2}} {
		tree, err := dse.NewTree(s, order, dse.DefaultThreshold)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct {
			name string
			hide dse.Hide
			sets bool // their local Pareto points are to be seen
		}{{"whole", dse.Hide{UpTo: dse.None}, true}, {"collapsed", dse.Hide{UpTo: dse.None, Collapsed: map[int32]bool{}},
			false}} {
			if !row.sets {
				for v := tree.Start[len(tree.Order)]; v < tree.Start[len(tree.Order)+1]; v++ {
					row.hide.Collapsed[v] = true
				}
			}
			state := pictured(t, s, DefaultLook(s), nil)
			state.Shade = NewShade(tree.Layout(row.hide), NewColumns(tree, state.Look, nil))
			state.Compared = s.Compare(chosen)
			text := strings.Join(said(Scene(state, scene.Size{W: 1400, H: 800, Scale: 1})), "\n") + "\n"
			for i, k := range chosen {
				if name := fmt.Sprintf("S%d\n", i+1); strings.Count(text, name) != 1 {
					t.Errorf("%s, order %v: no contour %q of subspace %d in\n%s", row.name, order, name, k, text)
				}
				sum, global := 0.0, 0
				set := s.LocalSet(int(k))
				for _, p := range set {
					if sum += s.ToFront[p]; s.Global[p] {
						global++
					}
				}
				for _, want := range []string{fmt.Sprintf("mean distance %.2f\n", sum/float64(len(set))),
					fmt.Sprintf("%d of %d global\n", global, len(set))} {
					if strings.Contains(text, want) != row.sets {
						t.Errorf("%s, order %v: subspace %d: %q is in the picture: %t, want %t", row.name, order, k, want,
							!row.sets, row.sets)
					}
				}
			}
		}
	}
}
