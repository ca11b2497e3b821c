package document

import (
	"orrery/app/panes/rows"
	"orrery/app/shell"
)

// rows is a pane with a table of the document.
func (d *Document) rows(slot shell.Slot) rows.Rows {
	return rows.New(d.link, &d.host, slot, func() { d.changed(slot) }, func() { d.show(slot) })
}
