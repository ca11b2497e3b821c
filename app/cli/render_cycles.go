package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/barcode"
	"orrery/views/palette"
	"orrery/views/phases"
	"orrery/views/scene"
	"orrery/views/spiral"
)

// cyclesPictures are the pictures that `render cycles` draws.
var cyclesPictures = []string{"spiral", "circle", "isomap", "diagram", "barcode", "persistence", "run"}

// cyclesPicture is the options of `render cycles` beside those of the analysis.
type cyclesPicture struct {
	picture, color string
	groups         []string
	rank, morphTo  int
	morph          float64
	splice         []string
	bare           bool
}

func (f *cyclesPicture) add(c *cobra.Command) {
	var colors []string
	for _, k := range session.ColorChoices {
		colors = append(colors, string(k.By))
	}
	flags := c.Flags()
	flags.StringVar(&f.picture, "picture", "spiral", strings.Join(cyclesPictures, ", "))
	flags.StringVar(&f.color, "color", "line", "colour by "+strings.Join(colors, ", "))
	flags.StringArrayVar(&f.groups, "group", nil,
		"with --color group, NAME=FILE:FROM-TO,FUNCTION,...; * and ? match; may be repeated")
	flags.IntVar(&f.rank, "rank", 1, "the parameterization to draw")
	flags.IntVar(&f.morphTo, "morph-to", 0, "the parameterization to morph to; a film goes from --rank to it")
	flags.Float64Var(&f.morph, "morph", 0.5, "with --morph-to: how far the morph is, 0 to 1")
	flags.StringArrayVar(&f.splice, "splice", nil,
		"hang the cycles of RANK on the spiral, or RANK:AMOUNT with an amount from 0 to 1; may be repeated")
	flags.BoolVar(&f.bare, "bare", false, "the curve alone, without legend and words")
}

// curves are the pictures that draw a parameterization as a curve in time.
var curves = []string{"spiral", "circle", "isomap"}

// checkCycles refuses options that the picture does not use.
func checkCycles(f *renderFlags, flags *pflag.FlagSet) error {
	o := &f.pictured
	if err := o.check(); err != nil {
		return err
	}
	curve, run := slices.Contains(curves, o.picture), o.picture == "run"
	return refuse(flags,
		applies{!run, "rank window every alphabet eps prime landmarks life weights thin keep memory top",
			"to pictures other than --picture run, which finds its phases by itself"},
		applies{curve, "morph-to color group splice bare", "to --picture spiral, circle and isomap"},
		applies{curve || run, "at", "to --picture spiral, circle, isomap and run"},
		applies{o.morphTo != 0 && !f.moving, "morph", "with --morph-to, to a picture that stands still"},
		applies{o.color == string(session.ByGroup), "group", "with --color group"},
		applies{o.color == string(session.ByMiss), "preset config cores", "with --color miss"},
		applies{len(f.cycles.thin) > 0, "keep", "with --thin"})
}

// check refuses what no picture can show.
func (f *cyclesPicture) check() error {
	if !slices.Contains(cyclesPictures, f.picture) {
		return usagef("--picture %q is none of %s", f.picture, strings.Join(cyclesPictures, ", "))
	}
	if !(f.morph >= 0 && f.morph <= 1) {
		return usagef("--morph %g is not between 0 and 1", f.morph)
	}
	if _, err := session.ParseColorBy(f.color); err != nil {
		return usageError{fmt.Errorf("--color: %w", err)}
	}
	return nil
}

// loops reads --splice.
func (f *cyclesPicture) loops(c *session.Cycles) ([]spiral.Loop, error) {
	var out []spiral.Loop
	for _, text := range f.splice {
		rank, amount, partly := strings.Cut(text, ":")
		n, err := strconv.Atoi(rank)
		a := 1.0
		if partly && err == nil {
			a, err = strconv.ParseFloat(amount, 64)
		}
		if err != nil || !(a >= 0 && a <= 1) {
			return nil, usagef("--splice %q is not RANK or RANK:AMOUNT with an amount from 0 to 1, for example 3:0.5", text)
		}
		i, err := ranked(c.Result, n)
		if err != nil {
			return nil, err
		}
		if len(c.Parameterizations) > 0 {
			out = append(out, c.Loop(i, a))
		}
	}
	return out, nil
}

// coloring reads --color and --group, and simulates the caches where the colours need them.
func (f *cyclesPicture) coloring(ctx context.Context, rec *session.Recording, c *session.Cycles, cache *cacheFlags,
	p *progress) (session.Coloring, error) {
	var k session.Coloring
	by, err := session.ParseColorBy(f.color)
	if err != nil {
		return k, usageError{fmt.Errorf("--color: %w", err)}
	}
	k.By = by
	for _, text := range f.groups {
		g, err := session.ParseGroup(text)
		if err != nil {
			return k, usageError{fmt.Errorf("--group: %w", err)}
		}
		if err := rec.CheckGroup(c, g); err != nil {
			return k, usageError{fmt.Errorf("--group: %w", err)}
		}
		k.Groups = append(k.Groups, g)
	}
	if by == session.ByGroup && len(k.Groups) == 0 {
		return k, usagef("--color group needs at least one --group, for example --group swap=bubble.c:10-12")
	}
	if by != session.ByMiss {
		return k, nil
	}
	if k.Config, err = cache.hierarchy(); err != nil {
		return k, err
	}
	caches, err := rec.RunCaches(ctx, k.Config, p.Report)
	if err != nil {
		return k, err
	}
	k.Served, err = rec.Served(c, caches)
	return k, err
}

func drawCycles(ctx context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size,
	p *progress) (scene.Drawing, error) {
	o := &f.pictured
	none := scene.Drawing{}
	if o.picture == "run" {
		return drawRun(ctx, rec, f, theme, size, p)
	}
	c, from, to, err := f.parameterizations(ctx, rec, p)
	if err != nil {
		return none, err
	}
	kinds := map[string]barcode.Picture{"diagram": barcode.Diagram, "barcode": barcode.Bars, "persistence": barcode.Both}
	if kind, ok := kinds[o.picture]; ok {
		s := c.Diagram(theme, from, -1)
		s.Picture, s.Caption = kind, c.Caption(from)
		return barcode.Scene(s, size), nil
	}
	s, err := f.spiral(ctx, rec, c, theme, from, to, p)
	if err != nil {
		return none, err
	}
	return spiral.Scene(s, size), nil
}

// parameterizations analyses the recording and finds those that --rank and --morph-to name.
func (f *renderFlags) parameterizations(ctx context.Context, rec *session.Recording,
	p *progress) (c *session.Cycles, from, to int, err error) {
	request, err := f.cycles.request()
	if err != nil {
		return nil, 0, 0, err
	}
	if c, err = rec.FindCycles(ctx, request, p.Report); err != nil {
		return nil, 0, 0, err
	}
	if c.Idle() {
		p.Say("--thin: " + session.ThinnedNothing)
	}
	if from, err = ranked(c.Result, f.pictured.rank); err != nil {
		return nil, 0, 0, err
	}
	to = from
	if f.pictured.morphTo != 0 {
		to, err = ranked(c.Result, f.pictured.morphTo)
	}
	return c, from, to, err
}

// spiral is the picture of a parameterization, or of the way between two.
func (f *renderFlags) spiral(ctx context.Context, rec *session.Recording, c *session.Cycles, theme palette.Theme, from,
	to int, p *progress) (spiral.State, error) {
	o := &f.pictured
	s := rec.Spiral(c, theme, from, to, o.morph)
	k, err := o.coloring(ctx, rec, c, &f.cache, p)
	if err != nil {
		return s, err
	}
	rec.Color(&s, c, k)
	s.Cursor, s.Caption = traceio.Seq(f.at), c.Caption(to)
	if s.Loops, err = o.loops(c); err != nil {
		return s, err
	}
	switch o.picture {
	case "circle":
		s.Shape = spiral.Circle
	case "isomap":
		plane, err := rec.Project(ctx, c, p.Report)
		if err != nil {
			return s, err
		}
		plane.On(&s)
	}
	s.Bare = o.bare
	return s, nil
}

// drawRun draws the phases of the range.
func drawRun(ctx context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size,
	p *progress) (scene.Drawing, error) {
	q, err := f.cycles.request()
	if err != nil {
		return scene.Drawing{}, err
	}
	found, err := rec.FindPhases(ctx, q.From, q.Count, p.Report)
	if err != nil {
		return scene.Drawing{}, err
	}
	s := found.State(theme)
	s.Cursor, s.Path = traceio.Seq(f.at), []string{fmt.Sprintf("references %d to %d", found.From, found.To)}
	return phases.Scene(s, size), nil
}
