package scene

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	const text = "six turns of sixty-three references, lines four to six"
	for _, width := range []float64{60, 100, 250, 1000} {
		lines := Wrap(Sans, 12, text, width)
		if got := strings.Join(lines, " "); width >= 100 && got != text {
			t.Errorf("width %g: words changed: %q", width, got)
		}
		for i, l := range lines {
			if Measure(Sans, 12, l) > width {
				t.Errorf("width %g: line %q is %.1f wide", width, l, Measure(Sans, 12, l))
			}
			if next := i + 1; next < len(lines) {
				first, _, _ := strings.Cut(lines[next], " ")
				if Measure(Sans, 12, l+" "+first) <= width {
					t.Errorf("width %g: %q still fits behind %q", width, first, l)
				}
			}
		}
	}
	for _, l := range Wrap(Sans, 12, "line four has twelve 12\u00a0% of it", 70) {
		if strings.HasPrefix(l, "%") {
			t.Errorf("a no-break space was broken: %q", l)
		}
	}
	const figures = "lines 39-42 (23 % / 31 %), 4 KiB in 30 173 references, 8 of them"
	for width := 60.0; width < 400; width++ {
		for _, l := range Wrap(Sans, 12, figures, width) {
			if first, _, _ := strings.Cut(l, " "); belongs(first) {
				t.Errorf("width %g: %q is torn from its number", width, l)
			}
		}
	}
	if got := Wrap(Sans, 12, "", 100); got != nil {
		t.Errorf("empty text gives %q", got)
	}
	if got := Wrap(Mono, 12, "unbreakablewordthatislong", 40); len(got) != 1 || !strings.HasSuffix(got[0], "…") {
		t.Errorf("a long word gives %q", got)
	}
}

// TestBreakLosesNothing breaks what is wider than a line and wants every letter of it, in lines that fit and end, where
// they can, behind a sign that joins parts.
func TestBreakLosesNothing(t *testing.T) {
	for _, row := range []struct{ text, last string }{
		{"/usr/include/c++/12/bits/stl_vector.h:1124", "bits/stl_vector.h:1124"},
		{"allocated in /usr/include/c++/12/bits/new_allocator.h:137 at event 12", "at event 12"},
		{"std::__cxx11::basic_string<char,std::char_traits<char>>", "traits<char>>"},
		{"unbreakablewordthatislong", ""},
		{"six turns", "six turns"},
		{"", ""},
	} {
		for _, width := range []float64{5, 60, 150, 1000, 0} {
			lines := Break(Bold, 12.5, row.text, width)
			bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
			if got := strings.Join(lines, " "); bare(got) != bare(row.text) {
				t.Errorf("width %g: %q has become %q", width, row.text, got)
			}
			for _, l := range lines {
				if w := Measure(Bold, 12.5, l); width >= 60 && w > width {
					t.Errorf("width %g: line %q is %.1f wide", width, l, w)
				}
			}
			if width == 150 && row.last != "" && lines[len(lines)-1] != row.last {
				t.Errorf("width %g: %q is broken as %q, want the last line %q", width, row.text, lines, row.last)
			}
		}
	}
}
