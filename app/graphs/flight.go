package graphs

import (
	"time"

	"orrery/views/codegraph"
	"orrery/views/pane"

	"fyne.io/fyne/v2"
)

// flight is a change that the eye can follow: the view goes to another place, or nodes to their places in another
// drawing.
type flight struct {
	from  codegraph.View     // where the view begins
	other *codegraph.Picture // the drawing before; nil where only the view moves
	now   *codegraph.Picture // the drawing on its way from the other; nil likewise
	share float64            // of the way
	begun bool
	moves *fyne.Animation
}

// A flight is as long as other changes that the user makes; more nodes than these jump, as no eye could follow them.
const (
	flightTime  = 220 * time.Millisecond
	mostFlights = 600
)

// fly lets the pane go from where it was, with the drawing that it had (nil where that stays), to where it is now.
func (v *codeView) fly(from codegraph.View, other *codegraph.Picture) {
	v.land()
	p := v.e.picture()
	if p == nil || v.size.W < 1 || !(from.Zoom > 0) || other == nil && from == v.view || len(p.Graph.Nodes) > mostFlights {
		return
	}
	v.flying = &flight{from: from, other: other}
}

// takeOff begins a flight that has not begun. That is when it is drawn first: a busy machine would else show nothing
// but its end.
func (v *codeView) takeOff() {
	f, p := v.flying, v.e.picture()
	if f == nil || f.begun || p == nil {
		return
	}
	f.begun = true
	f.moves = pane.Glide(flightTime, func(done float32) {
		if v.flying != f {
			return
		}
		f.share = float64(done)
		if f.other != nil {
			f.now = p.Between(f.other, f.from, v.view, f.share)
		}
		if done >= 1 || v.e.picture() != p {
			v.flying = nil
		}
		v.Redraw()
	})
}

// land ends a flight where it leads to.
func (v *codeView) land() {
	if f := v.flying; f != nil {
		v.flying = nil
		if f.moves != nil {
			f.moves.Stop()
		}
	}
}

// onTheWay puts what a flight shows in place of what it leads to.
func (v *codeView) onTheWay(s *codegraph.State) {
	f := v.flying
	switch {
	case f == nil || s.Picture == nil:
	case f.other == nil:
		s.View = f.from.Towards(v.view, f.share)
	case f.now != nil && f.now.Graph == s.Picture.Graph:
		s.Picture = f.now
	case f.now == nil && s.Picture == v.e.picture():
		s.Picture = s.Picture.Between(f.other, f.from, v.view, 0)
	}
}
