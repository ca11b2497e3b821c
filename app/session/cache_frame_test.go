package session

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/rings"
	"orrery/views/scene"
	"orrery/views/vector"
)

func cachesOf(t *testing.T, file string, config cachesim.Config) *Caches {
	t.Helper()
	c, err := open(t, "../../testdata/recordings/"+file+".orr").RunCaches(context.Background(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPlayEqualsSeek: whatever was drawn before, the frame of a moment is the one that somebody who comes there at once
// gets: the same display list for the same (t, tail, N).
func TestPlayEqualsSeek(t *testing.T) {
	size := scene.Size{W: 500, H: 420, Scale: 1}
	r := rand.New(rand.NewPCG(3, 1))
	for _, row := range []struct {
		file   string
		config cachesim.Config
	}{
		{"matmul-standard", preset(t, "default")},
		{"sort-merge", preset(t, "zen3")},
		{"sharing-packed", preset(t, "example").WithCores(3)},
	} {
		c := cachesOf(t, row.file, row.config)
		var played Frames
		for range 16 {
			at := traceio.Seq(r.Uint64N(uint64(c.Len())))
			if r.IntN(2) == 0 {
				at = played.loaded.At + traceio.Seq(r.IntN(3)) // plays on
			}
			look := CacheLook{Tail: []int{0, 4, 64}[r.IntN(3)], Speed: 1 << r.IntN(5), Mean: 20 + 80*r.IntN(2), Core: r.IntN(3)}
			if r.IntN(3) == 0 {
				look.Weights = simulator.DefaultWeights(c.Config())
				look.Weights[r.IntN(len(look.Weights))].Miss = -9
			}
			frac := float64(r.IntN(5)) / 4
			var fresh Frames
			got, err1 := played.Frame(c, look, palette.Dark(), at, frac)
			want, err2 := fresh.Frame(c, look, palette.Dark(), at, frac)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if !bytes.Equal(vector.SVG(rings.Scene(got, size)), vector.SVG(rings.Scene(want, size))) {
				t.Fatalf("%s: the frame of %d + %g with %+v depends on what was drawn before", row.file, at, frac, look)
			}
		}
	}
}

// TestFramesOfCores: the picture shows the caches of the core that makes the reference, or of the one that was chosen,
// and only that core's references.
func TestFramesOfCores(t *testing.T) {
	c := cachesOf(t, "sharing-packed", preset(t, "default").WithCores(4))
	seen := map[string]bool{}
	for at := traceio.Seq(0); at < c.Len(); at += 4001 {
		a, err := c.Of.At(at)
		if err != nil {
			t.Fatal(err)
		}
		for core := range 5 {
			var f Frames
			s, err := f.Frame(c, CacheLook{Mean: 100, Core: core}, palette.Dark(), at, 1)
			if err != nil {
				t.Fatal(err)
			}
			want := c.Config().Core(a.Thread)
			if core > 0 {
				want = core - 1
			}
			if name := s.Levels[0].Name; !strings.HasSuffix(name, "#"+string(rune('0'+want))) {
				t.Fatalf("reference %d of thread %d with core %d shows %s", at, a.Thread, core, name)
			}
			for _, ref := range s.Refs {
				if c.Config().Core(ref.Thread) != want {
					t.Fatalf("reference %d of another core is in the picture of core %d", ref.Seq, want)
				}
			}
			seen[s.Levels[0].Name] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("caches of %v were shown, want those of four cores", seen)
	}
}
