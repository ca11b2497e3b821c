package controls

import (
	"testing"

	"orrery/views/palette"
	"orrery/views/scene"
)

// Words lie side by side without gaps, each is hit where its text stands, and the width is where the last one ends.
func TestEveryWordIsHitWhereItStands(t *testing.T) {
	s := Choices{Theme: palette.Dark(), Title: "colour", Words: []string{"line", "function", "cache miss"}, Chosen: 1,
		Hover: 2}
	at := scene.Point{X: 12, Y: 30}
	n := 0
	for _, shape := range s.Shapes(at) {
		text, ok := shape.(scene.Text)
		if !ok || text.S == s.Title {
			continue
		}
		want := n
		n++
		if got := s.Hit(at, scene.Point{X: text.At.X, Y: text.At.Y - 3}); got != want || s.Words[want] != text.S {
			t.Errorf("the text %q is word %d, want %d", text.S, got, want)
		}
	}
	if n != len(s.Words) {
		t.Errorf("%d words drawn", n)
	}
	end := at.X + s.Width()
	if s.Hit(at, scene.Point{X: end - 0.1, Y: 35}) != 2 || s.Hit(at, scene.Point{X: end + 0.1, Y: 35}) != -1 {
		t.Error("the row does not end where its width says")
	}
	for _, p := range []scene.Point{{X: 14, Y: 35}, {X: end - 5, Y: 29}, {X: end - 5, Y: 30 + RowHeight}} {
		if s.Hit(at, p) >= 0 {
			t.Errorf("there is a word at %v", p)
		}
	}
	if none := (Choices{}); none.Shapes(at) != nil || none.Width() != 0 || none.Hit(at, at) != -1 {
		t.Error("an empty row draws or is hit")
	}
}

// A column's words stand below each other in fields of one width, and are hit there.
func TestAColumnIsHitWhereItsWordsStand(t *testing.T) {
	s := Choices{Theme: palette.Dark(), Words: []string{"address", "block of 64 bytes", "line"}, Column: true, Hover: -1}
	at := scene.Point{X: 5, Y: 10}
	if s.Height() != 3*RowHeight || s.Width() != (Choices{Words: s.Words[1:2]}).Width() {
		t.Errorf("the column is %g by %g", s.Width(), s.Height())
	}
	n := 0
	for _, shape := range s.Shapes(at) {
		if text, ok := shape.(scene.Text); ok {
			if got := s.Hit(at, scene.Point{X: at.X + s.Width() - 1, Y: text.At.Y - 3}); got != n || s.Words[n] != text.S {
				t.Errorf("beside %q lies word %d, want %d", text.S, got, n)
			}
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d words drawn", n)
	}
	closed, opens := (Choices{Words: s.Words[:1]}).Width(), (Choices{Words: s.Words[:1], Opens: true}).Width()
	if opens <= closed {
		t.Error("there is no room for the mark of a word that opens a list")
	}
}

// A column with marks has room for them, its words are hit where they stand, and each mark is another drawing.
func TestMarksStandBeforeTheWords(t *testing.T) {
	s := Choices{Theme: palette.Light(), Words: []string{"blocks", "long edges", "nodes stay"}, Column: true,
		Hover: -1, Chosen: -1}
	plain := len(s.Shapes(scene.Point{}))
	bare := s.Width()
	s.Marks = []Mark{Unchecked, Checked, Dot}
	if s.Width() <= bare {
		t.Error("marks have no room")
	}
	if got := len(s.Shapes(scene.Point{})); got != plain+4 { // a box, a box with a tick, a dot
		t.Errorf("%d shapes with marks, %d without", got, plain)
	}
	for i := range s.Words {
		if got := s.Hit(scene.Point{}, scene.Point{X: s.Width() - 1, Y: RowHeight * (float64(i) + 0.5)}); got != i {
			t.Errorf("at word %d is %d", i, got)
		}
	}
	s.Marks = make([]Mark, 3)
	if got := len(s.Shapes(scene.Point{})); got != plain {
		t.Errorf("words without a mark draw %d shapes, want %d", got, plain)
	}
}
