package shell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"orrery/app/form"
	"orrery/app/jobs"
	"orrery/app/output"
	"orrery/views/scene"
	"orrery/views/words"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// chooser is the sheet in which a file or a folder to read is chosen. It is our own because Fyne's reads the files that
// it lists, and waits for them: a pipe in the folder, or a server that does not answer, stops the window for good. Here
// a job lists a folder, by names and kinds alone, and nothing is opened.
//
//	path typed or chosen ──> its folder is another one ──job──> rows
//	                    └──> rows with the rest of it in their names
type chooser struct {
	w       *window
	folders bool // a folder is wanted
	then    func(path string)

	dir   string  // of the rows; ends in a slash
	all   []entry // what it has
	shown []entry // of those, what fits what is typed
	at    int     // the chosen row, -1 for none

	path    *form.Entry
	rows    *widget.List
	said    *widget.Label
	pressed time.Time // when a row was last pressed
}

// entry is one line of a folder.
type entry struct {
	name string
	info fs.FileInfo // of what a link leads to; nil where that is unknown
}

func (e entry) folder() bool { return e.info != nil && e.info.IsDir() }

// usable reports whether the entry can be chosen or entered.
func (e entry) usable() bool { return e.info != nil && (e.info.IsDir() || e.info.Mode().IsRegular()) }

// kind is what an entry is that is neither file nor folder.
func kind(info fs.FileInfo) string {
	switch m := info.Mode(); {
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "no file"
}

// detail is what stands at the end of an entry's row.
func (e entry) detail() string {
	switch {
	case e.info == nil:
		return "leads nowhere"
	case e.folder():
		return ""
	case !e.usable():
		return kind(e.info)
	}
	return words.Bytes(uint64(e.info.Size())) + "   " + e.info.ModTime().Format("2006-01-02 15:04")
}

// open asks for a recording.
func (q *dialogs) open() { q.readFile(q.w.open) }

// readFile asks for a file to read.
func (q *dialogs) readFile(then func(path string)) { q.choose("Open a file", false, then) }

// readFolder asks for a folder to read.
func (q *dialogs) readFolder(then func(path string)) { q.choose("Open a folder", true, then) }

// choose opens the sheet where the last file was.
func (q *dialogs) choose(title string, folders bool, then func(path string)) *chooser {
	c := &chooser{w: q.w, folders: folders, then: then, at: -1, said: form.Said("")}
	c.path = form.NewEntry("", c.typed, c.apply, c.cancel)
	c.path.Key = c.key
	c.rows = widget.NewList(func() int { return len(c.shown) }, c.newRow, c.fillRow)
	c.rows.HideSeparators = true
	places := container.NewHBox(form.NewAction("Up", func() { c.enter(filepath.Dir(filepath.Clean(c.dir))) }, c.cancel))
	for _, p := range chooserPlaces() {
		places.Add(form.NewAction(p.name, func() { c.enter(p.dir) }, c.cancel))
	}
	button := form.NewAction("Open", c.use, c.cancel)
	button.Importance = widget.HighImportance
	buttons := container.NewHBox(form.NewAction("Cancel", c.cancel, c.cancel), button)
	bottom := container.NewBorder(nil, nil, nil, buttons, c.said)
	top := container.NewVBox(container.New(layout.NewCustomPaddedLayout(0, 4, 0, 0), c.path), places)
	z := q.w.win.Canvas().Size()
	size := fyne.NewSize(min(820, z.Width-60), min(560, z.Height-60))
	q.w.sheet.ask(title, container.NewBorder(top, bottom, nil, nil, c.rows), size)
	q.w.win.Canvas().Focus(c.path)
	c.enter(cmp.Or(q.w.app.Preferences().String(prefFolder), output.Working()))
	return c
}

// chooserPlaces are folders to begin with.
func chooserPlaces() (list []struct{ name, dir string }) {
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, struct{ name, dir string }{"Home", home})
	}
	return append(list, struct{ name, dir string }{"Where Orrery was started", output.Working()})
}

// enter goes to a folder.
func (c *chooser) enter(dir string) {
	dir = strings.TrimSuffix(dir, "/") + "/"
	c.write(dir)
	c.load(dir)
}

// write changes what is typed as if the user had, and lists nothing.
func (c *chooser) write(text string) {
	c.path.OnChanged = nil
	c.path.SetText(text)
	c.path.CursorColumn = len([]rune(text))
	c.path.Refresh()
	c.path.OnChanged = c.typed
}

// The keys of the jobs that list a folder and look what a path leads to: what is looked for while the folder is being
// listed does not leave the list empty.
const (
	listing = "folder"
	looking = "path"
)

// load lists a folder.
func (c *chooser) load(dir string) {
	c.dir, c.all = dir, nil
	c.filter("")
	c.say("Looking into "+dir+" …", false)
	list := func(ctx context.Context, _ func(done, total int64)) ([]entry, error) { return entriesOf(ctx, dir) }
	jobs.StartNow(c.w.engine, listing, "looking into "+dir, list, func(list []entry, err error) {
		c.all = list
		_, rest := filepath.Split(expand(c.path.Text))
		c.filter(rest)
		c.w.log.write("folder-listed", "path", dir, "entries", len(list))
		if err != nil {
			c.say(words.Sentence(err.Error()), true)
			return
		}
		if c.said.Importance != widget.DangerImportance { // nor is what was said of a path meanwhile taken back
			c.showCount()
		}
	})
}

// entriesOf lists a folder: folders before files, each by name.
func entriesOf(ctx context.Context, dir string) ([]entry, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() { // to read what is no folder could wait for ever
		return nil, fmt.Errorf("%s is no folder that can be read; type another, or go up", dir)
	}
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w; choose another folder", dir, errors.Unwrap(err))
	}
	var list []entry
	for _, n := range names {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		info, err := n.Info()
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			info, err = os.Stat(filepath.Join(dir, n.Name()))
		}
		if err != nil {
			info = nil
		}
		list = append(list, entry{n.Name(), info})
	}
	slices.SortFunc(list, func(a, b entry) int {
		if a.folder() != b.folder() {
			return map[bool]int{true: -1, false: 1}[a.folder()]
		}
		return cmp.Or(cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), cmp.Compare(a.name, b.name))
	})
	return list, nil
}

// filter shows what has a text in its name; what is hidden by its name only to those who ask for it.
func (c *chooser) filter(text string) {
	c.shown, c.at = nil, -1
	for _, e := range c.all {
		if c.folders && !e.folder() || e.name[0] == '.' && !strings.HasPrefix(text, ".") {
			continue
		}
		if strings.Contains(strings.ToLower(e.name), strings.ToLower(text)) {
			c.shown = append(c.shown, e)
		}
	}
	c.rows.ScrollToTop()
	c.rows.Refresh()
}

// typed follows what the user types.
func (c *chooser) typed(text string) {
	dir, rest := filepath.Split(expand(text))
	if dir != c.dir && filepath.IsAbs(dir) {
		c.load(dir)
		return
	}
	c.filter(rest)
	c.showCount()
}

// expand reads ~ as the home folder, and what does not begin at the root from where Orrery was started. A path that is
// typed behind the folder that stands there already begins anew.
func expand(text string) string {
	if i := max(strings.LastIndex(text, "//"), strings.LastIndex(text, "/~/")); i >= 0 {
		text = text[i+1:]
	}
	if rest, ok := strings.CutPrefix(text, "~"); ok && (rest == "" || rest[0] == '/') {
		if home, err := os.UserHomeDir(); err == nil {
			return home + cmp.Or(rest, "/")
		}
	}
	if !filepath.IsAbs(text) {
		return filepath.Join(output.Working(), text)
	}
	return text
}

// showCount says how much is listed.
func (c *chooser) showCount() {
	text := words.Plural(len(c.shown), "folder")
	if !c.folders {
		text = words.Plural(len(c.shown), "name")
	}
	if hidden := len(c.all) - len(c.shown); hidden > 0 {
		text += fmt.Sprintf("; %s not shown", words.Count(hidden))
	}
	c.say(text, false)
}

func (c *chooser) say(text string, bad bool) {
	c.said.Importance = widget.LowImportance
	if bad {
		c.said.Importance = widget.DangerImportance
	}
	c.said.SetText(text)
}

// newRow and fillRow make the rows that are seen.
func (c *chooser) newRow() fyne.CanvasObject {
	p := newPress(c.w, "name", nil, nil)
	p.keys = newLabel(c.w.look, "detail", 11, dim, scene.Mono)
	return p
}

func (c *chooser) fillRow(i widget.ListItemID, o fyne.CanvasObject) {
	if i >= len(c.shown) {
		return
	}
	p, e := o.(*press), c.shown[i]
	p.word.full, p.keys.full, p.lit = e.name, e.detail(), i == c.at
	if e.folder() {
		p.word.full += "/"
	}
	p.on = e.usable
	p.tap = func() { c.press(i) }
	p.Refresh()
}

// twice is how soon a second press on a row makes the two a double click.
const twice = 400 * time.Millisecond

// press follows a press on a row: the second one in short time opens it.
func (c *chooser) press(i int) {
	double := i == c.at && time.Since(c.pressed) < twice
	c.pressed = time.Now()
	c.mark(i)
	if double {
		c.apply()
		return
	}
	c.w.later(func() { // Fyne takes the keyboard away from the field after the press
		if c.open() {
			c.w.win.Canvas().Focus(c.path)
		}
	})
}

// open reports whether the sheet is still there.
func (c *chooser) open() bool { return c.w.sheet.Visible() && c.w.win.Canvas().Focused() == nil }

// mark chooses a row.
func (c *chooser) mark(i int) {
	c.at = i
	text := c.dir + c.shown[i].name
	if c.shown[i].folder() {
		text += "/"
	}
	c.write(text)
	c.rows.ScrollTo(i)
	c.rows.Refresh()
}

// move goes to another row that can be chosen: the next one in this direction, else the last one before.
func (c *chooser) move(by int) {
	step, to := max(-1, min(by, 1)), max(0, min(c.at+by, len(c.shown)-1))
	for i := to; i >= 0 && i < len(c.shown); i += step {
		if c.shown[i].usable() {
			c.mark(i)
			return
		}
	}
	for i := to; i >= 0 && i < len(c.shown) && i != c.at; i -= step {
		if c.shown[i].usable() {
			c.mark(i)
			return
		}
	}
}

// apply follows Return: a folder is entered, a file chosen.
func (c *chooser) apply() { c.look(false) }

// use follows the button: what is written is chosen.
func (c *chooser) use() { c.look(true) }

// look finds out, in the background, what is written.
func (c *chooser) look(button bool) {
	path := expand(strings.TrimSpace(c.path.Text))
	if _, named := c.w.named(c.path.Text); named && !c.folders {
		c.done(c.path.Text)
		return
	}
	host := c.w.host()
	Background(&host, looking, "looking for "+path, func() (fs.FileInfo, error) { return os.Stat(path) },
		func(info fs.FileInfo, err error) {
			switch {
			case err != nil:
				c.say("There is no "+path+"; choose one of those above.", true)
			case info.IsDir() && c.folders && (button || strings.TrimSuffix(path, "/")+"/" == c.dir && c.at < 0):
				c.done(filepath.Clean(path))
			case info.IsDir():
				c.enter(path)
			case c.folders:
				c.say(path+" is no folder; choose a folder.", true)
			case !info.Mode().IsRegular():
				c.say(path+" is "+kind(info)+", of which nobody knows when it ends; choose a file.", true)
			default:
				c.done(path)
			}
		})
}

// done ends the sheet with what was chosen.
func (c *chooser) done(path string) {
	c.w.sheet.dismiss()
	if filepath.IsAbs(path) {
		c.w.app.Preferences().SetString(prefFolder, filepath.Dir(path))
	}
	c.then(path)
}

func (c *chooser) cancel() {
	c.w.engine.Cancel(listing)
	c.w.engine.Cancel(looking)
	c.w.sheet.dismiss()
}

// chooserPage is how many rows a page is.
const chooserPage = 12

// key moves through the rows by the arrows.
func (c *chooser) key(name fyne.KeyName) bool {
	by := map[fyne.KeyName]int{
		fyne.KeyUp: -1, fyne.KeyDown: 1, fyne.KeyPageUp: -chooserPage, fyne.KeyPageDown: chooserPage,
	}[name]
	if by != 0 {
		c.move(by)
	}
	return by != 0
}
