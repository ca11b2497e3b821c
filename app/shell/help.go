package shell

import (
	"slices"
	"strings"

	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// mouse is what the mouse does: everywhere, and in pictures with more than that.
var mouse = []struct {
	title string
	rows  [][2]string
}{
	{"Mouse", [][2]string{{"wheel", "Zoom about the pointer"}, {"drag", "Scrub, pan or select a range"},
		{"Shift+drag", "Select a range of time"},
		{"double click", "Fit a picture; maximise by its title"}, {"double click in the timeline",
			"Fit it; once more: let the selected stretch go"}, {"drag a title", "Dock the pane elsewhere"}}},
	{"Mouse in the heap map", [][2]string{{"Ctrl+click", "Cursor of time that stays; again: away"},
		{"Ctrl+Shift+click", "Cursor of height that stays; again: away"},
		{"wheel", "Zoom time"}, {"Shift+wheel", "Zoom addresses; other bins on a page"},
		{"Ctrl+wheel", "Zoom time and addresses"}, {"Shift+click", "Hide a class of the legend"}}},
}

// showHelp lists every command that has a key, by menu, in columns.
func (w *window) showHelp() {
	k := &keysPage{}
	for _, m := range append(menus, "") {
		var rows [][2]*label
		for _, c := range w.reg.All() {
			if c.Menu == m && c.Keys != "" {
				keys := strings.Join(strings.Fields(c.Keys), "   ")
				rows = append(rows, [2]*label{
					newLabel(w.look, keys, 11.5, accent, scene.Mono),
					newLabel(w.look, c.Title, 12, plain, scene.Sans)})
			}
		}
		if len(rows) == 0 {
			continue
		}
		title := m
		if m == "" {
			title = "Anywhere"
		}
		k.heads = append(k.heads, newLabel(w.look, strings.ToUpper(title), 10.5, dim, scene.Bold))
		k.rows = append(k.rows, rows)
	}
	for _, m := range mouse {
		var rows [][2]*label
		for _, x := range m.rows {
			rows = append(rows, [2]*label{newLabel(w.look, x[0], 11.5, accent, scene.Mono),
				newLabel(w.look, x[1], 12, plain, scene.Sans)})
		}
		k.heads = append(k.heads, newLabel(w.look, strings.ToUpper(m.title), 10.5, dim, scene.Bold))
		k.rows = append(k.rows, rows)
	}
	k.width = min(helpWidth, w.win.Canvas().Size().Width-40) - 40 // the sheet's margins, beside it and within
	box := container.New(k)
	for i, h := range k.heads {
		box.Add(h)
		for _, r := range k.rows[i] {
			box.Add(r[0])
			box.Add(r[1])
		}
	}
	w.sheet.present("Keys", container.NewVScroll(box), fyne.NewSize(helpWidth, k.height()+64))
}

// helpWidth holds three columns in which all titles are whole; in a smaller window a few are not.
const helpWidth = 1440

// keysPage lays sections of key and meaning out in as many columns as fit.
type keysPage struct {
	heads []*label
	rows  [][][2]*label
	width float32
}

// helpLine is the height of a row, helpGap that between two sections.
const (
	helpLine = 20
	helpGap  = 14
)

func (k *keysPage) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, k.height()) }

// across is how many columns there are.
func (k *keysPage) across() int { return max(1, min(3, int(k.width/320))) }

// height is that of the longest column.
func (k *keysPage) height() float32 {
	used := make([]float32, k.across())
	for i, c := range k.columns(len(used)) {
		if used[c] > 0 {
			used[c] += helpGap
		}
		used[c] += helpLine * float32(len(k.rows[i])+1)
	}
	return slices.Max(used)
}

func (k *keysPage) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	const line, keys, away = helpLine, 154, 10
	if s.Width > 0 { // it has none before it is in the sheet
		k.width = s.Width
	}
	columns := k.across()
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
		y += helpGap
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
