package session

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"orrery/cachesim"
	"orrery/views/palette"
)

func side(t *testing.T, file, preset string) Side {
	t.Helper()
	config, err := cachesim.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	return Side{Name: file + " in " + preset, Of: open(t, "../../testdata/recordings/"+file+".orr"), Config: config}
}

func compared(t *testing.T, a, b Side) *Comparison {
	t.Helper()
	c, err := CompareCaches(context.Background(), a, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestComparisonAddsUp: over all lines, and over all regions, references and misses are those of the levels, and their
// time is that of the levels' misses.
func TestComparisonAddsUp(t *testing.T) {
	for _, pair := range [][2]Side{
		{side(t, "matmul-standard", "default"), side(t, "matmul-blocked", "default")},
		{side(t, "sort-merge", "default"), side(t, "sort-merge", "desktop")},
	} {
		c := compared(t, pair[0], pair[1])
		for i, s := range c.Sides {
			whole, err := s.Of.Simulate(context.Background(), s.Config, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			time := 0.0
			for k, level := range way(s.Config) {
				if got := c.Levels[k].Misses[i]; got != whole.Levels[level].Misses() {
					t.Errorf("%s: %d misses in level %d, want %d", s.Name, got, k, whole.Levels[level].Misses())
				}
				time += float64(whole.Levels[level].Misses()) * latency(s.Config, s.Config.Next(level))
			}
			for name, list := range map[string][]Change{"lines": c.Lines, "regions": c.Regions} {
				var refs uint64
				misses, sum := make([]uint64, len(c.Levels)), 0.0
				for _, r := range list {
					refs += r.References[i]
					sum += r.Time[i]
					for k, n := range r.Misses[i] {
						misses[k] += n
					}
				}
				for k := range misses {
					if misses[k] != c.Levels[k].Misses[i] {
						t.Errorf("%s: the %s miss %d times in level %d, want %d", s.Name, name, misses[k], k, c.Levels[k].Misses[i])
					}
				}
				if refs != uint64(s.Of.Len()) || math.Abs(sum-time) > 1e-6*time {
					t.Errorf("%s: the %s make %d references and wait %v ns, want %d and %v", s.Name, name, refs, sum, s.Of.Len(), time)
				}
			}
		}
		for _, list := range [][]Change{c.Lines, c.Regions} {
			for k := 1; k < len(list); k++ {
				if math.Abs(list[k].Delta()) > math.Abs(list[k-1].Delta()) {
					t.Errorf("%s changes more than %s, which comes before it", list[k].Key, list[k-1].Key)
				}
			}
		}
	}
}

// TestComparisonInWords: the paper's transposed multiplication misses far less, and the words say by how much and
// where.
func TestComparisonInWords(t *testing.T) {
	a, b := side(t, "matmul-standard", "default"), side(t, "matmul-transposed", "default")
	a.Name, b.Name = "standard", "transposed"
	text := strings.Join(compared(t, a, b).Words(), "\n")
	for _, want := range []string{
		"L1D misses 4 930 times in standard and 1 154 times in transposed, 76.6 % fewer.",
		"An access takes 1.74 ns in standard and 1.42 ns in transposed on average, 18.2 % less.",
		"The region that changes most is B: it waits 12 288 ns less, with 3 072 fewer misses in L1D.",
		"Line matmul.c:16 runs in standard only: it waits 28 928 ns, with 4 672 misses in L1D.",
		"Line matmul.c:29 runs in transposed only: it waits 14 592 ns, with 1 088 misses in L1D.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the words lack %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "The line that changes most") {
		t.Errorf("a line that only one of the runs executes has changed:\n%s", text)
	}
	same := strings.Join(compared(t, a, a).Words(), "\n")
	if !strings.Contains(same, "the same") || strings.Contains(same, "changes most") {
		t.Errorf("a run compared with itself: %s", same)
	}
	more := strings.Join(compared(t, a, side(t, "matmul-standard", "desktop")).Words(), "\n")
	if !strings.Contains(more, "has L3, which misses 98 times.") {
		t.Errorf("a hierarchy with one level more: %s", more)
	}
}

// TestWhatBothHaveIsSaidFirst: of lines and regions that both runs have the change is told, of others what they cost
// where they are.
func TestWhatBothHaveIsSaidFirst(t *testing.T) {
	config := cachesim.Config{Memory: cachesim.MainMemory{Latency: 10}}
	c := &Comparison{Sides: [2]Side{{Name: "old", Config: config}, {Name: "new", Config: config}},
		Levels: []LevelChange{{Names: [2]string{"L1", "L1"}}}}
	change := func(key string, refs [2]uint64, misses [2]uint64) Change {
		ch := Change{Key: key, References: refs, Misses: [2][]uint64{{misses[0]}, {misses[1]}}}
		ch.Time = [2]float64{10 * float64(misses[0]), 10 * float64(misses[1])}
		return ch
	}
	c.Lines = []Change{
		change("a.c:1", [2]uint64{100, 0}, [2]uint64{90, 0}),
		change("a.c:2", [2]uint64{0, 100}, [2]uint64{0, 1}),
		change("a.c:3", [2]uint64{0, 100}, [2]uint64{0, 1}),
		change("a.c:4", [2]uint64{100, 100}, [2]uint64{9, 4}),
		change("a.c:5", [2]uint64{100, 100}, [2]uint64{0, 4}),
		change("a.c:6", [2]uint64{100, 100}, [2]uint64{4, 4}),
		change("a.c:7", [2]uint64{0, 100}, [2]uint64{0, 0}),
	}
	want := []string{
		"The line that changes most is a.c:4: it waits 50 ns less, with 5 fewer misses in L1.",
		"Line a.c:5 waits 40 ns longer, with 4 more misses in L1.",
		"Line a.c:1 runs in old only: it waits 900 ns, with 90 misses in L1.",
		"Line a.c:2 runs in new only: it waits 10 ns, with 1 miss in L1.",
	}
	if got := c.changes("line", c.Lines); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestComparedTable: beside the run's own misses of a line stand the other's and the difference, and lines that only
// the other has are there.
func TestComparedTable(t *testing.T) {
	a, b := side(t, "matmul-standard", "default"), side(t, "matmul-blocked", "default")
	c := compared(t, a, b)
	m, err := a.Of.FindMissTable(context.Background(), a.Config, "line", nil)
	if err != nil {
		t.Fatal(err)
	}
	both := m.Beside(c.Baseline("line"))
	s := a.Of.Table(palette.Dark(), both, LineColors{})
	var own, theirs, change, more float64
	for i, r := range s.Rows {
		own, theirs, change = own+r.Values[2], theirs+r.Values[4], change+r.Values[5]
		if i >= len(m.Rows) {
			more += r.Values[4]
		}
	}
	if l := c.Levels[0]; own != float64(l.Misses[0]) || theirs != float64(l.Misses[1]) ||
		change != theirs-own || more == 0 {
		t.Errorf("the lines miss %v and %v times (%v in lines that only the second has), want %v; change %v", own, theirs,
			more, l.Misses, change)
	}
	if m.Beside(nil) != m || c.Baseline("function") != nil {
		t.Error("a table without a comparison is another one")
	}
}
