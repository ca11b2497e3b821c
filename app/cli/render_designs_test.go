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
	mapped := filepath.Join(t.TempDir(), "mapped.csv") // by a short search
	if status, _, stderr := run(t, "designs", "mjpeg", "--generations", "12", "--population", "40", "--out",
		mapped); status != Done {
		t.Fatal(stderr)
	}
	for _, row := range []struct {
		args []string
		has  string
	}{
		{[]string{table, "--minimise", "time,error", "--parameters", "knob_mf,knob_sl", "--front", "local"}, ">knob_mf<"},
		{[]string{table, "--where", "norm time <= 0.2", "--tone", "maximum", "--theme", "light", "--satellite",
			"--zoom", "3"}, "designs<"},
		{[]string{mapped, "--collapse", "--tone", "first-generation", "--hexagons", "--hide-empty"}, ">generation 0<"},
		{[]string{mapped, "--levels", "2"}, ">24<"},
		{[]string{mapped, "--front", "local", "--compare", "2/mC + ASIP/2", "--compare", "2/mP + mC/2"}, ">mean distance "},
		{[]string{mapped, "--view", "subspaces:dominance", "--compare", "2/mC + ASIP/2", "--compare", "2/mP + mC/2"},
			"C(S1, S2) = "},
		{[]string{table, "--view", "subspaces", "--minimise", "time,error", "--parameters", "knob_mf"},
			">total coverage TC<"},
		{[]string{mapped, "--view", "spread:hypervolume"}, ">generation 11 · "},
		{[]string{table, "--view", "spread", "--where", "time <= 0.05"}, "points<"},
		{[]string{mapped, "--view", "design:mapping", "--design", "24", "--normalised"}, ">design 24<"},
		{[]string{mapped, "--view", "design"}, ">operations of processors<"},
		{[]string{"motion-jpeg", "--front", "global", "--order", "memories", "--channels", "colour=energy", "--edges",
			"generation"}, ">14 of 3"},
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
	if status, _, stderr := run(t, "render", "designs", "motion-jpeg", "-o", out, "--picture=spread",
		"--channels=glow=energy"); status != Usage || !strings.Contains(stderr, "--channels") {
		t.Errorf("a channel that the spread does not have: status %d, %s", status, stderr)
	}
	if status, _, stderr := run(t, "render", "designs", table, "-o", out, "--view=design", "--design=x"); status !=
		Usage || !strings.Contains(stderr, "--design") {
		t.Errorf("a design that is not there: status %d, %s", status, stderr)
	}
	for _, row := range [][2]string{{"--tone=x", "--tone"}, {"--edges=x", "--edges"}, {"--front=x", "--show"},
		{"--order=x", "--order"}, {"--channels=x", "--channels"}, {"--where=x ! y", "x ! y"}, {"--zoom=0", "--zoom"},
		{"--hexagons", "generations"},
		{"--view=x", "--picture"}, {"--picture=tree:x", "--picture"}, {"--view=design:x", "operations-of-processors"},
		{"--compare=x", "--compare"}, {"--levels=99", "--levels"}, {"--levels=-1", "--levels"}} {
		if status, _, stderr := run(t, "render", "designs", table, "-o", out, row[0]); status != Usage ||
			!strings.Contains(stderr, row[1]) {
			t.Errorf("%s: status %d, %s", row[0], status, stderr)
		}
	}
}
