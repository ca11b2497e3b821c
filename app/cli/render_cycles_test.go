package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/app/session"
)

// TestEveryPictureOfCycles draws each picture and each choice of colours; no two are the same.
func TestEveryPictureOfCycles(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]string{}
	draw := func(name string, options ...string) {
		out := filepath.Join(dir, name+".svg")
		args := append([]string{"render", "cycles", recordings + "bubble-array-shuffled.orr", "-o", out, "--size", "500x400"},
			options...)
		if name != "run" {
			args = append(args, "--rank", "2")
		}
		if status, _, stderr := run(t, args...); status != Done {
			t.Errorf("%s: status %d, %s", strings.Join(options, " "), status, stderr)
			return
		}
		data, err := os.ReadFile(out)
		if err != nil || !bytes.HasPrefix(data, []byte("<")) {
			t.Fatalf("%s: %v, %.20q", name, err, data)
		}
		if other := seen[string(data)]; other != "" {
			t.Errorf("%s looks like %s", name, other)
		}
		seen[string(data)] = name
	}
	for _, p := range cyclesPictures {
		draw(p, "--picture", p)
	}
	for _, c := range session.ColorChoices[1:] {
		options := []string{"--color", string(c.By)}
		switch c.By {
		case session.ByMiss:
			options = append(options, "--preset", "tiny")
		case session.ByGroup:
			options = append(options, "--group", "swap=bubble.c:18-20", "--group", "loops=bubble.c:14-16")
		}
		draw("by "+string(c.By), options...)
	}
	draw("spliced", "--splice", "1")
	draw("half spliced", "--splice", "1:0.5", "--splice", "3")
	draw("bare", "--bare")
}

func TestWrongPicturesAreStatus2(t *testing.T) {
	file := recordings + "bubble-array-shuffled.orr"
	for _, options := range [][]string{{"--picture", "cube"}, {"--color", "mood"}, {"--color", "group"},
		{"--color", "group", "--group", "x"}, {"--splice", "many"},
		{"--splice", "1:2"}, {"--splice", "99"}, {"--rank", "99"}, {"--morph-to", "99"},
		{"--color", "miss", "--preset", "nonesuch"}} {
		status, _, stderr := run(t, append([]string{"render", "cycles", file, "-o", filepath.Join(t.TempDir(), "x.svg")},
			options...)...)
		if status != Usage || !sentence(stderr) {
			t.Errorf("%s: status %d, %q", strings.Join(options, " "), status, stderr)
		}
	}
}

// TestGroupsAndThinningThatDoNothing: a group that matches nothing is refused, one by a name as it is printed is not,
// and thinning that leaves everything says so.
func TestGroupsAndThinningThatDoNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.svg")
	draw := func(options ...string) (int, string) {
		args := []string{"render", "cycles", recordings + "bubble-vector-shuffled.orr", "-o", out, "--size", "500x400"}
		status, _, stderr := run(t, append(args, options...)...)
		return status, stderr
	}
	for _, row := range []struct {
		group string
		want  string // "": it is drawn
	}{
		{"x=std::vector::operator[]", ""},
		{"x=std::vector<int, std::allocator<int> >::operator[](unsigned long)", ""},
		{"x=*::size", ""},
		{"x=bubble_vector.cpp:*", "nothing in bubble-vector-shuffled.orr is called"},
		{"x=bubble_sort,nonesuch", `nothing in bubble-vector-shuffled.orr is called "nonesuch", a member of x`},
		{"x=nonesuch.c:1-9", `nothing in bubble-vector-shuffled.orr is called "nonesuch.c:1-9", a member of x`},
	} {
		status, stderr := draw("--color", "group", "--group", row.group)
		if row.want == "" && (status != Done || stderr != "") || row.want != "" &&
			(status != Usage || !strings.Contains(stderr, row.want) || !sentence(stderr)) {
			t.Errorf("%s: status %d, %q; want %q", row.group, status, stderr, row.want)
		}
	}
	const nothing = "thinning has left out nothing: only turns that are as long as the ones before and after them " +
		"are left out"
	if status, stderr := draw("--thin", "4"); status != Done || stderr != "orrery: --thin: "+nothing+"\n" {
		t.Errorf("thinned to no effect: status %d, %q", status, stderr)
	}
	for _, row := range []struct {
		args string
		says bool
	}{{"bubble-vector-shuffled.orr --thin 4", true}, {"bubble-vector-shuffled.orr", false},
		{"matmul-standard.orr --count 6000 --alphabet pc --thin 1,2", false}} {
		args := append([]string{"cycles"}, strings.Fields(recordings+row.args)...)
		_, said, _ := run(t, args...)
		var got cyclesJSON
		object(t, &got, args...)
		if strings.Contains(said, nothing) != row.says || strings.Contains(strings.Join(got.Notes, " "),
			nothing) != row.says {
			t.Errorf("%s says\n%snotes %q; want %v", row.args, said, got.Notes, row.says)
		}
		const left = "turns count what is left"
		if want := strings.Contains(row.args, "--thin") && !row.says; strings.Contains(said, left) != want {
			t.Errorf("%s says\n%sand of what is left: want %v", row.args, said, want)
		}
	}
}

// TestExplainInWords: six comparisons that swap, four that do not.
func TestExplainInWords(t *testing.T) {
	status, stdout, stderr := run(t, "cycles", recordings+"bubble-array-shuffled.orr", "--explain", "--preset", "tiny")
	if status != Done {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for _, want := range []string{"rank 4: 6.0 turns, 38 references a turn\n", "rank 2: 4.1 turns", "numbers (20 %)",
		"misses a turn in L1D of tiny"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
}

// TestOneCountOfTurns: `cycles` says of each class what `cycles --explain` says, also of a sample, and JSON what both
// know.
func TestOneCountOfTurns(t *testing.T) {
	for _, args := range []string{"matmul-standard.orr --count 10000 --every 10", "mpm-60.orr --count 1000",
		"bubble-vector-shuffled.orr"} {
		command := append([]string{"cycles"}, strings.Fields(recordings+args)...)
		_, short, _ := run(t, command...)
		_, long, _ := run(t, append(command, "--explain", "--preset", "tiny")...)
		var whole cyclesJSON
		object(t, &whole, command...)
		for i, line := range strings.Split(strings.TrimSpace(short), "\n")[1:] {
			if i >= len(whole.Parameterizations) {
				break
			}
			p := whole.Parameterizations[i]
			_, said, _ := strings.Cut(line, ")  ")
			words := strings.SplitAfter(said, " turns")[0]
			if rest := strings.TrimPrefix(said, words); strings.HasPrefix(rest, ", uncertain") != p.Uncertain {
				t.Errorf("%s: %q, JSON uncertain %v", args, line, p.Uncertain)
			} else if unit := " references a turn"; strings.Contains(rest, unit) {
				words += rest[:strings.Index(rest, unit)+len(unit)]
			}
			if want := fmt.Sprintf("rank %d: %s", p.Rank, words); !strings.Contains(long, want) {
				t.Errorf("%s: %q is not in\n%s", args, want, long)
			}
		}
	}
}
