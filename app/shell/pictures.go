package shell

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"orrery/app/form"
	"orrery/app/jobs"
	"orrery/app/output"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// pictures saves and copies what a pane shows.
type pictures struct{ w *window }

// Printer is a view whose Draw leaves parts for later. Print gives what draws all of it, anywhere.
type Printer interface {
	Print(size scene.Size, theme palette.Theme) func() scene.Drawing
}

// mostPixels bounds a picture: its pixels take 256 MB.
const mostPixels = 64 << 20

// exportForm is the sheet in which a picture is saved: which pane, how large, in which colours and where to.
type exportForm struct {
	w      *window
	doc    *opened
	slots  []Slot
	grid   *form.Grid
	texts  map[string]*form.Entry
	pane   *form.Choice
	colors *form.Choice
	head   *form.Choice
	apply  *form.Action
	copy   *form.Action
	said   *widget.Label
}

// asShown is the choice of the window's own colours.
const asShown = "as in the window"

// Whether a picture says above itself what it is of.
const (
	headed = "title and caption"
	bare   = "none"
)

// save opens the sheet for the pane that has the keyboard.
func (p *pictures) save() {
	f := newExportForm(p.w)
	if f == nil {
		return
	}
	bottom := container.NewBorder(nil, nil, nil,
		container.NewHBox(form.NewAction("Cancel", p.w.sheet.dismiss, p.w.sheet.dismiss), f.copy, f.apply), f.said)
	p.w.sheet.present("Save the picture", container.NewBorder(nil, bottom, nil, nil, f.grid.Box), fyne.NewSize(620, 356))
	p.w.win.Canvas().Focus(f.texts["file"])
}

// active is the slot of the pane that has the keyboard, else of the largest one that is seen.
func (d *opened) active(w *window) (slot Slot, ok bool) {
	most := float32(0)
	for _, s := range d.dock.order {
		p := d.dock.tabs[s].pane
		if p == w.stage.Active() {
			return s, true
		}
		if z := p.Size(); p.Visible() && min(z.Width, z.Height) > most {
			slot, ok, most = s, true, min(z.Width, z.Height)
		}
	}
	return slot, ok
}

func newExportForm(w *window) *exportForm {
	d := w.front()
	slot, ok := d.active(w)
	if !ok {
		return nil
	}
	f := &exportForm{w: w, doc: d, slots: d.dock.order, grid: form.NewGrid(),
		texts: map[string]*form.Entry{}, said: form.Said("")}
	var titles []string
	for _, s := range f.slots {
		titles = append(titles, d.dock.tabs[s].view.Title())
	}
	at := slices.Index(f.slots, slot)
	f.pane = form.NewChoice(titles, titles[at], func(string) { f.fit() }, f.use, w.sheet.dismiss)
	f.colors = form.NewChoice([]string{asShown, "dark", "light"}, asShown, func(string) { f.check() },
		f.use, w.sheet.dismiss)
	f.head = form.NewChoice([]string{headed, bare}, headed, func(string) { f.check() }, f.use, w.sheet.dismiss)
	f.apply, f.copy = form.NewAction("Save", f.use, w.sheet.dismiss), form.NewAction("Copy", f.useCopy, w.sheet.dismiss)
	f.apply.Importance = widget.HighImportance
	f.grid.Line("picture", f.pane, 190, "a pane, as it is looked at now", w.look.Dim)
	f.grid.Line("size", f.text("size", ""), 190, "units; in the window one is one pixel", w.look.Dim)
	f.grid.Line("pixels a unit", f.text("scale", "2"), 190, "of a PNG, and of what is copied", w.look.Dim)
	f.grid.Line("colours", f.colors, 190, "", w.look.Dim)
	f.grid.Line("heading", f.head, 190, "above the picture, within its size", w.look.Dim)
	f.grid.Line("file", f.text("file", ""), 430, "", w.look.Dim)
	f.fit()
	return f
}

func (f *exportForm) text(key, text string) *form.Entry {
	f.texts[key] = form.NewEntry(text, func(string) { f.check() }, f.use, f.w.sheet.dismiss)
	return f.texts[key]
}

// slot is the pane that is chosen.
func (f *exportForm) slot() Slot {
	return f.slots[max(0, slices.Index(f.pane.Options, f.pane.Selected))]
}

// fit proposes the size that the pane has, and a name beside the recording.
func (f *exportForm) fit() {
	size := fyne.NewSize(800, 600)
	if p := f.doc.dock.tabs[f.slot()].pane; p.Visible() && p.Size().Width >= 32 {
		size = p.Size()
	}
	f.texts["size"].SetText(fmt.Sprintf("%.0fx%.0f", size.Width, size.Height))
	end := ".png"
	if e := strings.ToLower(filepath.Ext(f.texts["file"].Text)); slices.Contains(output.Formats(), e) {
		end = e
	}
	f.texts["file"].SetText(output.Beside(f.doc.path, "-"+string(f.slot())+end))
	f.check()
}

// order reads the form.
func (f *exportForm) order() (size scene.Size, theme palette.Theme, err error) {
	w, h, _ := strings.Cut(strings.ToLower(strings.TrimSpace(f.texts["size"].Text)), "x")
	wide, err1 := strconv.ParseFloat(w, 64)
	high, err2 := strconv.ParseFloat(h, 64)
	scale, err3 := strconv.ParseFloat(strings.TrimSpace(f.texts["scale"].Text), 64)
	switch {
	case err1 != nil || err2 != nil || !(wide >= 16) || !(high >= 16):
		err = fmt.Errorf("size = %q cannot be; write WIDTHxHEIGHT of 16 or more, for example 1200x900", f.texts["size"].Text)
	case err3 != nil || !(scale > 0):
		err = fmt.Errorf("pixels a unit = %q cannot be; 1 is as in the window, 2 is twice as fine", f.texts["scale"].Text)
	case !(wide*high*scale*scale <= mostPixels):
		err = fmt.Errorf("the picture would have %.0f million pixels; %d million is the most",
			wide*high*scale*scale/1e6, mostPixels>>20)
	}
	theme = f.w.look.Theme
	switch f.colors.Selected {
	case "dark":
		theme = f.w.appearance.preferred(palette.Dark())
	case "light":
		theme = f.w.appearance.preferred(palette.Light())
	}
	return scene.Size{W: wide, H: high, Scale: scale}, theme, err
}

// check says what is wrong with the form, if something is.
func (f *exportForm) check() {
	if len(f.texts) < 3 { // being built
		return
	}
	size, _, err := f.order()
	_, named := output.Encoder(f.texts["file"].Text, 1)
	set := func(a *form.Action, on bool) {
		if on {
			a.Enable()
		} else {
			a.Disable()
		}
	}
	set(f.copy, err == nil)
	set(f.apply, err == nil && named == nil)
	f.said.Importance = widget.MediumImportance
	switch {
	case err != nil || named != nil:
		f.said.Importance = widget.DangerImportance
		f.said.SetText(words.Sentence(cmp.Or(err, named).Error()))
	default:
		text := fmt.Sprintf("%.0f x %.0f pixels as a PNG", size.W*size.Scale, size.H*size.Scale)
		if end := strings.ToLower(filepath.Ext(f.texts["file"].Text)); end != ".png" {
			text = fmt.Sprintf("%.0f x %.0f units as %s", size.W, size.H, strings.ToUpper(end[1:]))
		}
		f.said.SetText(text)
		host, path := f.w.host(), f.texts["file"].Text
		host.Exists(path, func() {
			if f.said.Text == text && f.texts["file"].Text == path {
				f.said.SetText(text + "; the file of that name will be replaced")
			}
		})
	}
}

// use draws the picture and writes it in the background.
func (f *exportForm) use() {
	size, theme, err := f.order()
	path := f.texts["file"].Text
	encode, named := output.Encoder(path, size.Scale)
	if err != nil || named != nil {
		return
	}
	f.w.sheet.dismiss()
	f.w.pictures.keep(f.doc, f.slot(), size, theme, f.head.Selected == headed, "saving "+filepath.Base(path),
		func(d scene.Drawing) error {
			data, err := encode(d)
			if err != nil {
				return err
			}
			return output.Write(path, data)
		}, "The picture is in "+path)
}

func (f *exportForm) useCopy() {
	size, theme, err := f.order()
	if err == nil {
		f.w.sheet.dismiss()
		f.w.pictures.copyAt(f.doc, f.slot(), size, theme, f.head.Selected == headed)
	}
}

// copy puts the picture of the pane that has the keyboard on the clipboard, as it is.
func (p *pictures) copy() {
	d := p.w.front()
	if slot, ok := d.active(p.w); ok {
		z := d.dock.tabs[slot].pane.Size()
		p.copyAt(d, slot, scene.Size{W: float64(z.Width), H: float64(z.Height), Scale: 2}, p.w.look.Theme, true)
	}
}

func (p *pictures) copyAt(d *opened, slot Slot, size scene.Size, theme palette.Theme, heading bool) {
	p.keep(d, slot, size, theme, heading, "copying the picture", func(drawing scene.Drawing) error {
		data, err := output.PNG(drawing, size.Scale)
		if err != nil {
			return err
		}
		return toClipboard(data)
	}, "The picture of the "+string(slot)+" pane is on the clipboard.")
}

// keep draws a pane at a size, with a heading or without, and keeps the drawing in the background. What the
// pointer rests on is nothing to a picture that is kept.
func (p *pictures) keep(d *opened, slot Slot, size scene.Size, theme palette.Theme, heading bool, work string,
	keep func(scene.Drawing) error, done string) {
	for _, t := range d.dock.tabs {
		if l, ok := t.view.(pane.Leaver); ok {
			l.Left()
		}
	}
	t := d.dock.tabs[slot]
	size.Paper = true
	whole := size
	var above scene.Drawing
	if heading {
		above = headOf(size, theme, t.view.Title(), filepath.Base(d.path), t.view.Caption())
		size.H -= above.Size.H
	}
	var draw func() scene.Drawing
	if p, ok := t.view.(Printer); ok {
		draw = p.Print(size, theme)
	} else {
		drawing := t.view.Draw(size, theme)
		draw = func() scene.Drawing { return drawing }
	}
	if heading {
		inner := draw
		draw = func() scene.Drawing {
			below := inner()
			out := scene.Drawing{Size: whole, Background: below.Background}
			out.Add(above.Shapes...)
			out.Add(scene.Group{Clip: scene.R(0, above.Size.H, size.W, size.H),
				Shapes: scene.Move(below.Shapes, 0, above.Size.H)})
			return out
		}
	}
	p.w.stage.Invalidate(t.pane) // its own size and colours again
	jobs.Start(p.w.engine, "picture:"+d.path+string(slot), work,
		func(context.Context, func(done, total int64)) (struct{}, error) {
			return struct{}{}, keep(draw())
		}, func(_ struct{}, err error) {
			if err != nil {
				p.w.notify("The picture was not kept: "+err.Error(), true)
				return
			}
			p.w.notify(done, false)
		})
}

// headOf is what stands above a kept picture: the title of the pane and the name of the file, below them the pane's
// caption. A small picture has less of it, or nothing: at least two thirds of the height are the picture's.
func headOf(size scene.Size, theme palette.Theme, title, file, caption string) scene.Drawing {
	const margin, first, pitch, below = 12.0, 19.0, 15.0, 8.0
	d := scene.Drawing{Size: scene.Size{W: size.W, Scale: size.Scale}}
	room := size.W - 2*margin
	if first+below > size.H/3 {
		return d
	}
	d.Size.H = first + below
	wide := min(scene.Measure(scene.Bold, 13, title), room)
	d.Add(scene.Text{At: scene.Point{X: margin, Y: first}, Face: scene.Bold, Size: 13, Color: theme.Text,
		Max: wide + 0.5, S: title})
	if left := room - wide - 10; left > 0 {
		d.Add(scene.Text{At: scene.Point{X: margin + wide + 10, Y: first}, Size: 12, Color: theme.Dim, Max: left, S: file})
	}
	for i, line := range scene.Break(scene.Sans, 11, caption, room) {
		if d.Size.H+pitch > size.H/3 {
			break
		}
		d.Add(scene.Text{At: scene.Point{X: margin, Y: first + pitch*float64(i+1)}, Size: 11, Color: theme.Dim, S: line})
		d.Size.H += pitch
	}
	return d
}

// clipboards are the programs that take a picture for the clipboard, which Fyne cannot: of Wayland and of X.
var clipboards = []struct {
	display string
	command []string
}{
	{"WAYLAND_DISPLAY", []string{"wl-copy", "--type", "image/png"}},
	{"DISPLAY", []string{"xclip", "-selection", "clipboard", "-t", "image/png"}},
}

// toClipboard gives a PNG to the clipboard.
func toClipboard(data []byte) error {
	for _, c := range clipboards {
		if os.Getenv(c.display) == "" {
			continue
		}
		path, err := exec.LookPath(c.command[0])
		if err != nil {
			continue
		}
		cmd := exec.Command(path, c.command[1:]...) // it stays and serves the picture until somebody else copies something
		cmd.Stdin = bytes.NewReader(data)
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s failed: %w", c.command[0], err)
		}
		return nil
	}
	return errors.New("pictures get to the clipboard through xclip or wl-copy, and neither is installed; install one, " +
		"or save the picture to a file")
}
