package document

import (
	"orrery/app/session/rowpane"
	"orrery/app/shell"
)

// rows is a pane with a table of the document.
func (d *Document) rows(slot shell.Slot) rowpane.Rows {
	return rowpane.New(d.link, &d.host, slot, func() { d.changed(slot) }, func() { d.show(slot) })
}
