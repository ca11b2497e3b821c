package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/film"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/source"
	"orrery/views/timeline"
)

// filmCommand is `render` by the name that it had for films: orrery film FILE -o OUT --view VIEW.
func filmCommand(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:                "film FILE -o OUT",
		Short:              "film a span of time, as orrery render does",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			name, args := cutView(args)
			v := viewNamed(name)
			if v == nil || !moves(v) {
				return usagef("--view %q is none of %s", name, strings.Join(viewNames(moves), ", "))
			}
			command, f := v.command(s)
			renderCommand(s).AddCommand(command) // for what it says of options of other views
			f.moving = true
			command.SetContext(c.Context())
			switch err := command.ParseFlags(args); {
			case errors.Is(err, pflag.ErrHelp):
				command.SetOut(s.Out)
				return command.Help()
			case err != nil:
				return foreignOption(command, err)
			}
			if err := oneFile(c, command.Flags().Args()); err != nil {
				return err
			}
			return command.RunE(command, command.Flags().Args())
		},
	}
}

// viewNamed is the view of that name, or of the one that it had in films.
func viewNamed(name string) *view {
	for _, v := range views {
		if v.name == name || v.was != "" && v.was == name {
			return v
		}
	}
	return nil
}

// cutView takes --view out of a command line. Without it, the caches are filmed.
func cutView(args []string) (name string, rest []string) {
	name = "cache"
	for i := 0; i < len(args); i++ {
		value, is := strings.CutPrefix(args[i], "--view=")
		switch {
		case is:
			name = value
		case args[i] == "--view" && i+1 < len(args):
			i++
			name = args[i]
		default:
			rest = append(rest, args[i])
		}
	}
	return name, rest
}

// moving tells whether a film has this name.
func moving(out string) bool {
	end := strings.ToLower(filepath.Ext(out))
	return end == ".gif" || end == ".mp4" || strings.HasSuffix(out, "/")
}

func (f *renderFlags) addFilm(c *cobra.Command) {
	flags := c.Flags()
	if flags.Lookup("from") == nil {
		flags.Uint64Var(&f.cycles.from, "from", 0, "the first reference of a film")
		flags.Uint64Var(&f.cycles.to, "to", 0,
			"the first reference that a film does not show any more (default: the recording's end)")
		flags.IntVar(&f.cycles.count, "count", 0, "how many references a film goes through, in place of --to")
	}
	flags.Float64Var(&f.speed, "speed", 0, "references a frame of a film: 1 shows each in a frame, 0.1 its movement in "+
		"ten, 64 is a time-lapse (default: so that the film lasts about a quarter of a minute)")
	flags.IntVar(&f.rate, "rate", 25, "frames a second of a film")
}

// makeFilm goes through a span of a recording. The same options make the same bytes again.
func (v *view) makeFilm(ctx context.Context, s Streams, file string, f *renderFlags, flags *pflag.FlagSet,
	size scene.Size, theme palette.Theme) error {
	if !moves(v) {
		return usagef("%s does not move with time, so %s cannot be filmed; films are of %s", v.name, f.output,
			listed(viewNames(moves)))
	}
	if err := (film.Film{Size: size, Rate: f.rate, Frames: 1}).Check(f.output); err != nil {
		return usageError{err}
	}
	if err := refuse(flags, applies{false, "at", "to a picture; the cursor of a film goes from --from to --to"}); err !=
		nil {
		return err
	}
	if f.cycles.to > 0 && f.cycles.count > 0 {
		return usagef("give --to or --count, not both")
	}
	return withRecording(ctx, s, file, "filming", func(rec *loaded, p *progress) error {
		if v.reference {
			if err := rec.needsReferences(); err != nil {
				return err
			}
		}
		reel, err := f.reel(rec.Recording)
		if err != nil {
			return err
		}
		shot, err := v.film(ctx, rec.Recording, f, reel, theme, size, p)
		if err != nil {
			return cyclesError(file, err)
		}
		made := reel.Film(size, shot)
		if err := made.Write(ctx, f.output, p.Report); err != nil {
			return err
		}
		p.Done()
		if s.Out != nil {
			fmt.Fprintf(s.Out, "%s: %d frames, %.1f seconds at %d a second, references %d to %d, %g a frame\n",
				f.output, made.Frames,
				float64(made.Frames)/float64(made.Rate), made.Rate, reel.From, reel.To, reel.Speed)
		}
		return nil
	})
}

// reel is the span that was asked for. It is what is analysed for cycles, too.
func (f *renderFlags) reel(rec *session.Recording) (session.Reel, error) {
	end := rec.Extent()
	r := session.Reel{From: traceio.Seq(f.cycles.from), To: end, Speed: f.speed, Rate: f.rate}
	switch {
	case f.cycles.to > 0:
		r.To = traceio.Seq(f.cycles.to)
	case f.cycles.count > 0:
		r.To = r.From + traceio.Seq(f.cycles.count)
	}
	if r.Speed == 0 {
		r.Speed = r.Suggested()
	}
	if err := r.Check(end); err != nil {
		return r, usageError{err}
	}
	f.cycles.to, f.cycles.count = 0, int(r.To-r.From)
	return r, nil
}

func filmCache(ctx context.Context, rec *session.Recording, f *renderFlags, reel session.Reel, theme palette.Theme,
	size scene.Size, p *progress) (session.Shot, error) {
	look, caches, err := f.rings(ctx, rec, theme, p)
	if err != nil {
		return nil, err
	}
	return rec.RingsShot(caches, look, reel, size), nil
}

func filmCycles(ctx context.Context, rec *session.Recording, f *renderFlags, _ session.Reel, theme palette.Theme,
	size scene.Size, p *progress) (session.Shot, error) {
	if !slices.Contains(curves, f.pictured.picture) {
		return nil, usagef("--picture %s does not move; film spiral, circle or isomap", f.pictured.picture)
	}
	c, from, to, err := f.parameterizations(ctx, rec, p)
	if err != nil {
		return nil, err
	}
	look, err := f.spiral(ctx, rec, c, theme, from, to, p)
	if err != nil {
		return nil, err
	}
	return session.SpiralShot(look, size), nil
}

func filmHeap(ctx context.Context, rec *session.Recording, f *renderFlags, _ session.Reel, theme palette.Theme,
	size scene.Size, _ *progress) (session.Shot, error) {
	look, err := f.heapMap(ctx, rec, theme, size, traceio.Seq(f.cycles.from))
	if err != nil {
		return nil, err
	}
	return session.HeapShot(look, size), nil
}

func filmTimeline(ctx context.Context, rec *session.Recording, f *renderFlags, _ session.Reel, theme palette.Theme,
	size scene.Size, p *progress) (session.Shot, error) {
	look, err := f.timeline(ctx, rec, theme, p)
	if err != nil {
		return nil, err
	}
	return func(m session.Moment) (scene.Drawing, error) {
		s := look
		s.Cursor = m.At
		return timeline.Scene(s, size), nil
	}, nil
}

func filmSource(_ context.Context, rec *session.Recording, f *renderFlags, _ session.Reel, theme palette.Theme,
	size scene.Size, _ *progress) (session.Shot, error) {
	return func(m session.Moment) (scene.Drawing, error) {
		return source.Scene(rec.SourceText(theme, f.file, m.At, nil, nil), size), nil
	}, nil
}
