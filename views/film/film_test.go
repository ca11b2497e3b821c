package film

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	other "image/gif"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
)

// sample is a film like those of the cache rings: a soft glow on the dark ground that changes, a disc that moves, words
// that stay.
func sample(frames int) Film {
	theme := palette.Dark()
	size := scene.Size{W: 160, H: 121, Scale: 1}
	return Film{Size: size, Rate: 30, Frames: frames, Draw: func(i int) (scene.Drawing, error) {
		t := float64(i) / float64(max(1, frames-1))
		d := scene.Drawing{Size: size, Background: theme.Panel}
		d.Add(scene.Glow{Center: scene.Point{X: 80, Y: 60}, Outer: 75,
			Color: palette.Alpha(palette.Diverging(theme, 2*t-1), 0.7)})
		d.Add(scene.Discs{Centers: []scene.Point{{X: 20 + 120*t, Y: 60}}, Radii: []float64{5},
			Colors: []color.NRGBA{theme.Miss}})
		d.Add(scene.Text{At: scene.Point{X: 6, Y: 16}, Size: 12, Color: theme.Text, S: "L1 and L2"})
		return d, nil
	}}
}

// play decodes a GIF with the standard library and puts its frames together as a player does.
func play(t *testing.T, data []byte) (*other.GIF, []*image.RGBA) {
	t.Helper()
	g, err := other.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	screen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	var out []*image.RGBA
	for _, p := range g.Image {
		for y := p.Rect.Min.Y; y < p.Rect.Max.Y; y++ {
			for x := p.Rect.Min.X; x < p.Rect.Max.X; x++ {
				if c := p.At(x, y); c != (color.RGBA{}) {
					screen.Set(x, y, c)
				}
			}
		}
		frame := *screen
		frame.Pix = slices.Clone(screen.Pix)
		out = append(out, &frame)
	}
	return g, out
}

func encode(t *testing.T, f Film) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.EncodeGIF(context.Background(), &b, func(_, _ int64) {}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func draw(t *testing.T, f Film, i int) *image.RGBA {
	t.Helper()
	d, err := f.Draw(i)
	if err != nil {
		t.Fatal(err)
	}
	return raster.Render(d, f.Size.Scale, nil)
}

// TestGIFIsTheFilm decodes what was written with another decoder: every frame is the drawing, pixel by pixel within the
// mix of two neighbouring colours, and without any difference in the mean of small fields.
func TestGIFIsTheFilm(t *testing.T) {
	f := sample(14)
	data := encode(t, f)
	g, frames := play(t, data)
	if len(frames) != f.Frames || g.LoopCount != 0 {
		t.Fatalf("%d frames that repeat %d times, want %d without end", len(frames), g.LoopCount, f.Frames)
	}
	total := 0
	for _, d := range g.Delay {
		total += d
	}
	if want := int(100*float64(f.Frames)/float64(f.Rate) + 0.5); total != want {
		t.Errorf("the film lasts %d hundredths of a second, want %d", total, want)
	}
	for i, got := range frames {
		want := draw(t, f, i)
		if got.Rect != want.Rect {
			t.Fatalf("frame %d is %v, want %v", i, got.Rect, want.Rect)
		}
		if d := worst(got, want, 1); d > 40 {
			t.Errorf("frame %d: a pixel differs by %.1f levels", i, d)
		}
		if d := worst(got, want, 8); d > 4 {
			t.Errorf("frame %d: the mean of a field of 8 x 8 differs by %.2f levels", i, d)
		}
	}
	if !bytes.Equal(data, encode(t, f)) {
		t.Error("the same film gives other bytes")
	}
}

// worst is the largest difference of a channel's mean over fields of n x n pixels.
func worst(a, b *image.RGBA, n int) float64 {
	most := 0.0
	for y := 0; y+n <= a.Rect.Dy(); y += n {
		for x := 0; x+n <= a.Rect.Dx(); x += n {
			for k := range 3 {
				sum := 0
				for v := range n {
					for u := range n {
						at := (y+v)*a.Stride + 4*(x+u) + k
						sum += int(a.Pix[at]) - int(b.Pix[at])
					}
				}
				most = max(most, math.Abs(float64(sum))/float64(n*n))
			}
		}
	}
	return most
}

// TestGroundIsExact: large flat areas keep their colour to the bit.
func TestGroundIsExact(t *testing.T) {
	f := sample(8)
	_, frames := play(t, encode(t, f))
	want := palette.Dark().Panel
	for i, got := range frames {
		if c := got.RGBAAt(1, 119); c != (color.RGBA{want.R, want.G, want.B, 255}) {
			t.Fatalf("frame %d: the ground is %v, want %v", i, c, want)
		}
	}
}

// TestStillnessCostsNothing: a frame that changes nothing takes a few bytes, and still its time.
func TestStillnessCostsNothing(t *testing.T) {
	f := sample(1)
	first := f.Draw
	f.Draw = func(int) (scene.Drawing, error) { return first(0) }
	one := len(encode(t, f))
	f.Frames, f.Rate = 11, 25
	data := encode(t, f)
	if more := (len(data) - one) / 10; more > 40 {
		t.Errorf("a frame without change takes %d bytes", more)
	}
	g, frames := play(t, data)
	if len(frames) != 11 || g.Delay[5] != 4 {
		t.Errorf("%d frames of %d hundredths, want 11 of 4", len(frames), g.Delay[5])
	}
}

func TestStills(t *testing.T) {
	f := sample(3)
	dir := filepath.Join(t.TempDir(), "frames") + "/"
	if err := f.Write(context.Background(), dir, nil); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		file, err := os.Open(filepath.Join(dir, []string{"frame-00000.png", "frame-00001.png", "frame-00002.png"}[i]))
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		if want := draw(t, f, i); !bytes.Equal(got.(*image.RGBA).Pix, want.Pix) {
			t.Errorf("frame %d is not the drawing", i)
		}
	}
	if err := f.Write(context.Background(), dir, nil); err == nil ||
		!strings.Contains(err.Error(), "is not empty (it holds frame-00000.png); name a new one") {
		t.Errorf("frames of two films would mix: %v", err)
	}
}

func TestFramesHaveTheFilmsSize(t *testing.T) {
	f := sample(3)
	f.Size.W = 161
	if err := f.EncodeGIF(context.Background(), &bytes.Buffer{}, nil); err == nil ||
		err.Error() != "drawing frame 0: it has (160,121) pixels, not 161 x 121" {
		t.Errorf("error %v", err)
	}
}

// TestNothingIsLeftBehind: a film that fails or is cancelled leaves what was there before, and nothing else.
func TestNothingIsLeftBehind(t *testing.T) {
	old, ctx := []byte("an older film"), context.Background()
	stopped, stop := context.WithCancel(ctx)
	broken := sample(10)
	whole := broken.Draw
	broken.Draw = func(i int) (scene.Drawing, error) {
		if i == 7 {
			return scene.Drawing{}, errors.New("the recording is cut")
		}
		return whole(i)
	}
	cancelled := sample(10)
	cancelled.Draw = func(i int) (scene.Drawing, error) {
		if i == 7 {
			stop()
		}
		return whole(i)
	}
	for _, row := range []struct {
		name string
		f    Film
		ctx  context.Context
		want string
	}{
		{"a frame fails", broken, ctx, "drawing frame 7: the recording is cut"},
		{"cancelled", cancelled, stopped, "context canceled"},
	} {
		for _, out := range []string{"old.gif", "new.gif", "new.mp4", "frames/"} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "old.gif"), old, 0o644); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(out, "mp4") {
				standIn(t, "cat > /dev/null")
			}
			err := row.f.Write(row.ctx, filepath.Join(dir, out)+strings.Repeat("/", strings.Count(out, "/")), nil)
			if err == nil || err.Error() != row.want {
				t.Errorf("%s, %s: %v, want %s", row.name, out, err, row.want)
			}
			list, _ := os.ReadDir(dir)
			if data, _ := os.ReadFile(filepath.Join(dir, "old.gif")); len(list) != 1 || !bytes.Equal(data, old) {
				t.Errorf("%s, %s: %v is left, the old film has %d bytes", row.name, out, list, len(data))
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	f := sample(10)
	change := func(g func(f *Film)) Film { c := f; g(&c); return c }
	t.Setenv("PATH", t.TempDir())
	for _, row := range []struct {
		f    Film
		out  string
		want string
	}{
		{f, "", "the film needs a name: FILE.gif, FILE.mp4, or DIRECTORY/ for one PNG a frame"},
		{f, "film.avi",
			"a film cannot be called film.avi; end the name in .gif or .mp4, or in / for a directory of PNG files"},
		{f, "film.mp4", "MP4 needs the program ffmpeg, which is not installed: sudo apt-get install -y ffmpeg; GIF and PNG " +
			"need nothing"},
		{change(func(f *Film) { f.Frames = 0 }), "a.gif", "the film has no frame; its span of time is empty"},
		{change(func(f *Film) { f.Frames = 40_000 }), "a.gif",
			"the film would have 40000 frames; at most 36000 are written: raise its speed or shorten its span"},
		{change(func(f *Film) { f.Rate = 60 }), "a.gif", "60 frames a second cannot be; a film of this kind has 1 to 50"},
		{change(func(f *Film) { f.Rate = 0 }), "a/", "0 frames a second cannot be; a film of this kind has 1 to 60"},
		{change(func(f *Film) { f.Size.W = 3 }), "a.gif",
			"a film of 3 x 121 pixels cannot be; at least 16 x 16, and at most 8 million pixels"},
		{change(func(f *Film) { f.Size.W, f.Size.H = math.Inf(1), math.NaN() }), "a.gif",
			"a film of 1048576 x 0 pixels cannot be; at least 16 x 16, and at most 8 million pixels"},
	} {
		if err := row.f.Check(row.out); err == nil || err.Error() != row.want {
			t.Errorf("%d frames as %q: %v, want %s", row.f.Frames, row.out, err, row.want)
		}
	}
}
