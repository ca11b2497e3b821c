package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orrery/analysis/dse"
	"orrery/app/output"
	"orrery/views/dsetree"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// designsPicture is the options of `render designs`.
type designsPicture struct {
	columns         columnFlags
	where           []string
	front           string
	tone, edges     string
	order, channels []string
	threshold, zoom float64
	middle          float64
	empty, folded   bool
	normalised      bool
	levels          int
	view, design    string
	compare         []string
	hexagons        bool
	satellite       bool
}

var (
	fronts    = []string{"all", "local", "global"}
	edgeKinds = []string{"distance", "generation"}
)

// toneWords are the tones as a command line has them.
func toneWords() (out []string) {
	for _, t := range dsetree.ToneNames {
		out = append(out, strings.ReplaceAll(t, " ", "-"))
	}
	return out
}

func (f *designsPicture) add(c *cobra.Command) {
	flags := c.Flags()
	f.columns.add(c)
	flags.StringArrayVar(&f.where, "filter", nil, "keep points for which this holds; may be repeated")
	flags.StringVar(&f.front, "show", fronts[0], "which points that pass are shown: "+strings.Join(fronts, ", "))
	flags.StringVar(&f.view, "picture", designViews[0].name, "what is drawn: "+designViewNames())
	flags.StringArrayVar(&f.compare, "compare", nil, "these subspaces, each as VALUE/VALUE/... of its first parameters; "+
		"the tree shows them alone; may be repeated")
	flags.StringVar(&f.design, "design", "",
		"the design whose details are drawn, by its name (default: the first of the front)")
	flags.BoolVar(&f.normalised, "normalised", false, "objectives from 0 to 1 instead of as evaluated")
	flags.IntVar(&f.levels, "levels", 0, "hide what is below this many levels of parameters; 0 hides nothing")
	flags.StringVar(&f.tone, "tone", toneWords()[0], "what colours parameter nodes: "+strings.Join(toneWords(), ", "))
	flags.StringVar(&f.edges, "edges", edgeKinds[0], "what makes edges wide: "+strings.Join(edgeKinds, ", "))
	flags.StringSliceVar(&f.order, "order", nil,
		"the parameters' levels from above, by name; those that are left out follow")
	flags.StringSliceVar(&f.channels, "channels", nil, "CHANNEL=OBJECTIVE with a channel of "+
		strings.Join(dsetree.ChannelNames[:], ", "))
	flags.Float64Var(&f.threshold, "threshold", dse.DefaultThreshold,
		"distance from its parent beyond which a point is far")
	flags.Float64Var(&f.zoom, "zoom", 1, "how much the picture is stretched")
	flags.Float64Var(&f.middle, "middle", 0.5, "what is in the middle of a stretched picture, 0 (left) to 1")
	flags.BoolVar(&f.empty, "hide-empty", false, "leave out what nobody searched")
	flags.BoolVar(&f.folded, "collapse", false, "hide what is below the parameters")
	flags.BoolVar(&f.hexagons, "hexagons", false, "first and last generations beside the nodes")
	flags.BoolVar(&f.satellite, "satellite", false, "a small picture of the whole in the corner")
}

// checkDesigns refuses options that the picture does not use.
func checkDesigns(r *renderFlags, flags *pflag.FlagSet) error {
	f := &r.designs
	chosen, _, err := f.chosenView()
	if err != nil {
		return err
	}
	name := chosen.name
	return refuse(flags,
		applies{name == "tree", "levels tone edges order threshold zoom middle hide-empty collapse hexagons satellite",
			"to --picture tree"},
		applies{name == "tree" || name == "subspaces", "compare", "to --picture tree and subspaces"},
		applies{name == "tree" || name == "spread", "filter show channels", "to --picture tree and spread"},
		applies{name == "subspaces" || name == "design", "normalised", "to --picture subspaces and design"},
		applies{name == "design", "design", "to --picture design"})
}

// look is how the tree is drawn.
func (f *designsPicture) look(s *dse.Space) (dsetree.Look, error) {
	look := dsetree.DefaultLook(s)
	tone, edges := slices.Index(toneWords(), f.tone), slices.Index(edgeKinds, f.edges)
	switch {
	case tone < 0:
		return look, usagef("--tone %q is none of %s", f.tone, strings.Join(toneWords(), ", "))
	case edges < 0:
		return look, usagef("--edges %q is none of %s", f.edges, strings.Join(edgeKinds, ", "))
	case !s.Generations.Known() && (dsetree.Tone(tone) == dsetree.ByCoverage || edges == 1 || f.hexagons):
		return look, usagef("the table tells no generations; name their column with --generation, or say with --population " +
			"how many rows each has")
	case !(f.zoom >= 1 && f.zoom <= 1e7) || !(f.middle >= 0 && f.middle <= 1):
		return look, usagef("--zoom must be from 1 to 1e7 and --middle from 0 to 1")
	}
	for _, pair := range f.channels {
		channel, name, _ := strings.Cut(pair, "=")
		c := slices.Index(dsetree.ChannelNames[:], channel)
		o := slices.IndexFunc(s.Objectives, func(o dse.Objective) bool { return strings.EqualFold(o.Name, name) })
		if c < 0 || o < 0 {
			return look, usagef("--channels %q is not CHANNEL=OBJECTIVE", pair)
		}
		look.Give(s, dsetree.Channel(c), o)
	}
	look.Tone, look.Edges, look.Hexagons = dsetree.Tone(tone), dse.Importance(edges), f.hexagons
	return look, nil
}

// levelOrder is the order of the parameters' levels.
func (f *designsPicture) levelOrder(s *dse.Space) ([]int, error) {
	var order []int
	for _, name := range f.order {
		i := slices.IndexFunc(s.Parameters, func(p dse.Parameter) bool { return strings.EqualFold(p.Name, name) })
		if i < 0 || slices.Contains(order, i) {
			return nil, usagef("--order: %q is no parameter, or named twice", name)
		}
		order = append(order, i)
	}
	for i := range s.Parameters {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	return order, nil
}

// folds are the nodes whose children --collapse and --levels hide.
func (f *designsPicture) folds(t *dse.Tree) (map[int32]bool, error) {
	level := f.levels
	switch {
	case level < 0 || level > len(t.Order):
		return nil, usagef("--levels %d is not from 0 to %d, the number of parameters", level, len(t.Order))
	case f.folded:
		level = len(t.Order)
	case level == 0:
		return nil, nil
	}
	out := map[int32]bool{}
	for v := t.Start[level]; v < t.Start[level+1]; v++ {
		if t.Points[v] > 0 {
			out[v] = true
		}
	}
	return out, nil
}

// drawTree is the VMODEX tree.
func (f *designsPicture) drawTree(_ context.Context, d *drawnDesigns, _ int) (scene.Drawing, error) {
	var none scene.Drawing
	s := d.space
	look, err := f.look(s)
	if err != nil {
		return none, err
	}
	order, err := f.levelOrder(s)
	if err != nil {
		return none, err
	}
	tree, err := dse.NewTree(s, order, f.threshold)
	if err != nil {
		return none, usageError{err}
	}
	list, err := f.chosen(s)
	if err != nil {
		return none, err
	}
	hide := d.filter.Hide(tree)
	hide.Empty = f.empty
	pass := d.filter.Pass()
	var compared *dse.Comparison
	if list != nil {
		compared = s.Compare(list)
		pass = within(s, list, pass)
		hide.Passing, hide.Empty = tree.Passing(pass, nil), true
	}
	if hide.Collapsed, err = f.folds(tree); err != nil {
		return none, err
	}
	st := dsetree.State{Theme: d.theme, Look: look, Collapsed: hide.Collapsed, Zoom: f.zoom, Satellite: f.satellite,
		Counted: dse.None, Edge: dse.None, Hover: dse.None, Focus: dse.None,
		Note: s.Note, Top: 24, Compared: compared, Shade: dsetree.NewShade(tree.Layout(hide),
			dsetree.NewColumns(tree, look, pass)),
		Words: fmt.Sprintf("%s of %s designs", words.Count(pass.Count()), words.Count(s.N))}
	width, shown := dsetree.Room(&st, d.size)
	st.Origin = max(0, min(width-shown, f.middle*width-shown/2))
	return dsetree.Scene(st, d.size), nil
}

// within are the points of some subspaces that pass.
func within(s *dse.Space, list []int32, pass *dse.Bits) *dse.Bits {
	out := dse.NewBits(s.N)
	for _, k := range list {
		for _, p := range s.Points(int(k)) {
			if pass.Has(int(p)) {
				out.Add(int(p))
			}
		}
	}
	return out
}

// renderDesigns draws a table of designs to a file.
func renderDesigns(ctx context.Context, s Streams, path string, f *renderFlags, size scene.Size, theme palette.Theme,
	encode func(scene.Drawing) ([]byte, error)) error {
	p := newProgress(s.Err, "drawing")
	defer p.Done()
	space, _, err := f.designs.columns.loadSpace(ctx, path, p)
	if err != nil {
		return err
	}
	drawing, err := f.designs.draw(ctx, space, theme, size)
	if err != nil {
		return err
	}
	data, err := encode(drawing)
	if err != nil {
		return err
	}
	return output.Write(f.output, data)
}
