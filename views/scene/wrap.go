package scene

import (
	"image/color"
	"strings"
)

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

// Say writes text in the middle of the drawing, in as many lines as it takes: why there is no picture. It returns the first
// baseline.
func (d *Drawing) Say(text string, ink color.NRGBA) float64 {
	const size, pitch, margin, widest = 12, 18.0, 14.0, 420.0
	lines := Wrap(Sans, size, text, min(widest, d.Size.W-2*margin))
	top := d.Size.H/2 - float64(len(lines)-1)*pitch/2
	for i, line := range lines {
		d.Add(Text{At: Point{X: d.Size.W / 2, Y: top + float64(i)*pitch}, Size: size, Color: ink, Align: 0.5, S: line})
	}
	return top
}
