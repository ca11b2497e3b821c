package pane

import (
	"fmt"
	"image"
	"math"
	"testing"
	"time"

	"orrery/views/scene"

	"fyne.io/fyne/v2"
)

// TestWhatIsOwedIsAskedForAgain has a painter that does not hear of a change, as Fyne's does not of an object that it
// has forgotten: it is asked again until the picture is drawn, some times, and then nothing ticks.
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
			s.retry.after = func(d time.Duration, f func()) *time.Timer {
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
			for ring != nil && s.retry.timer != nil {
				f := ring
				ring = nil
				f()
				for end := time.Now().Add(time.Minute); s.flight != nil && time.Now().Before(end); time.Sleep(time.Millisecond) {
					run(queue)
				}
				run(queue)
			}
			if fmt.Sprint(waits) != fmt.Sprint(c.want) || asked != c.asked || p.dirty == c.drawn || s.retry.timer != nil {
				t.Errorf("asked %d times, waited %v seconds, dirty %t, ticks %t; want %d, %v, %t, false", asked, waits, p.dirty,
					s.retry.timer != nil,
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

// TestPicturesOfAHugeWindowAreCoarse has panes in a window that is larger than any screen: their pictures have no more
// pixels than those of a large screen, and show all of the pane.
func TestPicturesOfAHugeWindowAreCoarse(t *testing.T) {
	for _, c := range []struct {
		name        string
		side, scale float32
		coarse      bool
	}{
		{"a screen of 4K", 2160, 1, false},
		{"the same with small units", 1080, 2, false},
		{"thirty thousand", 30000, 1, true},
		{"the same with small units", 15000, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := &probe{}, &probe{}
			s, panes, w, queue := setup(t, 1, a, b)
			settle(w, s, queue)
			s.Tips().On(sized{w.Canvas(), fyne.NewSquareSize(c.side), c.scale})
			s.render = func(scene.Drawing, float64, *image.RGBA) *image.RGBA { return image.NewRGBA(image.Rect(0, 0, 1, 1)) }
			device := int(c.side * c.scale)
			pixels := 0
			for _, p := range panes {
				p.Resize(fyne.NewSize(c.side/2, c.side))
				p.generate(device/2, device)
				for end := time.Now().Add(time.Minute); s.flight != nil && time.Now().Before(end); time.Sleep(time.Millisecond) {
					run(queue)
				}
				z := p.front.Rect.Size()
				pixels += z.X * z.Y
			}
			if pixels > mostPixels || c.coarse != (pixels < device*device*9/10) {
				t.Errorf("pictures of %d pixels for a window of %d", pixels, device*device)
			}
			if z := a.size; math.Abs(z.W-float64(c.side/2)) > 8 || math.Abs(z.H-float64(c.side)) > 8 {
				t.Errorf("drawn for %+v, the pane has %v", z, panes[0].Size())
			}
		})
	}
}

// sized is a canvas of another size.
type sized struct {
	fyne.Canvas
	size  fyne.Size
	scale float32
}

func (s sized) Size() fyne.Size { return s.size }
func (s sized) Scale() float32  { return s.scale }

// hearing is a canvas that notes what it is to refresh.
type hearing struct {
	fyne.Canvas
	of []fyne.CanvasObject
}

func (h *hearing) Refresh(o fyne.CanvasObject) { h.of = append(h.of, o) }
