package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// growing is a document that is still being written.
type growing struct {
	*fakeDocument
	on bool
}

func (g *growing) Growing() bool { return g.on }

// TestFilesThatChange deletes, moves, replaces and writes over a file that is open: each is told once, in a sentence
// with a remedy, when it has lasted, and what is open stays.
func TestFilesThatChange(t *testing.T) {
	write := func(t *testing.T, path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	move := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		do    func(t *testing.T, path string)
		grows bool
		want  string // "" for nothing
	}{
		{"nothing", func(*testing.T, string) {}, false, ""},
		{"deleted", func(t *testing.T, path string) { os.Remove(path) }, false, "no longer in"},
		{"renamed", func(t *testing.T, path string) { move(t, path, path+".old") }, false, "put the file back"},
		{"replaced", func(t *testing.T, path string) { write(t, path+".new", "another"); move(t, path+".new", path) }, false,
			"another file now"},
		{"written over", func(t *testing.T, path string) { write(t, path, "longer than before") }, false,
			"written to by another program"},
		{"written by the recorder", func(t *testing.T, path string) { write(t, path, "longer than before") }, true, ""},
		{"deleted while it is written", func(t *testing.T, path string) { os.Remove(path) }, true, "no longer in"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := files(t, "a.orr")[0]
			b := openSmall(t, path)
			b.fileWatcher.every = time.Hour // the test looks itself
			d := b.front()
			d.doc = &growing{b.fake(), c.grows}
			look := func() { b.fileWatcher.look(); b.settle() }
			look()
			c.do(t, path)
			look()
			if len(b.notices) > 0 {
				t.Errorf("at the first look it says %q: the file may be being written", b.notices[0].text)
			}
			look()
			look()
			switch {
			case c.want == "" && len(b.notices) > 0:
				t.Errorf("it says %q", b.notices[0].text)
			case c.want != "" && (len(b.notices) != 1 || !strings.Contains(b.notices[0].text, c.want) ||
				!strings.Contains(b.notices[0].text, "a.orr") || !b.notices[0].bad):
				t.Errorf("it says %+v, want one sentence with %q", b.notices, c.want)
			}
			if b.front() != d {
				t.Error("the document is no longer open")
			}
		})
	}
}

// A file that comes back as it was is no news; one that is opened again is opened where the user was, and one that is
// gone stays open.
func TestReopen(t *testing.T) {
	path := files(t, "a.orr")[0]
	b := openSmall(t, path)
	b.fileWatcher.every = time.Hour
	look := func() { b.fileWatcher.look(); b.fileWatcher.look(); b.settle() }
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	look()
	d := b.front()
	b.reg.Run("file.again")
	b.settle()
	if last := b.notices[len(b.notices)-1].text; b.front() != d || !strings.Contains(last, "cannot be opened again") ||
		!strings.Contains(last, filepath.Dir(path)) {
		t.Errorf("opened again without a file it says %q", last)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	b.reg.Run("file.again")
	b.settle()
	if last := b.notices[len(b.notices)-1].text; b.front() != d || !strings.Contains(last, "it is empty now") {
		t.Errorf("opened again when it is empty it says %q", last)
	}
	if err := os.Rename(path+".old", path); err != nil {
		t.Fatal(err)
	}
	told := len(b.notices)
	look()
	if len(b.notices) != told {
		t.Errorf("of a file that is back it says %q", b.notices[told].text)
	}
	d.doc.Link().SetCursor(77)
	b.fake().chosen = "circle"
	b.reg.Run("file.again")
	b.settle()
	if now := b.front(); now == d || now == nil || now.path != path || now.doc.Link().State().Cursor != 77 ||
		b.fake().chosen != "circle" || len(b.docs) != 1 {
		t.Errorf("opened again: %+v of %d", b.front(), len(b.docs))
	}
}
