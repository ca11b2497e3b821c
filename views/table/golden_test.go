package table

import (
	"testing"

	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/scene"
)

// The pictures of a few states as SVG.
func TestGoldens(t *testing.T) {
	dark, light, narrow := example(palette.Dark(), 30), example(palette.Light(), 12), example(palette.Dark(), 30)
	dark.Selected, dark.Hover, dark.Scroll = dark.Rows[3].Thing, dark.Rows[5].Thing, 30
	light.Filter, light.Typing, light.Sort, light.Upward = "c:1", true, -1, true
	narrow.Across = 90
	nothing := example(palette.Dark(), 5)
	nothing.Filter = "quicksort"
	for _, row := range []struct {
		name string
		s    State
		size scene.Size
	}{
		{"dark", dark, room},
		{"light", light, scene.Size{W: 800, H: 300, Scale: 1}},
		{"narrow", narrow, scene.Size{W: 300, H: 200, Scale: 1}},
		{"nothing", nothing, scene.Size{W: 500, H: 200, Scale: 1}},
		{"empty", State{Theme: palette.Dark(), Words: []string{"line"}, Empty: "Counting …"},
			scene.Size{W: 300, H: 200, Scale: 1}},
	} {
		t.Run(row.name, func(t *testing.T) { golden.Check(t, row.name, Scene(row.s, row.size)) })
	}
}
