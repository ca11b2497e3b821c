package curve

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

var room = scene.Size{W: 640, H: 480, Scale: 1}

// TestSizesAreWhereTheyAreDrawn: pointing at a level's mark gives its size, and tells what it does.
func TestSizesAreWhereTheyAreDrawn(t *testing.T) {
	for _, log := range []bool{false, true} {
		s := example(palette.Dark())
		s.Log = log
		g := place(&s, room)
		for _, l := range s.Levels {
			hit := Hit(s, room, scene.Point{X: g.x(l.Bytes), Y: g.plot.Center().Y})
			if hit.Bytes != l.Bytes || hit.Word != -1 || !strings.Contains(strings.Join(hit.Lines, "\n"),
				l.Name+" as it is, 8 ways of 64 B") {
				t.Errorf("at the mark of %s: %+v", l.Name, hit)
			}
		}
	}
}

// TestSnapGivesCachesThatCanBe: sizes are whole blocks, near where was pointed, and powers of two where those are near.
func TestSnapGivesCachesThatCanBe(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		bytes, block := math.Exp2(5+25*r.Float64()), uint64(1)<<r.IntN(8)
		got := snap(bytes, block)
		if got%block != 0 || got == 0 {
			t.Fatalf("%g bytes snap to %d, which are no blocks of %d", bytes, got, block)
		}
		if bytes > 4*float64(block) && math.Abs(math.Log2(float64(got)/bytes)) > 0.35 {
			t.Fatalf("%g bytes snap to %d", bytes, got)
		}
	}
	if got := snap(33_000, 64); got != 32<<10 {
		t.Errorf("33000 bytes snap to %d", got)
	}
}

// TestStripsShowEverySet: at every width each set has its place, and the fullest of a column is the one that is told.
func TestStripsShowEverySet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 25 {
		sets := make([]Set, 1<<r.IntN(13))
		for i := range sets {
			sets[i] = Set{Requests: r.Uint64N(1000), Blocks: r.Uint64N(50), Misses: r.Uint64N(500)}
		}
		at := scene.R(50, 10, 5+r.Float64()*900, 30)
		for _, by := range []Measure{Requests, Blocks, Misses, Conflicts} {
			next, x := 0, at.Min.X
			for _, b := range bars(sets, by, at) {
				if b.from != next || b.to <= b.from || math.Abs(b.x0-x) > 1e-6 {
					t.Fatalf("%d sets in %g: a column holds %d to %d after %d", len(sets), at.W(), b.from, b.to, next)
				}
				sum, most := uint64(0), uint64(0)
				for _, s := range sets[b.from:b.to] {
					sum, most = sum+by.of(s), max(most, by.of(s))
				}
				if b.most != most || by.of(sets[b.fullest]) != most || math.Abs(b.mean*float64(b.to-b.from)-float64(sum)) > 1e-6 {
					t.Fatalf("a column of %d sets: %+v, want %d at most and %d in all", b.to-b.from, b, most, sum)
				}
				next, x = b.to, b.x1
			}
			if next != len(sets) || math.Abs(x-at.Max.X) > 1e-6 {
				t.Fatalf("%d of %d sets are drawn", next, len(sets))
			}
		}
	}
}

// TestPressingWhatIsDrawn: choosers choose, sets are things, and pressing twice changes nothing more.
func TestPressingWhatIsDrawn(t *testing.T) {
	s := example(palette.Light())
	words, things := map[int]bool{}, map[link.Thing]bool{}
	for y := 0.0; y < room.H; y += 6 {
		for x := 0.0; x < room.W; x += 4 {
			hit := Hit(s, room, scene.Point{X: x, Y: y})
			if hit.Word >= 0 {
				words[hit.Word] = true
				if once := Choose(s, hit.Word); once.By != Choose(once, hit.Word).By || once.Log != Choose(once, hit.Word).Log {
					t.Errorf("word %d", hit.Word)
				}
			}
			if hit.Thing.What != link.Nothing {
				things[hit.Thing] = true
			}
			if (hit.Word >= 0 || hit.Bytes > 0 || hit.Thing.What != link.Nothing) != (len(hit.Lines) > 0) {
				t.Fatalf("at %g, %g: %+v", x, y, hit)
			}
		}
	}
	if len(words) != 2+len(Measures) {
		t.Errorf("words %v can be pressed", words)
	}
	if !things[link.Thing{What: link.Set, Name: "L1D", ID: 21}] {
		t.Errorf("set 21 of L1D cannot be pointed at among %d", len(things))
	}
}

func TestPercent(t *testing.T) {
	for v, want := range map[float64]string{0: "0 %", 1: "100 %", 0.125: "12.5 %", 0.025: "2.5 %", 0.004: "0.4 %",
		0.00033: "0.033 %", 0.0999: "9.99 %", 0.5: "50 %"} {
		if got := percent(v); got != want {
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
}

// TestEverySizeDraws: no room is too small, no state too odd.
func TestEverySizeDraws(t *testing.T) {
	odd := State{Theme: palette.Dark(), Lines: []Line{{Points: []Point{{64, 0}}}, {Ways: 2}},
		Levels: []Level{{Name: "L1", Bytes: 64, Sets: make([]Set, 1)}}}
	for _, s := range []State{example(palette.Dark()), odd} {
		for _, w := range []float64{1, 20, 120, 300, 1600} {
			for _, h := range []float64{1, 30, 150, 300, 900} {
				size := scene.Size{W: w, H: h, Scale: 1}
				for _, shape := range Scene(s, size).Shapes {
					if text, ok := shape.(scene.Text); ok && (math.IsNaN(text.At.X) || math.IsNaN(text.At.Y)) {
						t.Fatalf("%v: %q is nowhere", size, text.S)
					}
				}
				Hit(s, size, scene.Point{X: w / 2, Y: h / 2})
			}
		}
	}
}

// TestLegendFits: however narrow the pane is, the legend stays in it, the fully associative cache is named as long as
// anything is, and every line where there is room.
func TestLegendFits(t *testing.T) {
	s := example(palette.Dark())
	for end := 0.0; end <= 640; end += 10 {
		_, named, x := s.legend(end)
		if x < 4 && len(named) > 0 {
			t.Errorf("up to %g the legend of %v begins at %g", end, named, x)
		}
		if len(named) > 0 && named[0] != 0 || len(named) == 0 && end > 100 || len(named) < len(s.Lines) && end > 500 {
			t.Errorf("up to %g the legend names %v of %d lines", end, named, len(s.Lines))
		}
	}
}
