package heapmap

import (
	"fmt"
	"math"

	"orrery/views/scene"
)

// scroll is where in all rows of bins a page stands; without a bar where all have room.
type scroll struct {
	first, shown, all int
	bar               scene.Rect // at the right edge
}

const scrollW = 7.0

func newScroll(row, shown, all int, area scene.Rect, size scene.Size) scroll {
	at := scroll{first: max(0, min(row, all-shown)), shown: shown, all: all}
	if shown < all {
		at.bar = scene.R(size.W-scrollW-1, area.Min.Y, scrollW, area.H())
	}
	return at
}

// thumb is the part of the bar that stands for the rows shown.
func (at *scroll) thumb() scene.Rect {
	h := max(14, at.bar.H()*float64(at.shown)/float64(at.all))
	y := at.bar.Min.Y + (at.bar.H()-h)*float64(at.first)/float64(max(1, at.all-at.shown))
	return scene.R(at.bar.Min.X+1.5, y, at.bar.W()-3, h)
}

func (at *scroll) draw(d *scene.Drawing, s *State) {
	if at.bar.W() == 0 {
		return
	}
	track := scene.R(at.bar.Min.X+1.5, at.bar.Min.Y, at.bar.W()-3, at.bar.H())
	d.Add(scene.Fill{Path: scene.RoundBox(track, 2), Color: s.Theme.Line},
		scene.Fill{Path: scene.RoundBox(at.thumb(), 2), Color: s.Theme.Dim})
}

// words say which rows are shown: "rows 1 to 4 of 9".
func (at *scroll) words() string {
	return fmt.Sprintf("rows %d to %d of %d", at.first+1, at.first+at.shown, at.all)
}

// Scroll gives the state with a page of bins moved down by rows; what is beyond the ends is left out.
func Scroll(s State, size scene.Size, rows int) State {
	if s.Heap == nil || s.Page == MapPage {
		return s
	}
	_, _, at := grid(&s, size)
	s.Row = max(0, min(at.first+rows, at.all-at.shown))
	return s
}

// ScrollTo gives the state with those rows of bins shown that a point of the scroll bar stands for.
func ScrollTo(s State, size scene.Size, p scene.Point) State {
	if s.Heap == nil || s.Page == MapPage {
		return s
	}
	_, _, at := grid(&s, size)
	h := at.thumb().H()
	share := (p.Y - at.bar.Min.Y - h/2) / max(1, at.bar.H()-h)
	s.Row = max(0, min(int(math.Round(share*float64(at.all-at.shown))), at.all-at.shown))
	return s
}
