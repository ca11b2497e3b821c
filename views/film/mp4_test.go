package film

import (
	"bytes"
	"context"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// standIn puts a shell script in ffmpeg's place.
func standIn(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// TestFramesReachTheEncoder: what is piped is the film's pixels, all of them and in order.
func TestFramesReachTheEncoder(t *testing.T) {
	f := sample(7)
	out := filepath.Join(t.TempDir(), "film.mp4")
	standIn(t, `for last; do :; done; cat > "$last"`)
	if err := f.Write(context.Background(), out, nil); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Frames {
		if want := draw(t, f, i).Pix; !bytes.HasPrefix(got, want) {
			t.Fatalf("frame %d does not arrive whole", i)
		} else {
			got = got[len(want):]
		}
	}
	if len(got) > 0 {
		t.Errorf("%d bytes too many", len(got))
	}
}

func TestEncoderThatFails(t *testing.T) {
	out := filepath.Join(t.TempDir(), "film.mp4")
	standIn(t, `echo "first words" >&2; echo "Unknown encoder 'libx264'" >&2; exit 1`)
	if err := sample(12).Write(context.Background(), out, nil); err == nil ||
		err.Error() != "ffmpeg failed: Unknown encoder 'libx264'" {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("half a film is left")
	}
}

// TestMP4 writes a film of odd size with the real encoder and decodes it again.
func TestMP4(t *testing.T) {
	if _, err := encoder(); err != nil {
		t.Fatalf("%v", err)
	}
	f := sample(12) // 121 rows
	out := filepath.Join(t.TempDir(), "film.mp4")
	if err := f.Write(context.Background(), out, nil); err != nil {
		t.Fatal(err)
	}
	raw, err := exec.Command("ffmpeg", "-loglevel", "error", "-i", out, "-f", "rawvideo", "-pix_fmt",
		"rgba", "pipe:1").Output()
	if err != nil {
		t.Fatal(err)
	}
	const w, h = 160, 122
	if len(raw) != 12*w*h*4 {
		t.Fatalf("%d bytes of pixels, want 12 frames of %d x %d", len(raw), w, h)
	}
	for i := range f.Frames {
		got := &image.RGBA{Pix: raw[i*w*h*4:], Stride: 4 * w, Rect: image.Rect(0, 0, 160, 120)}
		want := draw(t, f, i)
		want.Rect = got.Rect
		if d := worst(got, want, 8); d > 12 {
			t.Errorf("frame %d: the mean of a field of 8 x 8 differs by %.1f levels", i, d)
		}
	}
	again := filepath.Join(t.TempDir(), "again.mp4")
	if err := f.Write(context.Background(), again, nil); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(out)
	b, _ := os.ReadFile(again)
	if !bytes.Equal(a, b) {
		t.Error("the same film gives other bytes")
	}
	if probe, err := exec.Command("ffprobe", "-v", "error", "-show_entries", "stream=r_frame_rate,nb_frames", "-of",
		"csv=p=0", out).Output(); err != nil || strings.TrimSpace(string(probe)) != "30/1,12" {
		t.Errorf("the stream is %q (%v), want 12 frames at 30 a second", probe, err)
	}
}
