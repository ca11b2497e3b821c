package session

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/rings"
	"orrery/views/scene"
	"orrery/views/vector"
)

// TestReelsGoThroughTheirSpan: the moments of any reel go forward evenly, stay inside the span and end at its end.
func TestReelsGoThroughTheirSpan(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 300 {
		from := traceio.Seq(r.IntN(1000))
		reel := Reel{From: from, To: from + 1 + traceio.Seq(r.IntN(3000)), Speed: math.Exp(r.Float64()*9 - 3), Rate: 25}
		n, before := reel.Frames(), float64(from)
		for i := range n {
			m := reel.Moment(i)
			at := float64(m.At) + m.Part
			if m.At < reel.From || m.At >= reel.To || m.Part <= 0 || m.Part > 1 || at <= before-1e-6 &&
				reel.Speed < 1 || at < before {
				t.Fatalf("%+v: frame %d is at %v after %g", reel, i, m, before)
			}
			if step := at - before; reel.Speed < 1 && step > reel.Speed+1e-6 || reel.Speed >= 1 &&
				step > math.Ceil(reel.Speed)+1e-6 {
				t.Fatalf("%+v: frame %d goes %g references on", reel, i, step)
			}
			before = at
		}
		if before != float64(reel.To) {
			t.Fatalf("%+v: %d frames end at %g", reel, n, before)
		}
		if m := reel.Moment(n - 1); n > 1 && (m.Share != 1 || reel.Moment(0).Share != 0) {
			t.Fatalf("%+v: shares go from %g to %g", reel, reel.Moment(0).Share, m.Share)
		}
	}
}

func TestSuggestedSpeeds(t *testing.T) {
	for _, row := range []struct {
		span traceio.Seq
		want float64
	}{{1, 0.2}, {75, 0.2}, {76, 0.5}, {300, 1}, {375, 1}, {376, 2}, {1000, 5}, {3750, 10}, {28_928, 100},
		{100_000_000, 500_000}} {
		r := Reel{To: row.span, Rate: 25}
		if r.Speed = r.Suggested(); r.Speed != row.want {
			t.Errorf("%d references at %g a frame, want %g", row.span, r.Speed, row.want)
		}
		if n := r.Frames(); n > 15*25 || row.span > 75 && n < 100 {
			t.Errorf("%d references make %d frames", row.span, n)
		}
	}
}

func TestReelsThatCannotBe(t *testing.T) {
	for _, row := range []struct {
		r    Reel
		want string
	}{
		{Reel{From: 5, To: 5, Speed: 1, Rate: 25}, "the film's span from 5 to 5 is empty"},
		{Reel{To: 101, Speed: 1, Rate: 25}, "the film's span ends at 101, beyond the recording's end at 100"},
		{Reel{To: 100, Speed: 0, Rate: 25}, "a speed of 0 references a frame cannot be"},
		{Reel{To: 100, Speed: math.NaN(), Rate: 25}, "a speed of NaN references a frame cannot be"},
		{Reel{To: 100, Speed: 0.002, Rate: 25},
			"the film would have 50000 frames; at a speed of 0.5 references a frame it lasts 8 seconds"},
	} {
		if err := row.r.Check(100); err == nil || !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %s", row.r, err, row.want)
		}
	}
}

// TestFramesArePureFunctionsOfTime: a frame drawn alone is the frame that the film has there, whatever was drawn before
// it.
func TestFramesArePureFunctionsOfTime(t *testing.T) {
	rec, err := Load(context.Background(), "../../testdata/recordings/matmul-blocked.orr", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	config, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	caches, err := rec.RunCaches(context.Background(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	size := scene.Size{W: 300, H: 300, Scale: 1}
	look := rings.State{Theme: palette.Dark(), Tail: 8, Mean: 50, Regions: rec.RingRegions(palette.Dark(), nil)}
	for _, speed := range []float64{0.25, 1, 16} {
		reel := Reel{From: 3000, To: 3000 + traceio.Seq(24*speed), Speed: speed, Rate: 25}
		film := reel.Film(size, rec.RingsShot(caches, look, reel, size))
		var forward [][]byte
		for i := range film.Frames {
			d, err := film.Draw(i)
			if err != nil {
				t.Fatal(err)
			}
			forward = append(forward, vector.SVG(d))
		}
		for i := film.Frames - 1; i >= 0; i-- {
			d, err := film.Draw(i)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(vector.SVG(d), forward[i]) {
				t.Fatalf("speed %g: frame %d depends on what was drawn before", speed, i)
			}
		}
	}
}
