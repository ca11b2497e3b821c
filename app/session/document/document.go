// Package document is an open recording as the window sees it: it runs the analyses in the background, keeps their newest
// results and makes the views that draw them. Views share nothing but the link.
package document

import (
	"context"
	"fmt"
	"strings"

	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/timeline"
)

// Document is one open recording. Its methods belong to the interface's goroutine.
type Document struct {
	host shell.Host
	rec  *session.Recording
	link *link.Link
	tell func(...shell.Slot)

	overview  *session.Overview
	hierarchy cachesim.Config
	caches    *session.Caches
	cycles    cycles

	views []shell.Placed
	theme palette.Theme // of the last picture; where things lie does not depend on it
}

// Open is the shell's Opener: it loads a recording and everything that the first picture needs.
func Open(ctx context.Context, path string, host shell.Host) (shell.Document, error) {
	rec, err := session.Load(ctx, path, host.Report)
	if err != nil {
		return nil, err
	}
	overview, err := rec.Overlook(ctx, host.Report)
	if err != nil {
		rec.Close()
		return nil, err
	}
	hierarchy, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		rec.Close()
		return nil, err
	}
	for _, l := range rec.Loss() {
		host.Notice(fmt.Sprintf("%s: %d %s, the first at %s: %s", rec.Name(), l.Count, l.Kind, l.First, l.Why))
	}
	d := &Document{host: host, rec: rec, overview: overview, hierarchy: hierarchy, theme: palette.Dark()}
	d.link = link.New(link.State{Window: link.Range{To: rec.Len()}})
	d.cycles.init(rec)
	d.views = []shell.Placed{
		{Slot: shell.Recording, View: &regionsView{d: d}},
		{Slot: shell.Gallery, View: &galleryView{d: d}},
		{Slot: shell.Cycles, View: newCyclesView(d)},
		{Slot: shell.Cache, View: newCacheView(d)},
		{Slot: shell.Heap, View: newHeapView(d)},
		{Slot: shell.Explain, View: &explainView{d: d}},
		{Slot: shell.Timeline, View: newTimelineView(d)},
	}
	return d, nil
}

// Name is the file's name.
func (d *Document) Name() string { return d.rec.Name() }

// Facts are what the header says of the recording.
func (d *Document) Facts() string {
	n := d.rec.Counts()
	threads := "1 thread"
	if n.Threads != 1 {
		threads = fmt.Sprintf("%d threads", n.Threads)
	}
	return fmt.Sprintf("%s references · %s", timeline.Count(d.rec.Len()), threads)
}

// Len is the number of data references.
func (d *Document) Len() traceio.Seq { return d.rec.Len() }

// Link is what the views share.
func (d *Document) Link() *link.Link { return d.link }

// Views are the document's pictures.
func (d *Document) Views() []shell.Placed { return d.views }

// Watch sets who hears of new pictures, and starts the analyses.
func (d *Document) Watch(changed func(...shell.Slot)) {
	first := d.tell == nil
	d.tell = changed
	if !first {
		return
	}
	d.link.Subscribe(func(_, _ link.State) { d.cycles.follow(d) })
	d.cycles.follow(d)
	d.simulate()
}

// simulate runs the recording through the chosen hierarchy.
func (d *Document) simulate() {
	config := d.hierarchy
	jobs.Start(d.host.Engine, d.key("cache"), "simulating "+config.Name, func(ctx context.Context, report func(done, total int64)) (*session.Caches, error) {
		return d.rec.RunCaches(ctx, config, report)
	}, func(c *session.Caches, err error) {
		if err != nil {
			d.host.Notice(err.Error())
			return
		}
		d.caches = c
		d.changed(shell.Cache, shell.Timeline, shell.Explain, shell.Source)
	})
}

func (d *Document) changed(slots ...shell.Slot) {
	if d.tell != nil {
		d.tell(slots...)
	}
}

// key names a job of this document.
func (d *Document) key(what string) string { return d.rec.Path() + "#" + what }

// Close cancels the document's jobs and releases the file.
func (d *Document) Close() error {
	d.tell = nil
	d.host.Engine.CancelUnder(d.rec.Path() + "#")
	return d.rec.Close()
}

// Commands are the document's own.
func (d *Document) Commands() []shell.Command {
	list := []shell.Command{
		{ID: "select.clear", Title: "Clear the selection", Menu: "View", Run: d.link.Clear, Enabled: func() bool { return d.link.State().Selected.What != link.Nothing }},
		{ID: "cycles.next", Title: "Next parameterization", Menu: "Analyse", Keys: "N", Run: func() { d.cycles.choose(d, d.cycles.to+1) }},
		{ID: "cycles.previous", Title: "Previous parameterization", Menu: "Analyse", Keys: "P", Run: func() { d.cycles.choose(d, d.cycles.to-1) }},
		{ID: "cycles.morph", Title: "Play the morph", Menu: "Analyse", Keys: "Shift+M", Run: func() { d.cycles.play(d) }},
	}
	for _, name := range cachesim.Presets() {
		list = append(list, shell.Command{ID: "cache.preset." + name, Title: "Simulate the hierarchy " + name, Menu: "Analyse", Run: func() { d.usePreset(name) }})
	}
	return list
}

func (d *Document) usePreset(name string) {
	config, err := cachesim.Preset(name)
	if err != nil {
		d.host.Notice(err.Error())
		return
	}
	d.hierarchy = config
	d.simulate()
}

// Search finds regions, functions and lines by a part of their name.
func (d *Document) Search(text string, limit int) []shell.Found {
	want := strings.ToLower(strings.TrimSpace(text))
	if want == "" {
		return nil
	}
	var out []shell.Found
	add := func(label, detail string, thing link.Thing) {
		if len(out) < limit && strings.Contains(strings.ToLower(label), want) {
			out = append(out, shell.Found{Label: label, Detail: detail, Go: func() { d.link.Select(thing, "search") }})
		}
	}
	regions := d.rec.Regions.Regions()
	for _, id := range d.rec.Use.Ranked {
		add(regions[id].Name, fmt.Sprintf("region, %d references", d.rec.Use.Regions[id].References()), regionThing(regions[id].Name))
	}
	for i := range d.rec.Lines.Len() {
		l := d.rec.Lines.At(int32(i))
		if l.Line > 0 {
			add(l.Name(), fmt.Sprintf("%s, %d references", l.Function, l.References()), link.Thing{What: link.Line, File: l.File, Line: l.Line})
		}
	}
	return out
}

func regionThing(name string) link.Thing { return link.Thing{What: link.Region, Name: name} }
