package shell

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/views/link"

	"fyne.io/fyne/v2"
)

// TestSavePicture: the sheet says what is wrong with what is asked, and saves a picture of the size asked for in every
// format, over what was there.
func TestSavePicture(t *testing.T) {
	b := openAt(t, fyne.NewSize(720, 480), "/recordings/bubble.orr")
	b.front().dock.bring(Cycles)
	b.settle()
	f := newExportForm(b.window)
	if f.slot() != Cycles || f.apply.Disabled() || !strings.HasSuffix(f.texts["file"].Text,
		"/recordings/bubble-cycles.png") {
		t.Fatalf("the sheet proposes %q of %s: %s", f.texts["file"].Text, f.slot(), f.said.Text)
	}
	for _, c := range []struct{ field, text, want string }{
		{"size", "large", "WIDTHxHEIGHT"}, {"size", "4x4", "16 or more"}, {"size", "NaNxNaN", "WIDTHxHEIGHT"},
		{"size", "90000x90000", "million"},
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
		if want := map[string]string{".png": "480 x 300 pixels as a PNG", ".svg": "320 x 200 units as SVG",
			".pdf": "320 x 200 units as PDF"}[filepath.Ext(name)]; !strings.HasPrefix(f.said.Text, want) {
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

// TestAKeptPictureSaysWhatItIsOf: above the picture stand the pane's title, the file and the caption, unless nobody
// wants them, and nothing of what the pointer rests on is in it.
func TestAKeptPictureSaysWhatItIsOf(t *testing.T) {
	b := openAt(t, fyne.NewSize(720, 480), "/recordings/bubble.orr")
	b.front().dock.bring(Cycles)
	b.settle()
	l := b.front().doc.Link()
	dir := t.TempDir()
	for _, row := range []struct {
		name, size, head string
		want, lacks      []string
	}{
		{"headed", "600x400", headed, []string{">Cycles<", ">bubble.orr<", "window 10 · address · #1 of 5, persistence 7"},
			[]string{"under the pointer"}},
		{"narrow", "90x400", headed, []string{">Cycles<", ">window 10 ·<"}, []string{"under the pointer"}},
		{"flat", "600x90", headed, []string{">Cycles<", ">bubble.orr<"}, []string{"window 10", "under the pointer"}},
		{"tiny", "60x30", headed, nil, []string{">Cycles<", "under the pointer"}},
		{"bare", "600x400", bare, nil, []string{">Cycles<", ">bubble.orr<", "window 10", "under the pointer"}},
	} {
		l.SetHover(link.Thing{What: link.Line, File: "bubble.cpp", Line: 3})
		f := newExportForm(b.window)
		f.texts["size"].SetText(row.size)
		f.head.SetSelected(row.head)
		path := filepath.Join(dir, row.name+".svg")
		f.texts["file"].SetText(path)
		f.use()
		b.settle()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range row.want {
			if !bytes.Contains(data, []byte(want)) {
				t.Errorf("%s: the picture lacks %q", row.name, want)
			}
		}
		for _, lacks := range row.lacks {
			if bytes.Contains(data, []byte(lacks)) {
				t.Errorf("%s: the picture has %q", row.name, lacks)
			}
		}
		if w, h, _ := strings.Cut(row.size, "x"); !bytes.Contains(data, []byte(`width="`+w+`"`)) ||
			!bytes.Contains(data, []byte(`height="`+h+`"`)) {
			t.Errorf("%s: the picture is not %s large: %.200s", row.name, row.size, data)
		}
	}
}

// TestPicturesOfExamplesAreNotKeptInTheCache: what ships with the application has no folder of the user's own.
func TestPicturesOfExamplesAreNotKeptInTheCache(t *testing.T) {
	cache, work := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Chdir(work)
	b := openAt(t, fyne.NewSize(720, 480), filepath.Join(cache, "orrery", "examples", "bubble.orr"))
	f := newExportForm(b.window)
	if got := f.texts["file"].Text; filepath.Dir(got) != work {
		t.Errorf("the picture of an example goes to %s, want it in %s", got, work)
	}
	if got := b.sessions.proposedName(); filepath.Dir(got) != work {
		t.Errorf("the session of an example goes to %s, want it in %s", got, work)
	}
	if got := b.app.Preferences().String(prefFolder); got != work {
		t.Errorf("other files go to %s, want them in %s", got, work)
	}
}
