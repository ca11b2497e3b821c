package pane

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// probe is a content that records what happens to it.
type probe struct {
	draws int
	size  scene.Size
	theme string
	mark  float64 // where the line stands, 0..1
	heard []string
	deaf  bool    // no interest in cursor changes
	open  bool    // a list lies over the picture
	shift float64 // by which the picture has moved under the pointer
}

func (p *probe) Draw(size scene.Size, t palette.Theme) scene.Drawing {
	p.draws++
	p.size, p.theme = size, t.Name
	d := scene.Drawing{Size: size, Background: t.Panel}
	d.Add(scene.Stroke{Path: scene.Segment(0, size.H*p.mark, size.W, size.H/2), Width: 2, Color: t.Accent},
		scene.Text{At: scene.Point{X: 4, Y: 14}, Size: 11, Color: t.Text, S: "when and where"})
	return d
}

func (p *probe) hear(what string, e Event) {
	p.heard = append(p.heard, fmt.Sprintf("%s %.0f,%.0f", what, e.At.X, e.At.Y))
}
func (p *probe) CloseList() bool {
	was := p.open
	p.open = false
	return was
}

func (p *probe) Moved(e Event)   { p.hear("moved", e) }
func (p *probe) Left()           { p.heard = append(p.heard, "left") }
func (p *probe) Pressed(e Event) { p.hear("pressed", e) }
func (p *probe) Dragged(e Event, from scene.Point) {
	p.hear(fmt.Sprintf("dragged from %.0f,%.0f to", from.X, from.Y), e)
}
func (p *probe) Released(e Event)     { p.hear("released", e) }
func (p *probe) DoubleTapped(e Event) { p.hear("double", e) }
func (p *probe) Scrolled(e Event, dx, dy float64) {
	p.hear(fmt.Sprintf("scrolled %g,%g at", dx, dy), e)
}
func (p *probe) Tip(e Event) []string {
	if e.At.X > 100 {
		return nil
	}
	return []string{fmt.Sprintf("t %.0f", e.At.X+p.shift), "L1 miss, 12 cycles"}
}
func (p *probe) Concerns(old, now link.State) bool { return !p.deaf || old.Selected != now.Selected }

// setup shows panes side by side in a window of Fyne's software driver.
func setup(t testing.TB, scale float32, contents ...*probe) (*Stage, []*Pane, fyne.Window, *queue) {
	t.Helper()
	test.NewTempApp(t)
	queue := &queue{}
	s := NewStage(palette.Dark(), queue.put)
	var panes []*Pane
	row := container.NewGridWithColumns(len(contents))
	for _, c := range contents {
		p := s.Add(c)
		panes = append(panes, p)
		row.Add(p)
	}
	w := test.NewTempWindow(t, container.NewStack(row, s.Tips()))
	s.Tips().On(w.Canvas())
	w.SetPadded(false)
	w.Canvas().(test.WindowlessCanvas).SetScale(scale)
	w.Resize(fyne.NewSize(300, 150))
	return s, panes, w, queue
}

// settle repaints until nothing is under way any more.
func settle(w fyne.Window, s *Stage, queue *queue) image.Image {
	m := w.Canvas().Capture()
	for i := 0; i < 200 && s.flight != nil; i++ {
		time.Sleep(5 * time.Millisecond)
		run(queue)
		m = w.Canvas().Capture()
	}
	run(queue)
	return m
}

// queue is what waits to run on the interface's goroutine.
type queue struct {
	mu   sync.Mutex
	list []func()
}

func (q *queue) put(f func()) {
	q.mu.Lock()
	q.list = append(q.list, f)
	q.mu.Unlock()
}

// run runs all and returns how many there were.
func run(q *queue) int {
	q.mu.Lock()
	list := q.list
	q.list = nil
	q.mu.Unlock()
	for _, f := range list {
		f()
	}
	return len(list)
}

func TestDrawsOnlyAfterChanges(t *testing.T) {
	a, b := &probe{}, &probe{deaf: true}
	s, panes, w, queue := setup(t, 1, a, b)
	settle(w, s, queue)
	a.draws, b.draws = 0, 0
	for range 5 {
		settle(w, s, queue)
	}
	if a.draws != 0 || b.draws != 0 {
		t.Fatalf("repaints without a change drew %d and %d times", a.draws, b.draws)
	}
	for range 50 {
		s.Invalidate(panes[0])
	}
	settle(w, s, queue)
	if a.draws != 1 || b.draws != 0 {
		t.Errorf("50 changes of one pane before a repaint drew %d and %d times, want 1 and 0", a.draws, b.draws)
	}
	l := link.New(link.State{Window: link.Range{To: 100}})
	l.Subscribe(s.LinkChanged)
	l.SetCursor(5)
	settle(w, s, queue)
	if a.draws != 2 || b.draws != 0 {
		t.Errorf("a cursor change drew %d and %d times, want 2 and 0: the second does not care", a.draws, b.draws)
	}
	l.Select(link.Thing{What: link.Line, Line: 3}, "source")
	settle(w, s, queue)
	if a.draws != 3 || b.draws != 1 {
		t.Errorf("a selection drew %d and %d times in all, want 3 and 1", a.draws, b.draws)
	}
	panes[0].Hide()
	l.SetCursor(traceio.Seq(6))
	settle(w, s, queue)
	if a.draws != 3 {
		t.Error("a hidden pane was drawn")
	}
	panes[0].Show()
	settle(w, s, queue)
	if a.draws != 4 {
		t.Error("a pane that changed while hidden must be drawn when it is shown")
	}
	s.SetTheme(palette.Light())
	settle(w, s, queue)
	if a.theme != "light" || b.theme != "light" {
		t.Errorf("themes %s and %s after the change to light", a.theme, b.theme)
	}
}

// TestPixelsAreExact compares what the window shows with what the rasteriser made, at several device scales: one drawn
// pixel is one device pixel.
func TestPixelsAreExact(t *testing.T) {
	for _, scale := range []float32{1, 1.5, 2} {
		a := &probe{mark: 0.2}
		s, panes, w, queue := setup(t, scale, a)
		got := settle(w, s, queue)
		if a.size.Scale != float64(scale) || a.size.W != float64(panes[0].Size().Width) {
			t.Fatalf("scale %g: drawn for %+v, the pane has %v", scale, a.size, panes[0].Size())
		}
		want := raster.Render(a.Draw(a.size, palette.Dark()), float64(scale), nil)
		if want.Rect.Dx() != int(300*scale) {
			t.Fatalf("scale %g: %d pixels wide, want %d", scale, want.Rect.Dx(), int(300*scale))
		}
		for y := range want.Rect.Dy() {
			for x := range want.Rect.Dx() {
				if g, w := color.RGBAModel.Convert(got.At(x, y)), want.RGBAAt(x, y); g != w {
					t.Fatalf("scale %g: pixel %d,%d is %v on the window and %v in the picture", scale, x, y, g, w)
				}
			}
		}
	}
}

// TestLatePixels has a rasteriser that misses its frame: the interface goes on with the old picture, changes meanwhile
// are not lost, and the new picture comes through dispatch.
func TestLatePixels(t *testing.T) {
	a, b := &probe{}, &probe{}
	s, panes, w, queue := setup(t, 1, a, b)
	settle(w, s, queue)
	gate := make(chan struct{})
	s.render = func(d scene.Drawing, scale float64, dst *image.RGBA) *image.RGBA {
		<-gate
		return raster.Render(d, scale, dst)
	}
	var frames []Frame
	s.Drawn = func(_ *Pane, f Frame) { frames = append(frames, f) }
	front := panes[0].front
	s.Invalidate()
	w.Canvas().Capture() // a repaint that waited for late pixels would never come back
	if panes[0].front != front || s.flight == nil {
		t.Fatal("the old picture must stay while the new one is made")
	}
	draws := a.draws
	s.Invalidate(panes[0])
	w.Canvas().Capture()
	if a.draws != draws {
		t.Error("a second batch started before the first was done")
	}
	close(gate)
	settle(w, s, queue)
	if a.draws != draws+1 || b.draws != 2 {
		t.Errorf("drawn %d and %d times, want %d and 2: the change meanwhile concerns only the first",
			a.draws, b.draws, draws+1)
	}
	if len(frames) != 3 || !frames[0].Late || !frames[1].Late {
		t.Errorf("frames %+v, want two late ones and one more", frames)
	}
}

// TestNoPictureStaysBehind has a pane change while a late batch is under way, and a repaint of another pane that comes
// before the batch is dispatched. Fyne, like a painter that keeps textures, asks only for panes that it was told
// of: in the end it must have everybody's last picture.
func TestNoPictureStaysBehind(t *testing.T) {
	for _, faster := range []bool{false, true} {
		s, panes, w, queue := setup(t, 1, &probe{}, &probe{})
		settle(w, s, queue)
		told := map[*Pane]bool{}
		s.refresh = func(p *Pane) { told[p] = true }
		repaint := func() {
			for _, p := range panes {
				if told[p] {
					delete(told, p)
					p.generate(p.pixW, p.pixH)
				}
			}
		}
		gate := make(chan struct{})
		s.render = func(d scene.Drawing, scale float64, dst *image.RGBA) *image.RGBA {
			<-gate
			return raster.Render(d, scale, dst)
		}
		s.Invalidate(panes[0])
		repaint()
		if s.flight == nil {
			t.Fatal("the batch is not late")
		}
		s.Invalidate(panes[1])
		close(gate)
		<-s.flight.done
		if faster {
			told[panes[0]] = true
			repaint()
		}
		idle := 0
		for end := time.Now().Add(3 * time.Minute); idle < 20 && time.Now().Before(end); time.Sleep(time.Millisecond) {
			idle++
			if run(queue) > 0 || len(told) > 0 || s.flight != nil {
				idle = 0
			}
			repaint()
		}
		for i, p := range panes {
			if p.dirty || p.shown != p.pictures {
				t.Errorf("a faster repaint %t: of pane %d Fyne has picture %d of %d, dirty %t", faster, i,
					p.shown, p.pictures, p.dirty)
			}
		}
	}
}

func mouse(x, y float32, b desktop.MouseButton) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y),
		AbsolutePosition: fyne.NewPos(x, y)}, Button: b}
}

func TestPointer(t *testing.T) {
	a := &probe{}
	s, panes, w, queue := setup(t, 1, a)
	settle(w, s, queue)
	p := panes[0]
	p.MouseIn(mouse(10, 20, 0))
	p.MouseDown(mouse(10, 20, desktop.MouseButtonPrimary))
	drag := &fyne.DragEvent{Dragged: fyne.NewDelta(5, 0)}
	drag.Position = fyne.NewPos(40, 20)
	p.Dragged(drag)
	p.MouseUp(mouse(40, 21, desktop.MouseButtonPrimary))
	p.DragEnd()
	p.MouseMoved(mouse(50, 22, 0))
	for _, c := range []struct{ dx, dy float32 }{{0, 25}, {0, -25}, {0, 25 * 12 * 125}, {-1e9, 0}} {
		ev := &fyne.ScrollEvent{Scrolled: fyne.NewDelta(c.dx, c.dy)}
		ev.Position = fyne.NewPos(7, 8)
		p.Scrolled(ev)
	}
	tap := &fyne.PointEvent{Position: fyne.NewPos(9, 9)}
	p.DoubleTapped(tap)
	p.MouseOut()
	want := []string{"moved 10,20", "pressed 10,20", "dragged from 10,20 to 40,20", "released 40,21", "moved 50,22",
		"scrolled 0,1 at 7,8", "moved 7,8", "scrolled 0,-1 at 7,8", "moved 7,8", "scrolled 0,3 at 7,8", "moved 7,8",
		"scrolled -3,0 at 7,8", "moved 7,8", "double 9,9", "left"}
	if fmt.Sprint(a.heard) != fmt.Sprint(want) {
		t.Errorf("heard\n%q, want\n%q", a.heard, want)
	}
	if s.Active() != p {
		t.Error("the pane under the pointer answers the keyboard")
	}
}

// A press closes the lists of other panes and leaves its own to the picture.
func TestPressClosesLists(t *testing.T) {
	a, b := &probe{open: true}, &probe{open: true}
	s, panes, w, queue := setup(t, 2, a, b)
	settle(w, s, queue)
	draws := a.draws
	panes[1].MouseDown(mouse(10, 20, desktop.MouseButtonPrimary))
	settle(w, s, queue)
	if a.open || !b.open || a.draws == draws {
		t.Errorf("the other's list is open: %v, drawn again %d times; its own is open: %v", a.open, a.draws-draws, b.open)
	}
	if !s.CloseLists(nil) || b.open || s.CloseLists(nil) {
		t.Error("all lists cannot be closed, or more than once")
	}
}

func TestTips(t *testing.T) {
	a := &probe{}
	s, panes, w, queue := setup(t, 1, a)
	settle(w, s, queue)
	p, tips := panes[0], s.Tips()
	p.MouseIn(mouse(30, 40, 0))
	if fmt.Sprint(tips.Lines()) != "[t 30 L1 miss, 12 cycles]" {
		t.Fatalf("tooltip %q", tips.Lines())
	}
	for _, at := range [][2]float32{{30, 40}, {99, 149}, {0, 0}, {99, 1}} {
		p.MouseMoved(mouse(at[0], at[1], 0))
		o, z := tips.box.Position(), tips.box.Size()
		if o.X < 0 || o.Y < 0 || o.X+z.Width > 300 || o.Y+z.Height > 150 {
			t.Errorf("pointer at %v: the tooltip %v %v leaves the window of 300 x 150", at, o, z)
		}
		if at[0] >= o.X && at[0] < o.X+z.Width && at[1] >= o.Y && at[1] < o.Y+z.Height {
			t.Errorf("pointer at %v lies under its tooltip %v %v", at, o, z)
		}
	}
	p.MouseMoved(mouse(200, 40, 0))
	if tips.Lines() != nil {
		t.Errorf("nothing lies under the pointer, but the tooltip says %q", tips.Lines())
	}
	heard := len(a.heard)
	p.MouseMoved(mouse(30, 40, desktop.MouseButtonPrimary)) // which drags something of another place
	if tips.Lines() != nil || len(a.heard) != heard {
		t.Errorf("what is dragged over the pane makes it say %q and hear %q", tips.Lines(), a.heard[heard:])
	}
	p.MouseMoved(mouse(30, 40, 0))
	p.MouseDown(mouse(30, 40, desktop.MouseButtonPrimary))
	if tips.Lines() != nil {
		t.Error("a press must hide the tooltip")
	}
}

// Where the picture moves under a resting pointer, by the wheel or by a key, the content hears of the pointer again:
// what is hovered is what the tooltip names.
func TestPictureMovesUnderThePointer(t *testing.T) {
	a := &probe{}
	s, panes, w, queue := setup(t, 1, a)
	settle(w, s, queue)
	p, tips := panes[0], s.Tips()
	p.MouseIn(mouse(30, 40, 0))
	hovered := func() string { // as of the last word of the pointer
		if i := slices.IndexFunc(a.heard, func(x string) bool { return strings.HasPrefix(x, "moved") }); i >= 0 {
			return a.heard[i]
		}
		return ""
	}
	for _, row := range []struct {
		name string
		do   func()
		want string
		hear bool
	}{
		{"a key", func() { a.shift = 5; s.Invalidate(p) }, "t 35", true},
		{"nothing moves", func() { s.Invalidate(p) }, "t 35", false},
		{"the wheel", func() {
			a.shift = 9
			p.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(30, 40)},
				Scrolled: fyne.NewDelta(0, 25)})
		}, "t 39", true},
		{"dragged", func() { p.MouseDown(mouse(30, 40, desktop.MouseButtonPrimary)); a.shift = 20; s.Invalidate(p) }, "",
			false},
	} {
		a.heard = nil
		row.do()
		s.runPending()
		settle(w, s, queue)
		got := ""
		if lines := tips.Lines(); len(lines) > 0 {
			got = lines[0]
		}
		if got != row.want || (hovered() != "") != row.hear {
			t.Errorf("%s: the tooltip says %q, want %q; the content hears %q", row.name, got, row.want, a.heard)
		}
	}
}

// BenchmarkRedraw is one change, one drawing, its pixels and the hand-over at 1280 x 800, without Fyne's
// painter.
func BenchmarkRedraw(b *testing.B) {
	a := &probe{}
	s, panes, _, _ := setup(b, 1, a)
	p := panes[0]
	p.Resize(fyne.NewSize(1280, 800))
	b.ReportAllocs()
	for b.Loop() {
		s.Invalidate(p)
		p.generate(1280, 800)
		for s.flight != nil {
			<-s.flight.done
			s.await(s.flight, 0)
		}
	}
}
