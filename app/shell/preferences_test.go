package shell

import (
	"os"
	"testing"
	"time"

	"fyne.io/fyne/v2"
)

// Every preference can be reached and changed with the keyboard, counts at once, and is there in the next run.
func TestPreferences(t *testing.T) {
	t.Setenv(scaleVariable, "")
	b := openSmall(t, files(t, "a.orr")...)
	b.reg.Press("Ctrl+,")
	c := b.win.Canvas()
	for range b.appearance.preferences() { // each one goes on by one
		f := c.Focused()
		if f == nil {
			t.Fatal("Tab leads out of the sheet")
		}
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		c.FocusNext()
	}
	b.settle()
	if b.appearance.theme != "light" || b.look.Name != "light strong universal" || os.Getenv(scaleVariable) != "0.8" ||
		fyne.CurrentApp().Settings().ShowAnimations() {
		t.Errorf("theme %s, look %s, scale %q, animations %v", b.appearance.theme, b.look.Name, os.Getenv(scaleVariable),
			fyne.CurrentApp().Settings().ShowAnimations())
	}
	p, now := b.front().player, time.Unix(100, 0)
	p.toggle(now)
	moved := 0
	last := p.doc.Link().State().Cursor
	for range 120 { // two seconds of frames
		now = now.Add(time.Second / 60)
		p.advance(now)
		if at := p.doc.Link().State(); at.Cursor != last {
			moved, last = moved+1, at.Cursor
			if at.Part != 1 {
				t.Errorf("part %g of a reference", at.Part)
			}
		}
	}
	if moved < 3 || moved > 4 || last < 60 || last > 82 {
		t.Errorf("two seconds at 40 a second made %d steps and led to %d; want 3 or 4 jumps", moved, last)
	}
	os.Unsetenv(scaleVariable)
	b.app.settings.reduced.Store(false)
	b.appearance.recall()
	if os.Getenv(scaleVariable) != "0.8" || !b.app.settings.reduced.Load() ||
		b.appearance.palette().Name != "light strong universal" {
		t.Error("what was chosen is forgotten")
	}
	t.Setenv(scaleVariable, "2")
	if b.appearance.recall(); os.Getenv(scaleVariable) != "2" {
		t.Error("a scale in the environment is overruled")
	}
	os.Unsetenv(scaleVariable)
}
