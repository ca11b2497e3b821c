package document

import "unicode"

// typed is a line of text that is written in a picture: the filter of a table or of a flame graph.
type typed struct {
	text   string
	typing bool
}

// write edits the text. Everything that is pressed while it is being written is meant for it, but for F-keys; leave tells
// that the key ends the writing and is for the picture too.
func (n *typed) write(name string, r rune) (taken, leave bool) {
	switch {
	case name == "Escape":
		n.typing, n.text = n.text != "", ""
	case name == "Return" || name == "KP_Enter" || name == "Tab":
		n.typing = false
	case name == "BackSpace":
		if text := []rune(n.text); len(text) > 0 {
			n.text = string(text[:len(text)-1])
		}
	case name == "Up" || name == "Down":
		n.typing = false
		return false, true
	case r != 0 && unicode.IsPrint(r) && len(n.text) < 200:
		n.text += string(r)
	case len(name) > 1 && name[0] == 'F':
		return false, false
	}
	return true, false
}
