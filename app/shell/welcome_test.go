package shell

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

func TestWelcome(t *testing.T) {
	b := open1280(t)
	if len(b.welcome.cards) != 2 {
		t.Fatalf("%d cards", len(b.welcome.cards))
	}
	test.TapCanvas(b.win.Canvas(), fyne.NewPos(1, 1))
	c := b.welcome.cards[1]
	c.MouseDown(nil)
	c.MouseUp(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(20, 20)}})
	b.settle()
	if b.front() == nil || b.front().path != "/shipped/matrix.orr" {
		t.Error("a click on a card must open its recording")
	}
}

// TestWelcomeByKeys goes through cards and recent files with the arrows, and opens what is marked.
func TestWelcomeByKeys(t *testing.T) {
	b := open1280(t)
	b.app.Preferences().SetStringList(prefRecent, []string{"/recordings/a.orr", "/recordings/b.orr"})
	b.bringFront(-1)
	b.settle()
	w := b.welcome
	if len(w.cards) != 2 || len(w.recent) != 2 || w.columns < 2 {
		t.Fatalf("%d cards in %d columns, %d recent files", len(w.cards), w.columns, len(w.recent))
	}
	for i, row := range []struct {
		key  fyne.KeyName
		want int
	}{
		{fyne.KeyReturn, -1}, {fyne.KeyDown, 0}, {fyne.KeyLeft, 0}, {fyne.KeyRight, 1}, {fyne.KeyDown, 2}, {fyne.KeyDown, 3},
		{fyne.KeyDown, 3}, {fyne.KeyRight, 3},
		{fyne.KeyUp, 2}, {fyne.KeyUp, 0}, {fyne.KeyUp, 0}, {fyne.KeyEnd, 3}, {fyne.KeyHome, 0}, {fyne.KeyEscape, -1},
		{fyne.KeyRight, 0}, {fyne.KeyRight, 1},
	} {
		if b.key(row.key); w.chosen != row.want {
			t.Errorf("key %d, %s, marks %d, want %d", i, row.key, w.chosen, row.want)
		}
		for k, c := range w.cards {
			if c.chosen != (k == w.chosen) {
				t.Errorf("after key %d card %d is marked: %t", i, k, c.chosen)
			}
		}
	}
	b.key(fyne.KeyReturn)
	b.settle()
	if b.front() == nil || b.front().path != "/shipped/matrix.orr" {
		t.Error("Return must open the card that is marked")
	}
	b.bringFront(-1)
	b.settle()
	b.key(fyne.KeyEnd)
	b.key(fyne.KeyReturn)
	b.settle()
	if b.front() == nil || b.front().path != "/recordings/b.orr" {
		t.Error("Return must open the recent file that is marked")
	}
}
