package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// renderFlags are the options of all views of `render`; a view binds those that it declares.
type renderFlags struct {
	cycles       cyclesFlags // from, to and count are the span of a film, too
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

	speed  float64 // of a film, references a frame
	rate   int     // frames a second
	moving bool    // the output is a film
}

// picture makes the drawing of one view.
type picture func(ctx context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size,
	p *progress) (scene.Drawing, error)

// shot prepares one view to be filmed.
type shot func(ctx context.Context, rec *session.Recording, f *renderFlags, reel session.Reel, theme palette.Theme,
	size scene.Size, p *progress) (session.Shot, error)

// view is one picture that `render` draws, with the options that it takes: those of other views are unknown to it.
type view struct {
	name, was string // was: what it was called in films
	short     string
	example   string
	options   func(f *renderFlags, c *cobra.Command)
	renamed   map[string]string // what its options were called
	check     func(f *renderFlags, flags *pflag.FlagSet) error

	draw      picture
	film      shot // nil: it does not move with time
	reference bool // it needs references

	// whole draws a file that is no recording, in place of draw.
	whole func(ctx context.Context, s Streams, path string, f *renderFlags, size scene.Size, theme palette.Theme,
		encode func(scene.Drawing) ([]byte, error)) error
}

// views are all of them, in the order in which help lists them.
var views = []*view{
	{name: "cycles", was: "spiral", short: "the cycles of a stretch, as spiral, circle, diagram or phases of the run",
		options: (*renderFlags).addCycles,
		check:   checkCycles, draw: drawCycles, film: filmCycles, reference: true,
		example: `  orrery render cycles testdata/recordings/bubble-array-shuffled.orr -o spiral.svg --rank 2
  orrery render cycles testdata/recordings/bubble-array-shuffled.orr -o half.png --rank 1 --morph-to 3 --morph 0.5
  orrery render cycles testdata/recordings/bubble-vector-shuffled.orr -o misses.png --picture circle --rank 4 --color miss --preset tiny
  orrery render cycles testdata/recordings/bubble-array-shuffled.orr -o morph.gif --rank 1 --morph-to 3 --speed 10 --size 400x400`},
	{name: "cache", was: "rings", short: "what the caches hold at a reference, as glyphs on rings",
		options: (*renderFlags).addCache,
		check:   checkCache, draw: drawCache, film: filmCache, reference: true,
		example: `  orrery render cache testdata/recordings/matmul-standard.orr -o rings.png --at 20000 --tail 64 --size 1200x1200
  orrery render cache testdata/recordings/matmul-standard.orr -o b.svg --at 20000 --show "B, line matmul.c:16"
  orrery render cache testdata/recordings/bubble-vector-shuffled.orr -o sort.gif --preset tiny --to 60 --speed 0.5 --size 400x400
  orrery render cache testdata/recordings/matmul-standard.orr -o frames/ --from 4000 --to 4100 --speed 20 --tail 64 --theme light`},
	{name: "heap", short: "the blocks of the heap by time and address", options: (*renderFlags).addHeap,
		renamed: map[string]string{"by": "color"},
		check:   checkHeap, draw: drawHeap, film: filmHeap,
		example: `  orrery render heap testdata/recordings/list.orr -o heap.pdf --theme light
  orrery render heap testdata/recordings/list.orr -o bins.png --page address --color waste
  orrery render heap testdata/recordings/list.orr -o more.png --page time --size 800x160 --row 2`},
	{name: "flame", short: "allocations by call stack", options: (*renderFlags).addFlame,
		renamed: map[string]string{"flame-colors": "color"},
		draw:    drawFlame,
		example: `  orrery render flame testdata/recordings/containers.orr -o flame.svg --width leaked --under main`},
	{name: "timeline", short: "references, misses and the heap over the whole run", options: (*renderFlags).addTimeline,
		draw: drawTimeline, film: filmTimeline,
		example: `  orrery render timeline testdata/recordings/list.orr -o timeline.svg --size 1600x300`},
	{name: "source", short: "a source file with the references of its lines", options: (*renderFlags).addSource,
		draw: drawSource, film: filmSource,
		example: `  orrery render source testdata/recordings/list.orr -o source.png --at 20000`},
	{name: "graph", short: "a graph of a file of a compiler's graphs", options: (*renderFlags).addGraph,
		check: checkGraph, whole: renderGraph,
		renamed: map[string]string{"graph-colors": "color", "func": "method"},
		example: `  orrery render graph testdata/graphs/gomatmul.ssa.gz -o graph.svg --phase lower --blocks
  orrery render graph testdata/graphs/gomatmul.ssa.gz -o difference.svg --diff lower,regalloc
  orrery render graph testdata/graphs/golist.ssa.gz -o heat.png --over testdata/recordings/golist.orr --color misses`},
	{name: "designs", short: "a table of evaluated designs: a tree, subspaces, columns or one design",
		options: (*renderFlags).addDesigns,
		check:   checkDesigns, whole: renderDesigns, renamed: map[string]string{"view": "picture",
			"where": "filter", "front": "show"},
		example: `  orrery render designs motion-jpeg -o tree.png --show local --hide-empty
  orrery render designs testdata/designs/slam.csv -o slam.svg --minimise time,error --parameters knob_mf,knob_sl --show local
  orrery render designs motion-jpeg -o tc.svg --picture subspaces:total-coverage-tc --compare "2/mC + ASIP/2" --compare "2/mP + mC/2"`},
}

// viewNames are the views for which this holds.
func viewNames(is func(*view) bool) (names []string) {
	for _, v := range views {
		if is(v) {
			names = append(names, v.name)
		}
	}
	return names
}

func moves(v *view) bool { return v.film != nil }

func renderCommand(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "render VIEW FILE -o OUT",
		Short: "draw a view to a PNG, SVG or PDF file, or film a span of time",
		Long: `Render draws one view of a recording, of a file of a compiler's graphs or of a table of evaluated designs without a display. The ending
of OUT says the format: .png, .svg or .pdf for a picture; .gif, .mp4 (which needs ffmpeg) or DIRECTORY/ (a PNG a frame) for a film
of --from to --to. Each view has options of its own: orrery render VIEW --help lists them.`,
		Example: `  orrery render cycles testdata/recordings/bubble-array-shuffled.orr -o spiral.svg --rank 2
  orrery render heap testdata/recordings/list.orr -o heap.pdf --theme light
  orrery render cache testdata/recordings/bubble-vector-shuffled.orr -o sort.gif --preset tiny --to 60 --speed 0.5 --size 400x400`,
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("render takes a view and a file")
			}
			return usagef("there is no view %q; the views are %s", args[0], listed(viewNames(func(*view) bool { return true })))
		},
	}
	c.SetFlagErrorFunc(foreignOption)
	for _, v := range views {
		command, _ := v.command(s)
		c.AddCommand(command)
		if v.was != "" {
			old, _ := v.command(s)
			old.Use, old.Hidden = strings.Replace(old.Use, v.name, v.was, 1), true
			c.AddCommand(old)
		}
	}
	return c
}

// foreignOption says which views take an option that this one does not.
func foreignOption(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if c.Parent() == nil || !errors.As(err, &unknown) {
		return flagError(err)
	}
	takes := map[string]bool{}
	for _, other := range c.Parent().Commands() {
		takes[other.Name()] = other.Flags().Lookup(unknown.GetSpecifiedName()) != nil
	}
	takers := viewNames(func(v *view) bool { return takes[v.name] })
	if len(takers) == 0 {
		return flagError(err)
	}
	return usagef("--%s is an option of %s; %s does not take it", unknown.GetSpecifiedName(), listed(takers), c.Name())
}

// command is the view as a command of `render`, and where its options are kept.
func (v *view) command(s Streams) (*cobra.Command, *renderFlags) {
	f := &renderFlags{}
	c := &cobra.Command{
		Use:     v.name + " FILE -o OUT",
		Short:   v.short,
		Example: v.example,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return usagef("render takes a view and a file")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return v.render(c.Context(), s, args[0], f, c.Flags()) },
	}
	old := map[string]string{"out": "output"}
	for was, now := range v.renamed {
		old[was] = now
	}
	renamed(c, old)
	flags := c.Flags()
	outputs := "the file to write: .png, .svg or .pdf"
	if moves(v) {
		outputs += "; .gif, .mp4 or DIRECTORY/ for a film"
	}
	flags.StringVarP(&f.output, "output", "o", "", outputs)
	flags.StringVar(&f.size, "size", "", "width and height in units (default: "+stillSize+", of a film "+filmSize+")")
	flags.Float64Var(&f.scale, "scale", 1, "pixels a unit, in .png and films")
	flags.StringVar(&f.theme, "theme", "dark", "dark or light")
	flags.StringVar(&f.palette, "palette", "standard",
		"colours of data: standard can be told apart without red or green cones, universal without blue ones too")
	v.options(f, c)
	if moves(v) {
		f.addFilm(c)
	}
	return c, f
}

// Sizes of pictures where nobody chose one.
const (
	stillSize = "1200x900"
	filmSize  = "800x800"
)

// render checks everything that can be checked before the work begins, and draws.
func (v *view) render(ctx context.Context, s Streams, file string, f *renderFlags, flags *pflag.FlagSet) error {
	f.moving = f.moving || moving(f.output)
	if f.size == "" {
		f.size = stillSize
		if f.moving {
			f.size = filmSize
		}
	}
	size, theme, err := f.look()
	if err != nil {
		return err
	}
	if v.check != nil {
		if err := v.check(f, flags); err != nil {
			return err
		}
	}
	if f.moving {
		return v.makeFilm(ctx, s, file, f, flags, size, theme)
	}
	if err := v.still(f, flags); err != nil {
		return err
	}
	encode, err := encoder(f.output, f.scale)
	if err != nil {
		if moves(v) && f.output != "" {
			err = usagef("%v; or in .gif, .mp4 or / for a film", err)
		}
		return err
	}
	if v.whole != nil {
		return v.whole(ctx, s, file, f, size, theme, encode)
	}
	return withRecording(ctx, s, file, "drawing", func(rec *loaded, p *progress) error {
		if end := rec.Extent(); end > 0 && f.at >= uint64(end) {
			return usagef("--at %d lies beyond the recording's %d %s", f.at, end, rec.TimeUnit())
		}
		if v.reference {
			if err := rec.needsReferences(); err != nil {
				return err
			}
		}
		drawing, err := v.draw(ctx, rec.Recording, f, theme, size, p)
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

// still refuses what only a film shows, and what only pixels have.
func (v *view) still(f *renderFlags, flags *pflag.FlagSet) error {
	film := "speed rate"
	if v.name != "cycles" { // whose span is what is analysed
		film += " from to count"
	}
	end := strings.ToLower(f.output)
	return refuse(flags,
		applies{false, film, "to a film, whose name ends in .gif, .mp4 or /"},
		applies{!strings.HasSuffix(end, ".svg") && !strings.HasSuffix(end, ".pdf"), "scale", "to .png and to films"})
}

func (f *renderFlags) addAt(c *cobra.Command) {
	c.Flags().Uint64Var(&f.at, "at", 0, "the time cursor: a reference, or an event in a recording of allocations alone")
}

func (f *renderFlags) addCycles(c *cobra.Command) {
	f.cycles.add(c)
	f.pictured.add(c)
	f.cache.add(c)
	f.addAt(c)
}

func (f *renderFlags) addCache(c *cobra.Command) {
	f.cache.add(c)
	f.addAt(c)
	flags := c.Flags()
	flags.IntVar(&f.tail, "tail", 16, "references that leave pathlines")
	flags.IntVar(&f.mean, "mean", 100, "references that temperatures are means over")
	flags.StringVar(&f.show, "show", "", `only the data with these names: "A, B*, line matmul.c:16"`)
	flags.StringVar(&f.glyph, "glyph", session.GrainNames[0], "what a glyph stands for: "+
		strings.Join(session.GrainNames, ", "))
}

func (f *renderFlags) addHeap(c *cobra.Command) {
	f.heap.add(c)
	f.addAt(c)
}

func (f *renderFlags) addFlame(c *cobra.Command) { f.flame.add(c) }

func (f *renderFlags) addTimeline(c *cobra.Command) {
	f.cache.add(c)
	f.addAt(c)
}

func (f *renderFlags) addSource(c *cobra.Command) {
	f.addAt(c)
	c.Flags().StringVar(&f.file, "file", "", "the source file (default: the one at the cursor)")
}

func (f *renderFlags) addGraph(c *cobra.Command) {
	f.graph.add(c)
	f.cache.add(c)
}

func (f *renderFlags) addDesigns(c *cobra.Command) { f.designs.add(c) }

// look is the size and the colours, if the numbers are such as a picture can show.
func (f *renderFlags) look() (scene.Size, palette.Theme, error) {
	size, err := f.extent()
	if err != nil {
		return size, palette.Theme{}, err
	}
	theme, err := f.colours()
	return size, theme, err
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
		return scene.Size{}, usagef("--size %s at --scale %g is not between 1 and %d million pixels", f.size,
			f.scale, maxPixels>>20)
	}
	return scene.Size{W: width, H: height, Scale: f.scale}, nil
}

func checkCache(f *renderFlags, _ *pflag.FlagSet) error {
	switch {
	case f.tail < 0:
		return usagef("--tail %d is negative", f.tail)
	case f.mean < 1:
		return usagef("--mean %d is not a number of references; 100 is a good one", f.mean)
	}
	return nil
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
	return 0, usagef("there is no parameterization of rank %d; ranks go from 1 to %d", rank,
		r.Parameterizations[len(r.Parameterizations)-1].Rank)
}

func drawCache(ctx context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size,
	p *progress) (scene.Drawing, error) {
	state, _, err := f.rings(ctx, rec, theme, p)
	if err != nil {
		return scene.Drawing{}, err
	}
	return rings.Scene(state, size), nil
}

// rings is the picture of the caches at --at.
func (f *renderFlags) rings(ctx context.Context, rec *session.Recording, theme palette.Theme,
	p *progress) (rings.State, *session.Caches, error) {
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

func drawTimeline(ctx context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size,
	p *progress) (scene.Drawing, error) {
	state, err := f.timeline(ctx, rec, theme, p)
	if err != nil {
		return scene.Drawing{}, err
	}
	return timeline.Scene(state, size), nil
}

// timeline is the run with the cursor at --at.
func (f *renderFlags) timeline(ctx context.Context, rec *session.Recording, theme palette.Theme,
	p *progress) (timeline.State, error) {
	config, err := f.cache.hierarchy()
	if err != nil {
		return timeline.State{}, err
	}
	caches, err := rec.RunCaches(ctx, config, p.Report)
	if err != nil {
		return timeline.State{}, err
	}
	state := timeline.State{Theme: theme, Len: rec.Extent(), Unit: rec.TimeUnit(), Cursor: traceio.Seq(f.at)}
	state.Lanes = rec.Lanes(caches, link.Range{To: rec.Extent()}, theme)
	return state, nil
}

func drawSource(_ context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size,
	_ *progress) (scene.Drawing, error) {
	return source.Scene(rec.SourceText(theme, f.file, traceio.Seq(f.at), nil, nil), size), nil
}
