package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/filter"
	"orrery/analysis/heat"
	"orrery/app/output"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphfile"
	"orrery/views/codegraph"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// graphPicture is the options of `render graph`.
type graphPicture struct {
	group, phase, diff, against string
	over, colors                string
	set                         []string
	scripts, shipped            []string
	blocks, whole, stable       bool
}

func (f *graphPicture) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.group, "method", "", "the function, by a part of its name (default: the first)")
	flags.StringVar(&f.phase, "phase", "",
		"the phase, by its name, a part of it, or its number from 1 (default: the last)")
	flags.StringVar(&f.diff, "diff", "", "P1,P2: draw the difference of two phases")
	flags.StringVar(&f.against, "against", "", "")
	_ = flags.MarkHidden("against") // --diff P1,P2 in two options
	flags.StringVar(&f.over, "over", "", "a recording whose references and misses colour the nodes")
	flags.StringVar(&f.colors, "color", codegraph.ColorNames[0], "colours by "+strings.Join(codegraph.ColorNames, ", "))
	flags.StringSliceVar(&f.set, "nodes", nil, "show these nodes, by their IDs, and their neighbours semi-transparent")
	flags.StringArrayVar(&f.scripts, "script", nil,
		`a filter in JavaScript, for example 'colorize("name", "I.*", red)' (may be repeated)`)
	flags.StringArrayVar(&f.shipped, "filter", nil,
		"use this filter, FILE.js or a shipped one by its name (may be repeated)")
	flags.BoolVar(&f.blocks, "blocks", false, "draw nodes in their basic blocks")
	flags.BoolVar(&f.stable, "stable", false, "leave every node where it is in the drawing of all phases together")
	flags.BoolVar(&f.whole, "long-edges", false, "draw long edges whole")
}

// checkGraph refuses options that do not go together.
func checkGraph(f *renderFlags, flags *pflag.FlagSet) error {
	g := &f.graph
	if g.diff != "" {
		if err := refuse(flags, applies{false, "phase against", "without --diff, which names both phases"}); err != nil {
			return err
		}
	}
	return refuse(flags,
		applies{g.over != "", "preset config cores", "with --over"},
		applies{!g.differs(), "stable", "to one phase, not to a difference"})
}

// differs tells whether a difference is drawn.
func (g *graphPicture) differs() bool { return g.diff != "" || g.against != "" }

// drawnGraph is the picture of a file of graphs, what the file had, and why filters do not take part in the picture.
type drawnGraph struct {
	drawing scene.Drawing
	doc     *irgraph.Document
	stopped []*traceio.Error
}

// drawGraphFile draws a file of graphs.
func (f *renderFlags) drawGraphFile(ctx context.Context, s Streams, path string, theme palette.Theme, size scene.Size,
	p *progress) (*drawnGraph, error) {
	g := &f.graph
	color := slices.Index(codegraph.ColorNames, g.colors)
	if color < 0 {
		return nil, usagef("--color %q is none of %s", g.colors, strings.Join(codegraph.ColorNames, ", "))
	}
	doc, err := graphfile.Open(ctx, path, p.Report)
	if err != nil {
		return nil, err
	}
	groups, err := chooseGroups(s, doc, g.group)
	if err != nil {
		return nil, err
	}
	q := session.GraphRequest{Group: groups[0].Group, Blocks: g.blocks, Whole: g.whole, Set: depgraph.NewSet(g.set...)}
	if q.Filters, err = g.filters(); err != nil {
		return nil, err
	}
	at, err := phaseNamed(q.Group, g.phase, len(q.Group.Snapshots)-1)
	if err != nil {
		return nil, err
	}
	state := codegraph.State{Theme: theme, Color: codegraph.ColorBy(color), Satellite: codegraph.Hidden,
		Hover: codegraph.Nowhere()}
	if g.over != "" {
		if state.Level, err = f.overGraph(ctx, &q, p); err != nil {
			return nil, err
		}
	}
	if g.differs() {
		before := 0
		if g.diff != "" {
			before, at, err = phasePair(q.Group, g.diff)
		} else {
			before, err = phaseNamed(q.Group, g.against, 0)
		}
		if err != nil {
			return nil, err
		}
		q.From, q.To, q.Pairing = q.Group.Snapshots[before], q.Group.Snapshots[at], depgraph.ByID
	}
	if !g.stable || q.From != nil {
		q.First, q.Behind, at = at, at+1, 0
	}
	drawn, err := session.DrawGraphs(ctx, q, p.Report)
	if err != nil {
		return nil, err
	}
	if err := g.shows(drawn, at); err != nil {
		return nil, err
	}
	state.Picture = drawn.Pictures[at]
	state.View = state.Picture.Fit(size, 0)
	out := &drawnGraph{drawing: codegraph.Scene(state, size), doc: doc}
	for _, r := range drawn.Results[at] {
		if r.Err != nil {
			out.stopped = append(out.stopped, r.Err)
		}
	}
	return out, nil
}

// shows gives an error where a picture would show nothing, or not all of the nodes that were asked for.
func (g *graphPicture) shows(drawn *session.GraphPictures, at int) error {
	left, snapshot := drawn.Whole[at], drawn.Snapshots[at]
	switch {
	case len(snapshot.Nodes) == 0:
		return &traceio.Error{Msg: fmt.Sprintf("%q has no nodes to draw", snapshot.Name),
			Hint: "orrery graph lists how many each phase has, --phase chooses one"}
	case len(left.Nodes) == 0:
		return &traceio.Error{Msg: fmt.Sprintf("of the %s of %q the filters leave none",
			words.Plural(uint64(len(snapshot.Nodes)), "node"), snapshot.Name), Hint: "draw with other ones"}
	}
	for _, id := range g.set {
		if !slices.ContainsFunc(left.Nodes, func(n depgraph.Node) bool { return n.ID == id }) {
			return usagef("--nodes %s: there is no such node in %q, or a filter has removed it; one that there is: %s", id,
				snapshot.Name, left.Nodes[0].ID)
		}
	}
	return nil
}

// overGraph lends the nodes of a request what a recording says, and names the caches' level.
func (f *renderFlags) overGraph(ctx context.Context, q *session.GraphRequest, p *progress) (level string, err error) {
	config, err := f.cache.hierarchy()
	if err != nil {
		return "", err
	}
	rec, err := session.Load(ctx, f.graph.over, p.Report)
	if err != nil {
		return "", err
	}
	defer rec.Close()
	counts, err := heat.Count(ctx, rec, config, p.Report)
	if err != nil {
		return "", err
	}
	program := rec.Program()
	q.Join = func(s *irgraph.Snapshot) *heat.Joined { return heat.Join(counts, program, q.Group, s) }
	q.Level = max(0, config.Entry(traceio.Load))
	return config.Levels[q.Level].Name, nil
}

// filters are those that the flags name, or those that are on at first.
func (g *graphPicture) filters() ([]filter.Filter, error) {
	list, err := withFilters(filter.Shipped(), g.shipped)
	if err != nil {
		return nil, err
	}
	if g.differs() {
		for i := range list {
			list[i].On = list[i].On || list[i].Name == session.DifferenceFilter
		}
	}
	for i, script := range g.scripts {
		list = append(list, filter.Filter{Name: fmt.Sprintf("--script %d", i+1), Script: script, On: true})
	}
	return list, nil
}

// phaseNamed is the index of a phase by its number, its name or a part of it.
func phaseNamed(g *irgraph.Group, name string, none int) (int, error) {
	if name == "" {
		return none, nil
	}
	var n int
	if _, err := fmt.Sscanf(name, "%d", &n); err == nil && fmt.Sprint(n) == name && n >= 1 && n <= len(g.Snapshots) {
		return n - 1, nil
	}
	if i := slices.IndexFunc(g.Snapshots, func(s *irgraph.Snapshot) bool { return s.Name == name }); i >= 0 {
		return i, nil
	}
	if i := slices.IndexFunc(g.Snapshots,
		func(s *irgraph.Snapshot) bool { return strings.Contains(s.Name, name) }); i >= 0 {
		return i, nil
	}
	return 0, usagef("%s has no phase %q; orrery graph lists its %d phases", g.Name, name, len(g.Snapshots))
}

// renderGraph draws a file of graphs.
func renderGraph(ctx context.Context, s Streams, path string, f *renderFlags, size scene.Size, theme palette.Theme,
	encode func(scene.Drawing) ([]byte, error)) error {
	p := newProgress(s.Err, "drawing")
	defer p.Done()
	drawn, err := f.drawGraphFile(ctx, s, path, theme, size, p)
	if err != nil {
		return err
	}
	data, err := encode(drawn.drawing)
	if err != nil {
		return err
	}
	if err := output.Write(f.output, data); err != nil {
		return err
	}
	p.Done()
	return tellStopped(s, drawn.stopped, tellProblems(s, drawn.doc))
}
