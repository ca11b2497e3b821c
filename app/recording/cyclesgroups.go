package recording

import (
	"fmt"

	"orrery/app/session"
	"orrery/views/link"
	"orrery/views/pane"
)

// groupMenu puts the line under the pointer into a group of the user's.
func (v *cyclesView) groupMenu(e pane.Event) []pane.MenuItem {
	t := v.hit(e)
	if t.Thing.Line == 0 {
		return nil
	}
	items := []pane.MenuItem{{}}
	m := session.Member{File: t.Thing.File, Low: t.Thing.Line, High: t.Thing.Line}
	for i := range v.shown.colours.groups {
		items = append(items, pane.MenuItem{Title: fmt.Sprintf("Put line %d into %s", t.Thing.Line,
			v.shown.colours.groups[i].Name), Run: func() { v.group(i, m) }})
	}
	return append(items, pane.MenuItem{Title: fmt.Sprintf("Put line %d into a new group", t.Thing.Line), Run: func() {
		v.group(len(v.shown.colours.groups), m)
	}})
}

func (v *cyclesView) group(i int, m session.Member) {
	groups := make([]session.Group, 0, len(v.shown.colours.groups)+1) // a line is in one group
	for _, g := range v.shown.colours.groups {
		var rest []session.Member
		for _, old := range g.Members {
			if old != m {
				rest = append(rest, old)
			}
		}
		groups = append(groups, session.Group{Name: g.Name, Members: rest})
	}
	if i == len(groups) {
		groups = append(groups, session.Group{Name: fmt.Sprintf("group %c", 'A'+i%26)})
	}
	groups[i].Members = append(groups[i].Members, m)
	link.Choose(v.d.link, "groups", &v.shown.colours, colours{by: session.ByGroup, groups: groups}, func() {
		v.recolour()
		v.remember()
	})
}

// Under this name the groups of a recording are kept between runs.
const keptGroups = "groups"

// recall takes up the groups that were made of the recording in an earlier run. Those that make no sense any more are
// left out.
func (v *cyclesView) recall() {
	if v.d.host.Recall == nil || len(v.shown.colours.groups) > 0 { // a session has brought its own
		return
	}
	for _, text := range v.d.host.Recall(keptGroups) {
		if g, err := session.ParseGroup(text); err == nil {
			v.shown.colours.groups = append(v.shown.colours.groups, g)
		}
	}
}

// remember keeps the groups for the next run; those without members are not worth it.
func (v *cyclesView) remember() {
	if v.d.host.Remember == nil {
		return
	}
	var list []string
	for _, g := range v.shown.colours.groups {
		if len(g.Members) > 0 {
			list = append(list, g.String())
		}
	}
	v.d.host.Remember(keptGroups, list)
}
