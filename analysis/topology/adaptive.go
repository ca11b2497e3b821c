package topology

import (
	"fmt"
	"math"
	"slices"
)

// Adaptive thins a sequence of symbols where accepted behaviours explain it, and gives the positions that stay,
// ascending: of each run of an accepted parameterization every keep-th turn stays, the first and the last ones too, and
// so do turns that are longer or shorter than their neighbours and whatever no accepted one explains. symbols may be
// the analysed sequence or any other in the same numbering (the run that it is a stretch of): a record is explained
// where the window that begins at it is one of the parameterization's members. Whole turns are taken out from angle to
// angle, so that what is left is a run of the same loop with fewer turns; Pick makes it a sequence again. keep is at
// least 2. Approximate results explain only what their landmarks do.
func (r *Result) Adaptive(symbols []uint32, ranks []int, keep int) ([]int, error) {
	if keep < 2 {
		return nil, &Error{BadOption, fmt.Sprintf("to keep every %d-th turn thins nothing", keep), "keep every 2nd or fewer"}
	}
	if r.study == nil || r.study.cloud == nil {
		return nil, &Error{BadOption, "points and matrices have no records to thin", "analyse a recording"}
	}
	gone := make([]bool, len(symbols))
	at := r.study.cloud.recognise(symbols)
	for _, rank := range ranks {
		i := slices.IndexFunc(r.Parameterizations, func(p Parameterization) bool { return p.Rank == rank })
		if i < 0 {
			return nil, &Error{BadOption, fmt.Sprintf("there is no parameterization of rank %d", rank),
				fmt.Sprintf("this analysis has %d", len(r.Parameterizations))}
		}
		f := newFollower(r, &r.Parameterizations[i])
		for from := 0; from < len(at); {
			if at[from] < 0 || !f.member[at[from]] {
				from++
				continue
			}
			to, turns := f.run(at, from)
			thinRun(gone[from:to], turns, keep)
			from = to
		}
	}
	var out []int
	for i, g := range gone {
		if !g {
			out = append(out, i)
		}
	}
	return out, nil
}

// Pick gives the elements of a list at some positions.
func Pick[T any](list []T, positions []int) []T {
	out := make([]T, len(positions))
	for i, p := range positions {
		out[i] = list[p]
	}
	return out
}

// thinRun marks the records of a run that go: of the turns, counted from the run's first record, those that are no
// multiple of keep and as long as the one before and the one after. A turn that other code interrupts is longer than
// its neighbours and stays, and so do they. angle is the unwrapped angle of each record, in turns.
func thinRun(gone []bool, angle []float64, keep int) {
	sign := 1.0
	if angle[len(angle)-1] < angle[0] {
		sign = -1
	}
	var starts []int // of each turn; where the angle goes back the turn goes on
	for i, u := range angle {
		// The small shift puts a record that begins a turn into that turn, whatever the rounding.
		if int(math.Floor(sign*(u-angle[0])+1e-6)) >= len(starts) {
			starts = append(starts, i)
		}
	}
	length := func(n int) int { return starts[n+1] - starts[n] }
	alike := func(a, b int) bool { return max(a-b, b-a) <= min(a, b)/jitter }
	for n := 1; n < len(starts)-2; n++ {
		if n%keep != 0 && alike(length(n-1), length(n)) && alike(length(n), length(n+1)) {
			for i := starts[n]; i < starts[n+1]; i++ {
				gone[i] = true
			}
		}
	}
}

// jitter: turns of as many records may differ by one and still be alike, those of twice as many by two.
const jitter = 20

// recognise finds for each place in a sequence which point its window is, -1 for none.
func (c *cloud) recognise(symbols []uint32) []int32 {
	if len(symbols) < c.w {
		return nil
	}
	index := make(map[string]int32, len(c.start))
	key := make([]byte, 0, 4*c.w)
	encode := func(window []uint32) []byte {
		key = key[:0]
		for _, s := range window {
			key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
		}
		return key
	}
	for p, s := range c.start {
		index[string(encode(c.given[s:int(s)+c.w]))] = int32(p)
	}
	out := make([]int32, len(symbols)-c.w+1)
	for i := range out {
		p, ok := index[string(encode(symbols[i:i+c.w]))]
		if !ok {
			p = -1
		}
		out[i] = p
	}
	return out
}

// follower follows a parameterization through a sequence of its points.
type follower struct {
	member []bool               // by point
	angle  []float64            // by point, in turns
	step   map[[2]int32]float64 // between points that followed each other in the analysed trace
}

func newFollower(r *Result, p *Parameterization) *follower {
	f := &follower{make([]bool, r.Kept), make([]float64, r.Kept), map[[2]int32]float64{}}
	for t, v := range r.Point {
		f.member[v] = f.member[v] || p.Members[t]
		f.angle[v] = p.Unwrapped[t]
		if t > 0 {
			f.step[[2]int32{r.Point[t-1], v}] = p.Unwrapped[t] - p.Unwrapped[t-1]
		}
	}
	return f
}

// run follows the members from one place on, to the end of the run, and gives their angles in turns.
func (f *follower) run(at []int32, from int) (to int, turns []float64) {
	turns = []float64{0}
	for to = from + 1; to < len(at) && at[to] >= 0 && f.member[at[to]]; to++ {
		step, known := f.step[[2]int32{at[to-1], at[to]}]
		if !known {
			step = f.angle[at[to]] - f.angle[at[to-1]]
			step -= math.Round(step)
		}
		turns = append(turns, turns[len(turns)-1]+step)
	}
	return to, turns
}
