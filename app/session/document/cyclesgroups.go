package document

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
		items = append(items, pane.MenuItem{Title: fmt.Sprintf("Put line %d into %s", t.Thing.Line, v.shown.colours.groups[i].Name), Run: func() { v.group(i, m) }})
	}
	return append(items, pane.MenuItem{Title: fmt.Sprintf("Put line %d into a new group", t.Thing.Line), Run: func() { v.group(len(v.shown.colours.groups), m) }})
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
	link.Choose(v.d.link, "groups", &v.shown.colours, colours{by: session.ByGroup, groups: groups}, v.recolour)
}
