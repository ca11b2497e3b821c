package shell

import (
	"fyne.io/fyne/v2"
)

// The keyboard goes through the welcome page: the arrows from card to card and on to the recent files, Return opens,
// Escape leaves.

// entries is how many things can be chosen: the cards, then the recent files.
func (w *welcome) entries() int { return len(w.cards) + len(w.recent) }

// key answers a key while the page is in front and reports whether it was for it.
func (w *welcome) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyRight:
		w.choose(w.chosen + 1)
	case fyne.KeyLeft:
		w.choose(max(0, w.chosen-1))
	case fyne.KeyDown:
		w.choose(w.below())
	case fyne.KeyUp:
		w.choose(w.above())
	case fyne.KeyHome:
		w.choose(0)
	case fyne.KeyEnd:
		w.choose(w.entries() - 1)
	case fyne.KeyReturn, fyne.KeyEnter:
		return w.openChosen()
	case fyne.KeyEscape:
		if w.chosen < 0 {
			return false
		}
		w.choose(-1)
	default:
		return false
	}
	return true
}

// below is the entry under the chosen one: in the next row of cards, or the next recent file.
func (w *welcome) below() int {
	n := len(w.cards)
	switch at := w.chosen; {
	case at < 0:
		return 0
	case at >= n:
		return at + 1
	case at+w.columns < n:
		return at + w.columns
	case at/w.columns < (n-1)/w.columns: // the last row is shorter
		return n - 1
	}
	return n
}

// above is the entry over the chosen one.
func (w *welcome) above() int {
	n := len(w.cards)
	switch at := w.chosen; {
	case at > n || at == n && n == 0:
		return max(0, at-1)
	case at == n:
		return (n - 1) / w.columns * w.columns
	case at >= w.columns:
		return at - w.columns
	}
	return max(0, w.chosen)
}

// choose marks an entry and scrolls to it; beyond the last one it stays, -1 is none.
func (w *welcome) choose(i int) {
	was := w.chosen
	if w.chosen = min(i, w.entries()-1); w.chosen == was {
		return
	}
	var at fyne.CanvasObject
	for k, c := range w.cards {
		if c.chosen = k == w.chosen; c.chosen {
			at = c
		}
		c.Refresh()
	}
	for k, p := range w.recent {
		if p.lit = len(w.cards)+k == w.chosen; p.lit {
			at = p
		}
		p.Refresh()
	}
	if at == nil {
		return
	}
	top, bottom, room := at.Position().Y-margin, at.Position().Y+at.Size().Height+margin, w.scroll.Size().Height
	switch y := w.scroll.Offset.Y; {
	case top < y:
		w.scroll.ScrollToOffset(fyne.NewPos(0, max(0, top)))
	case bottom > y+room:
		w.scroll.ScrollToOffset(fyne.NewPos(0, bottom-room))
	}
}

// openChosen opens the recording that is marked and reports whether one is.
func (w *welcome) openChosen() bool {
	switch n := len(w.cards); {
	case w.chosen < 0:
		return false
	case w.chosen < n:
		w.ui.open(w.cards[w.chosen].of.Path)
	default:
		w.recent[w.chosen-n].tap()
	}
	return true
}
