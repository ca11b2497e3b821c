package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const slam = "../../testdata/designs/slam.csv"

// TestDesignsTellsTheFront looks for what an afternoon with the table of ORB-SLAM designs gives: each figure follows
// from the rows by the definitions and was counted by awk.
func TestDesignsTellsTheFront(t *testing.T) {
	var got designsJSON
	object(t, &got, "designs", slam)
	front := []any{214.0, 1247.0, 1259.0, 1280.0}
	if got.Points != 1224 || got.Rejected != 0 || got.Subspaces != 1224 || got.Covered != 1224 || got.GlobalPareto != 14 ||
		got.LocalPareto != 1224 ||
		len(got.Front) != 14 || !slices.Equal(got.Front[:4], front) || got.Generations != 0 {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(got.Parameters, []string{"knob_mf", "knob_sl", "knob_sf", "knob_ift", "knob_sft", "knob_dt"}) ||
		!slices.Equal(got.Objectives, []string{"time", "error"}) {
		t.Errorf("parameters %v, objectives %v", got.Parameters, got.Objectives)
	}
	object(t, &got, "designs", slam, "--minimise", "time,error", "--parameters", "knob_sl,knob_mf", "--compare", "8/1000",
		"--compare", "8/500", "--filter", "distance <= 0.05", "--show", "local")
	if !slices.Equal(got.Parameters, []string{"knob_sl", "knob_mf"}) || got.Subspaces != 15 || got.LocalPareto != 99 {
		t.Errorf("parameters %v, %d subspaces, %d local", got.Parameters, got.Subspaces, got.LocalPareto)
	}
	if p := got.Passing; p == nil || p.Global != 14 || p.Local != p.Points || len(p.IDs) != p.Points ||
		p.Points <= 14 || p.Points > 99 {
		t.Errorf("passing: %+v", p)
	}
	c := got.Comparison
	if c == nil || len(c.Sets) != 2 || c.Coverage[1][0] != 2.0/3 || c.Coverage[0][1] != 1.0/7 ||
		math.Abs(c.Sets[1].TotalCoverage-11.0/21) > 1e-15 || c.Sets[1].InGlobal != 3 || len(c.Dominance) == 0 {
		t.Fatalf("comparison: %+v", c)
	}
	for name, bars := range c.Sets[0].Frequency {
		sum := 0
		for _, n := range bars {
			sum += n
		}
		if sum != c.Sets[0].Points || len(bars) != 20 {
			t.Errorf("the distribution of %s has %d points in %d bars, the subspace %d", name, sum, len(bars), c.Sets[0].Points)
		}
	}
}

func TestDesignsTellsWhatItRejects(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	if err := os.WriteFile(path, []byte("id,p,time,speed,generation\na,1,2,3,0\nb,1,x,3,0\nc,2,1,4,1\na,1,2,3,1\nd,2,1\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := run(t, "designs", path, "--maximise", "speed", "--minimise", "time", "--csv",
		filepath.Join(dir, "out.csv"))
	for _, want := range []string{"2 design points, 2 rows rejected", "2 generations", "1 on the global Pareto front"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing in\n%s", want, stdout)
		}
	}
	if want := `row 2 (line 3), column time: "x" is not a number`; status != Partial || !strings.Contains(stderr, want) {
		t.Errorf("status %d, %q; want %s", status, stderr, want)
	}
	var again designsJSON
	object(t, &again, "designs", filepath.Join(dir, "out.csv"))
	if again.Points != 2 || again.Generations != 2 || !slices.Equal(again.Maximised, []string{"speed"}) ||
		!slices.Equal(again.Front, []any{"c"}) {
		t.Errorf("what was written reads back as %+v", again)
	}
}

func TestDesignsJoinsTables(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.csv"), filepath.Join(dir, "two.csv")
	for path, text := range map[string]string{one: "id,time,cost\na,1,2\nb,2,1\nc,3\n",
		two: "cores;time\n4;7\n2;1\n8;2\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	status, stdout, stderr := run(t, "designs", one, "--join", two, "--json")
	var got designsJSON
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != Partial ||
		!strings.Contains(stderr, "has 2 fields, not 3") {
		t.Fatalf("%v, status %d, %s", err, status, stderr)
	}
	if !slices.Equal(got.Objectives, []string{"time", "cost", "time (2)"}) ||
		!slices.Equal(got.Parameters, []string{"cores"}) || got.Points != 2 || got.Rejected != 1 {
		t.Errorf("%+v", got)
	}
}

func TestDesignsRefusesWrongUse(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"--minimise speed", `there is no column "speed"; the columns are n, knob_mf`},
		{"--filter speed<3", `there is no objective or parameter "speed"`},
		{"--compare 17", "no subspace has these values"},
		{"--show none", "must be all, local or global"},
		{"--roles time=colour", "is not COLUMN=ROLE"},
		{"--architecture knob_mf", "is no objective"},
		{"--threshold -1", "must be 0 or more"},
	} {
		if status, _, stderr := run(t, append([]string{"designs", slam}, strings.Fields(tt.args)...)...); status != Usage ||
			!strings.Contains(stderr, tt.want) {
			t.Errorf("%s: %d, %s", tt.args, status, stderr)
		}
	}
	if status, _, stderr := run(t, "designs", "../../testdata/recordings/list.orr"); status != Failed ||
		!strings.Contains(stderr, "the file is no text") {
		t.Errorf("a recording: %d, %s", status, stderr)
	}
}

// TestDesignsOfTheExample searches the built-in example a little and reads what was written: its mapping, its feasible
// combinations and the note that it is a reconstruction come back.
func TestDesignsOfTheExample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "example.csv")
	if status, _, stderr := run(t, "designs", "mjpeg", "--generations", "6", "--population", "40", "--out",
		path); status != Done {
		t.Fatalf("status %d: %s", status, stderr)
	}
	var got designsJSON
	object(t, &got, "designs", path, "--filter", "together V-Out VLE Control", "--filter", "on ASIP DCT")
	if got.Subspaces != 99 || got.Covered < 20 || got.Covered > 99 || got.Generations != 6 || len(got.Objectives) != 3 ||
		!strings.Contains(got.Note, "reconstruction") {
		t.Errorf("%d subspaces, %d covered, %d generations, objectives %v, note %q", got.Subspaces, got.Covered,
			got.Generations, got.Objectives, got.Note)
	}
	if len(got.ByGeneration) != 6 || got.ByGeneration[5] < got.ByGeneration[0] || got.Passing == nil ||
		got.Passing.Points == 0 || got.Passing.Points == got.Points {
		t.Errorf("hypervolumes %v, passing %+v", got.ByGeneration, got.Passing)
	}
}

// TestDescribeTellsLosses: what --describe has not read is told as it is without it.
func TestDescribeTellsLosses(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, "a,time\n1,2\n2,1\n"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	data := packed.Bytes()
	data[len(data)-6] ^= 1 // of the checksum
	file := filepath.Join(t.TempDir(), "t.csv.gz")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := run(t, "designs", "--describe", file); status != Partial || !strings.Contains(out, "time") ||
		!strings.Contains(errs, "checksum") {
		t.Errorf("status %d, %s, %s", status, out, errs)
	}
}
