package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"orrery/analysis/topology"
	"orrery/app/output"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/rings"
	"orrery/views/scene"
	"orrery/views/source"
	"orrery/views/timeline"
)

// renderFlags are the options of `render`; each view reads its own.
type renderFlags struct {
	cycles       cyclesFlags
	cache        cacheFlags
	pictured     cyclesPicture
	output, size string
	file         string
	theme        string
	palette      string
	scale        float64
	at           uint64
	tail, mean   int
	show, glyph  string
	heap         heapPicture
	flame        flamePicture
	graph        graphPicture
	designs      designsPicture
}

// picture makes the drawing of one view.
type picture func(ctx context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size, p *progress) (scene.Drawing, error)

// pictures are the views that can be rendered, in the order in which help lists them.
var pictures = []struct {
	name string
	draw picture
}{
	{"cycles", drawCycles},
	{"cache", drawCache},
	{"heap", drawHeap},
	{"flame", drawFlame},
	{"timeline", drawTimeline},
	{"source", drawSource},
}

func renderCommand(s Streams) *cobra.Command {
	var f renderFlags
	c := &cobra.Command{
		Use:   "render VIEW FILE -o OUT",
		Short: "draw a view to a PNG, SVG or PDF file",
		Long: `Render draws one view of a recording without a display. VIEW is cycles, cache, heap, flame, timeline or source, graph for a file
of a compiler's graphs, or designs for a table of evaluated designs (motion-jpeg is the built-in one; --view chooses the tree, compared subspaces, the spread
over columns or one design); the ending of OUT says the format. The options of the command that computes the view (cycles, cache) apply.`,
		Example: `  orrery render cycles testdata/recordings/bubble-array-shuffled.orr -o spiral.svg --rank 2
  orrery render cycles testdata/recordings/bubble-array-shuffled.orr -o half.png --rank 1 --morph-to 3 --morph 0.5
  orrery render cycles testdata/recordings/bubble-vector-shuffled.orr -o misses.png --picture circle --rank 4 --color miss --preset tiny
  orrery render cache testdata/recordings/matmul-standard.orr -o rings.png --at 20000 --tail 64 --size 1200x1200
  orrery render cache testdata/recordings/matmul-standard.orr -o b.svg --at 20000 --show "B, line matmul.c:16"
  orrery render heap testdata/recordings/list.orr -o heap.pdf --theme light
  orrery render heap testdata/recordings/list.orr -o bins.png --page address --by waste
  orrery render heap testdata/recordings/list.orr -o more.png --page time --size 800x160 --row 2
  orrery render flame testdata/recordings/containers.orr -o flame.svg --width leaked --under main
  orrery render graph testdata/graphs/gomatmul.ssa.gz -o graph.svg --phase lower --blocks
  orrery render graph testdata/graphs/golist.ssa.gz -o heat.png --over testdata/recordings/golist.orr --graph-colors misses
  orrery render designs motion-jpeg -o tree.png --front local --hide-empty
  orrery render designs testdata/designs/slam.csv -o slam.svg --minimise time,error --parameters knob_mf,knob_sl --front local
  orrery render designs motion-jpeg -o tc.svg --view subspaces:total-coverage-tc --compare "2/mC + ASIP/2" --compare "2/mP + mC/2"`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("render takes a view and a file")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return render(c.Context(), s, args[0], args[1], &f) },
	}
	f.cycles.add(c)
	f.cache.add(c)
	f.pictured.add(c)
	f.heap.add(c)
	f.flame.add(c)
	f.graph.add(c)
	f.designs.add(c)
	flags := c.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "the file to write: .png, .svg or .pdf")
	flags.StringVar(&f.size, "size", "1200x900", "width and height in units")
	flags.Float64Var(&f.scale, "scale", 1, "pixels a unit (PNG)")
	f.addColours(c)
	flags.Uint64Var(&f.at, "at", 0, "the time cursor: a reference, or an event in a recording of allocations alone")
	f.addRings(c)
	flags.StringVar(&f.file, "file", "", "source: the source file (default: the one at the cursor)")
	return c
}

func render(ctx context.Context, s Streams, view, file string, f *renderFlags) error {
	var draw picture
	names := []string{"graph", "designs"}
	for _, p := range pictures {
		names = append(names, p.name)
		if p.name == view {
			draw = p.draw
		}
	}
	if draw == nil && view != "graph" && view != "designs" {
		return usagef("there is no view %q; the views are %s", view, strings.Join(names, ", "))
	}
	size, theme, err := f.look()
	if err != nil {
		return err
	}
	encode, err := encoder(f.output, f.scale)
	if err != nil {
		return err
	}
	if view == "graph" {
		return renderGraph(ctx, s, file, f, size, theme, encode)
	}
	if view == "designs" {
		return renderDesigns(ctx, s, file, f, size, theme, encode)
	}
	return withRecording(ctx, s, file, "drawing", func(rec *loaded, p *progress) error {
		if end := rec.Extent(); end > 0 && f.at >= uint64(end) {
			return usagef("--at %d lies beyond the recording's %d %s", f.at, end, rec.TimeUnit())
		}
		if view == "cycles" || view == "cache" {
			if err := rec.needsReferences(); err != nil {
				return err
			}
		}
		drawing, err := draw(ctx, rec.Recording, f, theme, size, p)
		if err != nil {
			return cyclesError(file, err)
		}
		data, err := encode(drawing)
		if err != nil {
			return err
		}
		return output.Write(f.output, data)
	})
}

// addRings adds the options of the caches' picture.
func (f *renderFlags) addRings(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.tail, "tail", 16, "cache: references that leave pathlines")
	flags.IntVar(&f.mean, "mean", 100, "cache: references that temperatures are means over")
	flags.StringVar(&f.show, "show", "", `cache: only the data with these names: "A, B*, line matmul.c:16"`)
	flags.StringVar(&f.glyph, "glyph", session.GrainNames[0], "cache: what a glyph stands for: "+strings.Join(session.GrainNames, ", "))
}

// look is the size and the colours, if the numbers are such as a picture can show.
func (f *renderFlags) look() (scene.Size, palette.Theme, error) {
	size, err := f.extent()
	if err != nil {
		return size, palette.Theme{}, err
	}
	theme, err := f.colours()
	if err != nil {
		return size, theme, err
	}
	return size, theme, f.check()
}

// The largest picture: its pixels take 256 MB.
const maxPixels = 64 << 20

func (f *renderFlags) extent() (scene.Size, error) {
	w, h, ok := strings.Cut(strings.ToLower(f.size), "x")
	width, err1 := strconv.ParseFloat(w, 64)
	height, err2 := strconv.ParseFloat(h, 64)
	if !ok || err1 != nil || err2 != nil || !(width >= 1) || !(height >= 1) {
		return scene.Size{}, usagef("--size %q is not WIDTHxHEIGHT, for example 1600x1000", f.size)
	}
	if !(f.scale > 0) || !(width*height*f.scale*f.scale <= maxPixels) {
		return scene.Size{}, usagef("--size %s at --scale %g is not between 1 and %d million pixels", f.size, f.scale, maxPixels>>20)
	}
	return scene.Size{W: width, H: height, Scale: f.scale}, nil
}

// check refuses numbers that no picture can show.
func (f *renderFlags) check() error {
	switch {
	case f.tail < 0:
		return usagef("--tail %d is negative", f.tail)
	case f.mean < 1:
		return usagef("--mean %d is not a number of references; 100 is a good one", f.mean)
	}
	if err := f.heap.check(); err != nil {
		return err
	}
	if err := f.flame.check(); err != nil {
		return err
	}
	return f.pictured.check()
}

func (f *renderFlags) addColours(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.theme, "theme", "dark", "dark or light")
	flags.StringVar(&f.palette, "palette", "standard", "colours of data: standard can be told apart without red or green cones, universal without blue ones too")
}

func (f *renderFlags) colours() (palette.Theme, error) {
	var t palette.Theme
	switch f.theme {
	case "dark":
		t = palette.Dark()
	case "light":
		t = palette.Light()
	default:
		return t, usagef("--theme %q is neither dark nor light", f.theme)
	}
	switch f.palette {
	case "standard":
		return t, nil
	case "universal":
		return t.ForAll(), nil
	}
	return t, usagef("--palette %q is neither standard nor universal", f.palette)
}

// encoder chooses the format by the output's name.
func encoder(name string, scale float64) (func(scene.Drawing) ([]byte, error), error) {
	if name == "" {
		return nil, usagef("name the file to write with -o, for example -o picture.svg")
	}
	encode, err := output.Encoder(name, scale)
	if err != nil {
		return nil, usagef("-o %v", err)
	}
	return encode, nil
}

// ranked is the index of the parameterization of that rank; a result without any has a picture that says why.
func ranked(r *topology.Result, rank int) (int, error) {
	for i := range r.Parameterizations {
		if r.Parameterizations[i].Rank == rank {
			return i, nil
		}
	}
	if len(r.Parameterizations) == 0 {
		return 0, nil
	}
	return 0, usagef("there is no parameterization of rank %d; ranks go from 1 to %d", rank, r.Parameterizations[len(r.Parameterizations)-1].Rank)
}

func drawCache(ctx context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size, p *progress) (scene.Drawing, error) {
	state, _, err := f.rings(ctx, rec, theme, p)
	if err != nil {
		return scene.Drawing{}, err
	}
	return rings.Scene(state, size), nil
}

// rings is the picture of the caches at --at.
func (f *renderFlags) rings(ctx context.Context, rec *session.Recording, theme palette.Theme, p *progress) (rings.State, *session.Caches, error) {
	var none rings.State
	config, err := f.cache.hierarchy()
	if err != nil {
		return none, nil, err
	}
	grain := slices.Index(session.GrainNames, f.glyph)
	if grain < 0 {
		return none, nil, usagef("--glyph %q is none of %s", f.glyph, strings.Join(session.GrainNames, ", "))
	}
	filter := session.ParseCacheFilter(f.show)
	if err := rec.CheckFilter(filter); err != nil {
		return none, nil, usageError{err}
	}
	caches, err := rec.RunCachesAt(ctx, config, session.Grain(grain), p.Report)
	if err != nil {
		return none, nil, err
	}
	look := session.CacheLook{Tail: f.tail, Mean: f.mean}
	if look.Hidden, err = rec.FilterItems(ctx, caches.Items, filter, p.Report); err != nil {
		return none, nil, err
	}
	var frames session.Frames
	state, err := frames.Frame(caches, look, theme, traceio.Seq(f.at), 1)
	return state, caches, err
}

func drawTimeline(ctx context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size, p *progress) (scene.Drawing, error) {
	config, err := f.cache.hierarchy()
	if err != nil {
		return scene.Drawing{}, err
	}
	caches, err := rec.RunCaches(ctx, config, p.Report)
	if err != nil {
		return scene.Drawing{}, err
	}
	state := timeline.State{Theme: theme, Len: rec.Extent(), Unit: rec.TimeUnit(), Cursor: traceio.Seq(f.at)}
	state.Lanes = rec.Lanes(caches, link.Range{To: rec.Extent()}, theme)
	return timeline.Scene(state, size), nil
}

func drawSource(_ context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size, _ *progress) (scene.Drawing, error) {
	return source.Scene(rec.SourceText(theme, f.file, traceio.Seq(f.at), nil, nil), size), nil
}
