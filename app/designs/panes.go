package designs

import (
	"orrery/app/panes"
	"orrery/app/shell"
)

// The panes of a design space.
var (
	treePane = panes.Descriptor[*Explorer]{ID: shell.Designs, Title: "Designs", Keys: "Ctrl+Shift+T",
		Show:  "Show the tree of designs",
		Place: shell.Place{Area: shell.CentreRight, Half: shell.HalfAbove},
		Idle:  (*Explorer).idleTree,
		New:   func(e *Explorer, b panes.Base) shell.View { return newTreeView(e, b) }}
	filterPane = panes.Descriptor[*Explorer]{ID: Filter, Title: "Filter",
		Idle: (*Explorer).idle,
		New:  func(e *Explorer, b panes.Base) shell.View { return newFilterView(e, b) }}
	spreadPane = panes.Descriptor[*Explorer]{ID: shell.Spread, Title: "Spread",
		Show:  "Show the designs over their columns",
		Place: shell.Place{Area: shell.CentreBelow, Half: shell.HalfBelow, Rank: 1},
		Idle:  (*Explorer).idle,
		New: func(e *Explorer, b panes.Base) shell.View {
			e.side.spread = newSpreadView(e, b)
			return e.side.spread
		}}
	subspacesPane = panes.Descriptor[*Explorer]{ID: shell.Subspaces, Title: "Subspaces", Show: "Compare platforms",
		Place: shell.Place{Area: shell.CentreBelow},
		Idle:  (*Explorer).idle,
		New: func(e *Explorer, b panes.Base) shell.View {
			e.side.subspaces = newSubspacesView(e, b)
			return e.side.subspaces
		}}
	pointsPane = panes.Descriptor[*Explorer]{ID: shell.Points, Title: "Points", Show: "Show the table of designs",
		Place: shell.Place{Area: shell.CentreBelow, Half: shell.HalfBelow, Rank: 2},
		Idle:  (*Explorer).idle,
		New: func(e *Explorer, b panes.Base) shell.View {
			e.side.points = newPointsView(e, b)
			return e.side.points
		}}
	designPane = panes.Descriptor[*Explorer]{ID: shell.Design, Title: "Design", Show: "Show the details of a design",
		Idle: (*Explorer).idle,
		New: func(e *Explorer, b panes.Base) shell.View {
			e.side.design = newDesignView(e, b)
			return e.side.design
		}}
	generationsPane = panes.Descriptor[*Explorer]{ID: shell.Timeline, Title: "Generations", Keys: "5",
		Place: shell.Place{Area: shell.Bottom, Half: shell.HalfBottom},
		New: func(e *Explorer, b panes.Base) shell.View {
			v := &generationsView{Base: b, e: e}
			v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
			return v
		}}
)

// tablePanes are those of a table of designs. Its filter stands where a recording has its regions.
var tablePanes = []panes.Descriptor[*Explorer]{
	filterPane.As(shell.Recording).At(shell.Place{Area: shell.LeftTop}),
	treePane, spreadPane, subspacesPane, pointsPane, designPane, generationsPane}

// besidePanes are those that a recording's document shows beside its own.
var besidePanes = []panes.Descriptor[*Explorer]{treePane.At(shell.Place{Area: shell.CentreBelow}), filterPane,
	spreadPane.At(shell.Place{Area: shell.CentreBelow}), subspacesPane,
	pointsPane.At(shell.Place{Area: shell.CentreBelow}), designPane}

// idle says why there are no designs: nobody has searched for them. A table of designs shows all panes.
func (e *Explorer) idle() string {
	if e.hunt == nil || e.hunt.work != nil || e.space != nil {
		return ""
	}
	if e.hunt.why() != "" {
		return "nothing to search"
	}
	return "no search yet"
}

// idleTree is idle for the tree: where a search can begin it says how.
func (e *Explorer) idleTree() string {
	if h := e.hunt; h != nil && h.why() == "" {
		return ""
	}
	return e.idle()
}
