package recording

import (
	"context"
	"math/big"
	"path/filepath"
	"strings"

	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/rings"
	"orrery/views/scene"
	"orrery/views/words"
)

// against names what the caches are compared with: a shipped hierarchy or another recording. The zero value is nothing.
type against struct{ preset, file string }

func (a against) nothing() bool { return a == against{} }

func (a against) title() string {
	if a.file != "" {
		return stem(a.file)
	}
	return a.preset
}

func stem(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// baseline is the run that is drawn beside the document's own, in step with it.
type baseline struct {
	of     against
	beside *session.Caches // the document's own that it was compared with
	caches *session.Caches
	whole  *session.Comparison
	told   []string // its words
	window link.Range
	there  []string // of the window
	frames session.Frames
	file   *session.Recording // to be closed with it; nil when it is the document's own
}

func (r *baseline) close() {
	if r != nil && r.file != nil {
		r.file.Close()
	}
}

// at is the reference of the baseline that is in step with one of the document's own: the same one of the same
// recording, else the one at the same share of the run.
func (r *baseline) at(own *session.Caches, s traceio.Seq) traceio.Seq {
	n, m := uint64(max(1, own.Len())), uint64(max(1, r.caches.Len()))
	if n == m {
		return s
	}
	share := new(big.Int).Mul(new(big.Int).SetUint64(uint64(s)), new(big.Int).SetUint64(m))
	return traceio.Seq(min(share.Div(share, new(big.Int).SetUint64(n)).Uint64(), m-1))
}

// words are the difference in the window, when that is a part of the run, and in the whole.
func (r *baseline) words(own *session.Caches, name string, window link.Range) []string {
	if window != r.window {
		r.window, r.there = window, nil
		if !window.Empty() && (window.From > 0 || window.To < own.Len()) {
			beside := link.Range{From: r.at(own, window.From), To: r.at(own, window.To)}
			if own.Len() == window.To {
				beside.To = r.caches.Len()
			}
			told, err := session.CompareWindow([2]string{name, r.of.title()}, [2]*session.Caches{own, r.caches},
				[2]link.Range{window, beside})
			if err != nil {
				told = []string{words.Sentence(err.Error())}
			}
			r.there = told
		}
	}
	return append(r.there[:len(r.there):len(r.there)], r.told...)
}

// challenge is running what a document's caches are compared with, and comparing.
type challenge struct {
	own *session.Caches
	of  against
}

// newBaselines are what the document's caches are compared with. The one before stays until the next one is there.
func newBaselines(v *cacheView) *panes.Lazy[challenge, *baseline] {
	return panes.NewLazy(v.d.set, panes.Work[challenge, *baseline]{Name: "against",
		Title: func(k challenge) string { return "comparing with " + k.of.title() },
		Run: func(ctx context.Context, k challenge, report func(done, total int64)) (*baseline, error) {
			return k.run(ctx, report)
		},
		Then: func(_ *baseline, err error) {
			if err != nil {
				v.shown.against = against{}
			}
		},
		Close: (*baseline).close})
}

// baseline is the newest that is there, nil for none.
func (v *cacheView) baseline() *baseline {
	if own := v.d.caches(); own != nil && !v.shown.against.nothing() {
		v.baselines.For(challenge{own, v.shown.against})
	}
	r, _, _ := v.baselines.Newest()
	return r
}

// compared is the baseline that the document's own run has been compared with, nil while there is none.
func (v *cacheView) compared() *baseline {
	if r := v.baseline(); r != nil && r.of == v.shown.against && r.beside == v.d.caches() {
		return r
	}
	return nil
}

// told is what is written below the pictures, nothing while there is no baseline.
func (v *cacheView) told() []string {
	if v.baseline() == nil || v.d.caches() == nil {
		return nil
	}
	return v.baseline().words(v.d.caches(), v.ownName(), v.d.link.State().Window)
}

// ownName is what the document's own run is called in a comparison.
func (v *cacheView) ownName() string {
	if v.shown.against.file != "" {
		return stem(v.d.rec.Name())
	}
	return v.d.hierarchy.Name
}

// run runs it and compares.
func (k challenge) run(ctx context.Context, report func(done, total int64)) (*baseline, error) {
	own, of := k.own, k.of
	r := &baseline{of: of, beside: own}
	rec, config := own.Of, own.Config()
	var err error
	if of.file != "" {
		if rec, err = session.Load(ctx, of.file, report); err != nil {
			return nil, err
		}
		r.file = rec
	} else if config, err = cachesim.Preset(of.preset); err != nil {
		return nil, err
	}
	if r.caches, err = rec.RunCachesAt(ctx, config, own.Grain, report); err == nil {
		a, b := session.Side{Name: own.Config().Name, Of: own.Of, Config: own.Config()}, session.Side{Name: config.Name,
			Of: rec, Config: config}
		if of.file != "" {
			a.Name, b.Name = stem(own.Of.Name()), stem(of.file)
		}
		var c *session.Comparison
		if c, err = session.CompareCaches(ctx, a, b, report); err == nil {
			if r.whole, r.told = c, c.Words(); ctx.Err() == nil { // else nobody is there to take it
				return r, nil
			}
			err = ctx.Err()
		}
	}
	r.close()
	return nil, err
}

// Room of the comparison: a line above each picture, the words below both.
const (
	headRoom  = 20.0
	wordRoom  = 15.0
	leastSide = 150.0
)

// halves are the rectangles of the two pictures and of the words.
func (v *cacheView) halves(size scene.Size) (left, right, told scene.Rect) {
	lines := 0
	if v.baseline() != nil {
		lines = min(len(v.told()), max(0, int((size.H-260)/wordRoom)), 6)
	}
	below := 0.0
	if lines > 0 {
		below = float64(lines)*wordRoom + 8
	}
	h := size.H - headRoom - below
	left, right = scene.R(0, headRoom, size.W/2-2, h), scene.R(size.W/2+2, headRoom, size.W/2-2, h)
	return left, right, scene.R(12, size.H-below, size.W-24, below)
}

func sizeOf(r scene.Rect, scale float64) scene.Size {
	return scene.Size{W: r.W(), H: r.H(), Scale: scale}
}

// compares tells whether two pictures are drawn.
func (v *cacheView) compares(size scene.Size) bool {
	return !v.shown.against.nothing() && size.W >= 2*leastSide
}

// baselineFrame is the state of the baseline's picture in step with the document's own.
func (v *cacheView) baselineFrame(theme palette.Theme, tools scene.Rect) rings.State {
	l, r := v.d.link.State(), v.baseline()
	look := v.look()
	look.Hidden = v.mask(v.beyond, r.caches, v.shown.filter)
	part := l.Part
	if r.file != nil {
		look.Regions, part = v.sameRegions(), 1
	}
	if len(look.Weights) != len(r.caches.Config().Levels) {
		look.Weights = nil
	}
	s, err := r.frames.Frame(r.caches, look, theme, r.at(v.d.caches(), min(l.Cursor, v.d.caches().Len())), part)
	s.Hover, s.Selected = l.Hover.AsMemory(), l.Selected.AsMemory()
	s.Zoom, s.Pan = v.camera.zoom, scene.Point{X: v.camera.panX, Y: v.camera.panY}
	s.Tools = tools
	if r.file != nil {
		own := v.d.rec.Regions
		for i := range s.Regions {
			if id := own.Find(s.Regions[i].Name); id >= 0 {
				s.Regions[i].Color = v.d.rec.RegionColor(theme, id)
			}
		}
	}
	if err != nil {
		s.Caption = err.Error()
	}
	return s
}

// sameRegions are the baseline's regions that have the names of hidden ones.
func (v *cacheView) sameRegions() map[int]bool {
	out := map[int]bool{}
	all := v.d.rec.Regions.Regions()
	for id, hidden := range v.shown.hidden {
		if hidden && id < len(all) {
			if k := v.baseline().caches.Of.Regions.Find(all[id].Name); k >= 0 {
				out[k] = true
			}
		}
	}
	return out
}

// drawBoth draws the two runs side by side, with what each has missed so far above it and the whole difference below.
func (v *cacheView) drawBoth(size scene.Size, theme palette.Theme) scene.Drawing {
	d := scene.Drawing{Size: size, Background: theme.Panel}
	left, right, told := v.halves(size)
	put := func(r scene.Rect, inner scene.Drawing) {
		d.Add(scene.Group{Clip: r, Shapes: scene.Move(inner.Shapes, r.Min.X, r.Min.Y)})
	}
	own := v.ownName()
	put(left, rings.Scene(v.frame(theme, v.tools(theme, size)), sizeOf(left, size.Scale)))
	head(&d, theme, left, own, soFar(v.d.caches(), v.d.link.State().Cursor))
	d.Add(scene.Stroke{Path: scene.Segment(size.W/2, 6, size.W/2, told.Min.Y-6), Width: 1, Color: theme.Line})
	if v.baseline() == nil || v.baseline().of != v.shown.against {
		doing := "…"
		if v.d.set.Stopped() {
			doing = goOn
		}
		put(right, message(sizeOf(right, size.Scale), theme, "Comparing with "+v.shown.against.title()+" "+doing))
		return d
	}
	s := v.baselineFrame(theme, v.tools(theme, size))
	put(right, rings.Scene(s, sizeOf(right, size.Scale)))
	head(&d, theme, right, v.shown.against.title(), soFar(v.baseline().caches, s.At))
	for i, line := range v.told() {
		y := told.Min.Y + float64(i+1)*wordRoom
		if y > told.Max.Y {
			break
		}
		d.Add(scene.Text{At: scene.Point{X: told.Min.X, Y: y}, Size: 11, Color: theme.Dim, Max: told.W(), S: line})
	}
	return d
}

// head writes a side's name and what it has missed so far.
func head(d *scene.Drawing, theme palette.Theme, r scene.Rect, name, far string) {
	at := scene.Point{X: r.Min.X + 12, Y: 15}
	w := min(scene.Measure(scene.Bold, 12, name), r.W()/2)
	d.Add(scene.Text{At: at, Face: scene.Bold, Size: 12, Color: theme.Text, Max: w + 0.5, S: name},
		scene.Text{At: scene.Point{X: at.X + w + 12, Y: at.Y}, Size: 10.5, Color: theme.Dim, Max: r.W() - w - 36, S: far})
}

// soFar says how often each level has missed up to a reference: "missed so far: L1D 4 930, L2 194".
func soFar(c *session.Caches, at traceio.Seq) string {
	bars, err := c.Between(0, at+1)
	if err != nil {
		return err.Error()
	}
	config := c.Config()
	var out []string
	for i := range config.Levels {
		if config.Levels[i].Kind == cachesim.Instruction {
			continue
		}
		out = append(out, config.Levels[i].Name+" "+words.Count(uint64(bars[i].Misses)))
	}
	return "missed so far: " + strings.Join(out, ", ")
}

// where is the picture that a point of the pane lies in, and the event as that picture sees it; baseline tells which it
// is.
func (v *cacheView) where(e pane.Event) (inner pane.Event, isBaseline, ok bool) {
	if !v.compares(e.Size) {
		return e, false, true
	}
	left, right, _ := v.halves(e.Size)
	for i, r := range []scene.Rect{left, right} {
		if r.Contains(e.At) {
			e.At.X, e.At.Y, e.Size = e.At.X-r.Min.X, e.At.Y-r.Min.Y, sizeOf(r, e.Size.Scale)
			return e, i == 1, i == 0 || v.baseline() != nil && v.baseline().of == v.shown.against
		}
	}
	return e, false, false
}

// baselineThing is what a thing of the baseline's picture is in the document's own views: what has a name has the same
// one, but addresses are those of one recording.
func (v *cacheView) baselineThing(t link.Thing) link.Thing {
	if v.baseline().file != nil && t.What != link.Region {
		return link.Thing{}
	}
	return t
}

// versusChip are the choices of what to compare with.
func (v *cacheView) versusChip() toolbar.Chip {
	c := toolbar.Chip{Name: "compare", Word: "compare"}
	if !v.shown.against.nothing() {
		c.Word = scene.Ellipsis(scene.Sans, 10.5, "against "+v.shown.against.title(), toolWidth)
	}
	add := func(id, title string, a against) {
		c.List = append(c.List, toolbar.Choice{ID: id, Title: title, On: v.shown.against == a, Run: func() { v.compare(a) }})
	}
	add("nothing", "Compare with nothing", against{})
	for _, name := range cachesim.Presets() {
		add(name, "Compare with the hierarchy "+name, against{preset: name})
	}
	c.List = append(c.List, panes.BaselineChoices(&v.d.host, v.neighbours(), "Compare with", "a recording",
		v.shown.against.file, func(path string) { v.compare(against{file: path}) })...)
	return c
}

func (v *cacheView) compare(a against) {
	if a != v.shown.against {
		v.choose("comparison", func(c *cacheChoices) { c.against = a })
	}
}

// neighbours are the other recordings of the folder; it is read once.
func (v *cacheView) neighbours() []string {
	if v.beside == nil {
		v.beside = append([]string{}, panes.Neighbours(v.d.path)...)
	}
	return v.beside
}
