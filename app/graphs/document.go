package graphs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"orrery/app/panes"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphfile"
	"orrery/views/link"
)

// Document is an open file of graphs. Its time counts the phases of the function that is shown.
type Document struct {
	host  shell.Host
	path  string
	name  string
	doc   *irgraph.Document
	e     *Explorer
	views []shell.Placed
	link  *link.Link
	told  func(...shell.Slot)
	live  *listening // nil for a file
}

// Is tells whether a file holds graphs, by its content; a directory is taken for one with GCC's dumps.
func Is(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return err == nil
	}
	u, err := traceio.Unpack(f, path)
	if err != nil {
		return false
	}
	defer u.Close()
	head, _ := u.Peek(traceio.HeadLen)
	return graphfile.Sniff(head)
}

// Open is a shell.Opener of files of graphs.
func Open(ctx context.Context, path string, host shell.Host) (shell.Document, error) {
	doc, err := graphfile.Open(ctx, path, host.Report)
	if err != nil {
		return nil, err
	}
	d := newDocument(path, filepath.Base(path), host)
	d.doc = doc
	for _, p := range doc.Problems {
		host.Notice(p.Error())
	}
	if doc.MoreProblems > 0 {
		host.Notice(fmt.Sprintf("%s: and %d more problems", d.name, doc.MoreProblems))
	}
	d.e.entries = Entries(doc)
	return d, nil
}

func newDocument(path, name string, host shell.Host) *Document {
	d := &Document{host: host, path: path, name: name, link: link.New(link.State{})}
	d.e = New(host, path, d.link, func(slots ...shell.Slot) {
		if d.told != nil {
			d.told(slots...)
		}
	})
	d.e.Phased = d.phased
	d.views = panes.Open(d.e.set, d.e, Panes)
	d.link.Subscribe(func(old, now link.State) {
		if old.Cursor != now.Cursor {
			d.e.Step(int(now.Cursor))
		}
	})
	return d
}

// phased moves the transport to the phase that is shown.
func (d *Document) phased() {
	d.link.SlideWindow(link.Range{To: d.Len()})
	d.link.SetCursor(traceio.Seq(d.e.Phase()))
	if d.told != nil {
		d.told()
	}
}

// Name is the file's name.
func (d *Document) Name() string { return d.name }

// Facts are what the header says of the file.
func (d *Document) Facts() string {
	functions := fmt.Sprintf("%d functions", len(d.e.entries))
	if len(d.e.entries) == 1 {
		functions = "1 function"
	}
	format := ""
	if d.live != nil {
		format = d.live.facts()
	}
	if d.doc != nil {
		format = " · " + d.doc.Format
	}
	return functions + format
}

// Len is the number of phases of the function that is shown.
func (d *Document) Len() traceio.Seq { return traceio.Seq(d.e.Phases()) }

// TimeUnit implements shell.Ticker.
func (d *Document) TimeUnit() (string, float64) { return "phases", 1 }

// First implements shell.Numbered: phases are counted from 1.
func (d *Document) First() int { return 1 }

// Link is what the views share.
func (d *Document) Link() *link.Link { return d.link }

// Views are the document's pictures.
func (d *Document) Views() []shell.Placed { return d.views }

// Watch sets who hears of new pictures, and draws the first.
func (d *Document) Watch(changed func(...shell.Slot)) {
	first := d.told == nil
	d.told = changed
	if first {
		d.e.Recall()
	}
	if first && len(d.e.entries) > 0 {
		d.e.Show(d.e.entries, 0, 0)
	}
}

// Commands are the document's own.
func (d *Document) Commands() []shell.Command {
	return append([]shell.Command{{ID: "document.again", Title: "Draw again what was cancelled", Menu: "Analyse",
		Keys: "F5", Run: d.e.Again, Enabled: func() bool { return d.e.stopped }}},
		d.e.Commands()...)
}

// Search implements shell.Searcher.
func (d *Document) Search(text string, limit int) []shell.Found { return d.e.Search(text, limit) }

// Prompt implements shell.Prompter.
func (d *Document) Prompt() string { return "Search nodes, phases, key=value, /expression/" }

// Stopped implements shell.Stopper.
func (d *Document) Stopped() {
	d.e.Stopped()
	d.e.tell(all...)
}

// Escape implements shell.Escaper.
func (d *Document) Escape() bool { return d.e.Escape() }

// Escape closes what is open in the graph's pane: a list, what a search lit, what is selected.
func (e *Explorer) Escape() bool { return e.code.Key("Escape", 0) }

// Close cancels the document's jobs.
func (d *Document) Close() error {
	d.told = nil
	if d.live != nil {
		d.live.close()
	}
	d.host.Engine.CancelUnder(d.path + "#")
	return nil
}
