package film

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestNearestColour compares the search among a cell's candidates with one among all entries.
func TestNearestColour(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 6 {
		var colors []rgb
		for range 1 + r.IntN(clear) {
			colors = append(colors, rgb(r.IntN(1<<24)))
		}
		m := newMixer(colors)
		for range 400 {
			c := rgb(r.IntN(1 << 24))
			if r.IntN(4) == 0 {
				c = colors[r.IntN(len(colors))]
			}
			least := math.Inf(1)
			for _, q := range m.at {
				least = min(least, distance(c.channels(), q))
			}
			got := m.find(c)
			if d := distance(c.channels(), m.at[got.main]); d != least {
				t.Fatalf("%06x is told to be %g from the nearest of %d, which is %g away", c, d, len(colors), least)
			}
			if got.share > 32 || least == 0 && got.share > 0 {
				t.Fatalf("%06x has %d parts of 64 of another colour", c, got.share)
			}
		}
	}
}

// TestPatternMixesEvenly: in the pattern every share of a colour covers as much as it should.
func TestPatternMixesEvenly(t *testing.T) {
	for share := range 65 {
		n := 0
		for _, row := range bayer {
			for _, v := range row {
				if int(v) < share {
					n++
				}
			}
		}
		if n != share {
			t.Errorf("%d of 64 cover %d", share, n)
		}
	}
}
