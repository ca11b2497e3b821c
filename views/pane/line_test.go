package pane

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

// lined shows a line at a place that is not on whole pixels, as layouts do.
func lined(t testing.TB, l *Line, scale float32, at fyne.Position, size fyne.Size) fyne.Window {
	t.Helper()
	test.NewTempApp(t)
	w := test.NewTempWindow(t, container.NewWithoutLayout(l))
	w.SetPadded(false)
	w.Canvas().(test.WindowlessCanvas).SetScale(scale)
	w.Resize(fyne.NewSize(200, 40))
	l.Move(at)
	l.Resize(size)
	return w
}

// TestLineIsExact compares a line with the rasteriser's picture of it: whatever its room is, letters are not stretched.
func TestLineIsExact(t *testing.T) {
	ink := palette.Dark().Text
	for _, scale := range []float32{1, 1.3, 2} {
		l := NewLine(scene.Mono, 12)
		l.Say("0 of 250 812", ink)
		room := l.Natural()
		w := lined(t, l, scale, fyne.NewPos(10.4, 3.3), room)
		w.Canvas().Capture() // from which the line knows the scale
		w.Canvas().Capture()
		got := l.generate(int(l.raster.Size().Width*scale+0.5), int(l.raster.Size().Height*scale+0.5))
		z := got.Bounds().Size()
		if got, want := float32(z.X)/scale, room.Width; got < want || got > want+2/scale {
			t.Errorf("scale %g: the picture is %g wide, the text %g", scale, got, want)
		}
		h := float64(z.Y) / float64(scale)
		d := scene.Drawing{Size: scene.Size{W: float64(z.X) / float64(scale), H: h, Scale: float64(scale)}}
		d.Add(scene.Text{At: scene.Point{Y: h/2 + scene.Middle(scene.Mono, 12)}, Face: scene.Mono, Size: 12,
			Color: ink, S: "0 of 250 812"})
		want := raster.Render(d, float64(scale), nil)
		if n := unlike(got, want); n > 0 {
			t.Errorf("scale %g: %d pixels are not those of the whole text", scale, n)
		}
		if l.Cut() {
			t.Errorf("scale %g: a text in its natural size is cut", scale)
		}
	}
}

func unlike(a, b image.Image) (n int) {
	if a.Bounds() != b.Bounds() {
		return a.Bounds().Dx()*a.Bounds().Dy() + 1
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if color.RGBAModel.Convert(a.At(x, y)) != color.RGBAModel.Convert(b.At(x, y)) {
				n++
			}
		}
	}
	return n
}

// TestLineOfAnotherScript leaves what our typefaces lack to Fyne.
func TestLineOfAnotherScript(t *testing.T) {
	l := NewLine(scene.Sans, 12)
	l.Say("記録.orr", palette.Dark().Text)
	w := lined(t, l, 1, fyne.NewPos(10, 3), fyne.NewSize(180, 18))
	w.Canvas().Capture()
	if !l.foreign.Visible() || l.raster.Visible() || l.foreign.Text != "記録.orr" || l.Cut() {
		t.Errorf("Fyne draws %q, visible: %v, ours: %v, cut: %v", l.foreign.Text, l.foreign.Visible(),
			l.raster.Visible(), l.Cut())
	}
	l.Resize(fyne.NewSize(l.Natural().Width-8, 18))
	if !l.Cut() || !strings.HasSuffix(l.foreign.Text, "…") {
		t.Errorf("in less room than it needs Fyne draws %q, cut: %v", l.foreign.Text, l.Cut())
	}
	l.Say("list.orr", palette.Dark().Text)
	if l.foreign.Visible() || !l.raster.Visible() {
		t.Error("a text in our script is still left to Fyne")
	}
}

// BenchmarkLine is a caption that changes in every frame.
func BenchmarkLine(b *testing.B) {
	l := NewLine(scene.Sans, 11.5)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l.Say("reference "+strings.Repeat("1", 1+i%7)+" of 250 812 · 27 % read", palette.Dark().Text)
		l.Natural()
		l.generate(260, 14)
	}
}
