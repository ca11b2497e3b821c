// Package film writes a moving picture: every frame is a drawing that is a function of its number alone, so that a film
// is the same bytes whenever it is made. In: the drawings; out: a GIF or a sequence of PNG files, made here, or an MP4,
// for which ffmpeg is run.
//
// A GIF has at most 256 colours. They are chosen from the film itself (colors.go), with the colours of large flat areas
// kept exact, and what lies between two of them is mixed by an ordered pattern (mix.go) that stays where it is from
// frame to frame: gradients show no bands, nothing flickers, and what does not change is not written again (gif.go).
package film

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"

	"orrery/traceio/tempfile"
	"orrery/views/raster"
	"orrery/views/scene"
)

// Film is what is to be written. Draw gives frame i, 0 <= i < Frames; it is called from one goroutine, in any order,
// and its drawings have the film's Size.
type Film struct {
	Size   scene.Size // units, and device pixels for each
	Rate   int        // frames a second
	Frames int
	Draw   func(i int) (scene.Drawing, error)
}

// Limits of a film. A longer one is a mistake in its speed more often than a wish, and no player shows more than
// MaxRate of anything evenly.
const (
	MaxFrames  = 36_000 // twenty minutes at 30 a second
	MaxRate    = 60
	maxGIFRate = 50 // a GIF counts hundredths of a second, and players take a delay of one for a mistake
	maxPixels  = 1 << 23
)

// Format is what a film is written as.
type Format string

// The formats.
const (
	GIF Format = "gif" // .gif
	MP4 Format = "mp4" // .mp4
	PNG Format = "png" // a directory, one file a frame
)

// FormatOf is the format that the name of the output asks for.
func FormatOf(out string) (Format, error) {
	switch ext := strings.ToLower(filepath.Ext(out)); {
	case out == "":
		return "", fmt.Errorf("the film needs a name: FILE.gif, FILE.mp4, or DIRECTORY/ for one PNG a frame")
	case strings.HasSuffix(out, "/") || isDir(out):
		return PNG, nil
	case ext == ".gif":
		return GIF, nil
	case ext == ".mp4":
		return MP4, nil
	}
	return "", fmt.Errorf("a film cannot be called %s; end the name in .gif or .mp4, or in / for a directory of PNG files",
		out)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Check refuses what cannot be written under this name, before anything is drawn.
func (f Film) Check(out string) error {
	format, err := FormatOf(out)
	if err != nil {
		return err
	}
	w, h := f.pixels()
	most := MaxRate
	if format == GIF {
		most = maxGIFRate
	}
	switch {
	case f.Frames < 1:
		return fmt.Errorf("the film has no frame; its span of time is empty")
	case f.Frames > MaxFrames:
		return fmt.Errorf("the film would have %d frames; at most %d are written: raise its speed or shorten its span",
			f.Frames, MaxFrames)
	case f.Rate < 1 || f.Rate > most:
		return fmt.Errorf("%d frames a second cannot be; a film of this kind has 1 to %d", f.Rate, most)
	case w < 16 || h < 16 || w*h > maxPixels || w > 1<<14 || h > 1<<14:
		return fmt.Errorf("a film of %d x %d pixels cannot be; at least 16 x 16, and at most %d million pixels",
			w, h, maxPixels>>20)
	case format == MP4:
		_, err = encoder()
	}
	return err
}

// pixels is the size of a frame.
func (f Film) pixels() (w, h int) {
	round := func(v float64) int {
		if v *= f.Size.Scale; !(v > 0) { // or not a number
			return 0
		}
		return int(min(v, 1<<20) + 0.5)
	}
	return round(f.Size.W), round(f.Size.H)
}

// Write makes the film and writes it under a name whose ending says the format. What was there is replaced only once
// the film is whole; after an error or when ctx ends nothing is left behind. report is called with frames.
func (f Film) Write(ctx context.Context, out string, report func(done, total int64)) error {
	if err := ctx.Err(); err != nil { // before anything is made
		return err
	}
	if err := f.Check(out); err != nil {
		return err
	}
	if report == nil {
		report = func(done, total int64) {}
	}
	format, err := FormatOf(out)
	if err != nil {
		return err
	}
	switch format {
	case PNG:
		return f.writeStills(ctx, out, report)
	case MP4:
		return replace(out, func(part string) error { return f.writeMP4(ctx, part, report) })
	}
	return replace(out, func(part string) error { return f.writeGIF(ctx, part, report) })
}

// replace lets write fill a neighbour of the file, which takes the file's place when that went well.
func replace(out string, write func(part string) error) error {
	part, err := tempfile.Named(out, 0o666)
	if err != nil {
		return err
	}
	defer part.Discard()
	if err := write(part.Path()); err != nil {
		return err
	}
	return part.Place()
}

// each draws frames 0 to n-1 of those that pick numbers and gives their pixels to use, which runs while the next frame
// is drawn and owns the pixels until it returns.
func (f Film) each(ctx context.Context, n int, pick func(k int) int, use func(k int, pixels *image.RGBA) error) error {
	type frame struct {
		pixels *image.RGBA
		err    error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	drawn, free := make(chan frame), make(chan *image.RGBA, 2)
	free <- nil
	free <- nil
	go func() {
		defer close(drawn)
		for k := range n {
			var got frame
			select {
			case <-ctx.Done():
				return
			case got.pixels = <-free:
			}
			d, err := f.Draw(pick(k))
			if got.err = err; err == nil {
				got.pixels = raster.Render(d, f.Size.Scale, got.pixels)
				if w, h := f.pixels(); got.pixels.Rect != image.Rect(0, 0, w, h) {
					got.err = fmt.Errorf("it has %v pixels, not %d x %d", got.pixels.Rect.Size(), w, h)
				}
			}
			select {
			case <-ctx.Done():
				return
			case drawn <- got:
			}
			if err != nil {
				return
			}
		}
	}()
	k := 0
	for got := range drawn {
		if got.err != nil {
			return fmt.Errorf("drawing frame %d: %w", pick(k), got.err)
		}
		if err := use(k, got.pixels); err != nil {
			cancel()
			for range drawn { // until it has heard
			}
			return err
		}
		free <- got.pixels
		k++
	}
	return ctx.Err()
}

// all numbers every frame.
func all(k int) int { return k }
