package designspace

import (
	"orrery/app/shell"
	"orrery/traceio/designs"
	"orrery/views/link"
)

// Panes are the pictures of the designs that are searched for a recording, as its document shows them beside its own.
type Panes struct {
	*Explorer
	tree   *treeView
	hunt   *hunt
	list   []shell.Placed
	beside []shell.Placed // those of them that compare
}

// NewPanes are the panes of a recording at path. prepare makes the problem of a search; why says why there can be none now; run runs
// the hierarchy of a design in the cache view (D17).
func NewPanes(host shell.Host, l *link.Link, path string, prepare Prepare, why func() string, want Wanted, run func(set *designs.Set, point int)) *Panes {
	e := NewExplorer(host, l, path)
	p := &Panes{Explorer: e, tree: newTreeView(e), hunt: newHunt(e, prepare, why, want)}
	e.RunDesign, e.hunt = run, p.hunt
	p.beside = e.Beside()
	p.list = append([]shell.Placed{{Slot: shell.Designs, View: p.tree}, {Slot: Filter, View: &filterView{e: e}}}, p.beside...)
	return p
}

// Views are the pictures.
func (p *Panes) Views() []shell.Placed { return p.list }

// Commands are those of the tree and of the search.
func (p *Panes) Commands() []shell.Command {
	return append(append(p.tree.commands(), p.hunt.commands()...), commandsOf(p.beside)...)
}

// Escape closes what is open, and tells whether something was.
func (p *Panes) Escape() bool { return p.tree.escape() }

// Stopped says that the user has cancelled the work: the search is paused.
func (p *Panes) Stopped() {
	p.hunt.running = false
	p.changed()
}
