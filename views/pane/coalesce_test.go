package pane

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// TestMotionOfOneFrame has a frame that comes late: of all that the pointer has done since the last one the content
// hears once, in the order in which it was done, and of everything before a button changes.
func TestMotionOfOneFrame(t *testing.T) {
	a := &probe{}
	s, panes, w, queue := setup(t, 1, a)
	settle(w, s, queue)
	var frame func(done float32)
	s.pending.begin = func(tick func(done float32)) { frame = tick }
	p := panes[0]
	at := func(x, y float32) *desktop.MouseEvent {
		return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}}
	}
	to := func(x, y float32) *fyne.DragEvent {
		return &fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}}
	}
	wheel := func(dy float32) *fyne.ScrollEvent {
		return &fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(9, 9)}, Scrolled: fyne.NewDelta(0, dy)}
	}
	for _, c := range []struct {
		name string
		do   func()
		want []string
	}{
		{"the first is answered at once", func() { p.MouseIn(at(5, 5)) }, []string{"moved 5,5"}},
		{"others wait", func() { p.MouseMoved(at(6, 5)); p.MouseMoved(at(7, 5)) }, nil},
		{"for the frame", func() { frame(0.1) }, []string{"moved 7,5"}},
		{"which hears of nothing twice", func() { frame(0.2) }, nil},
		{"the wheel is summed up", func() { p.Scrolled(wheel(25)); p.Scrolled(wheel(25)); p.Scrolled(wheel(-25 * 125)) },
			nil},
		{"each word of it counts three notches at most", func() { frame(0.3) },
			[]string{"scrolled 0,-1 at 9,9", "moved 9,9"}},
		{"another motion comes after it", func() { p.Scrolled(wheel(25)); p.MouseMoved(at(8, 5)) },
			[]string{"scrolled 0,1 at 9,9", "moved 9,9"}},
		{"as does a button", func() { p.MouseDown(at(8, 6)) }, []string{"moved 8,5", "pressed 8,6"}},
		{"a drag waits", func() { p.Dragged(to(10, 6)); p.Dragged(to(12, 6)) }, nil},
		{"but not beyond its end", func() { p.MouseUp(at(13, 6)) }, []string{"dragged from 8,6 to 12,6", "released 13,6"}},
		{"what has left does not move", func() { p.MouseMoved(at(14, 6)); p.MouseOut(); frame(0.9) }, []string{"left"}},
		{"after a rest the first is answered at once again", func() { frame(1); p.MouseIn(at(15, 6)) },
			[]string{"moved 15,6"}},
		{"a pane that is hidden hears nothing", func() { p.MouseMoved(at(16, 6)); p.Hide(); frame(0.1) }, nil},
	} {
		a.heard = nil
		c.do()
		if !slices.Equal(a.heard, c.want) {
			t.Errorf("%s: the content heard %q, want %q", c.name, a.heard, c.want)
		}
	}
}
