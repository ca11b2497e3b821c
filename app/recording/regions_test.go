package recording

import (
	"strings"
	"testing"

	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/listing"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// TestStackIsOneRow: the variables of the stack are one row of the list with all their references, which a click
// unfolds.
func TestStackIsOneRow(t *testing.T) {
	b := open(t, shipped+"mpm-5.orr")
	v := b.view(shell.Recording).(*regionsView)
	rows := func() []listing.Row[link.Thing] { return v.state(palette.Dark()).Groups[0].Rows }
	folded := rows()
	if len(folded) > 30 || folded[0].Name != session.WholeStack || len(folded[0].Value) < 5 ||
		!strings.HasSuffix(folded[0].Note, " variables") {
		t.Fatalf("%d rows, the first is %+v", len(folded), folded[0])
	}
	v.Pressed(pane.Event{Theme: palette.Dark(), At: scene.Point{X: 60, Y: 40}, Size: scene.Size{W: 200, H: 600, Scale: 1}})
	all := rows()
	if len(all) != len(v.d.rec.Use.Ranked)+1 || !all[1].Part || all[1].Name != "stack" || all[0].Fold != listing.Unfolded {
		t.Errorf("unfolded there are %d rows of %d regions, the second is %+v", len(all), len(v.d.rec.Use.Ranked), all[1])
	}
	v.Pressed(pane.Event{Theme: palette.Dark(), At: scene.Point{X: 60, Y: 40}, Size: scene.Size{W: 200, H: 600, Scale: 1}})
	if len(rows()) != len(folded) {
		t.Error("a second click does not fold it again")
	}
}
