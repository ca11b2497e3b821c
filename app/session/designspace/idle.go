package designspace

import "orrery/app/shell"

// Which panes have nothing to show (see shell.Idler): those beside the tree while nobody has searched for designs, and
// the tree itself where nothing can be searched. A table of designs shows all of them.

var _ = []shell.Idler{(*treeView)(nil), (*filterView)(nil), (*spreadView)(nil), (*subspacesView)(nil),
	(*pointsView)(nil), (*designView)(nil)}

// idle says why there are no designs.
func (e *Explorer) idle() string {
	if e.hunt == nil || e.hunt.work != nil || e.space != nil {
		return ""
	}
	if e.hunt.why() != "" {
		return "nothing to search"
	}
	return "no search yet"
}

// Idle implements shell.Idler: where a search can begin the tree says how.
func (v *treeView) Idle() string {
	if h := v.e.hunt; h != nil && h.why() == "" {
		return ""
	}
	return v.e.idle()
}

// Idle implements shell.Idler.
func (v *filterView) Idle() string { return v.e.idle() }

// Idle implements shell.Idler.
func (v *spreadView) Idle() string { return v.e.idle() }

// Idle implements shell.Idler.
func (v *subspacesView) Idle() string { return v.e.idle() }

// Idle implements shell.Idler.
func (v *pointsView) Idle() string { return v.e.idle() }

// Idle implements shell.Idler.
func (v *designView) Idle() string { return v.e.idle() }
