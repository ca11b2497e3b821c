package scene

import (
	"image/color"
	"iter"
	"strings"
)

// Wrap breaks text into lines at most max wide, between words where it can; a word that is wider is cut with an ellipsis.
// A max of 0 or less gives one line; an empty text none. A no-break space holds words together, and a number stays with its percent
// sign, its unit of bytes and its own thousands ("23 %", "4 KiB", "30 173").
func Wrap(face Face, size float64, text string, max float64) []string {
	var lines []string
	line := ""
	for word := range whole(text) {
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

// whole gives the words of a text, what belongs to a number together as one.
func whole(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		held := ""
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }) {
			switch {
			case held == "":
				held = word
			case digit(held[len(held)-1]) && belongs(word):
				held += " " + word
			case !yield(held):
				return
			default:
				held = word
			}
		}
		if held != "" {
			yield(held)
		}
	}
}

// belongs tells whether a word goes on with the number before it.
func belongs(word string) bool {
	bare := strings.TrimRight(word, ".,;:)")
	switch bare {
	case "%", "B", "KiB", "MiB", "GiB", "TiB":
		return true
	}
	return len(bare) == 3 && digit(bare[0]) && digit(bare[1]) && digit(bare[2])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

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
