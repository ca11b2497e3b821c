package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSearch: a search finds hierarchies, its table is one that `designs` reads alike, and one that was stopped and
// resumed gives what an unbroken one gives, to the byte.
func TestSearch(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	recording := recordings + "matmul-blocked.orr"
	var got, resumed searchJSON
	object(t, &got, "search", recording, "--generations", "6", "--population", "20", "--seed", "4",
		"--out", at("whole.csv"))
	if got.Evaluated < 60 || got.Evaluated > 120 || got.Impossible >= got.Evaluated/2 || got.GlobalPareto < 3 ||
		got.Generations != 6 || len(got.Uneven) != 0 || !strings.Contains(got.Note, "CACTI 7 model") {
		t.Errorf("%+v", got)
	}
	object(t, &resumed, "search", recording, "--generations", "3", "--population", "20", "--seed", "4",
		"--state", at("state"))
	object(t, &resumed, "search", recording, "--generations", "6", "--resume", at("state"), "--out", at("resumed.csv"))
	if resumed.Evaluated != got.Evaluated || resumed.Options != got.Options {
		t.Errorf("resumed: %+v\nunbroken: %+v", resumed, got)
	}
	whole, err := os.ReadFile(at("whole.csv"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(at("resumed.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(whole, again) {
		t.Error("the tables of the unbroken and of the resumed search differ")
	}
	var read designsJSON
	object(t, &read, "designs", at("whole.csv"))
	if read.Points != got.Points || read.GlobalPareto != got.GlobalPareto || read.Hypervolume != got.Hypervolume ||
		read.Subspaces != got.Subspaces || read.Generations != 6 {
		t.Errorf("designs reads %+v\nsearch told %+v", read, got)
	}
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"search"}, "takes one file"},
		{[]string{"search", "nonesuch.orr"}, "nonesuch.orr"},
		{[]string{"search", recording, "--generations", "0"}, "--generations is 0"},
		{[]string{"search", recording, "--population", "1"}, "--population is 1"},
		{[]string{"search", recording, "--max-area", "-1"}, "area"},
		{[]string{"search", recording, "--generations", "2", "--population", "8", "--max-area", "0.001"}, "none of the"},
		{[]string{"search", recording, "--memory-ns", "-1"}, "memory"},
		{[]string{"search", recording, "--resume", at("nonesuch")}, "nonesuch"},
		{[]string{"search", recording, "--resume", at("state"), "--seed", "9"}, "leave --seed"},
		{[]string{"search", recording, "--resume", at("whole.csv")}, "whole.csv"},
		{[]string{"search", recording, "--resume", at("state"), "--max-area", "1"}, "begin anew"},
		{[]string{"search", recordings + "matmul-standard.orr", "--resume", at("state")}, "begin anew"},
		{[]string{"search", recording, "--example"}, "takes no file"},
	} {
		if status, _, stderr := run(t, row.args...); status == Done || !strings.Contains(stderr, row.want) {
			t.Errorf("orrery %s: status %d, %q, want %q", strings.Join(row.args, " "), status, stderr, row.want)
		}
	}
}

// TestSearchWithinAnArea: no hierarchy is larger than allowed, and the table says what memory was taken to cost.
func TestSearchWithinAnArea(t *testing.T) {
	out := filepath.Join(t.TempDir(), "d.json")
	status, stdout, stderr := run(t, "search", recordings+"matmul-standard.orr", "--generations", "3", "--population",
		"16", "--max-area", "0.05", "--memory-ns", "90", "--out", out)
	if status != Done || !strings.Contains(stdout, "90 ns and 20 nJ") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	var read designsJSON
	object(t, &read, "designs", out, "--filter", "area <= 0.05")
	if read.Points < 10 || read.Passing.Points != read.Points {
		t.Errorf("%d designs, %d of them small enough", read.Points, read.Passing.Points)
	}
}

// TestSearchOfTheCase: the Motion-JPEG case is searched as in the paper, says that it is a reconstruction, and keeps
// its mapping through a file.
func TestSearchOfTheCase(t *testing.T) {
	out := filepath.Join(t.TempDir(), "case.csv")
	var got searchJSON
	object(t, &got, "search", "--example", "--generations", "30", "--out", out)
	if got.Subspaces != 99 || got.Covered < 70 || got.GlobalPareto < 8 || !strings.Contains(got.Note, "reconstruction") {
		t.Errorf("%+v", got)
	}
	var read designsJSON
	object(t, &read, "designs", out, "--filter", "norm processing time <= 0.2", "--filter", "norm energy <= 0.2")
	together := designsJSON{}
	object(t, &together, "designs", out, "--filter", "norm processing time <= 0.2", "--filter", "norm energy <= 0.2",
		"--filter", "together V-Out VLE Control")
	if read.Points != got.Points || read.Hypervolume != got.Hypervolume || read.Passing == nil ||
		read.Passing.Points < 50 || together.Passing.Points != read.Passing.Points {
		t.Errorf("%+v\n%+v", read.Passing, together.Passing)
	}
}
