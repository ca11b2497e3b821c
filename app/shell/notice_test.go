package shell

import "testing"

// What documents tell is kept with whether it is an error, and an error is marked in the colour of errors.
func TestFailuresAreMarked(t *testing.T) {
	b := open1280(t, "/recordings/bubble.orr")
	h, before := b.host(), len(b.notices)
	for i, say := range []func(string){h.Notice, h.Failed, h.Notice} {
		say("a sentence")
		b.settle()
		bad, want, text := i == 1, b.look.Accent, "a sentence"
		if bad {
			want, text = b.look.Miss, "A sentence."
		}
		b.banner.Refresh()
		if n := b.notices[before+i]; n.text != text || n.bad != bad || b.banner.mark.FillColor != want {
			t.Errorf("notice %d: %+v, marked %v, want %v", i, n, b.banner.mark.FillColor, want)
		}
	}
	var heard []string
	plain := Host{Notice: func(s string) { heard = append(heard, s) }}
	if plain.Failed("it broke"); len(heard) != 1 || heard[0] != "It broke." {
		t.Errorf("where errors have no place of their own, %q is told", heard)
	}
}
