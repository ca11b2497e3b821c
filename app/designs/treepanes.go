package designs

import (
	"encoding/json"

	"orrery/app/panes"
	"orrery/app/shell"
	"orrery/traceio/designs"
	"orrery/views/link"
)

// Panes are the pictures of the designs that are searched for a recording, as its document shows them beside its own.
type Panes struct {
	*Explorer
	hunt *hunt
}

// NewPanes are the panes of a recording at path. prepare makes the problem of a search; why says why there can be none
// now; run runs the hierarchy of a design in the cache view (D17).
func NewPanes(host shell.Host, l *link.Link, path string, prepare Prepare, why func() string, want Wanted,
	run func(set *designs.Set, point int)) *Panes {
	e := NewExplorer(host, l, path)
	p := &Panes{Explorer: e, hunt: newHunt(e, prepare, why, want)}
	e.RunDesign, e.hunt = run, p.hunt
	p.views = panes.Open(e.panes, e, besidePanes)
	return p
}

// Views are the pictures.
func (p *Panes) Views() []shell.Placed { return p.views }

// Commands are those of the tree and of the search.
func (p *Panes) Commands() []shell.Command {
	return append(p.hunt.commands(), commandsOf(p.views)...)
}

// Keep says what was chosen, the numbers of the search with it.
func (p *Panes) Keep() json.RawMessage {
	k := p.keeps()
	k.Search = &p.hunt.want
	return k.message(p.Explorer)
}

// Restore takes up what Keep said: the numbers of a search that has not begun now, the rest when designs are found.
func (p *Panes) Restore(data json.RawMessage) error {
	k, err := p.restore(data)
	if err == nil && k.Search != nil && p.hunt.work == nil && k.Search.check() == nil {
		p.hunt.want = *k.Search
	}
	return err
}

// Escape closes what is open, and tells whether something was.
func (p *Panes) Escape() bool { return p.treeView.escape() }

// Stopped says that the user has cancelled the work: the search is paused.
func (p *Panes) Stopped() {
	p.hunt.running = false
	p.changed()
}
