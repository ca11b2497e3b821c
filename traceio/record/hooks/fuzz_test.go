package hooks

import (
	"slices"
	"strings"
	"testing"
)

// FuzzWordsOf: a response file is read whatever stands in it, and words written with every character escaped come back.
func FuzzWordsOf(f *testing.F) {
	for _, s := range []string{"", " a\tb\n c ", `"a b" 'c d'e`, `a\ b \"`, `'' ""x`, `-DX="a \" b"`, `\`,
		`'open`, "-c\x00 x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := wordsOf(text)
		var b strings.Builder
		for _, w := range words {
			b.WriteString("''")
			for _, r := range w {
				b.WriteByte('\\')
				b.WriteRune(r)
			}
			b.WriteByte(' ')
		}
		if again := wordsOf(b.String()); !slices.Equal(again, words) {
			t.Errorf("%q gives %q, and that written and read again %q", text, words, again)
		}
		modeOf(words)
	})
}
