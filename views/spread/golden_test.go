package spread

import (
	"testing"

	"orrery/analysis/dse"
	"orrery/views/golden"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// The pictures of a few states as SVG.
func TestGoldens(t *testing.T) {
	dark, light := example(t, palette.Dark(), 40), example(t, palette.Light(), 40)
	dark.Selected, dark.Hover = link.Thing{What: link.Design, ID: 7}, link.Thing{What: link.Design, ID: 11}
	f := dse.NewFilter(light.Table.Space)
	f.Normalised(0, 0, 0.5)
	light.Pass, light.Brushes = f.Pass(), []Brush{{2, 0, 0.5}}
	light.Order, light.Color = []int{4, 2, 0, 3}, 1
	for _, theme := range []State{dark, light} {
		for theme.Picture = range Picture(3) {
			name := []string{"parallel-", "matrix-", "volume-"}[theme.Picture] + theme.Theme.Name
			t.Run(name, func(t *testing.T) { golden.Check(t, name, Scene(theme, scene.Size{W: 560, H: 320, Scale: 1})) })
		}
	}
	t.Run("empty", func(t *testing.T) {
		golden.Check(t, "empty", Scene(State{Theme: palette.Dark(), Empty: "The columns of the designs will be here."},
			scene.Size{W: 300, H: 160, Scale: 1}))
	})
}
