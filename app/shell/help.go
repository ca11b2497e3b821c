package shell

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// showHelp lists every command that has a key, by menu, in columns.
func (w *window) showHelp() {
	k := &keysPage{}
	for _, m := range append(menus, "") {
		var rows [][2]*label
		for _, c := range w.reg.All() {
			if c.Menu == m && c.Keys != "" {
				keys := strings.Join(strings.Fields(c.Keys), "   ")
				rows = append(rows, [2]*label{
					newLabel(w.look, keys, 11.5, accent, fyne.TextStyle{Monospace: true}),
					newLabel(w.look, c.Title, 12, plain, fyne.TextStyle{})})
			}
		}
		if len(rows) == 0 {
			continue
		}
		title := m
		if m == "" {
			title = "Anywhere"
		}
		k.heads = append(k.heads, newLabel(w.look, strings.ToUpper(title), 10.5, dim, fyne.TextStyle{Bold: true}))
		k.rows = append(k.rows, rows)
	}
	mouse := [][2]string{{"wheel", "Zoom about the pointer"}, {"drag", "Scrub, pan or select a range"}, {"Shift+drag", "Select a range of time"},
		{"double click", "Fit a picture; maximise by its title"}, {"drag a title", "Dock the pane elsewhere"}}
	var rows [][2]*label
	for _, m := range mouse {
		rows = append(rows, [2]*label{newLabel(w.look, m[0], 11.5, accent, fyne.TextStyle{Monospace: true}), newLabel(w.look, m[1], 12, plain, fyne.TextStyle{})})
	}
	k.heads = append(k.heads, newLabel(w.look, "MOUSE", 10.5, dim, fyne.TextStyle{Bold: true}))
	k.rows = append(k.rows, rows)
	box := container.New(k)
	for i, h := range k.heads {
		box.Add(h)
		for _, r := range k.rows[i] {
			box.Add(r[0])
			box.Add(r[1])
		}
	}
	w.sheet.present("Keys", box, fyne.NewSize(1060, 520))
}

// keysPage lays sections of key and meaning out in as many columns as fit.
type keysPage struct {
	heads []*label
	rows  [][][2]*label
}

func (k *keysPage) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 0) }

func (k *keysPage) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	const line, keys, away = 20, 142, 16
	columns := max(1, int(s.Width/320))
	width := s.Width / float32(columns)
	column := k.columns(columns)
	var x, y float32
	for i, h := range k.heads {
		if i > 0 && column[i] != column[i-1] {
			x, y = x+width, 0
		}
		h.Move(fyne.NewPos(x, y))
		h.Resize(fyne.NewSize(width-away, line))
		y += line
		for _, r := range k.rows[i] {
			r[0].Move(fyne.NewPos(x, y))
			r[0].Resize(fyne.NewSize(keys-8, line))
			r[1].Move(fyne.NewPos(x+keys, y))
			r[1].Resize(fyne.NewSize(width-keys-away, line))
			y += line
		}
		y += line * 0.7
	}
}

// columns divides the sections, in their order, over the columns so that the longest one is as short as can be.
func (k *keysPage) columns(most int) []int {
	column := make([]int, len(k.rows))
	for limit := 1; ; limit++ {
		at, used := 0, 0
		for i, r := range k.rows {
			lines := len(r) + 2
			if used > 0 && used+lines > limit {
				at, used = at+1, 0
			}
			column[i] = at
			used += lines
		}
		if at < most {
			return column
		}
	}
}
