package graphs

import "orrery/app/shell"

// Which panes have nothing to show while there is no graph (see shell.Idler): Explorer.Idle knows, a file of graphs
// folds none.

var _ = []shell.Idler{(*codeView)(nil), (*phasesView)(nil), (*flowView)(nil), (*propertiesView)(nil)}

// idle says why a pane has nothing to show; graph says that it is the graph's own.
func (e *Explorer) idle(graph bool) string {
	if e.Idle == nil || e.group() != nil {
		return ""
	}
	return e.Idle(graph)
}

// Idle implements shell.Idler.
func (v *codeView) Idle() string { return v.e.idle(true) }

// Idle implements shell.Idler.
func (v *phasesView) Idle() string { return v.e.idle(false) }

// Idle implements shell.Idler.
func (v *flowView) Idle() string { return v.e.idle(false) }

// Idle implements shell.Idler.
func (v *propertiesView) Idle() string { return v.e.idle(false) }
