package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/filter"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// graphLayoutJSON is what `graph --layout` tells of a drawing, in the drawing's units.
type graphLayoutJSON struct {
	Layers    int     `json:"layers"`
	Crossings int64   `json:"crossings"`
	CutEdges  int     `json:"cut_edges"` // of which only the ends are drawn
	Width     float64 `json:"width"`
	Height    float64 `json:"height"`
}

// graphDiffJSON counts the nodes of two phases, as `graph --diff` tells them.
type graphDiffJSON struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Changed int `json:"changed"`
	Same    int `json:"same"`
}

// graphDetailsJSON says which graphs were measured.
type graphDetailsJSON struct {
	Method string        `json:"method"`
	Phase  string        `json:"phase"`          // that is drawn; with --diff the later one
	From   string        `json:"from,omitempty"` // with --diff: the earlier one
	Edges  *edgeDiffJSON `json:"edges,omitempty"`
}

// edgeDiffJSON counts the edges of two phases. An edge has nothing that could change.
type edgeDiffJSON struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Same    int `json:"same"`
}

// findPhases leaves every function the phase of --phase. Functions without it go; where none has it, the first says so.
func (r *graphReport) findPhases(f *graphFlags) error {
	if f.phase == "" {
		return nil
	}
	var left []pathGroup
	var first error
	for _, g := range r.groups {
		at, err := phaseNamed(g.Group, f.phase, 0)
		if err == nil {
			g.first, g.last = at, at
			left = append(left, g)
		} else if first == nil {
			first = err
		}
	}
	if len(left) == 0 {
		return first
	}
	r.groups = left
	return nil
}

// count finds how large every chosen graph is, or with filters what they leave of it.
func (r *graphReport) count(ctx context.Context, filters []filter.Filter) error {
	for _, g := range r.groups {
		sizes := []graphPhaseJSON{}
		for _, s := range g.chosen() {
			size := graphPhaseJSON{s.Name, len(s.Nodes), len(s.Edges), len(s.Blocks)}
			if len(filters) > 0 {
				left, err := r.filtered(ctx, s, filters)
				if err != nil {
					return err
				}
				size = graphPhaseJSON{s.Name, len(left.Nodes), len(left.Edges), len(left.Blocks)}
			}
			sizes = append(sizes, size)
		}
		r.sizes = append(r.sizes, sizes)
	}
	return nil
}

// filtered is what filters leave of a graph. One that fails is told once, however many graphs it fails on.
func (r *graphReport) filtered(ctx context.Context, s *irgraph.Snapshot,
	filters []filter.Filter) (*depgraph.Graph, error) {
	g, results, err := filter.Apply(ctx, depgraph.Display(s), filters)
	if err == nil {
		r.stop(results)
	}
	return g, err
}

func (r *graphReport) stop(results []filter.Result) {
	for _, x := range results {
		if x.Err != nil && !slices.ContainsFunc(r.stopped, func(e *traceio.Error) bool { return e.File == x.Err.File }) {
			r.stopped = append(r.stopped, x.Err)
		}
	}
}

// measure does what --diff and --layout ask for.
func (r *graphReport) measure(ctx context.Context, f *graphFlags, filters []filter.Filter, p *progress) error {
	if f.diff == "" && !f.layout {
		return nil
	}
	g := &r.groups[0]
	r.details = &graphDetailsJSON{Method: g.path, Phase: g.Snapshots[g.last].Name}
	q := session.GraphRequest{Group: g.Group, Filters: filters, First: g.last, Behind: g.last + 1}
	if f.diff != "" {
		from, to, err := phasePair(g.Group, f.diff)
		if err != nil {
			return err
		}
		q.From, q.To, q.Pairing = g.Snapshots[from], g.Snapshots[to], depgraph.ByID
		r.details.From, r.details.Phase = q.From.Name, q.To.Name
		if err := r.compare(ctx, &q); err != nil {
			return err
		}
	}
	if !f.layout {
		return nil
	}
	drawn, err := session.DrawGraphs(ctx, q, p.Report)
	if err != nil {
		return err
	}
	r.stop(drawn.Results[0])
	l := drawn.Series.Layout
	r.layout = &graphLayoutJSON{Crossings: l.Crossings, Width: l.Bounds.Max.X - l.Bounds.Min.X,
		Height: l.Bounds.Max.Y - l.Bounds.Min.Y}
	for _, layer := range l.Layer {
		r.layout.Layers = max(r.layout.Layers, int(layer)+1)
	}
	for _, route := range l.Routes {
		if route.Cut() {
			r.layout.CutEdges++
		}
	}
	return nil
}

// compare counts what becomes of the nodes and edges between two snapshots.
func (r *graphReport) compare(ctx context.Context, q *session.GraphRequest) error {
	g, err := r.filtered(ctx, depgraph.Difference(q.From, q.To, q.Pairing(q.From, q.To)), q.Filters)
	if err != nil {
		return err
	}
	nodes, edges := map[string]int{}, map[string]int{}
	for _, n := range g.Nodes {
		nodes[n.Properties.Get(depgraph.KeyState)]++
	}
	for _, e := range g.Edges {
		edges[e.Properties.Get(depgraph.KeyState)]++
	}
	r.diff = &graphDiffJSON{nodes[depgraph.New], nodes[depgraph.Deleted], nodes[depgraph.Changed], nodes[depgraph.Same]}
	r.details.Edges = &edgeDiffJSON{edges[depgraph.New], edges[depgraph.Deleted], edges[depgraph.Same]}
	return nil
}

// phasePair reads "P1,P2". A comma may be in a phase's name, too: each is tried.
func phasePair(g *irgraph.Group, text string) (from, to int, err error) {
	for i, r := range text {
		if r != ',' {
			continue
		}
		a, b := strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
		if a == "" || b == "" {
			continue
		}
		if from, err = phaseNamed(g, a, 0); err == nil {
			to, err = phaseNamed(g, b, 0)
		}
		if err == nil {
			return from, to, nil
		}
	}
	if err == nil {
		err = usagef("--diff %q is not P1,P2 with two phases, for example 1,%d", text, len(g.Snapshots))
	}
	return 0, 0, err
}

// printMeasures says what --diff and --layout have found.
func (r *graphReport) printMeasures(w io.Writer) {
	d := r.details
	if d == nil {
		return
	}
	what := d.Phase
	if r.diff != nil {
		what = d.From + " -> " + d.Phase
		fmt.Fprintf(w, "\nnodes of %s, %s: %d added, %d removed, %d changed, %d the same\n", d.Method, what, r.diff.Added,
			r.diff.Removed, r.diff.Changed, r.diff.Same)
		fmt.Fprintf(w, "edges: %d added, %d removed, %d the same\n", d.Edges.Added, d.Edges.Removed, d.Edges.Same)
	}
	if l := r.layout; l != nil {
		fmt.Fprintf(w, "\nlayout of %s, %s: %s, %s, %s, %.0f x %.0f\n", d.Method, what, plainly(l.Layers, "layer"),
			plainly(l.Crossings, "crossing"),
			plainly(l.CutEdges, "cut edge"), l.Width, l.Height)
	}
}

// namedFilters are the filters that --filter names, and no others.
func namedFilters(names []string) ([]filter.Filter, error) {
	if len(names) == 0 {
		return nil, nil
	}
	list := filter.Shipped()
	for i := range list {
		list[i].On = false
	}
	return withFilters(list, names)
}

// maxScript is larger than any filter that somebody wrote.
const maxScript = 1 << 20

// withFilters is a list of filters with those on that names has: shipped ones by their names, and files of JavaScript
// behind them.
func withFilters(list []filter.Filter, names []string) ([]filter.Filter, error) {
	for _, name := range names {
		if strings.EqualFold(filepath.Ext(name), ".js") {
			text, err := readBounded(name, maxScript, "filter")
			if err != nil {
				return nil, err
			}
			list = append(list, filter.Filter{Name: name, Script: string(text), On: true})
			continue
		}
		i := slices.IndexFunc(list, func(f filter.Filter) bool { return strings.EqualFold(f.Name, name) })
		if i < 0 {
			var shipped []string
			for _, f := range filter.Shipped() {
				shipped = append(shipped, f.Name)
			}
			return nil, usagef("--filter %q is neither FILE.js nor one of the shipped filters: %s", name,
				strings.Join(shipped, ", "))
		}
		list[i].On = true
	}
	return list, nil
}

// readBounded reads a file that somebody wrote by hand: what is longer than most is another file, or a device without
// end.
func readBounded(path string, most int64, what string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s is longer than %d KiB and so no %s; name another file", path, most>>10, what)
	}
	return data, err
}

// tellStopped says which filters did not take part, and makes that the exit status.
func tellStopped(s Streams, stopped []*traceio.Error, err error) error {
	for _, e := range stopped {
		fmt.Fprintf(s.Err, "orrery: %v; the other filters apply\n", e)
		err = errPartial
	}
	return err
}
