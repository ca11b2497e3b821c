package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenderDesigns: what is asked for is in the picture, and what cannot be is told in a sentence.
func TestRenderDesigns(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.svg")
	const table = "../../testdata/designs/slam.csv"
	for _, row := range []struct {
		args []string
		has  string
	}{
		{[]string{table, "--minimise", "time,error", "--parameters", "knob_mf,knob_sl", "--front", "local"}, ">knob_mf<"},
		{[]string{table, "--where", "norm time <= 0.2", "--tone", "maximum", "--theme", "light", "--satellite", "--zoom", "3"}, "designs<"},
		{[]string{"motion-jpeg", "--collapse", "--tone", "first-generation", "--hexagons", "--hide-empty"}, ">generation 0<"},
		{[]string{"motion-jpeg", "--front", "global", "--order", "memories", "--channels", "colour=energy", "--edges", "generation"}, ">14 of 3"},
	} {
		args := append([]string{"render", "designs"}, append(row.args, "-o", out)...)
		if status, _, stderr := run(t, args...); status != Done {
			t.Errorf("%q: status %d, %s", args, status, stderr)
			continue
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), row.has) {
			t.Errorf("%q: %d bytes without %q", args, len(data), row.has)
		}
	}
	for _, row := range [][2]string{{"--tone=x", "--tone"}, {"--edges=x", "--edges"}, {"--front=x", "--front"}, {"--order=x", "--order"}, {"--channels=x", "--channels"}, {"--where=x ! y", "x ! y"}, {"--zoom=0", "--zoom"}, {"--hexagons", "generations"}} {
		if status, _, stderr := run(t, "render", "designs", table, "-o", out, row[0]); status != Usage || !strings.Contains(stderr, row[1]) {
			t.Errorf("%s: status %d, %s", row[0], status, stderr)
		}
	}
}
