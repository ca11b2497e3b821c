package cli

import (
	"bytes"
	"context"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilm makes the same film twice and looks at it with another decoder.
func TestFilm(t *testing.T) {
	dir := t.TempDir()
	make := func(name string, more ...string) (data []byte, said string) {
		var out, wrong bytes.Buffer
		path := filepath.Join(dir, name)
		args := append([]string{"film", "../../testdata/recordings/bubble-array-sorted.orr", "-o", path, "--to", "30",
			"--speed", "2", "--size", "320x300"}, more...)
		if status := Main(context.Background(), args, Streams{nil, &out, &wrong}, nil); status != Done {
			t.Fatalf("%v: status %d: %s", args, status, wrong.String())
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data, out.String()
	}
	first, said := make("a.gif")
	if want := "a.gif: 15 frames, 0.6 seconds at 25 a second, references 0 to 30, 2 a frame\n"; !strings.HasSuffix(said,
		want) {
		t.Errorf("said %q, want %q", said, want)
	}
	if again, _ := make("b.gif"); !bytes.Equal(first, again) {
		t.Error("the same film gives other bytes")
	}
	g, err := gif.DecodeAll(bytes.NewReader(first))
	if err != nil || len(g.Image) != 15 || g.Config.Width != 320 || g.Config.Height != 300 {
		t.Errorf("%v, %d frames of %d x %d", err, len(g.Image), g.Config.Width, g.Config.Height)
	}
	if light, _ := make("c.gif", "--theme", "light"); bytes.Equal(first, light) {
		t.Error("the light film is the dark one")
	}
}

func TestFilmsThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	for _, row := range []struct {
		args, want string
	}{
		{"-o a.gif --view bars", `--view "bars" is none of cycles, cache, heap, timeline, source`},
		{"", "the film needs a name: FILE.gif, FILE.mp4, or DIRECTORY/ for one PNG a frame"},
		{"-o a.webm", "a film cannot be called a.webm; end the name in .gif or .mp4"},
		{"-o a.gif --fps 3", "unknown flag: --fps"},
		{"-o a.gif --rate 100", "100 frames a second cannot be; a film of this kind has 1 to 50"},
		{"-o a.gif --from 10 --to 10", "the film's span from 10 to 10 is empty; it goes from a reference to a later one"},
		{"-o a.gif --to 1000", "the film's span ends at 1000, beyond the recording's end at"},
		{"-o a.gif --to 10 --count 3", "give --to or --count, not both"},
		{"-o a.gif --speed -1", "a speed of -1 references a frame cannot be"},
		{"-o a.gif --preset big", `there is no cache preset "big"`},
		{"-o a.gif --view spiral --picture barcode", "--picture barcode does not move; film spiral, circle or isomap"},
	} {
		var out, wrong bytes.Buffer
		args := append([]string{"film", "../../testdata/recordings/bubble-array-sorted.orr"},
			strings.Fields(strings.ReplaceAll(row.args, "-o ", "-o "+dir+"/"))...)
		status := Main(context.Background(), args, Streams{nil, &out, &wrong}, nil)
		if said := strings.ReplaceAll(wrong.String(), dir+"/", ""); status != Usage || !strings.Contains(said, row.want) {
			t.Errorf("%s: status %d, %swant %s", row.args, status, said, row.want)
		}
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("%v is left", list)
	}
}
