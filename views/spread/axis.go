package spread

import (
	"context"
	"math"
	"slices"
	"strconv"

	"orrery/analysis/dse"
)

// Axis is one column of a design space with its scale. Positions on it run from 0, the least value, to 1.
type Axis struct {
	Name, Unit string
	Parameter  int      // index into Space.Parameters, -1 for an objective
	Objective  int      // index into Space.Objectives, -1 for a parameter
	Values     []string // of a parameter, evenly spread; nil for an objective

	// The scale of an objective is straight between knots. Where few points lie far outside, the middle of the axis
	// shows the others and its ends, beyond a break, these few.
	knot, at  [4]float64
	Low, High bool // there is a break at this end

	code   []uint16 // positions of the points, 65535 for 1
	spread []int    // of an objective, how many points each bar of its distribution has
}

// Table is a design space as axes, made once.
type Table struct {
	Space *dse.Space
	Axes  []Axis      // parameters in the order of the table, then objectives
	Rank  [][]float64 // rank correlation of Spearman between objectives, -1..1; NaN where one never varies
	Front []int32     // the points of the global front
}

const top = math.MaxUint16

// NewTable reads the columns of a space. The error is that of ctx.
func NewTable(ctx context.Context, s *dse.Space) (*Table, error) {
	t := &Table{Space: s}
	for i := range s.Parameters {
		p := &s.Parameters[i]
		a := Axis{Name: p.Name, Parameter: i, Objective: -1, Values: p.Values, code: make([]uint16, s.N)}
		for k, v := range p.At {
			a.code[k] = a.codeOf(float64(v))
		}
		t.Axes = append(t.Axes, a)
	}
	for i := range s.Objectives {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o := &s.Objectives[i]
		a := Axis{Name: o.Name, Unit: o.Unit, Parameter: -1, Objective: i, code: make([]uint16, s.N)}
		a.scale(o.Values)
		a.spread = make([]int, steps)
		for k, v := range o.Values {
			a.code[k] = a.codeOf(v)
			a.spread[step(a.code[k])]++
		}
		t.Axes = append(t.Axes, a)
	}
	for p, on := range s.Global {
		if on {
			t.Front = append(t.Front, int32(p))
		}
	}
	t.correlate()
	return t, ctx.Err()
}

func (a *Axis) codeOf(v float64) uint16 { return uint16(a.Position(v)*top + 0.5) }

// The share of an axis that the values beyond a break get, and how far outside of the middle 99 % of the points there
// must be some, as a share of what these span, before there is a break.
const (
	endRoom = 0.08
	far     = 0.5
)

// scale fits the knots to the values.
func (a *Axis) scale(values []float64) {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n := len(sorted)
	if n == 0 {
		a.knot, a.at = [4]float64{0, 0, 1, 1}, [4]float64{0, 0, 1, 1}
		return
	}
	low, high := sorted[0], sorted[n-1]
	from, to := sorted[n/200], sorted[n-1-n/200]
	wide := to - from
	a.Low, a.High = wide > 0 && from-low > far*wide, wide > 0 && high-to > far*wide
	a.knot, a.at = [4]float64{low, low, high, high}, [4]float64{0, 0, 1, 1}
	if a.Low {
		a.knot[1], a.at[1] = from, endRoom
	}
	if a.High {
		a.knot[2], a.at[2] = to, 1-endRoom
	}
}

// Position is the place of a value: a number of an objective, an index into Values of a parameter.
func (a *Axis) Position(v float64) float64 {
	if a.Values != nil {
		return min(1, (v+0.5)/float64(len(a.Values)))
	}
	for i := 1; i < 4; i++ {
		if k := a.knot[i]; v <= k || i == 3 {
			if k == a.knot[i-1] {
				if i == 2 && a.knot[0] == a.knot[3] { // an objective that never varies
					return 0.5
				}
				continue
			}
			return max(0, min(1, a.at[i-1]+(v-a.knot[i-1])/(k-a.knot[i-1])*(a.at[i]-a.at[i-1])))
		}
	}
	return a.at[3] * 0.5
}

// Value is the value at a position, the other way around.
func (a *Axis) Value(at float64) float64 {
	if a.Values != nil {
		return math.Floor(max(0, min(0.999999, at)) * float64(len(a.Values)))
	}
	for i := 1; i < 4; i++ {
		if at <= a.at[i] && a.at[i] > a.at[i-1] {
			return a.knot[i-1] + (max(0, at)-a.at[i-1])/(a.at[i]-a.at[i-1])*(a.knot[i]-a.knot[i-1])
		}
	}
	return a.knot[3]
}

// position of point p.
func (a *Axis) of(p int32) float64 { return float64(a.code[p]) / top }

// correlate computes ranks by counting codes: values that share a code share a rank.
func (t *Table) correlate() {
	first := len(t.Space.Parameters)
	var ranks [][]float32
	for i := range t.Space.Objectives {
		ranks = append(ranks, t.Axes[first+i].ranks())
	}
	for i := range ranks {
		t.Rank = append(t.Rank, make([]float64, len(ranks)))
		for j := range ranks {
			t.Rank[i][j] = correlation(ranks[i], ranks[j])
		}
	}
}

func (a *Axis) ranks() []float32 {
	count := make([]int32, top+2)
	for _, c := range a.code {
		count[c]++
	}
	mean, below := make([]float32, top+1), int32(0)
	for c := range mean {
		mean[c] = float32(below) + float32(count[c]-1)/2
		below += count[c]
	}
	out := make([]float32, len(a.code))
	for p, c := range a.code {
		out[p] = mean[c]
	}
	return out
}

// correlation is Pearson's of two columns of ranks.
func correlation(x, y []float32) float64 {
	mid := float64(len(x)-1) / 2
	var xx, xy, yy float64
	for i := range x {
		u, v := float64(x[i])-mid, float64(y[i])-mid
		xx, xy, yy = xx+u*u, xy+u*v, yy+v*v
	}
	if xx == 0 || yy == 0 {
		return math.NaN()
	}
	return xy / math.Sqrt(xx*yy)
}

// tick is a mark of an axis.
type tick struct {
	at   float64
	text string
}

// ticks are marks of an axis that has room for so many: all values of a parameter or some of them, round numbers of an
// objective.
func (a *Axis) ticks(room int) (out []tick) {
	if a.Values != nil {
		step := (len(a.Values) + room - 1) / max(1, room)
		for i := 0; i < len(a.Values); i += max(1, step) {
			out = append(out, tick{a.Position(float64(i)), a.Values[i]})
		}
		return out
	}
	low, high := a.knot[1], a.knot[2]
	if a.Low {
		out = append(out, tick{0, short(a.knot[0])})
	}
	if high > low && room > 1 {
		step := roundStep((high - low) / float64(min(room, 6)))
		for v := math.Ceil(low/step-1e-9) * step; v <= high+step*1e-9; v += step {
			if math.Abs(v) < step*1e-9 {
				v = 0
			}
			out = append(out, tick{a.Position(v), strconv.FormatFloat(v, 'g', 6, 64)})
		}
	} else {
		out = append(out, tick{a.Position(low), short(low)})
	}
	if a.High {
		out = append(out, tick{1, short(a.knot[3])})
	}
	return out
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// roundStep is the least of 1, 2 or 5 times a power of ten that is not below v.
func roundStep(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, k := range []float64{1, 2, 5, 10} {
		if k*unit >= v*(1-1e-9) {
			return k * unit
		}
	}
	return 10 * unit
}
