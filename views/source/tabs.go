package source

import (
	"fmt"
	"slices"
	"strings"

	"orrery/views/scene"
)

// tab is the place of one file's name above the text, or of the way to a file that has no room there.
type tab struct {
	scene.Rect
	file int
	word string // in place of the name
}

// Widths of tabs: those of a few files, the least that still tells names apart, and that of an arrow.
const (
	widestTab = 140.0
	leastTab  = 62.0
	arrowTab  = 20.0
)

// layTabs gives each file a tab. Where there are too many, those around the file that is shown have one, and arrows
// lead to the one before and the one after.
func layTabs(s *State, room scene.Size) []tab {
	n := len(s.Files)
	if n < 2 {
		return nil
	}
	wide := min(widestTab, (room.W-12)/float64(n))
	if wide >= leastTab {
		return rowOfTabs(0, n, 6, wide)
	}
	now := max(0, slices.Index(s.Files, s.File))
	between := room.W - 12 - 2*arrowTab
	fit := min(n, max(1, int(between/leastTab)))
	first := max(0, min(now-fit/2, n-fit))
	out := rowOfTabs(first, fit, 6+arrowTab, max(1, between/float64(fit)))
	if now > 0 {
		out = append(out, tab{scene.R(6, 2, arrowTab-4, tabs-4), now - 1, "‹"})
	}
	if now+1 < n {
		out = append(out, tab{scene.R(room.W-6-arrowTab+4, 2, arrowTab-4, tabs-4), now + 1, "›"})
	}
	return out
}

func rowOfTabs(first, n int, x, wide float64) []tab {
	out := make([]tab, n)
	for i := range out {
		out[i] = tab{Rect: scene.R(x+wide*float64(i), 2, max(1, wide-4), tabs-4), file: first + i}
	}
	return out
}

func drawTabs(d *scene.Drawing, s *State, room scene.Size) {
	for _, t := range layTabs(s, room) {
		name, c := s.Files[t.file], s.Theme.Dim
		if name == s.File {
			c = s.Theme.Text
			d.Add(scene.Fill{Path: scene.RoundBox(t.Rect, 4), Color: s.Theme.Line})
		}
		word, size := t.word, 13.0
		if word == "" {
			word, size = name[strings.LastIndexByte(name, '/')+1:], 11
		}
		d.Add(scene.Text{At: scene.Point{X: t.Center().X, Y: t.Center().Y + scene.Middle(scene.Sans, size)}, Size: size,
			Color: c, Align: 0.5, S: word, Max: max(1, t.W()-4)})
	}
}

// tip says which file a tab leads to.
func (t tab) tip(s *State) string {
	if t.word == "" {
		return s.Files[t.file]
	}
	return fmt.Sprintf("%s, file %d of %d", s.Files[t.file], t.file+1, len(s.Files))
}
