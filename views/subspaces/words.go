package subspaces

import (
	"fmt"
	"image/color"
	"math"
	"sort"
	"strconv"

	"orrery/analysis/dse"
	"orrery/views/words"
)

type (
	colour = color.NRGBA
)

// count is "1 design", "3 designs".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return words.Count(n) + " " + what
}

func inGlobal(n, of int) string {
	return fmt.Sprintf("%s of %s in the global front", words.Count(n), words.Count(of))
}

// digits writes a share.
func digits(v float64, n int) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', n, 64)
}

func signed(v float64) string {
	if math.Abs(v) < 0.005 {
		return "0.00"
	}
	return fmt.Sprintf("%+.2f", v)
}

// enough is how many designs a subspace has that says something about its mappings.
const enough = 5

// Suggest chooses up to n subspaces that are worth comparing: the two whose local Pareto sets are nearest to the global
// front, the one farthest from it, and others evenly between. Subspaces with few designs are left out while there are
// enough others.
func Suggest(s *dse.Space, n int) []int32 {
	type ranked struct {
		k    int32
		mean float64
		size int
	}
	var list, small []ranked
	for k := range s.Combos {
		set := s.LocalSet(k)
		switch r := (ranked{int32(k), s.MeanToFront(set), len(set)}); {
		case len(set) == 0:
		case len(s.Points(k)) < enough:
			small = append(small, r)
		default:
			list = append(list, r)
		}
	}
	if len(list) < n {
		list = append(list, small...)
	}
	sort.SliceStable(list, func(a, b int) bool {
		return list[a].mean < list[b].mean || list[a].mean == list[b].mean && list[a].size > list[b].size
	})
	var out []int32
	for i := range min(n, len(list)) {
		at := i
		if i > 1 && len(list) > n {
			at = 1 + (i-1)*(len(list)-2)/(n-2)
		}
		out = append(out, list[at].k)
	}
	return out
}
