package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"orrery/analysis/dse"
	"orrery/traceio/designs"
	"orrery/views/words"
)

// designsAnswer is what `designs` tells.
type designsAnswer struct {
	space      *dse.Space
	threshold  float64
	bins       int
	passing    []int32 // growing
	filtered   bool
	comparison *dse.Comparison // nil when nothing is to be compared
}

func (f *designsFlags) answer(space *dse.Space, show dse.Show) (*designsAnswer, error) {
	filter, err := dse.ParseFilter(space, f.filters)
	if err != nil {
		return nil, usageError{err}
	}
	filter.Show(show)
	a := &designsAnswer{space: space, threshold: f.threshold, bins: f.bins, filtered: filter.Active(), passing: []int32{}}
	filter.Pass().Each(func(p int) { a.passing = append(a.passing, int32(p)) })
	chosen, err := comparedSubspaces(space, f.compare)
	if err != nil {
		return nil, err
	}
	if len(chosen) > maxCompared {
		return nil, usagef("--compare takes %d subspaces; at most %d can be compared at once", len(chosen), maxCompared)
	}
	if chosen != nil {
		a.comparison = space.Compare(chosen)
	}
	return a, nil
}

// comparedSubspaces are the subspaces that the values of --compare name, nil for none.
func comparedSubspaces(space *dse.Space, compare []string) (chosen []int32, err error) {
	for _, c := range compare {
		list := subspacesOf(space, strings.Split(c, "/"))
		if len(list) == 0 {
			return nil, usagef("--compare %q: no subspace has these values; give those of %s, in this order, parted by /", c,
				strings.Join(parameterNames(space), "/"))
		}
		chosen = append(chosen, list...)
	}
	return chosen, nil
}

// maxCompared bounds a comparison, which has a cell for every two.
const maxCompared = 200

// subspacesOf are the subspaces with points whose first parameters have the given values.
func subspacesOf(space *dse.Space, values []string) (out []int32) {
	if len(values) > len(space.Parameters) {
		return nil
	}
	for k, combo := range space.Combos {
		if space.Start[k] == space.Start[k+1] {
			continue
		}
		fits := true
		for j, v := range values {
			fits = fits && space.Parameters[j].Values[combo[j]] == strings.TrimSpace(v)
		}
		if fits {
			out = append(out, int32(k))
		}
	}
	return out
}

func parameterNames(space *dse.Space) (names []string) {
	for _, p := range space.Parameters {
		names = append(names, p.Name)
	}
	return names
}

// designsJSON is the object that `designs --json` prints.
type designsJSON struct {
	Points       int                `json:"points"`
	Rejected     int                `json:"rejected"`
	Parameters   []string           `json:"parameters"`
	Objectives   []string           `json:"objectives"`
	Subspaces    int                `json:"subspaces"`
	Covered      int                `json:"covered"`
	GlobalPareto int                `json:"global_pareto"`
	LocalPareto  int                `json:"local_pareto"`
	Hypervolume  float64            `json:"hypervolume"`
	Front        []any              `json:"front"`
	Generations  int                `json:"generations"`
	Note         string             `json:"note,omitempty"`
	Maximised    []string           `json:"maximised,omitempty"`
	Rejections   []designs.Rejected `json:"rejections,omitempty"`
	Uneven       []unevenJSON       `json:"uneven,omitempty"`
	ByGeneration []float64          `json:"hypervolume_by_generation,omitempty"`
	Passing      *passingJSON       `json:"passing,omitempty"`
	Comparison   *comparedJSON      `json:"comparison,omitempty"`
}

// unevenJSON names an architecture-dependent objective that differs between two points of one subspace.
type unevenJSON struct {
	Objective string `json:"objective"`
	Points    [2]any `json:"points"`
}

type passingJSON struct {
	Points int   `json:"points"`
	Global int   `json:"global_pareto"`
	Local  int   `json:"local_pareto"`
	IDs    []any `json:"ids"`
}

type comparedJSON struct {
	Sets      []comparedSetJSON `json:"sets"`
	Coverage  [][]float64       `json:"coverage"`
	Dominance [][2]any          `json:"dominance,omitempty"` // between the first two sets
}

type comparedSetJSON struct {
	Values        []string         `json:"values"`
	Points        int              `json:"points"`
	LocalPareto   []any            `json:"local_pareto"`
	InGlobal      int              `json:"in_global"`
	MeanDistance  float64          `json:"mean_distance"`
	TotalCoverage float64          `json:"total_coverage"`
	Hypervolume   float64          `json:"hypervolume"`
	Frequency     map[string][]int `json:"frequency"`
}

// id is a point's label, as a number where it is one.
func (a *designsAnswer) id(p int32) any {
	label := a.space.Label(int(p))
	if n, err := strconv.ParseInt(label, 10, 53); err == nil && strconv.FormatInt(n, 10) == label {
		return n
	}
	return label
}

func (a *designsAnswer) ids(points []int32) []any {
	out := make([]any, len(points))
	for i, p := range points {
		out[i] = a.id(p)
	}
	return out
}

// classed are the points that are marked, growing.
func classed(mark []bool) (out []int32) {
	for p, yes := range mark {
		if yes {
			out = append(out, int32(p))
		}
	}
	return out
}

// generations counts the generations in which something was evaluated.
func (a *designsAnswer) generations() int {
	seen := make([]bool, a.space.Generations.Count)
	for _, g := range a.space.Generations.List {
		seen[g] = true
	}
	return len(classed(seen))
}

func (a *designsAnswer) json() designsJSON {
	s := a.space
	front := classed(s.Global)
	out := designsJSON{
		Points: s.N, Rejected: s.Refused, Parameters: parameterNames(s), Objectives: []string{}, Subspaces: len(s.Combos),
		Covered:      s.Covered(),
		GlobalPareto: len(front), LocalPareto: len(classed(s.Local)), Hypervolume: s.Volume(), Front: a.ids(front),
		Generations: a.generations(), Note: s.Note, Rejections: s.Rejected, ByGeneration: s.VolumeByGeneration(),
	}
	if out.Parameters == nil {
		out.Parameters = []string{}
	}
	for _, o := range s.Objectives {
		out.Objectives = append(out.Objectives, o.Name)
		if o.Maximise {
			out.Maximised = append(out.Maximised, o.Name)
		}
	}
	for _, u := range s.Uneven {
		out.Uneven = append(out.Uneven, unevenJSON{s.Objectives[u.Objective].Name, [2]any{a.id(u.A), a.id(u.B)}})
	}
	if a.filtered {
		out.Passing = &passingJSON{Points: len(a.passing), Global: a.passingIn(s.Global), Local: a.passingIn(s.Local),
			IDs: a.ids(a.passing)}
	}
	if a.comparison != nil {
		out.Comparison = a.compared()
	}
	return out
}

func (a *designsAnswer) passingIn(mark []bool) (n int) {
	for _, p := range a.passing {
		if mark[p] {
			n++
		}
	}
	return n
}

func (a *designsAnswer) compared() *comparedJSON {
	s, c := a.space, a.comparison
	out := &comparedJSON{Coverage: c.C}
	for i, k := range c.Subspaces {
		set := comparedSetJSON{
			Values: a.values(k), Points: len(s.Points(int(k))), LocalPareto: a.ids(c.Sets[i]), InGlobal: c.InGlobal[i],
			MeanDistance:  c.Mean[i],
			TotalCoverage: c.TC[i], Hypervolume: c.Volume[i], Frequency: map[string][]int{},
		}
		for j, o := range s.Objectives {
			if !o.Architecture {
				set.Frequency[o.Name] = s.Frequency(int(k), j, a.bins)
			}
		}
		out.Sets = append(out.Sets, set)
	}
	if len(c.Sets) == 2 {
		for _, pair := range s.Dominance(c.Sets[0], c.Sets[1]) {
			out.Dominance = append(out.Dominance, [2]any{a.id(pair.A), a.id(pair.B)})
		}
	}
	return out
}

// values are the parameter values of a subspace.
func (a *designsAnswer) values(k int32) []string {
	out := []string{}
	for j, v := range a.space.Combos[k] {
		out = append(out, a.space.Parameters[j].Values[v])
	}
	return out
}

func (a *designsAnswer) print(w io.Writer, top int) error {
	s := a.space
	front := classed(s.Global)
	if s.Note != "" {
		fmt.Fprintln(w, s.Note)
	}
	fmt.Fprintf(w, "%d design points, %s rejected; %d subspaces, %d of them with points\n", s.N,
		words.Plural(s.Refused, "row"), len(s.Combos), s.Covered())
	if n := a.generations(); n > 0 {
		fmt.Fprintf(w, "%d generations\n", n)
	}
	fmt.Fprintf(w, "%d on the global Pareto front, %d on a local one; hypervolume %.6g\n", len(front),
		len(classed(s.Local)), s.Volume())
	if n := len(s.Uneven); n > 0 {
		u := s.Uneven[0]
		fmt.Fprintf(w, "%s should depend on the parameters only, but points %s and %s differ in it (%d such subspaces)\n",
			s.Objectives[u.Objective].Name, s.Label(int(u.A)), s.Label(int(u.B)), n)
	}
	list, title := front, "the front"
	if a.filtered {
		list, title = a.passing, fmt.Sprintf("%d points pass the filter", len(a.passing))
	}
	fmt.Fprintf(w, "\n%s\n", title)
	if err := a.table(w, list[:min(len(list), top)]); err != nil {
		return err
	}
	if more := len(list) - top; more > 0 {
		fmt.Fprintf(w, "and %d more; --top shows them\n", more)
	}
	if a.comparison != nil {
		return a.printComparison(w)
	}
	return nil
}

func (a *designsAnswer) table(out io.Writer, points []int32) error {
	s := a.space
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "design\t")
	for _, p := range s.Parameters {
		fmt.Fprintf(w, "%s\t", p.Name)
	}
	for _, o := range s.Objectives {
		fmt.Fprintf(w, "%s\t", strings.TrimSpace(o.Name+" "+o.Unit))
	}
	fmt.Fprint(w, "class\tfrom front\t\n")
	for _, p := range points {
		fmt.Fprintf(w, "%s\t", s.Label(int(p)))
		for _, q := range s.Parameters {
			fmt.Fprintf(w, "%s\t", q.Values[q.At[p]])
		}
		for _, o := range s.Objectives {
			fmt.Fprintf(w, "%.6g\t", o.Values[p])
		}
		fmt.Fprintf(w, "%s\t%.4f\t\n", s.Class(p, a.threshold), s.ToFront[p])
	}
	return w.Flush()
}

func (a *designsAnswer) printComparison(out io.Writer) error {
	c := a.comparison
	fmt.Fprintln(out, "\nsubspaces compared by their local Pareto points")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "subspace\tpoints\tlocal\tglobal\tmean distance\ttotal coverage\thypervolume\t\n")
	for i, k := range c.Subspaces {
		mean := "-"
		if !math.IsNaN(c.Mean[i]) {
			mean = fmt.Sprintf("%.4f", c.Mean[i])
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%+.3f\t%.6g\t\n", strings.Join(a.values(k), "/"), len(a.space.Points(int(k))),
			len(c.Sets[i]), c.InGlobal[i], mean, c.TC[i], c.Volume[i])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out, "\ncoverage: the share of the column's points that the row's dominate")
	for i, row := range c.C {
		fmt.Fprintf(w, "%s\t", strings.Join(a.values(c.Subspaces[i]), "/"))
		for _, x := range row {
			fmt.Fprintf(w, "%.3f\t", x)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
