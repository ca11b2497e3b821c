package graphs

import (
	"orrery/app/panes"
	"orrery/app/shell"
)

// The panes of a compiler's graphs.
var (
	codePane = panes.Descriptor[*Explorer]{ID: shell.Code, Title: "Code",
		Place: shell.Place{Area: shell.CentreRight, Tall: true, Half: shell.HalfAbove},
		Idle:  func(e *Explorer) string { return e.idle(true) },
		New:   func(e *Explorer, b panes.Base) shell.View { return e.code.with(b) }}
	phasesPane = panes.Descriptor[*Explorer]{ID: shell.Phases, Title: "Phases",
		Place: shell.Place{Area: shell.LeftMid},
		Idle:  func(e *Explorer) string { return e.idle(false) },
		New:   func(e *Explorer, b panes.Base) shell.View { return newPhasesView(e, b) }}
	flowPane = panes.Descriptor[*Explorer]{ID: shell.Flow, Title: "Control flow",
		Place: shell.Place{Area: shell.CentreBelow, Half: shell.HalfBelow, Rank: 1},
		Idle:  func(e *Explorer) string { return e.idle(false) },
		New:   func(e *Explorer, b panes.Base) shell.View { return e.flow.with(b) }}
	propertiesPane = panes.Descriptor[*Explorer]{ID: shell.Properties, Title: "Properties",
		Place: shell.Place{Area: shell.RightBelow},
		Idle:  func(e *Explorer) string { return e.idle(false) },
		New:   func(e *Explorer, b panes.Base) shell.View { return newPropertiesView(e, b) }}
	sourcePane = panes.Descriptor[*Explorer]{ID: shell.Source, Title: "Source", Keys: "4",
		Place: shell.Place{Area: shell.RightTop, Half: shell.HalfBelow, Rank: 2},
		New:   func(e *Explorer, b panes.Base) shell.View { return newSourceView(e, b) }}
	timelinePane = panes.Descriptor[*Explorer]{ID: shell.Timeline, Title: "Phases of the compiler", Keys: "5",
		Place: shell.Place{Area: shell.Bottom, Half: shell.HalfBottom},
		New:   func(e *Explorer, b panes.Base) shell.View { return newTimelineView(e, b) }}
)

// Panes are those of a file of graphs.
var Panes = []panes.Descriptor[*Explorer]{phasesPane, flowPane, propertiesPane, codePane, sourcePane, timelinePane}

// beside are those that a recording's document shows beside its own.
var beside = []panes.Descriptor[*Explorer]{codePane.At(shell.Place{Area: shell.CentreBelow}), phasesPane,
	flowPane.At(shell.Place{Area: shell.CentreBelow}), propertiesPane}

// with gives the pane of the graph its place in a document.
func (v *codeView) with(b panes.Base) *codeView {
	b.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	v.Base = b
	return v
}

// with gives the pane of the control flow its place in a document.
func (v *flowView) with(b panes.Base) *flowView {
	b.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	v.Base = b
	return v
}

// Views are the panes of those that a recording's document shows.
func (e *Explorer) Views() []shell.Placed { return panes.Open(e.set, e, beside) }

// idle says why a pane has nothing to show while there is no graph; graph says that it is the graph's own. A file of
// graphs folds none.
func (e *Explorer) idle(graph bool) string {
	if e.Idle == nil || e.group() != nil {
		return ""
	}
	return e.Idle(graph)
}
