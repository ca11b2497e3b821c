package heapmap

import (
	"bytes"
	"context"
	"errors"
	"image"
	"testing"
	"time"

	"orrery/analysis/heap"
	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
)

// unlike is how far two pictures are apart: the largest difference of a channel.
func unlike(a, b *image.RGBA) (worst int, at image.Point) {
	if a.Rect != b.Rect {
		return 256, image.Point{}
	}
	for y := range a.Rect.Dy() {
		p, q := a.Pix[y*a.Stride:][:4*a.Rect.Dx()], b.Pix[y*b.Stride:][:4*a.Rect.Dx()]
		if bytes.Equal(p, q) {
			continue
		}
		for i := range p {
			d := int(p[i]) - int(q[i])
			if d = max(d, -d); d > worst {
				worst, at = d, image.Pt(i/4, y)
			}
		}
	}
	return worst, at
}

// Whatever way a window was reached, when Work is done the frame is the one that is painted at once.
func TestTilesShowWhatIsPaintedAtOnce(t *testing.T) {
	for _, row := range []struct {
		name string
		h    *heap.Heap
		size scene.Size
	}{{"story", story(t), scene.Size{W: 560, H: 300, Scale: 1}},
		{"crowd", crowd(t, 1000, 5), scene.Size{W: 280, H: 200, Scale: 1.5}}} {
		size := row.size
		r := &Renderer{Later: true}
		s := State{Theme: palette.Dark(), Heap: row.h, Cursor: 40}
		p := scene.Point{X: 300, Y: 200}
		for step, move := range []func(){
			func() {}, func() { s = Zoom(s, size, p, 3, true, true) }, func() { s = Pan(s, size, 0.13, 0.2) }, func() {
				s = Pan(s, size, -0.6, 0)
			},
			func() { s = Zoom(s, size, p, 2, false, true) }, func() { s.Alpha = 0.8 }, func() { s.Alpha = 0.2 },
			func() { s.Alpha = 1 }, func() { s = Pan(s, size, 0.2, 0) }, func() { s.Alpha = 1.4 },
			func() { s.Color = Size }, func() { s.Alpha = 0.5 }, func() { s.Alpha = 0.3 }, func() { s.Plain = true },
			func() { s = Fit(s) }, func() { s.Bin = 1 },
		} {
			move()
			r.Scene(s, size)
			for range 50 {
				if !r.Lacks() {
					break
				}
				if err := r.Work(context.Background(), time.Second); err != nil {
					t.Fatal(err)
				}
				r.Scene(s, size)
			}
			got, want := raster.Render(r.Scene(s, size), size.Scale, nil), raster.Render(Scene(s, size), size.Scale, nil)
			if d, at := unlike(got, want); r.Lacks() || d > 2 {
				t.Errorf("%s, scale %g, step %d: off by %d at %v", row.name, size.Scale, step, d, at)
			}
		}
	}
}

// While tiles are missing, those of other scales stand in for them, and tiles that are there are not made again.
func TestMissingTilesAreStoodInFor(t *testing.T) {
	size := scene.Size{W: 900, H: 420, Scale: 1}
	s := State{Theme: palette.Dark(), Heap: crowd(t, 3000, 5)}
	r := &Renderer{Later: true}
	work := func() {
		for r.Scene(s, size); r.Lacks(); r.Scene(s, size) {
			if err := r.Work(context.Background(), time.Second); err != nil {
				t.Fatal(err)
			}
		}
	}
	if d := r.Scene(s, size); len(d.Shapes) != 2 || d.Shapes[1].(scene.Text).S != "Drawing 3 000 blocks …" {
		t.Errorf("before anything is there the frame has %v", d.Shapes)
	}
	work()
	s = Zoom(s, size, scene.Point{X: 400, Y: 200}, 2, true, true)
	d := r.Scene(s, size)
	stand := 0
	for _, x := range d.Shapes {
		if g, ok := x.(scene.Group); ok {
			for _, x := range g.Shapes {
				if i, ok := x.(scene.Image); ok && i.Name == "blocks as they were" {
					stand++
				}
			}
		}
	}
	if stand == 0 || !r.Lacks() {
		t.Errorf("%d tiles stand in for missing ones", stand)
	}
	work()
	s = Pan(s, size, 0.01, 0)
	r.Scene(s, size)
	tiles := 0
	for _, w := range r.want {
		if w.slot == "" {
			tiles++
		}
	}
	if tiles > 8 {
		t.Errorf("a hundredth to the right wants %d tiles anew", tiles)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.Work(ctx, time.Second); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled work says %v", err)
	}
}

// From the second alpha on strokes are kept, of what is shown, within their bound; another choice drops them.
func TestStrokesAreKept(t *testing.T) {
	size := scene.Size{W: 900, H: 420, Scale: 1}
	s := State{Theme: palette.Dark(), Heap: crowd(t, 3000, 5)}
	r := &Renderer{Later: true}
	strokeCache := &r.store.strokeCache
	for step, row := range []struct {
		change func()
		kept   bool
	}{
		{func() {}, false}, {func() { s.Alpha = 0.8 }, true}, {func() { s.Alpha = 0.5 }, true},
		{func() { s.Color = Size }, false}, {func() { s.Alpha = 0.3 }, true},
	} {
		row.change()
		for r.Scene(s, size); r.Lacks(); r.Scene(s, size) {
			if err := r.Work(context.Background(), time.Second); err != nil {
				t.Fatal(err)
			}
		}
		if !row.kept && len(strokeCache.all) > 0 {
			t.Errorf("step %d: strokes of another generation are still kept", step)
		}
		size := int64(0)
		for _, x := range strokeCache.all {
			if !x.whole {
				t.Errorf("step %d: strokes are kept in part", step)
			}
			size += x.size.Load()
		}
		if fresh := strokeCache.generation == r.look.generation; fresh != row.kept ||
			fresh && (size == 0 || size != strokeCache.size) {
			t.Errorf("step %d: %d strokes kept, counted %d, of this generation %t", step, size, strokeCache.size, fresh)
		}
	}
	full := &strokes{bands: make([][][]stroke, 1)}
	full.size.Store(mostStrokes)
	full.keep(0, make([]stroke, 3))
	if full.done(); full.whole || full.bands != nil {
		t.Error("more strokes are kept than may be")
	}
	crowded := &resultStore{}
	crowded.recall(r.look, "here")
	crowded.remember(r.look, "here", full)
	if crowded.recall(r.look, "here") != nil || crowded.recall(r.look, "there") == nil {
		t.Error("strokes that are too many are collected again")
	}
}
