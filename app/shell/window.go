package shell

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"orrery/app/jobs"
	"orrery/views/pane"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// window is the main window with everything in it. All of it belongs to the interface's goroutine.
type window struct {
	opt    Options
	app    *motionApp
	win    fyne.Window
	look   *look
	stage  *pane.Stage
	engine *jobs.Engine
	reg    *Registry
	log    *eventLog
	later  func(func()) // brings a function to the interface's goroutine

	documents

	appearance appearance
	sessions   sessions
	bookmarks  bookmarks
	focus      paneFocus
	playback   playback
	tour       tour
	repaints   repaints
	comparison comparison
	dialogs    dialogs
	pictures   pictures

	autosave    *autosave    // nil where the session is not saved by itself
	ending      func()       // sees to it that the process ends after quit; nil where it is not ours
	fileWatcher *fileWatcher // of the files that are open
	notices     []notice
	watching    *fyne.Animation // of frames; nil without
	leaving     fyne.Window     // a pane's own, hidden, not yet closed; nil without

	back    *canvas.Rectangle
	head    *head
	search  *search
	banner  *banner
	body    *fyne.Container
	welcome *welcome
	status  *status
	sheet   *sheet
	menu    *menu
	frame   *fyne.Container
	painted bool
	saving  sync.WaitGroup // of sessions that are being saved
	jobs    int            // how many, as the event log has it
}

// ErrNoDisplay says that there is no screen to open a window on.
var ErrNoDisplay = errors.New("there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not set); " +
	"use `orrery render` to make pictures, or `orrery info` for figures, without one")

// Run opens the window, opens the files and returns when the window is closed.
func Run(opt Options) error {
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return ErrNoDisplay
	}
	log, err := openEventLog(opt.EventLog)
	if err != nil {
		return err
	}
	defer log.close()
	log.write("started")
	findSettings()
	app.SetMetadata(fyne.AppMetadata{ID: "org.orrery.Orrery", Name: "Orrery", Version: opt.Version})
	r := newLoopSleeper(fyne.Do)
	w, err := reach(func() (*window, error) { return newWindow(app.NewWithID("org.orrery.Orrery"), opt, log, r.later) })
	if err != nil {
		return err
	}
	if dir, err := os.UserConfigDir(); err == nil {
		w.startAutosave(filepath.Join(dir, "orrery"), len(opt.Files) == 0)
	}
	for _, f := range opt.Files {
		w.openFrom(f, true)
	}
	if opt.FrameLog {
		w.app.Lifecycle().SetOnStarted(w.watchFrames)
	}
	go r.watch(w.still)
	w.ending = func() {
		time.AfterFunc(leaveTime, func() {
			log.write("ended", "late", true)
			os.Exit(0)
		})
	}
	w.win.ShowAndRun() // which also ends with SIGINT and SIGTERM, of which Fyne hears
	w.engine.CancelAll()
	w.autosave.leave()
	log.write("ended")
	return nil
}

// leaveTime is how long Fyne may take to end after the last window is closed, and all is kept: an X server can
// keep it waiting for ever.
const leaveTime = 10 * time.Second

// newWindow builds the window on an application; dispatch brings results to the interface's goroutine.
func newWindow(a fyne.App, opt Options, log *eventLog, dispatch func(func())) (*window, error) {
	w := &window{opt: opt, app: newMotionApp(a), log: log, documents: documents{at: -1}, later: dispatch}
	w.appearance = appearance{w, opt.Theme}
	w.sessions = sessions{w: w, wanted: map[string]*wanted{}}
	w.bookmarks, w.focus, w.playback = bookmarks{w}, paneFocus{w: w}, playback{w: w}
	w.tour, w.repaints = tour{w, noTour}, repaints{w: w}
	w.comparison, w.dialogs, w.pictures = comparison{w: w}, dialogs{w}, pictures{w}
	if w.appearance.theme == "" {
		w.appearance.theme = a.Preferences().StringWithFallback(prefTheme, "dark")
	}
	w.appearance.recall()
	var err error
	if w.look, err = newLook(w.appearance.palette()); err != nil {
		return nil, err
	}
	a.Settings().SetTheme(w.look)
	w.engine = jobs.New(dispatch)
	w.fileWatcher = newFileWatcher(func(d *opened, now fileState) { w.later(func() { w.fileChanged(d, now) }) })
	w.reg = NewRegistry(func(id string) {
		log.write("command", "id", id)
		if id != escape { // which closes them and does no more
			w.menu.dismiss()
			w.stage.CloseLists(nil)
		}
		w.sessionChanged()
	})
	w.stage = pane.NewStage(w.look.Theme, dispatch)
	w.stage.Drawn = w.drawn
	w.stage.Pointed = w.pointed
	w.win = a.NewWindow("Orrery")
	w.stage.Tips().On(w.win.Canvas())
	w.win.SetPadded(false)
	w.win.SetMaster()
	if err := w.reg.Add(append(w.commands(), w.tour.commands()...)...); err != nil {
		return nil, err
	}
	w.compose()
	if opt.More != nil {
		if err := w.reg.Add(opt.More(w.host())...); err != nil {
			return nil, err
		}
	}
	w.bindKeys(w.win.Canvas())
	w.engine.Watch(w.working)
	w.win.SetOnDropped(func(_ fyne.Position, list []fyne.URI) {
		for _, u := range list {
			w.open(u.Path())
		}
	})
	w.win.SetCloseIntercept(w.quit)
	a.Settings().AddListener(func(fyne.Settings) { w.appearance.desktopChanged() })
	w.bringFront(-1)
	w.win.Resize(fyne.NewSize(1280, 800))
	return w, nil
}

// compose puts the parts together: rows in the frame, then the layers over it.
func (w *window) compose() {
	w.back = canvas.NewRectangle(w.look.Background)
	w.search = newSearch(w)
	w.head = newHead(w)
	w.banner = newBanner(w)
	w.status = newStatus(w)
	w.sheet = newSheet(w)
	w.menu = newMenu(w)
	w.body = container.NewStack()
	w.frame = container.New(frame{w}, w.head, w.banner, w.body, w.status, w.search.list)
	first := canvas.NewRaster(func(int, int) image.Image {
		if !w.painted {
			w.painted = true
			w.log.write("window-shown", "width", w.win.Canvas().Size().Width, "height", w.win.Canvas().Size().Height, "scale",
				w.win.Canvas().Scale())
		}
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	})
	w.win.SetContent(container.NewStack(w.back, container.New(corner{}, first), w.frame, w.sheet, w.menu, w.stage.Tips()))
}

// frame lays the rows out: header, banner if there is one, body, status. The list of the search entry hangs below it.
type frame struct{ w *window }

// Heights and margin of the frame in units.
const (
	headHeight   = 40
	statusHeight = 24
	margin       = 7
)

// MinSize implements fyne.Layout.
func (f frame) MinSize([]fyne.CanvasObject) fyne.Size {
	f.w.repaints.begun()
	return fyne.NewSize(640, 420)
}

// Layout implements fyne.Layout.
func (f frame) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	w := f.w
	w.head.Resize(fyne.NewSize(s.Width, headHeight))
	y := float32(headHeight)
	if w.banner.Visible() {
		h := w.banner.height(s.Width - 2*margin)
		w.banner.Move(fyne.NewPos(margin, y))
		w.banner.Resize(fyne.NewSize(s.Width-2*margin, h))
		w.banner.Refresh()
		y += h + margin
	}
	w.body.Move(fyne.NewPos(margin, y))
	w.body.Resize(fyne.NewSize(s.Width-2*margin, s.Height-y-statusHeight))
	w.status.Move(fyne.NewPos(0, s.Height-statusHeight))
	w.status.Resize(fyne.NewSize(s.Width, statusHeight))
	e := w.search
	w.search.list.Move(fyne.NewPos(e.Position().X, e.Position().Y+e.Size().Height+4))
	w.search.list.Resize(fyne.NewSize(max(360, e.Size().Width), w.search.list.MinSize().Height))
}

// corner keeps its object at one unit in the corner.
type corner struct{}

// MinSize implements fyne.Layout.
func (corner) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(1, 1) }

// Layout implements fyne.Layout.
func (corner) Layout(o []fyne.CanvasObject, _ fyne.Size) { o[0].Resize(fyne.NewSize(1, 1)) }

// relayout places the rows again after the banner has come or gone.
func (w *window) relayout() {
	frame{w}.Layout(nil, w.frame.Size())
	w.frame.Refresh()
}

// drawn hears of every pane's redraw.
func (w *window) drawn(p *pane.Pane, f pane.Frame) {
	for _, d := range w.shown() {
		w.drawnOf(d, p, f)
	}
}

// drawnOf tells of a pane's redraw, if it is one of the document.
func (w *window) drawnOf(d *opened, p *pane.Pane, f pane.Frame) {
	for s, t := range d.dock.tabs {
		if t.pane != p {
			continue
		}
		w.log.write("pane-drawn", "slot", string(s), "draw_ms", ms(f.Draw), "raster_ms", ms(f.Raster), "late", f.Late)
		if d.undrawn == nil {
			return
		}
		delete(d.undrawn, s)
		for s := range d.undrawn {
			if d.dock.tabs[s].pane.Visible() {
				return
			}
		}
		d.undrawn = nil
		w.log.write("document-drawn", "path", d.path, "ms", ms(time.Since(d.asked)))
	}
}

// pointed hears which pane has the keyboard now.
func (w *window) pointed(p *pane.Pane) {
	if p != w.focus.marked {
		w.focus.mark(nil)
	}
	if o := w.other(w.front()); o != nil && p != nil && o.dock.has(p) {
		w.makeFront(o)
	}
}

// keep follows from a change of the arrangement.
func (w *window) keep() {
	for _, d := range w.shown() {
		d.dock.captions()
	}
	w.sessionChanged()
}

// quit keeps what is worth keeping, closes the documents and ends the program.
func (w *window) quit() {
	w.finishSaving()
	if d := w.front(); d != nil {
		w.app.Preferences().SetString(d.dock.pref(), d.dock.save())
	}
	w.engine.CancelAll()
	for _, d := range slices.Clone(w.docs) {
		d.dock.takeIn()
		w.fileWatcher.forget(d)
		if err := d.doc.Close(); err != nil {
			w.log.write("close-failed", "path", d.path, "error", err.Error())
		}
	}
	w.docs = nil
	w.autosave.end()
	w.autosave = nil
	w.log.write("quit")
	if w.ending != nil {
		w.ending()
	}
	w.app.Quit()
}
