package toolbar

import "unicode"

// Text is a line of text that is written in a picture: the filter of a table or of a flame graph.
type Text struct {
	Content string
	Typing  bool
}

// Write edits the text. Everything that is pressed while it is being written is meant for it, but for F-keys; leave
// tells that the key ends the writing and is for the picture too.
func (n *Text) Write(name string, r rune) (taken, leave bool) {
	switch {
	case name == "Escape":
		n.Typing, n.Content = n.Content != "", ""
	case name == "Return" || name == "KP_Enter" || name == "Tab":
		n.Typing = false
	case name == "BackSpace":
		if text := []rune(n.Content); len(text) > 0 {
			n.Content = string(text[:len(text)-1])
		}
	case name == "Up" || name == "Down":
		n.Typing = false
		return false, true
	case r != 0 && unicode.IsPrint(r) && len(n.Content) < 200:
		n.Content += string(r)
	case len(name) > 1 && name[0] == 'F':
		return false, false
	}
	return true, false
}
