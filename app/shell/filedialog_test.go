package shell

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"golang.org/x/sys/unix"
)

// folder has files, folders, and all that is neither: to open one of those would wait for ever, or never end.
func folder(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, "b.orr"), []byte("12345"), 0o644),
		os.WriteFile(filepath.Join(dir, "A.orr"), nil, 0o644),
		os.WriteFile(filepath.Join(dir, ".hidden"), nil, 0o644), os.WriteFile(filepath.Join(dir, "no right to it"), nil, 0),
		os.MkdirAll(filepath.Join(dir, "sub", "deeper"), 0o755), os.WriteFile(filepath.Join(dir, "sub", "c.orr"), nil, 0o644),
		unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600), os.Symlink("pipe", filepath.Join(dir, "to pipe")),
		os.Symlink("/dev/zero", filepath.Join(dir, "zero")), os.Symlink("/nowhere", filepath.Join(dir, "dangling")),
		os.Symlink("sub", filepath.Join(dir, "to sub")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return dir
}

// chosen opens a sheet for files or folders in a folder, and gives it with what is chosen.
func chosen(t *testing.T, b *bench, dir string, folders bool) (c *chooser, got *[]string) {
	t.Helper()
	b.app.Preferences().SetString(prefFolder, dir)
	got = new([]string)
	c = b.dialogs.choose("Open", folders, func(path string) { *got = append(*got, path) })
	b.settle()
	return c, got
}

func (c *chooser) names() string {
	var list []string
	for _, e := range c.shown {
		name := e.name
		if e.folder() {
			name += "/"
		}
		if !e.usable() {
			name += " (" + e.detail() + ")"
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}

// press and type of the field.
func (c *chooser) keys(names ...fyne.KeyName) {
	for _, k := range names {
		c.path.TypedKey(&fyne.KeyEvent{Name: k})
	}
}

// TestFolderIsListedAndNothingOpened: what would keep whoever opens it is listed and cannot be chosen.
func TestFolderIsListedAndNothingOpened(t *testing.T) {
	b, dir := openSmall(t), folder(t)
	c, _ := chosen(t, b, dir, false)
	const want = "sub/, to sub/, A.orr, b.orr, dangling (leads nowhere), no right to it, pipe (a named pipe), socket (a " +
		"socket), " +
		"to pipe (a named pipe), zero (a device)"
	if got := c.names(); got != want {
		t.Errorf("listed\n%s, want\n%s", got, want)
	}
	if n := c.said.Text; n != "10 names; 1 not shown" {
		t.Errorf("said %q", n)
	}
	folders, _ := chosen(t, b, dir, true)
	if got := folders.names(); got != "sub/, to sub/" {
		t.Errorf("of folders it lists %s", got)
	}
}

// TestChoosing types and walks, and looks what is chosen and what is said.
func TestChoosing(t *testing.T) {
	home := folder(t)
	t.Setenv("HOME", home)
	keys := func(names ...fyne.KeyName) func(*bench, *chooser) {
		return func(b *bench, c *chooser) {
			for _, k := range names {
				c.keys(k)
				b.settle()
			}
		}
	}
	typed := func(path string, names ...fyne.KeyName) func(*bench, *chooser) {
		return func(b *bench, c *chooser) {
			c.path.SetText(path)
			b.settle()
			keys(names...)(b, c)
		}
	}
	for _, c := range []struct {
		name    string
		folders bool
		do      func(b *bench, c *chooser)
		want    string // chosen, below the folder; "" for nothing
		said    string
	}{
		{"down twice and Return enters nothing new", false, keys(fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn),
			"A.orr", ""},
		{"into a folder, down and Return", false, keys(fyne.KeyDown, fyne.KeyReturn, fyne.KeyDown, fyne.KeyDown,
			fyne.KeyReturn), "sub/c.orr", ""},
		{"what cannot be chosen is passed over", false, func(b *bench, c *chooser) {
			c.keys(fyne.KeyPageDown, fyne.KeyPageDown, fyne.KeyUp, fyne.KeyReturn) // dangling lies between
		}, "b.orr", ""},
		{"up from the first", false, func(b *bench, c *chooser) {
			c.keys(fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyUp, fyne.KeyUp, fyne.KeyDown,
				fyne.KeyDown, fyne.KeyReturn)
		}, "A.orr", ""},
		{"a path", false, typed(home+"/sub/c.orr", fyne.KeyReturn), "sub/c.orr", ""},
		{"~", false, typed("~/b.orr", fyne.KeyReturn), "b.orr", ""},
		{"a path behind the folder's", false, func(b *bench, c *chooser) {
			c.path.SetText(c.path.Text + home + "/sub/c.orr")
			b.settle()
			c.keys(fyne.KeyReturn)
		}, "sub/c.orr", ""},
		{"~ behind the folder's", false, func(b *bench, c *chooser) {
			c.path.SetText(c.path.Text + "~/sub/c")
			b.settle()
			c.keys(fyne.KeyDown, fyne.KeyReturn)
		}, "sub/c.orr", ""},
		{"part of a name, down and Return", false, typed(home+"/B.", fyne.KeyDown, fyne.KeyReturn), "b.orr", ""},
		{"what is hidden", false, typed(home+"/.hi", fyne.KeyDown, fyne.KeyReturn), ".hidden", ""},
		{"a pipe", false, typed(home+"/pipe", fyne.KeyReturn), "", "a named pipe"},
		{"a link to a pipe, the button", false, func(b *bench, c *chooser) { c.path.SetText(home + "/to pipe"); c.use() },
			"", "a named pipe"},
		{"a device", false, typed("/dev/zero", fyne.KeyReturn), "", "a device"},
		{"nothing of the name", false, typed(home+"/nonesuch", fyne.KeyReturn), "", "There is no"},
		{"a pipe as a folder", false, typed(home + "/pipe/"), "", "is no folder"},
		{"a folder by its button", true, func(b *bench, c *chooser) { c.keys(fyne.KeyDown); c.use() }, "sub", ""},
		{"the folder that is shown", true, keys(fyne.KeyDown, fyne.KeyReturn, fyne.KeyReturn), "sub", ""},
		{"a file where a folder is wanted", true, func(b *bench, c *chooser) { c.path.SetText(home + "/b.orr"); c.use() },
			"", "is no folder"},
		{"two presses on a row", false, func(b *bench, c *chooser) { c.press(3); c.press(3) }, "b.orr", ""},
		{"Escape", false, keys(fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyEscape), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := openSmall(t)
			sheet, got := chosen(t, b, home, c.folders)
			c.do(b, sheet)
			b.settle()
			var want []string
			if c.want != "" {
				want = []string{filepath.Join(home, c.want)}
			}
			if fmt.Sprint(*got) != fmt.Sprint(want) || !strings.Contains(sheet.said.Text, c.said) {
				t.Errorf("chosen %v, said %q; want %v, %q", *got, sheet.said.Text, want, c.said)
			}
			if open := c.want == "" && c.said != ""; b.sheet.Visible() != open {
				t.Errorf("the sheet is open: %t, want %t", b.sheet.Visible(), open)
			}
		})
	}
}

// TestLookingLeavesTheListing presses Return before the folder that was typed is listed: it is listed all the same, and
// what was said of the path stays.
func TestLookingLeavesTheListing(t *testing.T) {
	b, dir := openSmall(t), folder(t)
	c, _ := chosen(t, b, dir, false)
	c.path.SetText(dir + "/sub/")
	c.path.SetText(dir + "/sub/nonesuch")
	c.keys(fyne.KeyReturn)
	b.settle()
	if len(c.all) != 2 || !strings.HasPrefix(c.said.Text, "There is no") {
		t.Errorf("%d entries, said %q; want 2, and that there is no such file", len(c.all), c.said.Text)
	}
}

// TestLongPathStaysInItsField: the end that is written to is seen, and nothing lies over what is beside the field.
func TestLongPathStaysInItsField(t *testing.T) {
	b := openSmall(t)
	c, _ := chosen(t, b, t.TempDir(), false)
	before := b.win.Canvas().Capture()
	c.path.SetText("/" + strings.Repeat("W", 300))
	b.settle()
	after := b.win.Canvas().Capture()
	at := b.app.Driver().AbsolutePositionForObject(c.path)
	right := at.X + c.path.Size().Width + 4
	for y := int(at.Y); y < int(at.Y+c.path.Size().Height); y++ {
		for x := int(right); x < before.Bounds().Dx(); x++ {
			if before.At(x, y) != after.At(x, y) {
				t.Fatalf("at %d, %d the path goes on beyond its field, which ends at %.0f", x, y, right)
			}
		}
	}
}

// TestOpenWaitsForNothing has paths that a file manager may drop and a list of recent files may have.
func TestOpenWaitsForNothing(t *testing.T) {
	dir := folder(t)
	for _, c := range []struct{ name, said string }{
		{"pipe", "is a named pipe"}, {"to pipe", "is a named pipe"}, {"zero", "is a device"}, {"socket", "is a socket"},
	} {
		b := openSmall(t, filepath.Join(dir, c.name))
		if len(b.docs) != 0 || len(b.notices) != 1 || !strings.Contains(b.notices[0].text, c.said) {
			t.Errorf("%s: %d documents, told %v; want %q", c.name, len(b.docs), b.notices, c.said)
		}
	}
	b := openSmall(t)
	b.openFrom(filepath.Join(dir, "pipe"), true)
	b.settle()
	if len(b.docs) != 1 {
		t.Errorf("a pipe that the command line names is not opened: %v", b.notices)
	}
}
