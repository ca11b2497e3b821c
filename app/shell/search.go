package shell

import (
	"sort"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// search is the entry in the header: it finds things in the document and, after ">", commands. While it has the
// keyboard, shortcuts still reach the registry.
type search struct {
	widget.Entry
	ui   *window
	list *choices
}

func newSearch(ui *window) *search {
	s := &search{ui: ui, list: newChoices(ui)}
	s.PlaceHolder = "Search address, symbol, file:line, or type > for a command"
	s.Scroll = fyne.ScrollNone
	s.OnChanged = func(string) { s.find() }
	s.ExtendBaseWidget(s)
	return s
}

// begin takes the keyboard, with ">" for a command.
func (s *search) begin(prefix string) {
	s.SetText(prefix)
	s.ui.win.Canvas().Focus(s)
	s.CursorColumn = len(prefix)
	s.Refresh()
	s.find()
}

// end gives the keyboard back to the panes.
func (s *search) end() {
	s.list.close()
	s.SetText("")
	s.ui.win.Canvas().Unfocus()
}

// choice is one line of the list below the entry.
type choice struct {
	label, detail string
	run           func()
	off           bool
}

// shownChoices bounds the list: more lines than fit nobody reads.
const shownChoices = 12

// find fills the list for what has been typed.
func (s *search) find() {
	s.ui.head.sync()
	if s.ui.win.Canvas().Focused() != fyne.Focusable(s) {
		return
	}
	text := strings.TrimSpace(s.Text)
	var list []choice
	if rest, ok := strings.CutPrefix(text, ">"); ok {
		list = s.commands(strings.TrimSpace(rest))
	} else if text != "" {
		if d := s.ui.front(); d != nil {
			if f, ok := d.doc.(Searcher); ok {
				for _, x := range f.Search(text, shownChoices) {
					list = append(list, choice{label: x.Label, detail: x.Detail, run: x.Go})
				}
			}
		}
		list = append(list, s.commands(text)...)
	}
	s.list.show(list[:min(len(list), shownChoices)], text)
}

// commands are those whose title matches, best first.
func (s *search) commands(text string) []choice {
	type hit struct {
		choice
		score int
	}
	var hits []hit
	for _, c := range s.ui.reg.All() {
		score, ok := fuzzy(text, c.Title)
		if !ok || c.ID == "search.command" {
			continue
		}
		hits = append(hits, hit{choice{label: c.Title, detail: strings.Join(strings.Fields(c.Keys), "  "), off: !c.On(),
			run: func() { s.ui.reg.Run(c.ID) }}, score})
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].score > hits[j].score })
	out := make([]choice, len(hits))
	for i, h := range hits {
		out[i] = h.choice
	}
	return out
}

// fuzzy tells whether the letters of pattern occur in s in this order, and how well: letters that begin words or follow
// each other count more, a short s beats a long one.
func fuzzy(pattern, s string) (score int, ok bool) {
	want := []rune(strings.ToLower(strings.ReplaceAll(pattern, " ", "")))
	have := []rune(strings.ToLower(s))
	at, run := 0, 0
	for i, r := range have {
		if at == len(want) {
			break
		}
		if r != want[at] {
			run = 0
			continue
		}
		at++
		run++
		score += 2 * run
		if i == 0 || !unicode.IsLetter(have[i-1]) {
			score += 8
		}
	}
	return score*4 - len(have), at == len(want)
}

// TypedKey implements fyne.Focusable: the list answers the arrows.
func (s *search) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyEscape:
		s.end()
	case fyne.KeyDown:
		s.list.choose(1)
	case fyne.KeyUp:
		s.list.choose(-1)
	case fyne.KeyReturn, fyne.KeyEnter:
		s.list.run()
	default:
		s.Entry.TypedKey(ev)
	}
}

// TypedShortcut implements fyne.Shortcutable: the window's shortcuts go on working, editing keeps its own.
func (s *search) TypedShortcut(sc fyne.Shortcut) {
	if c, ok := sc.(*desktop.CustomShortcut); ok && s.ui.shortcut(c) {
		return
	}
	s.Entry.TypedShortcut(sc)
}

// FocusLost implements fyne.Focusable.
func (s *search) FocusLost() {
	s.Entry.FocusLost()
	s.list.close()
}

// FocusGained implements fyne.Focusable.
func (s *search) FocusGained() {
	s.Entry.FocusGained()
	s.find()
}

// choices is the list that drops from the entry. It lies in the window's own overlay layer: the toolkit's popups would
// take the keyboard away.
type choices struct {
	widget.BaseWidget
	ui   *window
	back *canvas.Rectangle
	none *label
	rows []*press
	list []choice
	at   int
}

func newChoices(ui *window) *choices {
	c := &choices{ui: ui, back: canvas.NewRectangle(ui.look.Panel), none: newLabel(ui.look, "", 12, dim, fyne.TextStyle{})}
	c.back.CornerRadius, c.back.StrokeWidth = 6, 1
	c.ExtendBaseWidget(c)
	c.Hide()
	return c
}

func (c *choices) show(list []choice, text string) {
	if len(list) == 0 && text == "" {
		c.close()
		return
	}
	c.list, c.at, c.rows = list, 0, nil
	c.none.set("Nothing is called \"" + text + "\" here.")
	for _, x := range list {
		p := newPress(c.ui, x.label, nil, func() { c.pick(x) })
		p.on = func() bool { return !x.off }
		p.keys = newLabel(c.ui.look, x.detail, 11, dim, fyne.TextStyle{Monospace: true})
		c.rows = append(c.rows, p)
	}
	c.Show()
	c.ui.overlaid()
	c.choose(0)
}

func (c *choices) close() {
	if c.Visible() {
		c.Hide()
		c.ui.overlaid()
	}
}

// choose moves the chosen line.
func (c *choices) choose(by int) {
	if len(c.rows) > 0 {
		c.at = (c.at + by + len(c.rows)) % len(c.rows)
	}
	for i, r := range c.rows {
		r.lit = i == c.at
	}
	c.Refresh()
}

func (c *choices) run() {
	if c.Visible() && c.at < len(c.list) && !c.list[c.at].off {
		c.pick(c.list[c.at])
	}
}

// pick closes the list first: what runs may open something else.
func (c *choices) pick(x choice) {
	c.ui.search.end()
	x.run()
}

func (c *choices) MinSize() fyne.Size {
	return fyne.NewSize(200, float32(max(1, len(c.rows)))*25+10)
}

func (c *choices) CreateRenderer() fyne.WidgetRenderer { return &choicesRenderer{c} }

type choicesRenderer struct{ c *choices }

func (r *choicesRenderer) Layout(s fyne.Size) {
	r.c.back.Resize(s)
	r.c.none.Resize(fyne.NewSize(s.Width-24, 18))
	r.c.none.Move(fyne.NewPos(12, 9))
	for i, row := range r.c.rows {
		row.Resize(fyne.NewSize(s.Width-10, 25))
		row.Move(fyne.NewPos(5, 5+25*float32(i)))
	}
}

func (r *choicesRenderer) Refresh() {
	l := r.c.ui.look
	r.c.back.FillColor, r.c.back.StrokeColor = l.Panel, l.Line
	r.c.back.Refresh()
	r.c.none.Refresh()
	for _, row := range r.c.rows {
		row.Refresh()
	}
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}
func (r *choicesRenderer) MinSize() fyne.Size { return r.c.MinSize() }
func (r *choicesRenderer) Destroy()           {}
func (r *choicesRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.c.back}
	if len(r.c.rows) == 0 {
		out = append(out, r.c.none)
	}
	for _, row := range r.c.rows {
		out = append(out, row)
	}
	return out
}
