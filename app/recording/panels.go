package recording

import (
	"orrery/app/shell"
	"orrery/traceio"
)

// panelCommands are those of the curve, the table, the hierarchy's form and the films.
func (d *Document) panelCommands() []shell.Command {
	references := func() bool { return !d.rec.EventsOnly() && d.rec.Len() > 0 }
	return []shell.Command{
		{ID: "cache.hierarchy", Title: "Cache hierarchy…", Menu: "Analyse", Keys: "Ctrl+H",
			Run: func() { d.editHierarchy(d.hierarchy, d.hierarchy.Entry(traceio.Load), "size") }, Enabled: references},
		{ID: "table.filter", Title: "Filter the table", Menu: "Edit", Keys: "Ctrl+Shift+F", Run: d.table.StartTyping,
			Enabled: references},
		{ID: "table.sort", Title: "Sort the table by the next column", Menu: "Edit", Keys: "Alt+S", Run: d.table.SortNext,
			Enabled: d.table.filled},
		{ID: "table.turn", Title: "Turn the table's order around", Menu: "Edit", Keys: "Alt+R", Run: d.table.SortOther,
			Enabled: d.table.filled},
		{ID: "table.save", Also: "export spreadsheet", Title: "Write the table as CSV…", Menu: "File", Keys: "Ctrl+Shift+E",
			Run: d.table.save, Enabled: d.table.filled},
		{ID: "source.heat", Title: "Heat of the lines: references or misses", Menu: "View", Keys: "H",
			Run: func() { d.source.heat(!d.source.misses) }, Enabled: func() bool { return d.misses() != nil }},
		{ID: "film.make", Also: "export video animation gif", Title: "Make a film…", Menu: "File",
			Keys: "Ctrl+Shift+M", Run: d.askFilm},
	}
}
