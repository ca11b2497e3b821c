package shell

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// TestSavePicture: the sheet says what is wrong with what is asked, and saves a picture of the size asked for in every
// format, over what was there.
func TestSavePicture(t *testing.T) {
	b := openAt(t, fyne.NewSize(720, 480), "/recordings/bubble.orr")
	b.front().dock.bring(Cycles)
	b.settle()
	f := newExportForm(b.window)
	if f.slot() != Cycles || f.apply.Disabled() || !strings.HasSuffix(f.texts["file"].Text, "/recordings/bubble-cycles.png") {
		t.Fatalf("the sheet proposes %q of %s: %s", f.texts["file"].Text, f.slot(), f.said.Text)
	}
	for _, c := range []struct{ field, text, want string }{
		{"size", "large", "WIDTHxHEIGHT"}, {"size", "4x4", "16 or more"}, {"size", "NaNxNaN", "WIDTHxHEIGHT"}, {"size", "90000x90000", "million"},
		{"scale", "-1", "twice as fine"}, {"file", "picture.bmp", ".png, .svg or .pdf"}, {"file", "", ".png, .svg or .pdf"}} {
		was := f.texts[c.field].Text
		f.texts[c.field].SetText(c.text)
		if !f.apply.Disabled() || !strings.Contains(f.said.Text, c.want) {
			t.Errorf("%s = %q: %q", c.field, c.text, f.said.Text)
		}
		f.texts[c.field].SetText(was)
	}
	dir := t.TempDir()
	for _, name := range []string{"p.png", "p.svg", "p.pdf", "p.png"} {
		f := newExportForm(b.window)
		f.texts["size"].SetText("320x200")
		f.texts["scale"].SetText("1.5")
		f.colors.SetSelected("light")
		f.texts["file"].SetText(filepath.Join(dir, name))
		if want := map[string]string{".png": "480 x 300 pixels as a PNG", ".svg": "320 x 200 units as SVG", ".pdf": "320 x 200 units as PDF"}[filepath.Ext(name)]; !strings.HasPrefix(f.said.Text, want) {
			t.Errorf("%s is told as %q, want %q", name, f.said.Text, want)
		}
		f.use()
		b.settle()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(name) {
		case ".png":
			if p, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || p.Width != 480 || p.Height != 300 {
				t.Errorf("%+v, %v", p, err)
			}
		case ".svg":
			if !bytes.Contains(data, []byte("<svg")) {
				t.Errorf("%.60s", data)
			}
		default:
			if !bytes.HasPrefix(data, []byte("%PDF")) {
				t.Errorf("%.20q", data)
			}
		}
	}
	f.texts["file"].SetText(filepath.Join(dir, "none", "p.png"))
	f.use()
	b.settle()
	if last := b.notices[len(b.notices)-1]; !last.bad || !strings.Contains(last.text, "none") {
		t.Errorf("%+v", last)
	}
}
