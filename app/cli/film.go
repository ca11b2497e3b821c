package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/film"
	"orrery/views/palette"
	"orrery/views/scene"
)

// filmFlags are the options of `film`; the pictures' own are those of `render`.
type filmFlags struct {
	renderFlags
	view  string
	to    uint64
	speed float64
	rate  int
}

// shot prepares one view to be filmed.
type shot func(ctx context.Context, rec *session.Recording, f *filmFlags, reel session.Reel, theme palette.Theme, size scene.Size, p *progress) (session.Shot, error)

// shots are the views that can be filmed, in the order in which help lists them: those whose frame is a function of time.
var shots = []struct {
	name string
	film shot
}{
	{"rings", filmRings},
	{"spiral", filmSpiral},
	{"heap", filmHeap},
}

func shotNames() []string {
	var names []string
	for _, s := range shots {
		names = append(names, s.name)
	}
	return names
}

func filmCommand(s Streams) *cobra.Command {
	var f filmFlags
	c := &cobra.Command{
		Use:   "film FILE -o OUT",
		Short: "make a film of a span of time: GIF, MP4 or PNG files",
		Long: `Film goes through a span of a recording and writes what a view shows of every moment. OUT is FILE.gif, FILE.mp4 (which needs ffmpeg) or
DIRECTORY/ for one PNG a frame. VIEW is rings (the caches at work), spiral (with --morph-to: from one parameterization to another) or heap.
The speed is in references a frame: 1 shows every reference in a frame of its own, 0.1 its movement in ten, 64 is a time-lapse. The same
command makes the same bytes again. The options of the view (cache, cycles) are those of orrery render.`,
		Example: `  orrery film testdata/recordings/bubble-vector-shuffled.orr -o sort.gif --preset tiny --to 60 --speed 0.5 --size 400x400
  orrery film testdata/recordings/matmul-standard.orr -o frames/ --from 4000 --to 4100 --speed 20 --tail 64 --theme light
  orrery film testdata/recordings/bubble-array-shuffled.orr -o morph.gif --view spiral --rank 1 --morph-to 3 --speed 10 --size 400x400`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("to") && c.Flags().Changed("count") {
				return usagef("give --to or --count, not both")
			}
			return makeFilm(c.Context(), s, args[0], &f)
		},
	}
	f.cycles.add(c)
	f.cache.add(c)
	f.pictured.add(c)
	f.heap.add(c)
	flags := c.Flags()
	flags.StringVarP(&f.output, "out", "o", "", "FILE.gif, FILE.mp4 or DIRECTORY/")
	flags.StringVar(&f.view, "view", "rings", strings.Join(shotNames(), ", "))
	flags.Uint64Var(&f.to, "to", 0, "end of the span, the first reference that is not shown (default: the recording's end)")
	flags.Float64Var(&f.speed, "speed", 0, "references a frame (default: so that the film lasts about a quarter of a minute)")
	flags.IntVar(&f.rate, "rate", 25, "frames a second")
	flags.StringVar(&f.size, "size", "800x800", "width and height in units")
	flags.Float64Var(&f.scale, "scale", 1, "pixels a unit")
	f.addColours(c)
	f.addRings(c)
	return c
}

// makeFilm checks everything that can be checked before the work begins.
func makeFilm(ctx context.Context, s Streams, file string, f *filmFlags) error {
	at := slices.Index(shotNames(), f.view)
	if at < 0 {
		return usagef("--view %q is none of %s", f.view, strings.Join(shotNames(), ", "))
	}
	size, theme, err := f.look()
	if err != nil {
		return err
	}
	if err := (film.Film{Size: size, Rate: f.rate, Frames: 1}).Check(f.output); err != nil {
		return usageError{err}
	}
	return withRecording(ctx, s, file, "filming", func(rec *loaded, p *progress) error {
		if f.view != "heap" {
			if err := rec.needsReferences(); err != nil {
				return err
			}
		}
		reel, err := f.reel(rec.Recording)
		if err != nil {
			return err
		}
		shot, err := shots[at].film(ctx, rec.Recording, f, reel, theme, size, p)
		if err != nil {
			return cyclesError(file, err)
		}
		made := reel.Film(size, shot)
		if err := made.Write(ctx, f.output, p.Report); err != nil {
			return err
		}
		p.Done()
		if s.Out != nil {
			fmt.Fprintf(s.Out, "%s: %d frames, %.1f seconds at %d a second, references %d to %d, %g a frame\n", f.output, made.Frames,
				float64(made.Frames)/float64(made.Rate), made.Rate, reel.From, reel.To, reel.Speed)
		}
		return nil
	})
}

// reel is the span that was asked for.
func (f *filmFlags) reel(rec *session.Recording) (session.Reel, error) {
	end := rec.Extent()
	r := session.Reel{From: traceio.Seq(f.cycles.from), To: end, Speed: f.speed, Rate: f.rate}
	switch {
	case f.to > 0:
		r.To = traceio.Seq(f.to)
	case f.cycles.count > 0:
		r.To = r.From + traceio.Seq(f.cycles.count)
	}
	if r.Speed == 0 {
		r.Speed = r.Suggested()
	}
	if err := r.Check(end); err != nil {
		return r, usageError{err}
	}
	f.cycles.count = int(r.To - r.From)
	return r, nil
}

func filmRings(ctx context.Context, rec *session.Recording, f *filmFlags, reel session.Reel, theme palette.Theme, size scene.Size, p *progress) (session.Shot, error) {
	look, caches, err := f.rings(ctx, rec, theme, p)
	if err != nil {
		return nil, err
	}
	return rec.RingsShot(caches, look, reel, size), nil
}

func filmSpiral(ctx context.Context, rec *session.Recording, f *filmFlags, _ session.Reel, theme palette.Theme, size scene.Size, p *progress) (session.Shot, error) {
	if slices.Contains([]string{"diagram", "barcode", "persistence"}, f.pictured.picture) {
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

func filmHeap(ctx context.Context, rec *session.Recording, f *filmFlags, _ session.Reel, theme palette.Theme, size scene.Size, _ *progress) (session.Shot, error) {
	look := rec.HeapMap(theme, traceio.Seq(f.cycles.from))
	if err := f.heap.apply(ctx, &look); err != nil {
		return nil, err
	}
	return session.HeapShot(look, size), nil
}
