package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCacheQuestions asks for everything that `cache` tells beside the counts, and looks for the figures that the
// program's own arithmetic gives.
func TestCacheQuestions(t *testing.T) {
	var got cacheAnswer
	object(t, &got, "cache", recordings+"matmul-standard.orr", "--curve", "--bound", "--by", "region")
	level := got.Levels[1]
	if level.Name != "L1D" || level.Bound == nil || *level.Bound > level.Misses() ||
		*level.Bound < got.Details.Curve.Cold/2 {
		t.Errorf("L1D: %+v, MIN %v", level, level.Bound)
	}
	if n := got.Details.Curve.ByWays[7]; n != level.Misses() {
		t.Errorf("the curve of the level's own ways has %d misses, the level %d", n, level.Misses())
	}
	requests := uint64(0)
	for _, s := range got.Details.Curve.Pressure {
		requests += s.Requests
	}
	if requests != level.Requests() || requests != got.Details.Curve.Requests {
		t.Errorf("%d requests by set, %d in the curve, %d in the level", requests,
			got.Details.Curve.Requests, level.Requests())
	}
	for i, p := range got.Details.Curve.Points {
		if got.Curve[i] != [2]float64{float64(p.Size), p.Ratio} {
			t.Errorf("point %d of the curve is %v, want %v", i, got.Curve[i], p)
		}
	}
	writeBacks := uint64(0)
	for _, r := range got.Rows {
		writeBacks += r.WriteBacks["L1D"]
	}
	if writeBacks != level.WriteBacks {
		t.Errorf("%d write-backs by region, %d in all", writeBacks, level.WriteBacks)
	}

	got = cacheAnswer{}
	object(t, &got, "cache", recordings+"sharing-packed.orr", "--preset", "desktop", "--cores", "4", "--sharing")
	if len(got.Sharing) == 0 || got.Sharing[0].Region != "packed" || got.Sharing[0].False < 1000 ||
		len(got.Sharing[0].Threads) != 5 || len(got.Levels) != 13 {
		t.Errorf("%d levels, sharing %+v", len(got.Levels), got.Sharing)
	}
	if parts := got.Sharing[0].Threads[2].Parts; len(parts) != 1 || parts[0] != "packed[1].count" {
		t.Errorf("thread 2 touches %v", parts)
	}
	for _, tt := range []struct{ args, want string }{
		{"sharing-packed.orr --preset desktop --cores 4 --sharing --classes", "false sharing in 1 block, of 1"},
		{"sharing-packed.orr --preset desktop --cores 4 --sharing", "taking turns of a reference each as if they ran at " +
			"the same time (--turn): 11273 misses of L1D; the table above has the order"},
		{"sharing-packed.orr --preset desktop --cores 4 --sharing --turn 0",
			"in the order of the recording as above: 22 misses of L1D\nno false sharing in this order"},
		{"sharing-padded.orr --preset desktop --cores 4 --sharing", "no false sharing"},
		{"matmul-standard.orr --curve", "the size of L1D"},
		{"matmul-standard.orr --bound", "MIN misses"},
	} {
		if status, stdout, stderr := run(t, append([]string{"cache"}, strings.Fields(recordings+tt.args)...)...); status !=
			Done || !strings.Contains(stdout, tt.want) {
			t.Errorf("%s: %d, %s%s", tt.args, status, stdout, stderr)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"matmul-standard.orr --sharing", "two or more"}, {"matmul-standard.orr --cores 33", "from 1 to 32"},
		{"matmul-standard.orr --preset tiny --cores 2", "16B or more"},
	} {
		if status, _, stderr := run(t, append([]string{"cache"}, strings.Fields(recordings+tt.args)...)...); status !=
			Usage || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: %d, %s", tt.args, status, stderr)
		}
	}
}

// TestWhatIsNotCountedIsNoNumber: times in a hierarchy without latencies and classes that were not asked for are null,
// not 0.
func TestWhatIsNotCountedIsNoNumber(t *testing.T) {
	untimed := filepath.Join(t.TempDir(), "untimed.toml")
	if err := os.WriteFile(untimed, []byte(
		"[[level]]\nname = \"L1\"\nkind = \"unified\"\nsize = \"1KiB\"\nways = 2\nblock = \"32B\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := recordings + "matmul-standard.orr"
	for _, row := range []struct {
		args           []string
		timed, classed bool
	}{
		{[]string{"cache", file, "--config", untimed}, false, false},
		{[]string{"cache", file, "--config", untimed, "--classes"}, false, true},
		{[]string{"cache", file}, true, false},
		{[]string{"cache", file, "--classes", "--preset", "skylake-sp"}, true, true},
	} {
		var got cacheAnswer
		object(t, &got, row.args...)
		if (got.AMAT != nil) != row.timed {
			t.Errorf("%v: amat %v", row.args, got.AMAT)
		}
		for _, l := range slices.Concat(got.Levels, got.TLBs) {
			if classes := []*uint64{l.Compulsory, l.Capacity, l.Conflict, l.Coherence}; slices.Contains(classes,
				nil) == row.classed {
				t.Errorf("%v: classes of %s are %v", row.args, l.Name, classes)
			} else if row.classed && *l.Compulsory+*l.Capacity+*l.Conflict+*l.Coherence != l.Misses() {
				t.Errorf("%v: %s has %d misses, and of classes %d, %d, %d, %d", row.args, l.Name, l.Misses(), *l.Compulsory,
					*l.Capacity, *l.Conflict, *l.Coherence)
			}
		}
		_, text, _ := run(t, row.args...)
		if strings.Contains(text, "average access unknown: the hierarchy gives memory no latency_ns") == row.timed ||
			strings.Contains(text, "0.00 ns") {
			t.Errorf("%v: %s", row.args, text)
		}
	}
	_, text, _ := run(t, "findings", file, "--config", untimed)
	if !strings.Contains(text, "% of the misses of L1 in untimed.toml (L1 1KiB)") ||
		strings.Contains(text, "of the time") {
		t.Errorf("findings: %s", text)
	}
}

// TestCacheWithMIN: the policy that knows the future misses what --bound says, whatever else is asked for, and no
// policy less; beside other levels it is refused in a sentence.
func TestCacheWithMIN(t *testing.T) {
	config := func(policy, more string) string {
		path := filepath.Join(t.TempDir(), policy+".toml")
		text := "[[level]]\nname = \"L1D\"\nkind = \"data\"\nsize = \"512B\"\nways = 4\nblock = 32\npolicy = \"" + policy +
			"\"\nlatency_ns = 1\n" + more
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := recordings + "matmul-standard.orr"
	var least cacheAnswer
	object(t, &least, "cache", file, "--config", config("min", ""), "--bound", "--by", "line", "--classes")
	l := least.Levels[0]
	misses := uint64(0)
	for _, r := range least.Rows {
		misses += r.Misses["L1D"]
	}
	if l.Bound == nil || *l.Bound != l.Misses() || misses != l.Misses() || least.Hierarchy.Levels[0].Policy != "min" ||
		least.Memory.Reads == 0 {
		t.Errorf("%+v, bound %v, %d misses by line", l, l.Bound, misses)
	}
	for _, policy := range []string{"lru", "fifo", "random", "plru", "bitplru", "srrip", "brrip",
		"tree-plru", "bit-plru"} {
		var got cacheAnswer
		object(t, &got, "cache", file, "--config", config(policy, ""))
		if got.Levels[0].Misses() < l.Misses() {
			t.Errorf("%s misses %d times, min %d", policy, got.Levels[0].Misses(), l.Misses())
		}
	}
	two := config("min", "[[level]]\nname = \"L2\"\nkind = \"unified\"\nsize = \"4KiB\"\nways = 4\nblock = 32\n")
	if status, _, stderr := run(t, "cache", file, "--config", two); status != Failed || !sentence(stderr) ||
		!strings.Contains(stderr, "one level of one core alone") {
		t.Errorf("min above another level: status %d, %s", status, stderr)
	}
	for _, args := range [][]string{{"findings", file}, {"render", "cache", file, "-o",
		filepath.Join(t.TempDir(), "x.svg"), "--at", "5000"},
		{"cache", file, recordings + "matmul-blocked.orr"}, {"graph", graphs + "golist.ssa.gz", "--over",
			recordings + "golist.orr"}} {
		if status, _, stderr := run(t, append(args, "--config", config("min", ""))...); status != Done {
			t.Errorf("orrery %s: status %d, %s", strings.Join(args, " "), status, stderr)
		}
	}
}
