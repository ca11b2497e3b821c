package scene

import (
	"image/color"
	"iter"
	"strings"
)

// Wrap breaks text into lines at most max wide, between words where it can; a word that is wider is cut with an
// ellipsis. A max of 0 or less gives one line; an empty text none. A no-break space holds words together, and a number
// stays with its percent sign, its unit of bytes and its own thousands ("23 %", "4 KiB", "30 173").
func Wrap(face Face, size float64, text string, max float64) []string {
	return wrap(face, size, text, max, func(word string) []string { return []string{Ellipsis(face, size, word, max)} })
}

// Break is Wrap for what must be read to its end, such as the name of a file and a line: a word that is wider than a
// line goes on in the next, behind a sign that joins its parts where there is one.
func Break(face Face, size float64, text string, max float64) []string {
	return wrap(face, size, text, max, func(word string) (parts []string) {
		for Measure(face, size, word) > max {
			cut := 1 // letters, at least one
			runes := []rune(word)
			for cut < len(runes)-1 && Measure(face, size, string(runes[:cut+1])) <= max {
				cut++
			}
			if cut == len(runes) { // a letter that is wider than the line
				break
			}
			for at := cut; at > 1; at-- {
				if strings.ContainsRune("/:.,_-<>()", runes[at-1]) {
					cut = at
					break
				}
			}
			parts, word = append(parts, string(runes[:cut])), string(runes[cut:])
		}
		return append(parts, word)
	})
}

// wrap breaks text between words; long makes lines of a word that is wider than max.
func wrap(face Face, size float64, text string, max float64, long func(word string) []string) []string {
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
			parts := long(line)
			lines, line = append(lines, parts[:len(parts)-1]...), parts[len(parts)-1]
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

// belongs reports whether a word goes on with the number before it.
func belongs(word string) bool {
	bare := strings.TrimRight(word, ".,;:)")
	switch bare {
	case "%", "B", "KiB", "MiB", "GiB", "TiB":
		return true
	}
	return len(bare) == 3 && digit(bare[0]) && digit(bare[1]) && digit(bare[2])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// Say writes text in the middle of the drawing, in as many lines as it takes: why there is no picture. It returns the
// first baseline.
func (d *Drawing) Say(text string, ink color.NRGBA) float64 {
	const size, pitch, margin, widest = 12, 18.0, 14.0, 420.0
	lines := Wrap(Sans, size, text, min(widest, d.Size.W-2*margin))
	top := d.Size.H/2 - float64(len(lines)-1)*pitch/2
	for i, line := range lines {
		d.Add(Text{At: Point{X: d.Size.W / 2, Y: top + float64(i)*pitch}, Size: size, Color: ink, Align: 0.5, S: line})
	}
	return top
}

// Paragraph writes text in lines below each other, pitch apart, the first one where t.At says; no line is wider than
// t.Max. It returns the baseline of the line after the last one.
func (d *Drawing) Paragraph(t Text, pitch float64) float64 {
	lines := Wrap(t.Face, t.Size, t.S, t.Max)
	for t.Max = 0; len(lines) > 0; lines = lines[1:] {
		t.S = lines[0]
		d.Add(t)
		t.At.Y += pitch
	}
	return t.At.Y
}
