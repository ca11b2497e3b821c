package e2e

import (
	"fmt"
	"image"
	"testing"

	"orrery/views/link"
)

// TestWelcome starts without a file: the page with the shipped recordings, one click opens one, and the keyboard alone
// finds, commands and explains.
func TestWelcome(t *testing.T) {
	w := open(t, display(t, 1280, 800), "--theme", "dark")
	w.steps([]step{
		{"page", welcomePage},
		{"card", clickCard},
		{"find", find},
		{"palette", palette},
		{"help", help},
		{"close", closeRecording},
		{"quit", (*window).quit},
	})
}

func welcomePage(w *window) {
	w.shows(w.shot(), func(m image.Image) string {
		if n := colours(m, m.Bounds()); n < 12 {
			return fmt.Sprintf("the welcome page has %d colours", n)
		}
		return ""
	})
}

// clickCard opens the second recording of the page.
func clickCard(w *window) {
	w.settled()
	var cards [][4]float64
	for _, e := range w.events() {
		if e.Name == "welcome" {
			cards = e.Cards
		}
	}
	if len(cards) < 3 {
		w.fail("the welcome page has too few cards")
	}
	s, card := w.scale(), cards[1]
	w.click((card[0]+card[2]/2)*s, (card[1]+card[3]/2)*s)
	if e := w.wait(0, "the recording behind a card", named("document-opened")); e.Length <= 0 {
		w.t.Errorf("the recording behind a card has %d references", e.Length)
	}
	w.wait(0, "the recording drawn", named("document-drawn"))
	w.complete(w.shot())
}

// find looks for the stack from the keyboard; Enter selects it.
func find(w *window) {
	since := w.mark()
	w.key("ctrl+f")
	w.xdo("type", "--delay", "40", "stack")
	w.settled()
	w.key("Return")
	e := w.wait(since, "a region selected by the search", func(e event) bool {
		return e.Name == "link" && link.What(e.Selected) == link.Region
	})
	if e.Origin != "search" {
		w.t.Errorf("the search selected with origin %q", e.Origin)
	}
	w.settled()
	since = w.mark()
	w.key("Escape")
	w.wait(since, "the selection cleared: the window has the keyboard again", func(e event) bool {
		return e.Name == "link" && e.Selected == 0
	})
}

// palette runs a command by its title.
func palette(w *window) {
	since := w.mark()
	w.key("ctrl+p")
	w.xdo("type", "--delay", "40", "light or dark")
	w.settled()
	w.key("Return")
	w.wait(since, "the command view.theme", func(e event) bool { return e.Name == "command" && e.ID == "view.theme" })
	w.wait(since, "the light theme", named("theme"))
	w.drawn(since, everyPane...)
}

// help shows the keys and goes away with Escape.
func help(w *window) {
	before, since := w.shot(), w.mark()
	w.key("question")
	w.wait(since, "the sheet of keys", func(e event) bool { return e.Name == "sheet" && e.Title != "" })
	w.shows(w.shot(), func(m image.Image) string {
		if n := differing(before, m, m.Bounds()); n < 10000 {
			return fmt.Sprintf("the sheet of keys changed %d pixels of the screen", n)
		}
		return ""
	})
	w.settled()
	open := w.shot()
	x, y := w.pane("heap").at(0.3, 0.5)
	for i := range 5 { // the sheet lies over the pane: no tip of what is below
		w.move(x+float64(i)*8, y)
	}
	if n := differing(open, w.shot(), open.Bounds()); n > 0 {
		w.t.Errorf("the pointer's way over the sheet of keys changed %d pixels", n)
	}
	since = w.mark()
	w.key("Escape")
	w.wait(since, "the sheet gone", func(e event) bool { return e.Name == "sheet" && e.Title == "" })
}

// closeRecording goes back to the page, which knows the recording now.
func closeRecording(w *window) {
	since := w.mark()
	w.key("ctrl+w")
	w.wait(since, "the recording closed", named("document-closed"))
	w.wait(since, "the welcome page again", named("welcome"))
	w.settled()
}
