package shell

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
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
	s.PlaceHolder = prompts[0]
	s.Scroll = fyne.ScrollNone
	s.OnChanged = func(string) { s.find() }
	s.ExtendBaseWidget(s)
	return s
}

// prompts are what the empty entry says, from the longest to the shortest.
var prompts = []string{"Search address, symbol, file:line, or type > for a command",
	"Search, or > for a command", "Search"}

// ask chooses the longest prompt that fits: Fyne does not cut it.
func (s *search) ask(width float32) {
	list := prompts
	if d := s.ui.front(); d != nil {
		if p, ok := d.doc.(Prompter); ok {
			list = slices.Concat([]string{p.Prompt() + ", or type > for a command", p.Prompt()}, prompts[1:])
		}
	}
	best := list[len(list)-1]
	for _, p := range list {
		if fyne.MeasureText(p, s.ui.look.Size(theme.SizeNameText), fyne.TextStyle{}).Width <= width-16 {
			best = p
			break
		}
	}
	if s.PlaceHolder != best {
		s.SetPlaceHolder(best)
	}
}

// begin takes the keyboard, with ">" for a command.
func (s *search) begin(prefix string) {
	if s.ui.sheet.Visible() {
		s.ui.sheet.dismiss()
	}
	s.SetText(prefix)
	s.ui.comeForward()
	s.ui.win.Canvas().Focus(s)
	s.CursorColumn = len(prefix)
	s.Refresh()
	s.find()
}

// end gives the keyboard back to the panes.
func (s *search) end() {
	s.close()
	s.SetText("")
	s.ui.win.Canvas().Unfocus()
}

// choice is one line of a list; one without a label is a separator.
type choice struct {
	label, detail string
	run           func()
	off, lit      bool
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
		list = s.ui.bookmarks.choices(text)
		if d := s.ui.front(); d != nil {
			if f, ok := d.doc.(Searcher); ok {
				for _, x := range f.Search(text, shownChoices) {
					list = append(list, choice{label: x.Label, detail: x.Detail, run: x.Go})
				}
			}
		}
		list = append(list, s.commands(text)...)
	}
	s.show(list[:min(len(list), shownChoices)], text)
}

// show drops the list from the entry; nothing typed and nothing found closes it.
func (s *search) show(list []choice, text string) {
	if len(list) == 0 && text == "" {
		s.close()
		return
	}
	s.list.none.full = "Nothing is called \"" + strings.TrimLeft(text, "> ") + "\" here."
	s.list.fill(list)
	s.list.Show()
	s.list.choose(0)
	s.ui.relayout()
}

func (s *search) close() {
	if s.list.Visible() {
		s.list.Hide()
		s.ui.relayout()
	}
}

// unready is what a command that cannot run now loses of its score: Return runs the first line, and that has to do
// something, unless nothing else is nearly what was asked for. It is the score of six letters of a word.
const unready = 200

// commands are those whose title matches, best first.
func (s *search) commands(text string) []choice {
	type hit struct {
		choice
		score int
	}
	var hits []hit
	for _, c := range s.ui.reg.All() {
		score, ok := fuzzy(text, c.Title)
		if all := strings.TrimSpace(strings.ToLower(c.Also + " " + c.Title)); (c.Also != "" || !ok) &&
			len(text) > 2 && begins(text, all) {
			also, _ := fuzzy(text, all)
			score, ok = max(score, also+len(all)-len(text)), true // words that are begun count more than letters
		}
		if !ok || c.ID == "search.command" {
			continue
		}
		if !c.On() {
			score -= unready
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

// begins reports whether each word of text begins a word of s, which is in small letters.
func begins(text, s string) bool {
	words := strings.Fields(s)
	for _, t := range strings.Fields(strings.ToLower(text)) {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, t) }) {
			return false
		}
	}
	return true
}

// fuzzy reports whether the letters of pattern occur in s in this order, and how well, beginning where that is best:
// letters that begin words or follow each other count more, a short s beats a long one.
func fuzzy(pattern, s string) (score int, ok bool) {
	want := []rune(strings.ToLower(strings.ReplaceAll(pattern, " ", "")))
	have := []rune(strings.ToLower(s))
	if len(want) == 0 {
		return 0, true
	}
	if !meant(strings.ToLower(pattern), strings.ToLower(s)) {
		return 0, false
	}
	for from, r := range have {
		if r != want[0] {
			continue
		}
		if n, all := matched(want, have, from); all {
			score, ok = max(score, n), true
		}
	}
	return score*4 - len(have), ok
}

// meant reports whether whoever writes the words of pattern may mean s: each is a part of it of three letters or more,
// or made of the beginnings of some of its words in their order, as "zi" and "zoomout" are, or one of them with letters
// left out, as "frst" is. Letters that are strewn over s are a chance.
func meant(pattern, s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, p := range strings.Fields(pattern) {
		if !(len(p) > 2 && strings.Contains(s, p)) && !strings.Contains(" "+s, " "+p) && !beginnings(p, words) &&
			!slices.ContainsFunc(words, func(w string) bool { return shortened(p, w) }) {
			return false
		}
	}
	return true
}

// beginnings reports whether p is made of beginnings of words, in their order.
func beginnings(p string, words []string) bool {
	for i, w := range words {
		n := 0
		for n < min(len(p), len(w)) && p[n] == w[n] {
			n++
		}
		for ; n > 0; n-- {
			if n == len(p) || beginnings(p[n:], words[i+1:]) {
				return true
			}
		}
	}
	return false
}

// shortened reports whether p is most of a word, from its first letter on, with some letters left out.
func shortened(p, word string) bool {
	if len(p) < 3 || 2*len(p) <= len(word) || p[0] != word[0] {
		return false
	}
	at := 0
	for i := 0; i < len(word) && at < len(p); i++ {
		if word[i] == p[at] {
			at++
		}
	}
	return at == len(p)
}

// matched is fuzzy from a letter on.
func matched(want, have []rune, from int) (score int, ok bool) {
	at, run := 0, 0
	for i := from; i < len(have) && at < len(want); i++ {
		if have[i] != want[at] {
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
	return score, at == len(want)
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
	s.close()
}

// FocusGained implements fyne.Focusable.
func (s *search) FocusGained() {
	s.Entry.FocusGained()
	s.find()
}
