package film

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os/exec"
	"strconv"
	"strings"
)

// ErrNoEncoder says that there is nothing to make an MP4 with.
var ErrNoEncoder = errors.New("MP4 needs the program ffmpeg, which is not installed: sudo apt-get install -y ffmpeg; " +
	"GIF and PNG need nothing")

// encoder is the path of ffmpeg.
func encoder() (string, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return "", ErrNoEncoder
	}
	return path, nil
}

// arguments are those of ffmpeg for raw frames on its standard input: H.264 at visually lossless quality, in the
// colours of ordinary video, so that every player shows it. Half the colour samples are dropped in each direction, as
// those players expect, which asks for even sides: an odd last row or column is repeated.
func arguments(w, h, rate int, out string) []string {
	return []string{"-hide_banner", "-loglevel", "error", "-y",
		"-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", w, h), "-framerate",
		strconv.Itoa(rate), "-i", "pipe:0",
		"-an", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0,fillborders=right=" + strconv.Itoa(w%2) + ":bottom=" +
			strconv.Itoa(h%2) + ":mode=smear,scale=out_color_matrix=bt709:out_range=tv",
		"-c:v", "libx264", "-preset", "medium", "-crf", "16", "-pix_fmt", "yuv420p",
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
		"-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart", "-f", "mp4", out}
}

// writeMP4 pipes the frames through ffmpeg.
func (f Film) writeMP4(ctx context.Context, out string, report func(done, total int64)) error {
	path, err := encoder()
	if err != nil {
		return err
	}
	w, h := f.pixels()
	var said bytes.Buffer
	run := exec.CommandContext(ctx, path, arguments(w, h, f.Rate, out)...)
	run.Stderr = &said
	in, err := run.StdinPipe()
	if err != nil {
		return err
	}
	switch err := run.Start(); {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("starting ffmpeg: %w", err)
	}
	err = f.each(ctx, f.Frames, all, func(i int, pixels *image.RGBA) error {
		if _, err := in.Write(pixels.Pix); err != nil {
			return fmt.Errorf("ffmpeg takes no more frames after %d", i)
		}
		report(int64(i+1), int64(f.Frames))
		return nil
	})
	in.Close()
	ended := run.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case ended != nil && said.Len() > 0:
		return fmt.Errorf("ffmpeg failed: %s", lastLine(said.String()))
	case ended != nil:
		return fmt.Errorf("ffmpeg failed: %w", ended)
	}
	return err
}

// lastLine is where ffmpeg says what stopped it.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
