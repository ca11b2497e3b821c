package session

import (
	"context"
	"testing"

	"orrery/views/palette"
)

// TestColoursGoToDataFirst: the arrays of the material points have colours of their own although the loop variables are
// used more; those share the colour of the stack.
func TestColoursGoToDataFirst(t *testing.T) {
	r, err := Load(context.Background(), "../../testdata/recordings/mpm-60.orr", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	theme := palette.Dark()
	color := func(name string) any {
		id := r.Regions.Find(name)
		if id < 0 {
			t.Fatalf("there is no region %s", name)
		}
		return r.RegionColor(theme, id)
	}
	seen := map[any]string{color("stack"): "stack"}
	for _, name := range []string{"grid::mass", "grid::momentum", "grid::force", "particle::velocity"} {
		c := color(name)
		if c == any(palette.Others(theme)) || seen[c] != "" {
			t.Errorf("%s has the colour of %q, want one of its own", name, seen[c])
		}
		seen[c] = name
	}
	for _, name := range []string{"grid::hat:distance", "interpolate:k"} {
		if color(name) != color("stack") {
			t.Errorf("%s has not the stack's colour", name)
		}
	}
}
