package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orrery/analysis/dse"
	"orrery/app/output"
	"orrery/app/session"
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
	flags.StringArrayVar(&f.where, "where", nil, "designs: keep points for which this holds, as orrery designs --filter; may be repeated")
	flags.StringVar(&f.front, "front", fronts[0], "designs: which points that pass are shown: "+strings.Join(fronts, ", "))
	flags.StringVar(&f.tone, "tone", toneWords()[0], "designs: what colours parameter nodes: "+strings.Join(toneWords(), ", "))
	flags.StringVar(&f.edges, "edges", edgeKinds[0], "designs: what makes edges wide: "+strings.Join(edgeKinds, ", "))
	flags.StringSliceVar(&f.order, "order", nil, "designs: the parameters' levels from above, by name; those that are left out follow")
	flags.StringSliceVar(&f.channels, "channels", nil, "designs: CHANNEL=OBJECTIVE with a channel of "+strings.Join(dsetree.ChannelNames[:], ", "))
	flags.Float64Var(&f.threshold, "threshold", dse.DefaultThreshold, "designs: distance from its parent beyond which a point is far")
	flags.Float64Var(&f.zoom, "zoom", 1, "designs: how much the picture is stretched")
	flags.Float64Var(&f.middle, "middle", 0.5, "designs: what is in the middle of a stretched picture, 0 (left) to 1")
	flags.BoolVar(&f.empty, "hide-empty", false, "designs: leave out what nobody searched")
	flags.BoolVar(&f.folded, "collapse", false, "designs: hide what is below the parameters")
	flags.BoolVar(&f.hexagons, "hexagons", false, "designs: first and last generations beside the nodes")
	flags.BoolVar(&f.satellite, "satellite", false, "designs: a small picture of the whole in the corner")
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
		return look, usagef("the table tells no generations; name their column with --generation, or say with --population how many rows each has")
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
		look.Of[c] = o
	}
	look.Tone, look.Edges, look.Hexagons = dsetree.Tone(tone), dse.Importance(edges), f.hexagons
	return look, nil
}

// levels is the order of the parameters' levels.
func (f *designsPicture) levels(s *dse.Space) ([]int, error) {
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

// space is the design space of a table, or the built-in example.
func (f *designsPicture) space(ctx context.Context, path string, p *progress) (*dse.Space, error) {
	if session.IsDesignExample(path) {
		set, err := session.ExploreExample(ctx, p.Report)
		if err != nil {
			return nil, err
		}
		return dse.New(ctx, set)
	}
	s, _, _, err := f.columns.loadSpace(ctx, path)
	return s, err
}

// draw is the picture of a design space.
func (f *designsPicture) draw(s *dse.Space, theme palette.Theme, size scene.Size) (scene.Drawing, error) {
	var none scene.Drawing
	look, err := f.look(s)
	if err != nil {
		return none, err
	}
	order, err := f.levels(s)
	if err != nil {
		return none, err
	}
	tree, err := dse.NewTree(s, order, f.threshold)
	if err != nil {
		return none, usageError{err}
	}
	filter, err := dse.ParseFilter(s, f.where)
	if err != nil {
		return none, usageError{err}
	}
	front := slices.Index(fronts, f.front)
	if front < 0 {
		return none, usagef("--front %q is none of %s", f.front, strings.Join(fronts, ", "))
	}
	filter.Show(dse.Show(front))
	hide := filter.Hide(tree)
	if hide.Empty = f.empty; f.folded {
		hide.Collapsed = map[int32]bool{}
		for v := tree.Start[len(order)]; v < tree.Start[len(order)+1]; v++ {
			if tree.Points[v] > 0 {
				hide.Collapsed[v] = true
			}
		}
	}
	st := dsetree.State{Theme: theme, Look: look, Collapsed: hide.Collapsed, Zoom: f.zoom, Satellite: f.satellite, Counted: dse.None, Edge: dse.None, Hover: dse.None, Focus: dse.None,
		Note: s.Note, Top: 24, Shade: dsetree.NewShade(tree.Layout(hide), dsetree.NewColumns(tree, look, filter.Pass())),
		Words: fmt.Sprintf("%s of %s designs", words.Count(filter.Pass().Count()), words.Count(s.N))}
	width, shown := dsetree.Room(&st, size)
	st.Origin = max(0, min(width-shown, f.middle*width-shown/2))
	return dsetree.Scene(st, size), nil
}

// renderDesigns draws a table of designs to a file.
func renderDesigns(ctx context.Context, s Streams, path string, f *renderFlags, size scene.Size, theme palette.Theme, encode func(scene.Drawing) ([]byte, error)) error {
	p := newProgress(s.Err, "drawing")
	defer p.Done()
	space, err := f.designs.space(ctx, path, p)
	if err != nil {
		return err
	}
	drawing, err := f.designs.draw(space, theme, size)
	if err != nil {
		return err
	}
	data, err := encode(drawing)
	if err != nil {
		return err
	}
	return output.Write(f.output, data)
}
