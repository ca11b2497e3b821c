package subspaces

import (
	"fmt"
	"image/color"
	"math"
	"sort"
	"strconv"

	"orrery/analysis/dse"
	"orrery/traceio"
	"orrery/views/words"
)

type (
	colour = color.NRGBA
	addr   = traceio.Addr
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

// Suggest chooses up to n subspaces that are worth comparing: those with the local Pareto sets nearest to the global front, the
// larger ones first, and last the one farthest from it.
func Suggest(s *dse.Space, n int) []int32 {
	type ranked struct {
		k    int32
		mean float64
		size int
	}
	var list []ranked
	for k := range s.Combos {
		if set := s.LocalSet(k); len(set) > 0 {
			list = append(list, ranked{int32(k), s.MeanToFront(set), len(set)})
		}
	}
	sort.SliceStable(list, func(a, b int) bool {
		return list[a].mean < list[b].mean || list[a].mean == list[b].mean && list[a].size > list[b].size
	})
	var out []int32
	for _, r := range list[:min(n, len(list))] {
		out = append(out, r.k)
	}
	if n > 1 && len(list) > n {
		out[n-1] = list[len(list)-1].k
	}
	return out
}
