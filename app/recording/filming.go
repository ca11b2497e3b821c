package recording

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"orrery/app/form"
	"orrery/app/jobs"
	"orrery/app/output"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/film"
	"orrery/views/link"
	"orrery/views/scene"
	"orrery/views/words"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// filmForm is the sheet that asks what is to be filmed.
type filmForm struct {
	d     *Document
	view  *form.Choice
	texts map[string]*form.Entry
	grid  *form.Grid
	said  *widget.Label
	apply *form.Action

	pressed bool // Return, while what was typed last was looked at
}

// The views that can be filmed, as the form names them.
const (
	filmRings  = "Cache"
	filmSpiral = "Cycles"
	filmHeap   = "Heap"
)

// filmable are those that have something to show.
func (d *Document) filmable() []string {
	var out []string
	if d.caches() != nil {
		out = append(out, filmRings)
	}
	if d.cycles.count() > 0 {
		out = append(out, filmSpiral)
	}
	return append(out, filmHeap)
}

// askFilm opens the form for the span of time that the views show.
func (d *Document) askFilm() {
	if d.host.Present == nil {
		return
	}
	f := newFilmForm(d)
	d.host.Present("Make a film", f.body(), fyne.NewSize(660, 400))
	d.host.Focus(f.texts["out"])
}

func newFilmForm(d *Document) *filmForm {
	w := d.link.State().Window
	reel := session.Reel{From: w.From, To: min(w.To, d.rec.Extent()), Rate: 25}
	f := &filmForm{d: d, grid: form.NewGrid(), texts: map[string]*form.Entry{}, said: form.Said("")}
	f.view = form.NewChoice(d.filmable(), d.filmable()[0], func(string) { f.check() }, f.use, f.leave)
	f.apply = form.NewAction("Make the film", f.use, f.leave)
	f.apply.Importance = widget.HighImportance
	f.grid.Line("picture", f.view, 160, "what is filmed: as it is looked at now, with its colours and settings",
		d.set.Theme().Dim)
	for _, row := range []struct{ key, title, text, tip string }{
		{"from", "from", strconv.FormatUint(uint64(reel.From), 10), "the first " + strings.TrimSuffix(d.rec.TimeUnit(), "s")},
		{"to", "to", strconv.FormatUint(uint64(reel.To), 10), "where the film ends"},
		{"speed", "speed", strconv.FormatFloat(reel.Suggested(), 'g', -1, 64), d.rec.TimeUnit() +
			" a frame; 0.1 shows the steps between them"},
		{"rate", "frames a second", "25", "1 to 60, of a GIF to 50"},
		{"size", "size", "800x800", "pixels"},
		{"out", "file", f.suggested(), ".gif, .mp4, or a directory/ for PNG files"},
	} {
		e := form.NewEntry(row.text, func(string) { f.check() }, f.use, f.leave)
		f.texts[row.key] = e
		wide := float32(160)
		if row.key == "out" {
			wide = 380
		}
		f.grid.Line(row.title, e, wide, row.tip, d.set.Theme().Dim)
	}
	f.check()
	return f
}

// suggested is a name beside the recording.
func (f *filmForm) suggested() string {
	path := f.d.path
	if home, err := os.UserHomeDir(); err == nil {
		if _, err := os.Stat(filepath.Join(home, "Videos")); err == nil {
			return filepath.Join(home, "Videos", strings.TrimSuffix(filepath.Base(path), ".orr")+".gif")
		}
	}
	return output.Beside(path, ".gif")
}

func (f *filmForm) body() fyne.CanvasObject {
	bottom := container.NewBorder(nil, nil, nil, container.NewHBox(form.NewAction("Cancel", f.leave, f.leave), f.apply),
		f.said)
	return container.NewBorder(nil, bottom, nil, nil, f.grid.Box)
}

// order reads the form.
func (f *filmForm) order() (reel session.Reel, size scene.Size, out string, err error) {
	number := func(key string) (v uint64) {
		text := strings.TrimSpace(f.texts[key].Text)
		v, bad := strconv.ParseUint(text, 10, 63)
		if bad != nil && err == nil {
			err = fmt.Errorf("%s = %q cannot be; write a whole number", key, text)
		}
		return v
	}
	reel.From, reel.To, reel.Rate = traceio.Seq(number("from")), traceio.Seq(number("to")), int(min(number("rate"), 1<<20))
	text := strings.TrimSpace(f.texts["speed"].Text)
	speed, bad := strconv.ParseFloat(text, 64)
	if reel.Speed = speed; bad != nil && err == nil {
		err = fmt.Errorf("speed = %q cannot be; write a number of %s a frame", text, f.d.rec.TimeUnit())
	}
	w, h, _ := strings.Cut(strings.ToLower(strings.TrimSpace(f.texts["size"].Text)), "x")
	wide, bad1 := strconv.Atoi(w)
	high, bad2 := strconv.Atoi(h)
	if (bad1 != nil || bad2 != nil) && err == nil {
		err = fmt.Errorf("size = %q cannot be; write WIDTHxHEIGHT, for example 800x600", f.texts["size"].Text)
	}
	size, out = scene.Size{W: float64(wide), H: float64(high), Scale: 1}, strings.TrimSpace(f.texts["out"].Text)
	if err == nil {
		err = reel.Check(f.d.rec.Extent())
	}
	return reel, size, out, err
}

// check says what the film would be, or why it cannot.
func (f *filmForm) check() {
	if len(f.texts) < 6 { // being built
		return
	}
	f.pressed = false
	reel, size, out, err := f.order()
	if err != nil {
		f.refuse(err)
		return
	}
	text := fmt.Sprintf("%d frames, %.1f seconds", reel.Frames(), float64(reel.Frames())/float64(reel.Rate))
	shell.Background(&f.d.host, f.d.key("filmform"), "looking for "+filepath.Base(out), func() (there bool, err error) {
		_, missing := os.Stat(out)
		return missing == nil, reel.Film(size, nil).Check(out)
	}, func(there bool, err error) {
		if now, z, path, bad := f.order(); bad != nil || path != out || z != size || !reflect.DeepEqual(now, reel) {
			return // it says something else by now
		}
		if err != nil {
			f.refuse(err)
			return
		}
		if there && !strings.HasSuffix(out, "/") {
			text += "; the file of that name will be replaced"
		}
		f.said.Importance = widget.MediumImportance
		f.said.SetText(text)
		f.apply.Enable()
		if f.pressed {
			f.use()
		}
	})
}

// refuse says why there can be no such film.
func (f *filmForm) refuse(err error) {
	f.said.Importance = widget.DangerImportance
	f.said.SetText(words.Sentence(err.Error()))
	f.apply.Disable()
}

func (f *filmForm) leave() { f.d.host.Dismiss() }

// use leaves the form and makes the film in the background; Escape or Cancel in the status line stops it.
func (f *filmForm) use() {
	reel, size, out, err := f.order()
	if err != nil {
		return
	}
	if f.apply.Disabled() { // what has just been typed is still looked at
		f.pressed = true
		return
	}
	f.leave()
	f.d.film(f.view.Selected, reel, size, out)
}

// film makes a film of a view as it is looked at now.
func (d *Document) film(view string, reel session.Reel, size scene.Size, out string) {
	d.link.SetHover(link.Thing{}) // what the pointer rests on is nothing to a film
	made := reel.Film(size, d.shot(view, reel, size))
	key := d.key("film")
	d.stopFilming() // one that is being made gives way
	jobs.Start(d.host.Engine, key, "filming "+filepath.Base(strings.TrimSuffix(out, "/")),
		func(ctx context.Context, report func(done, total int64)) (film.Film, error) {
			d.filming.Lock()
			defer d.filming.Unlock()
			return made, made.Write(ctx, out, report)
		}, func(made film.Film, err error) {
			if err != nil {
				d.host.Failed("The film was not made: " + err.Error())
				return
			}
			d.host.Notice(fmt.Sprintf("The film is in %s: %d frames, %.1f seconds", out, made.Frames,
				float64(made.Frames)/float64(made.Rate)))
		})
	d.host.Engine.Unit(key, "frames")
}

// stopFilming cancels the film that is being made and waits until what there is of it has been removed: a frame's time.
func (d *Document) stopFilming() {
	d.host.Engine.Cancel(d.key("film"))
	d.filming.Lock()
	defer d.filming.Unlock()
}

// shot is what a view shows now, to be drawn at other times.
func (d *Document) shot(view string, reel session.Reel, size scene.Size) session.Shot {
	switch view {
	case filmRings:
		return d.caches().Of.RingsShot(d.caches(), d.rings.frame(d.set.Theme(), scene.Rect{}), reel, size)
	case filmSpiral:
		return session.SpiralShot(d.cyclesView.state(d.set.Theme()), size)
	}
	return session.HeapShot(d.heap.state(d.set.Theme()), size)
}
