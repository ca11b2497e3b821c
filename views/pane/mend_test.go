package pane

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"
)

// TestWhatIsOwedIsAskedForAgain has a painter that does not hear of a change, as Fyne's does not of an object that it has forgotten: it is
// asked again until the picture is drawn, some times, and then nothing ticks.
func TestWhatIsOwedIsAskedForAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		deaf  int // to so many requests
		want  []time.Duration
		asked int
		drawn bool
	}{
		{"heard at once", 0, []time.Duration{1}, 1, true},
		{"heard the second time", 1, []time.Duration{1, 2}, 2, true},
		{"heard the fourth time", 3, []time.Duration{1, 2, 4, 8}, 4, true},
		{"never heard", 100, []time.Duration{1, 2, 4, 8, 16, 32}, 6, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, panes, w, queue := setup(t, 1, &probe{})
			settle(w, s, queue)
			p := panes[0]
			var waits []time.Duration
			var ring func()
			s.mend.after = func(d time.Duration, f func()) *time.Timer {
				waits = append(waits, d/time.Second)
				ring = f
				return time.NewTimer(time.Hour)
			}
			asked := 0
			s.refresh = func(q *Pane) {
				if asked++; asked > c.deaf {
					q.generate(q.pixW, q.pixH)
				}
			}
			s.Invalidate(p)
			for ring != nil && s.mend.timer != nil {
				f := ring
				ring = nil
				f()
				for end := time.Now().Add(time.Minute); s.flight != nil && time.Now().Before(end); time.Sleep(time.Millisecond) {
					run(queue)
				}
				run(queue)
			}
			if fmt.Sprint(waits) != fmt.Sprint(c.want) || asked != c.asked || p.dirty == c.drawn || s.mend.timer != nil {
				t.Errorf("asked %d times, waited %v seconds, dirty %t, ticks %t; want %d, %v, %t, false", asked, waits, p.dirty, s.mend.timer != nil,
					c.asked, c.want, !c.drawn)
			}
		})
	}
}

// TestRefreshNeedsNoLookUp has a canvas hear of a change of a pane that Fyne does not know to lie on it.
func TestRefreshNeedsNoLookUp(t *testing.T) {
	s, panes, w, queue := setup(t, 1, &probe{})
	settle(w, s, queue)
	heard := &hearing{Canvas: w.Canvas()}
	other := s.NewTips(heard)
	panes[0].MoveTo(other)
	s.Invalidate(panes[0])
	if len(heard.of) != 1 || heard.of[0] != panes[0].raster {
		t.Errorf("the canvas of the pane heard of %v, want its raster", heard.of)
	}
}

// hearing is a canvas that notes what it is to refresh.
type hearing struct {
	fyne.Canvas
	of []fyne.CanvasObject
}

func (h *hearing) Refresh(o fyne.CanvasObject) { h.of = append(h.of, o) }
