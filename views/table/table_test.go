package table

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orrery/views/golden"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

var room = scene.Size{W: 640, H: 300, Scale: 1}

// example is a table of some lines.
func example(theme palette.Theme, rows int) State {
	s := State{Theme: theme, Title: "line", Words: []string{"line", "function", "region", "set"}, Over: -1, Sort: 1,
		Columns: []Column{{Title: "references", Tip: "loads and stores"},
			{Title: "L1D misses", Tip: "misses of L1D", Red: true},
			{Title: "a 1000", Tip: "misses in 1000 references", Format: Tenths, Red: true},
			{Title: "share", Tip: "of all misses", Format: Share}}}
	r := rand.New(rand.NewPCG(9, 9))
	for i := range rows {
		uses := float64(1 + r.IntN(40_000)/(i+1))
		misses := math.Floor(uses * r.Float64() / 3)
		s.Rows = append(s.Rows, Row{Name: "./src/sort.c:" + strconv.Itoa(i+10), Short: "sort.c:" + strconv.Itoa(i+10),
			Note: "data[" + strconv.Itoa(i) + "] = spare[k];", Color: palette.Qualitative(theme, i),
			Values: []float64{uses, misses, 1000 * misses / uses, r.Float64()}, Thing: link.Thing{What: link.Line,
				File: "sort.c", Line: i + 10}})
	}
	return s
}

// TestOrder compares the order with a plain definition of it, for every column, both ways, with ties and numbers that
// are missing.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for range 80 {
		s := example(palette.Dark(), 1+r.IntN(30))
		for i := range s.Rows {
			for k := range s.Columns {
				s.Rows[i].Values[k] = float64(r.IntN(4))
				if r.IntN(5) == 0 {
					s.Rows[i].Values[k] = math.NaN()
				}
			}
		}
		s.Sort, s.Upward = r.IntN(5)-1, r.IntN(2) == 0
		order := Arrange(s)
		if len(order) != len(s.Rows) {
			t.Fatalf("%d of %d rows", len(order), len(s.Rows))
		}
		for k := 1; k < len(order); k++ {
			a, b := s.Rows[order[k-1]], s.Rows[order[k]]
			if s.Sort < 0 {
				if (a.Name > b.Name) == s.Upward {
					t.Fatalf("%s stands before %s", a.Name, b.Name)
				}
				continue
			}
			x, y := a.Values[s.Sort], b.Values[s.Sort]
			switch {
			case math.IsNaN(x) && !math.IsNaN(y), s.Upward && x > y, !s.Upward && x < y:
				t.Fatalf("%g stands before %g, upward is %v", x, y, s.Upward)
			case (x == y || math.IsNaN(x) && math.IsNaN(y)) && a.Name > b.Name:
				t.Fatalf("of equals, %s stands before %s", a.Name, b.Name)
			}
		}
	}
}

func TestFilter(t *testing.T) {
	s := example(palette.Dark(), 12)
	for filter, want := range map[string]int{"": 12, "SORT": 12, "sort.c:1": 10, "spare data[3]": 1, "c:2 data": 2,
		"quick": 0, "  ": 12} {
		s.Filter = filter
		if got := len(Arrange(s)); got != want {
			t.Errorf("%q leaves %d rows, want %d", filter, got, want)
		}
	}
}

// TestPress: the first press on a head puts the largest first, names from A on; the second turns that around.
func TestPress(t *testing.T) {
	s := example(palette.Dark(), 12)
	s = Press(s, 0)
	if first := s.Rows[s.order()[0]].Values[0]; s.Upward || first != slices.MaxFunc(s.Rows,
		func(a, b Row) int { return compare(a.Values[0], b.Values[0], true) }).Values[0] {
		t.Errorf("%g is first", first)
	}
	if s = Press(s, 0); !s.Upward {
		t.Error("a second press does not turn the order around")
	}
	if s = Press(s, -1); !s.Upward || s.Rows[s.order()[0]].Name != "./src/sort.c:10" {
		t.Errorf("names begin with %s", s.Rows[s.order()[0]].Name)
	}
}

// TestRowsAreWhereTheyAreDrawn: every row can be pointed at once it is revealed, also in a table that is scrolled,
// sorted and filtered.
func TestRowsAreWhereTheyAreDrawn(t *testing.T) {
	s := example(palette.Light(), 30)
	s.Filter = "c:1"
	s.Order = Arrange(s)
	seen := 0
	for k := range s.Order {
		s.Selected = s.Rows[s.Order[k]].Thing
		s.Scroll = Reveal(s, room, s.Selected)
		found := false
		for y := 0.0; y < room.H; y += 2 {
			if hit := Hit(s, room, scene.Point{X: 30, Y: y}); hit.Thing == s.Selected && hit.Row == s.Order[k] {
				found = true
				if !strings.Contains(strings.Join(hit.Lines, "\n"), "loads and stores") {
					t.Fatalf("the tip says %q", hit.Lines)
				}
			}
		}
		if !found {
			t.Fatalf("row %d cannot be pointed at", k)
		}
		if next := Step(s, 1); k+1 < len(s.Order) && next != s.Rows[s.Order[k+1]].Thing || k+1 == len(s.Order) &&
			next != s.Selected {
			t.Fatalf("after row %d comes %+v", k, next)
		}
		seen++
	}
	if seen < 5 {
		t.Errorf("only %d rows", seen)
	}
}

// TestHeads: every column's head can be pressed, and the words and the filter above.
func TestHeads(t *testing.T) {
	s := example(palette.Dark(), 3)
	heads, words, filter := map[int]bool{}, map[int]bool{}, false
	for y := 0.0; y < 60; y += 2 {
		for x := 0.0; x < room.W; x += 2 {
			hit := Hit(s, room, scene.Point{X: x, Y: y})
			if hit.Head {
				heads[hit.Column] = true
			}
			if hit.Word >= 0 {
				words[hit.Word] = true
			}
			filter = filter || hit.Filter
		}
	}
	if len(heads) != 5 || len(words) != 4 || !filter {
		t.Errorf("heads %v, words %v, filter %v", heads, words, filter)
	}
}

// TestCSV reads the file back.
func TestCSV(t *testing.T) {
	s := example(palette.Dark(), 9)
	s.Rows[2].Name, s.Rows[3].Values[1] = `a "b", c`, math.NaN()
	s.Filter = "data"
	rows, err := csv.NewReader(strings.NewReader(string(CSV(s)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"line", "references", "L1D misses", "a 1000", "share"}; !slices.Equal(rows[0], want) {
		t.Errorf("the heads are %q", rows[0])
	}
	order := Arrange(s)
	if len(rows) != 1+len(order) {
		t.Fatalf("%d rows, want %d", len(rows)-1, len(order))
	}
	for k, i := range order {
		if rows[k+1][0] != s.Rows[i].Name {
			t.Errorf("row %d is %q, want %q", k, rows[k+1][0], s.Rows[i].Name)
		}
		for c, v := range s.Rows[i].Values {
			got, err := strconv.ParseFloat(rows[k+1][c+1], 64)
			if math.IsNaN(v) != (rows[k+1][c+1] == "") || err == nil && got != v {
				t.Errorf("row %d, column %d is %q, want %g", k, c, rows[k+1][c+1], v)
			}
		}
	}
}

// TestEverySizeDraws: no room is too small, and what cannot be reached by scrolling is cut.
func TestEverySizeDraws(t *testing.T) {
	s := example(palette.Dark(), 40)
	for _, w := range []float64{1, 40, 150, 260, 500, 1900} {
		for _, h := range []float64{1, 30, 50, 200, 900} {
			size := scene.Size{W: w, H: h, Scale: 1}
			down, across := Overflow(s, size)
			s.Scroll, s.Across = down, across
			Scene(s, size)
			Hit(s, size, scene.Point{X: w / 2, Y: h / 2})
			if l := place(&s, size); len(l.right) > 0 && l.right[len(l.right)-1] > w+0.1 && across > 0 {
				t.Errorf("%g wide: the last column ends at %g", w, l.right[len(l.right)-1])
			}
		}
	}
}

// TestChanges stand in order of how large they are, with their sign.
func TestChanges(t *testing.T) {
	s := State{Theme: palette.Dark(), Title: "site",
		Columns: []Column{{Title: "more", Tip: "bytes", Format: Change, Red: true}}}
	for i, v := range []float64{12, -2000, 0, 900, math.NaN()} {
		s.Rows = append(s.Rows, Row{Name: string(rune('a' + i)), Values: []float64{v}})
	}
	if got := string(CSV(s)); got != "site,more\nb,-2000\nd,900\na,12\nc,0\ne,\n" {
		t.Errorf("the table is\n%s", got)
	}
	var words []string
	for _, v := range []float64{2113, -2113, 0} {
		words = append(words, write(Change, v))
	}
	if got := strings.Join(words, " | "); got != "+2 113 | -2 113 | 0" {
		t.Errorf("changes are written %s", got)
	}
	golden.Check(t, "changes", Scene(s, scene.Size{W: 400, H: 160, Scale: 1}))
}
