package topology

import (
	"fmt"
	"slices"
)

// Weights is how much every edge counts when a cocycle is smoothed.
type Weights uint8

// The weights of an edge between points of degrees d and e that stand for m and n moments of the trace.
const (
	WeightsAuto   Weights = iota // WeightsEqual for traces, WeightsDegree for points and matrices
	WeightsEqual                 // 1
	WeightsDegree                // 1 / (d e), so that crowded regions do not drown the sparse ones
	WeightsTimes                 // m n, as if identical windows had not been merged
	WeightsBoth                  // m n / (d e)
)

var weightNames = []string{"auto", "equal", "degree", "times", "both"}

// ParseWeights reads "auto", "equal", "degree", "times" or "both".
func ParseWeights(s string) (Weights, error) {
	i := slices.Index(weightNames, s)
	if i < 0 {
		return 0, &Error{BadOption, fmt.Sprintf("there are no weights %q", s), "use auto, equal, degree, times or both"}
	}
	return Weights(i), nil
}

// String gives what ParseWeights reads.
func (w Weights) String() string {
	if int(w) < len(weightNames) {
		return weightNames[w]
	}
	return fmt.Sprintf("weights %d", w)
}

// edgeWeights gives every edge its weight. A cloud of points needs WeightsDegree (circle of 200 random points at
// PointScale: angles 0.05 rad off instead of 0.28). The windows of a trace do not: merged as they are, loops weigh in
// once however often they run, and of the weights tried on bubble sort 1 gave the turns of all its loops. times is how
// many moments each point stands for.
func (g *network) edgeWeights(w Weights, times []int32) []float64 {
	out := make([]float64, len(g.lo))
	for e := range out {
		out[e] = 1
	}
	if w == WeightsDegree || w == WeightsBoth {
		degree := make([]float64, g.n)
		for e := range g.lo {
			degree[g.lo[e]]++
			degree[g.hi[e]]++
		}
		for e := range out {
			out[e] = 1 / (degree[g.lo[e]] * degree[g.hi[e]])
		}
	}
	if w == WeightsTimes || w == WeightsBoth {
		for e := range out {
			out[e] *= float64(times[g.lo[e]]) * float64(times[g.hi[e]])
		}
	}
	return out
}

// times counts the moments that each point stands for.
func (s *space) times() []int32 {
	out := make([]int32, s.n)
	for _, p := range s.point {
		out[p]++
	}
	return out
}
