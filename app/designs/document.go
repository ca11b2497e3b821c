package designs

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"

	"orrery/analysis/dse"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/traceio/designs"
	"orrery/views/link"
	"orrery/views/words"
)

// Document is an open table of designs. Its methods belong to the interface's goroutine.
type Document struct {
	*Explorer
	name  string
	table *designs.Table // as it was read; nil for the built-in example
	roles *designs.Description
	told  *designs.Description // what a session says of the columns, until the table is read
	set   *designs.Set
}

// Load reads a table of designs with the roles of its columns, which are guessed where nobody told; table is nil for
// the built-in example.
func Load(ctx context.Context, path string,
	report func(done, total int64)) (table *designs.Table, set *designs.Set, err error) {
	if session.IsDesignExample(path) {
		set, err = session.ExploreExample(ctx, report)
		return nil, set, err
	}
	if table, err = designs.Open(ctx, path); err != nil {
		return nil, nil, err
	}
	set, err = table.Set(designs.Guess(table))
	return table, set, err
}

// Open is the shell's Opener for tables of designs.
func Open(ctx context.Context, path string, host shell.Host) (shell.Document, error) {
	table, set, err := Load(ctx, path, host.Report)
	if table != nil && err != nil { // the roles can be told in the window
		set = nil
	} else if err != nil {
		return nil, err
	}
	l := link.New(link.State{})
	d := &Document{Explorer: NewExplorer(host, l, path), name: filepath.Base(path), table: table}
	if session.IsDesignExample(path) {
		d.name = "Motion-JPEG"
	}
	if table != nil {
		d.roles = designs.Guess(table)
		d.askRoles = d.askColumns
	}
	d.views = panes.Open(d.Explorer.panes, d.Explorer, tablePanes)
	if set == nil {
		d.empty = words.Sentence(err.Error())
		return d, nil
	}
	d.set = set
	return d, nil
}

// use takes a set, in a job when it is large.
func (d *Document) use(set *designs.Set) {
	d.set = set
	jobs.Start(d.host.Engine, d.key("space"), "comparing "+words.Count(set.N)+" designs",
		func(ctx context.Context, _ func(done, total int64)) (*dse.Space, error) {
			return dse.New(ctx, set)
		}, func(s *dse.Space, err error) {
			if err != nil {
				d.empty = words.Sentence(err.Error())
				d.changed()
				return
			}
			d.Take(s)
			d.resize()
			d.changed()
		})
	if set.Refused > 0 {
		d.host.Notice(fmt.Sprintf("%s: %s rows could not be used, the first is %s", d.name,
			words.Count(set.Refused), set.Rejected[0]))
	}
}

// resize gives time the length that the designs have: their generations. The present is the end, where all are there.
func (d *Document) resize() {
	n := d.Len()
	d.link.SlideWindow(link.Range{To: n})
	if n > 0 {
		d.link.SetCursor(n - 1)
	}
}

// Name is the file's name.
func (d *Document) Name() string { return d.name }

// Facts are what the header says of the designs.
func (d *Document) Facts() string {
	if d.set == nil {
		return ""
	}
	facts := fmt.Sprintf("%s designs · %d objectives", words.Count(d.set.N), len(d.set.Objectives))
	if d.set.Generations.Known() {
		facts += fmt.Sprintf(" · %d generations", d.set.Generations.Count)
	}
	if d.set.Refused > 0 {
		facts += " · " + words.Plural(d.set.Refused, "row") + " rejected"
	}
	return facts
}

// Len is the number of generations.
func (d *Document) Len() traceio.Seq {
	if d.set == nil || !d.set.Generations.Known() {
		return 0
	}
	return traceio.Seq(d.set.Generations.Count)
}

// TimeUnit implements shell.Ticker.
func (d *Document) TimeUnit() (string, float64) { return "generations", 2 }

// Link is what the views share.
func (d *Document) Link() *link.Link { return d.link }

// Views are the document's pictures.
func (d *Document) Views() []shell.Placed { return d.views }

// Watch sets who hears of new pictures, and begins.
func (d *Document) Watch(changed func(...shell.Slot)) {
	first := d.tell == nil
	d.Explorer.Watch(changed)
	if !first {
		return
	}
	d.link.Subscribe(func(old, now link.State) {
		if old.Cursor != now.Cursor {
			d.at(now.Cursor)
		}
	})
	d.begin()
}

// at shows the designs as they were known in a generation.
func (d *Document) at(g traceio.Seq) {
	if n := d.Len(); n == 0 || g+1 >= n {
		d.Generation(dse.None)
		return
	}
	d.Generation(int32(min(g, math.MaxInt32)))
}

// Keep implements shell.Keeper: what the columns mean and what was chosen in the panes.
func (d *Document) Keep() json.RawMessage {
	k := d.keeps()
	if d.roles != nil {
		k.Columns, _ = json.Marshal(d.roles)
	}
	return k.message(d.Explorer)
}

// Restore implements shell.Keeper.
func (d *Document) Restore(data json.RawMessage) error {
	k, err := d.restore(data)
	if err != nil || d.table == nil || len(k.Columns) == 0 {
		return err
	}
	roles, err := designs.ParseDescription(k.Columns)
	switch {
	case err != nil:
		return fmt.Errorf("what the session says of the columns of %s makes no sense (%w); they mean what they did", d.name,
			err)
	case d.tell == nil:
		d.told = roles
	case !reflect.DeepEqual(roles, d.roles):
		d.wanted = slices.Clone(data)
		d.reread(roles, func(err error) {
			if err != nil {
				d.host.Failed(err.Error())
			}
		})
	}
	return nil
}

// Escape implements shell.Escaper.
func (d *Document) Escape() bool { return d.treeView.escape() }

// Commands are the document's own.
func (d *Document) Commands() []shell.Command {
	list := []shell.Command{
		{ID: "select.clear", Title: "Clear the selection", Menu: "View", Run: d.link.Clear, Enabled: func() bool {
			return d.link.State().Selected.What != link.Nothing
		}},
		{ID: "designs.columns", Title: "What the columns mean…", Menu: "Edit", Run: d.askColumns, Enabled: func() bool {
			return d.table != nil
		}},
	}
	return append(list, commandsOf(d.views)...)
}

// Close cancels the document's jobs.
func (d *Document) Close() error {
	d.Explorer.Close()
	return nil
}
