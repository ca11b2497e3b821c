package shell

import (
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A question over a form gives the form back, answered or not, and what is answered is a path beside the last
// recording.
func TestQuestionOverForm(t *testing.T) {
	b := openAt(t, fyne.NewSize(720, 480), "/recordings/bubble.orr")
	form := container.NewWithoutLayout()
	b.sheet.present("Form", form, fyne.NewSize(300, 200))
	var got []string
	ask := func() { b.dialogs.saveFile("table.csv", func(path string) { got = append(got, path) }) }
	ask()
	if b.sheet.title.full != "Save as CSV" {
		t.Fatalf("the sheet is %q", b.sheet.title.full)
	}
	b.escape()
	if !b.sheet.Visible() || b.sheet.title.full != "Form" || b.sheet.body != form || got != nil {
		t.Errorf("after Escape the sheet is %q (visible: %v), answered %q", b.sheet.title.full, b.sheet.Visible(), got)
	}
	ask()
	b.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if want := filepath.Join("/recordings", "table.csv"); len(got) != 1 || got[0] != want || b.sheet.title.full != "Form" {
		t.Errorf("answered %q, want %s; the sheet is %q", got, want, b.sheet.title.full)
	}
	b.escape()
	if b.sheet.Visible() {
		t.Error("Escape does not close the form")
	}
}
