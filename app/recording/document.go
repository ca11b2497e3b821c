// Package recording is an open recording as the window sees it: it runs the analyses in the background, keeps their
// newest results and makes the views that draw them. Views share nothing but the link.
package recording

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"orrery/app/designs"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/store"
	"orrery/views/link"
	"orrery/views/words"
)

// Document is one open recording. Its methods belong to the interface's goroutine.
type Document struct {
	host shell.Host
	path string
	rec  *session.Recording
	link *link.Link
	tell func(...shell.Slot)
	set  *panes.Set

	hierarchy cachesim.Config
	grain     session.Grain // of the glyphs of caches
	rings     *cacheView
	curve     *curveView
	table     *tableView
	sites     *sitesView
	noticed   *findingsView
	designs   *designs.Panes
	flame     *flameView
	heap      *heapView
	source    *sourceView
	timeline  *timelineView
	filming   sync.Mutex // held while a film is being written
	cycles    cycles

	results
	cyclesView *cyclesView
	compiled   *compiled
	views      []shell.Placed
	closed     bool
	late       func() // what arrived before the window was ready for it
}

// patience is how long a file is read before its beginning is shown.
const patience = 300 * time.Millisecond

// Open is the shell's Opener. It returns as soon as there is something to show: of a long foreign file the beginning,
// while the rest is indexed in the background, and of a recording that is being written what there is, see live.go.
func Open(ctx context.Context, path string, host shell.Host) (shell.Document, error) {
	started := time.Now()
	first := make(chan opening, 1) // takes one value: the first recording there is, or why there will be none
	shown := false                 // written by the job, read when it is over
	d := &Document{host: host, path: path}
	index := func(ctx context.Context, report func(done, total int64)) (*session.Recording, error) {
		wanted := func(live bool) bool { return live || !shown && time.Since(started) > patience }
		r, err := session.LoadGrowing(ctx, path, wanted, func(r *session.Recording) {
			if shown {
				d.deliver(r)
				return
			}
			shown = true
			first <- opening{r, nil}
		}, func(done, total int64) {
			report(done, total)
			if !shown {
				host.Report(done, total)
			}
		})
		if ctx.Err() != nil && !shown {
			first <- opening{nil, ctx.Err()}
		}
		return r, err
	}
	whole := func(r *session.Recording, err error) {
		if shown {
			d.grown(r, err)
		} else {
			first <- opening{r, err}
		}
	}
	if store.Growing(path) {
		jobs.StartNow(host.Engine, d.key("index"), "following "+filepath.Base(path), index, whole)
	} else {
		jobs.Start(host.Engine, d.key("index"), "indexing "+filepath.Base(path), index, whole)
	}
	select {
	case o := <-first:
		if o.err != nil {
			return nil, o.err
		}
		return d, d.begin(o.rec)
	case <-ctx.Done():
		host.Engine.Cancel(d.key("index"))
		return nil, ctx.Err()
	}
}

// opening is what Open waits for.
type opening struct {
	rec *session.Recording
	err error
}

// begin makes the views of the first recording.
func (d *Document) begin(rec *session.Recording) error {
	hierarchy, err := cachesim.Preset(rec.SuggestedPreset())
	if err != nil {
		rec.Close()
		return err
	}
	d.rec, d.hierarchy = rec, hierarchy
	d.link = link.New(link.State{Window: link.Range{To: rec.Extent()}})
	if rec.Live() {
		d.link.SetCursor(rec.Extent() - 1)
	}
	d.cycles.init(rec)
	d.set = panes.NewSet(d.link, &d.host, d.key(""))
	d.derive()
	d.cycles.extras.plane = newPlane(d)
	d.cycles.result, d.cycles.at, d.cycles.tint = panes.ReadersOf(d.set), panes.ReadersOf(d.set), panes.ReadersOf(d.set)
	d.compiled = newCompiled(d)
	d.designs = newDesigns(d)
	d.views = slices.Concat(panes.Open(d.set, d, Panes), d.designs.Views(), d.compiled.e.Views())
	d.rings.neighbours() // which reads a folder, while nobody waits
	d.tellLoss()
	return nil
}

// grown takes the whole recording in place of the beginning that was shown.
func (d *Document) grown(rec *session.Recording, err error) {
	switch {
	case d.closed && rec != nil:
		rec.Close()
		return
	case d.tell == nil: // not in the window yet
		d.late = func() { d.grown(rec, err) }
		return
	case err != nil:
		d.host.Failed(err.Error() + " (what is shown stays open)")
		return
	case d.refine(rec):
		return
	}
	d.extend(rec)
	d.cycles.init(rec)
	d.cycles.follow(d)
	d.tellLoss()
	d.simulate()
	d.changed()
}

// tellLoss says what of the file could not be used.
func (d *Document) tellLoss() {
	for _, l := range d.rec.Loss() {
		d.host.Notice(fmt.Sprintf("%s: %s", d.rec.Name(), l))
	}
}

// Recording is what is open; a longer or better known one takes its place while it is read.
func (d *Document) Recording() *session.Recording { return d.rec }

// Name is the file's name.
func (d *Document) Name() string { return d.rec.Name() }

// Facts are what the header says of the recording.
func (d *Document) Facts() string {
	n := d.rec.Counts()
	threads := "1 thread"
	if n.Threads != 1 {
		threads = fmt.Sprintf("%d threads", n.Threads)
	}
	facts := fmt.Sprintf("%s %s · %s", words.Count(d.rec.Extent()), d.rec.TimeUnit(), threads)
	if d.rec.Live() {
		facts += " · being recorded"
	}
	switch {
	case d.rec.Beginning() && !d.rec.Live():
		facts += " · so far"
	case d.rec.Sampled() && !d.rec.Live():
		facts += " · figures estimated from a sample"
	}
	return facts
}

// Len is the end of logical time: the number of data references, or of events where there are none.
func (d *Document) Len() traceio.Seq { return d.rec.Extent() }

// Link is what the views share.
func (d *Document) Link() *link.Link { return d.link }

// Views are the document's pictures.
func (d *Document) Views() []shell.Placed { return d.views }

// Watch sets who hears of new pictures, and starts the analyses.
func (d *Document) Watch(changed func(...shell.Slot)) {
	first := d.tell == nil
	d.tell = changed
	d.set.Watch(changed)
	if !first {
		return
	}
	d.designs.Watch(d.changed)
	d.link.Subscribe(func(old, now link.State) {
		d.cycles.follow(d)
		if old.Selected != now.Selected {
			d.rings.brush(now.Selected)
		}
		if now.Hover.AsMemory().What == link.Block && d.rec.Len() <= unasked {
			d.observe() // which tooltips tell of
		}
	})
	d.cyclesView.recall()
	d.compiled.e.Recall()
	d.cycles.follow(d)
	d.simulate()
	if d.late != nil {
		d.late()
	}
}

// simulate runs the recording through the chosen hierarchy, and then counts misses by line.
func (d *Document) simulate() {
	config := d.hierarchy
	if d.set.Stopped() {
		d.set.Again()
	}
	d.simulated.Restart(simulation{d.rec, &config, d.grain})
	d.countMisses()
	d.compiled.recount()
}

// countMisses counts misses by line.
func (d *Document) countMisses() {
	if d.rec.Live() || d.rec.Sampled() {
		return // they take a simulation of their own: when the recorder is done, and when lines have their numbers
	}
	config := d.hierarchy
	d.counted.Restart(simulation{rec: d.rec, config: &config})
}

// goOn is how cancelled work is taken up.
const goOn = panes.GoOn

// Stopped implements shell.Stopper.
func (d *Document) Stopped() {
	d.set.Stop()
	d.cycles.stopped()
	d.designs.Stopped()
	d.compiled.e.Stopped()
	d.changed()
}

// Escape implements shell.Escaper.
func (d *Document) Escape() bool {
	return d.designs.Escape() || d.compiled.e.Escape() || d.cyclesView.run.leave(d.cyclesView)
}

// again takes up what was cancelled.
func (d *Document) again() {
	unfinished := d.caches() == nil || d.misses() == nil || d.simulated.Err() != nil
	unsought := d.noticed.search.WasStopped() || d.noticed.search.Err() != nil
	d.set.Again()
	d.compiled.e.Again()
	d.cycles.follow(d)
	d.countAgain()
	d.rings.chosen()
	if unfinished {
		d.simulate()
	} else if unsought {
		d.noticed.seek(true)
	}
	d.changed()
}

func (d *Document) changed(slots ...shell.Slot) {
	if d.tell != nil {
		d.tell(slots...)
	}
}

// key names a job of this document.
func (d *Document) key(what string) string { return d.path + "#" + what }

// Close cancels the document's jobs and releases the file.
func (d *Document) Close() error {
	d.tell = nil
	d.closed = true
	d.stopFilming()
	d.set.Close()
	d.designs.Close()
	return d.rec.Close()
}

// Commands are the document's own.
func (d *Document) Commands() []shell.Command {
	list := []shell.Command{
		{ID: "select.clear", Title: "Clear the selection", Menu: "View", Run: d.link.Clear, Enabled: func() bool {
			return d.link.State().Selected.What != link.Nothing
		}},
		{ID: "document.again", Title: "Compute again what was cancelled", Menu: "Analyse", Keys: "F5", Run: d.again,
			Enabled: d.set.Stopped},
		{ID: "cycles.next", Title: "Next parameterization", Menu: "Analyse", Keys: "N", Run: func() { d.cyclesView.step(1) }},
		{ID: "cycles.previous", Title: "Previous parameterization", Menu: "Analyse", Keys: "P", Run: func() {
			d.cyclesView.step(-1)
		}},
		{ID: "cycles.morph", Title: "Play the morph", Menu: "Analyse", Keys: "Shift+M", Run: func() { d.cycles.play(d) }},
	}
	for _, p := range d.views {
		if v, ok := p.View.(panes.Commander); ok {
			list = append(list, v.OwnCommands()...)
		}
	}
	list = append(list, d.cyclesView.commands()...)
	list = append(list, d.panelCommands()...)
	for _, name := range cachesim.Presets() {
		list = append(list, shell.Command{ID: "cache.preset." + name, Title: "Simulate the hierarchy " + name,
			Menu: "Analyse", Run: func() { d.usePreset(name) }})
	}
	list = append(list, d.heap.commands()...)
	list = append(list, d.sites.commands()...)
	list = append(list, d.flame.commands()...)
	list = append(list, d.noticed.commands()...)
	list = append(list, d.designs.Commands()...)
	list = append(list, d.compiled.commands()...)
	return append(list, d.rings.commands()...)
}

func (d *Document) usePreset(name string) {
	config, err := cachesim.Preset(name)
	if err != nil {
		d.host.Failed(err.Error())
		return
	}
	d.useHierarchy(config)
}

// Search finds regions, functions and lines by a part of their name: what is called so comes first, then what begins
// so.
func (d *Document) Search(text string, limit int) []shell.Found {
	want := strings.ToLower(strings.TrimSpace(text))
	if want == "" {
		return nil
	}
	var near [3][]shell.Found // whole names, beginnings, parts
	out := d.rings.search(strings.TrimSpace(text))
	if d.compiled.e.Shown() && len(out) < limit {
		out = append(out, d.compiled.e.Search(text, (limit-len(out)+1)/2)...)
	}
	add := func(label, detail string, thing link.Thing) {
		name := strings.ToLower(label)
		at := 2
		switch {
		case name == want:
			at = 0
		case strings.HasPrefix(name, want):
			at = 1
		}
		if len(near[at]) < limit && strings.Contains(name, want) {
			near[at] = append(near[at], shell.Found{Label: label, Detail: detail, Go: func() { d.link.Select(thing, "search") }})
		}
	}
	regions := d.rec.Regions.Regions()
	for _, id := range d.rec.Use.Ranked {
		add(regions[id].Name, "region, "+words.Plural(d.rec.Use.Regions[id].References(), "reference"),
			regionThing(regions[id].Name))
	}
	for i := range d.rec.Lines.Len() {
		l := d.rec.Lines.At(int32(i))
		if l.Line > 0 {
			add(l.Name(), l.Function+", "+words.Plural(l.References(), "reference"), link.OfLine(l.File, l.Line))
		}
	}
	for _, list := range near {
		out = append(out, list[:min(len(list), max(0, limit-len(out)))]...)
	}
	return out
}

func regionThing(name string) link.Thing { return link.OfRegion(name) }
