package heapmap

import (
	"image/color"
	"strings"
	"testing"

	"orrery/views/palette"
	"orrery/views/scene"
)

// No two entries of a legend share a colour: sites whose regions have none of their own are one entry that says how
// many they are.
func TestLegendColorsDiffer(t *testing.T) {
	h := story(t)
	theme := palette.Dark()
	grey := func(ranks ...int) []color.NRGBA {
		out := make([]color.NRGBA, len(h.Sites))
		for i := range out {
			out[i] = palette.Qualitative(theme, i%palette.Distinct)
		}
		for i := palette.Distinct; i < len(out); i++ {
			out[i] = palette.Others(theme)
		}
		for _, i := range ranks {
			out[i] = palette.Others(theme)
		}
		return out
	}
	beyond := len(h.Sites) - palette.Distinct
	if beyond < 1 {
		t.Fatalf("the heap has %d sites", len(h.Sites))
	}
	for name, row := range map[string]struct {
		sites []color.NRGBA
		rest  int // how many the last entry stands for
	}{
		"by rank":        {nil, beyond},
		"none more grey": {grey(), beyond},
		"two more grey":  {grey(1, 3), beyond + 2},
		"all grey":       {grey(0, 1, 2, 3, 4, 5, 6, 7), len(h.Sites)},
	} {
		s := State{Theme: theme, Heap: h, Sites: row.sites}
		entries := legendOf(s)
		seen, all, bytes := map[color.NRGBA]string{}, 0, uint64(0)
		for _, e := range entries {
			if other, ok := seen[e.Color]; ok {
				t.Errorf("%s: %s and %s are both %v", name, other, e.Name, e.Color)
			}
			seen[e.Color] = e.Name
			all += max(1, len(e.Others))
			bytes += e.Bytes
		}
		last := entries[len(entries)-1]
		if all != len(h.Sites) || bytes != h.TotalBytes || len(last.Others) != row.rest && row.rest > 1 {
			t.Errorf("%s: %d sites of %d bytes are in the legend, %q at last, want %d of %d and %d", name, all, bytes,
				last.Others, len(h.Sites), h.TotalBytes, row.rest)
		}
	}
	s := State{Theme: theme, Heap: h, Sites: grey(0, 1, 2, 3)}
	size := scene.Size{W: 1200, H: 400, Scale: 1}
	l, entries := newLayout(&s, size), legendOf(s)
	placed, _ := chips(&l, entries)
	told := strings.Join(hitAt(s, size, placed[len(placed)-1].box.Center()).Lines, "|")
	for _, name := range entries[len(entries)-1].Others {
		if !strings.Contains(told, name) {
			t.Errorf("the last entry says %q, without %s", told, name)
		}
	}
}
