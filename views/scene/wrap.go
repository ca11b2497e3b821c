package scene

import "strings"

// Wrap breaks text into lines at most max wide, between words where it can; a word that is wider is cut with an ellipsis.
// A max of 0 or less gives one line; an empty text none. A no-break space holds words together.
func Wrap(face Face, size float64, text string, max float64) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }) {
		longer := word
		if line != "" {
			longer = line + " " + word
		}
		if line != "" && max > 0 && Measure(face, size, longer) > max {
			lines = append(lines, line)
			longer = word
		}
		line = longer
		if max > 0 && Measure(face, size, line) > max {
			line = Ellipsis(face, size, line, max)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
