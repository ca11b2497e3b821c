package vector

import (
	"unicode"

	"orrery/views/scene"
)

// words is the text as it will be read, and its width; false when it is not drawn.
func words(t scene.Text) (string, float64, bool) {
	if !finite(t.At.X, t.At.Y, t.Align, t.Size) || t.Size < 1 || t.Size > 2000 || t.Color.A == 0 {
		return "", 0, false
	}
	s := scene.Ellipsis(t.Face, t.Size, t.S, t.Max)
	w := scene.Measure(t.Face, t.Size, s)
	return s, w, s != "" && placed(t.At.X-w*t.Align) && placed(t.At.Y)
}

// placed reports whether a position is near enough to be looked at.
func placed(v float64) bool { return v > -far && v < far }

// appendEscaped writes s as XML character data or an attribute's value. Control characters become spaces, as wide as
// scene.Measure has them; what XML cannot hold becomes the replacement character.
func appendEscaped(b []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '"':
			b = append(b, "&quot;"...)
		case unicode.IsControl(r):
			b = append(b, ' ')
		case r == 0xfffe || r == 0xffff:
			b = append(b, "\ufffd"...)
		default:
			b = append(b, string(r)...)
		}
	}
	return b
}
