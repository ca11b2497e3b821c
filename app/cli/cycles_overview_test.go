package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOverviewOfTheList: list.c builds seven lists of 20, 40, ... 140 words and walks over each; the lines say how many
// words there are.
func TestOverviewOfTheList(t *testing.T) {
	var got overviewJSON
	object(t, &got, "cycles", "../../testdata/recordings/list.orr", "--overview")
	at := uint64(0)
	words := []float64{}
	for _, p := range got.Phases {
		if p.From != at || p.To <= p.From || p.Window[0] < p.From || p.Window[1] > p.To || len(p.Lines) == 0 {
			t.Errorf("phase %+v after %d", p, at)
		}
		at = p.To
		if p.Kind == 1 {
			for _, c := range p.Cycles {
				if c.Rank == 2 {
					words = append(words, c.Turns)
				}
			}
		}
	}
	if at != got.Records {
		t.Errorf("the phases end at %d of %d", at, got.Records)
	}
	want := []float64{40, 60, 80, 100, 120, 140}
	if len(words) != len(want) {
		t.Fatalf("words %v, want %v", words, want)
	}
	for i := range want {
		if words[i] != want[i] {
			t.Errorf("list %d has %g words, want %g", i+1, words[i], want[i])
		}
	}
	if len(got.Rounds) != 0 && got.Rounds[0].Times < 3 {
		t.Errorf("rounds %+v", got.Rounds)
	}
	status, out, stderr := run(t, "cycles", "../../testdata/recordings/matmul-standard.orr", "--overview")
	if status != Done || !strings.Contains(out, "4096 in the phase, counted at matmul.c:16") ||
		!strings.Contains(out, "256 in the phase, counted at matmul.c:17") {
		t.Errorf("status %d, %s%s", status, out, stderr)
	}
}

// TestNothingIsDeniedThatRuns: a loop of two references on one variable, which is too short a round for a class, is
// said to run all the same, by every command and alphabet.
func TestNothingIsDeniedThatRuns(t *testing.T) {
	var trace strings.Builder
	for range 600 {
		trace.WriteString("I  04001000,4\n L 1ffe08,8\nI  04001004,4\n S 1ffe08,8\n")
	}
	file := filepath.Join(t.TempDir(), "loop.lackey")
	if err := os.WriteFile(file, []byte(trace.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ options, want string }{
		{"--overview", "a round of 2 references repeats exactly, 500 times"},
		{"--alphabet pc", "a round of 2 references repeats exactly, 600 times"},
		{"--alphabet access --explain", "a round of 2 references repeats exactly, 600 times"},
		{"--landmarks 4 --alphabet pc", "repeats exactly"},
	} {
		status, out, stderr := run(t, append([]string{"cycles", file}, strings.Fields(row.options)...)...)
		if status != Done || !strings.Contains(out, row.want) || strings.Contains(out, "nothing recurs") {
			t.Errorf("%s: status %d, %s%s, want %q", row.options, status, out, stderr, row.want)
		}
	}
	if _, out, _ := run(t, "cycles", "../../testdata/recordings/golist.orr", "--overview"); !strings.Contains(out,
		"its busiest instruction runs 511 times, at golist.go:25") {
		t.Errorf("the walk of a list: %s", out)
	}
}

// TestWhatIsEnteredIsWhatIsSaid: with the options that an overview prints, cycles finds what the overview says of the
// window.
func TestWhatIsEnteredIsWhatIsSaid(t *testing.T) {
	file := "../../testdata/recordings/matmul-standard.orr"
	_, out, _ := run(t, "cycles", file, "--overview")
	entered := 0
	var found string
	for line := range strings.Lines(out) {
		switch words := strings.Fields(line); {
		case len(words) > 0 && words[0] == "enter":
			_, found, _ = run(t, append([]string{"cycles", file, "--top", "3"}, words[1:]...)...)
		case len(words) > 3 && words[0] == "rank" && !strings.HasSuffix(words[3], "longer)"):
			if want := strings.Join(words[:6], " "); !strings.Contains(strings.Join(strings.Fields(found), " "), want) {
				t.Errorf("%q is not in\n%s", want, found)
			}
			entered++
		}
	}
	if entered == 0 {
		t.Errorf("no rank to enter in\n%s", out)
	}
}

// TestAPeriodIsCounted: a ring of 16 elements that is walked 15 times at three references an element takes 48
// references a turn, whichever of them are used.
func TestAPeriodIsCounted(t *testing.T) {
	var trace strings.Builder
	for i := range 240 {
		at, other := 0x1000+4*(i%16), 0x1000+4*((i+5)%16)
		fmt.Fprintf(&trace, "I  04001000,4\n L %x,4\nI  04001004,4\n S %x,4\nI  04001008,4\n L %x,4\n", at, at, other)
	}
	file := filepath.Join(t.TempDir(), "ring.lackey")
	if err := os.WriteFile(file, []byte(trace.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, options := range []string{"--top 1", "--top 1 --explain", "--top 1 --every 3", "--top 1 --every 3 --explain"} {
		if _, out, stderr := run(t, append([]string{"cycles", file}, strings.Fields(options)...)...); !strings.Contains(out,
			" turns, 48 references a turn") {
			t.Errorf("%s: %s%s", options, out, stderr)
		}
	}
	// The loop over a sorted vector's elements takes 32 references; few of the windows at its ends are its own.
	if _, out, stderr := run(t, "cycles", recordings+"bubble-vector-sorted.orr"); !strings.Contains(out,
		"3.7 turns, 32 references a turn") {
		t.Errorf("bubble-vector-sorted: %s%s", out, stderr)
	}
}

func TestOverviewUsage(t *testing.T) {
	file := "../../testdata/recordings/list.orr"
	for _, args := range [][]string{
		{"--overview", "--every", "2"}, {"--overview", "--phases", "0"}, {"--overview", "--stretch", "-1"},
		{"--overview", "--thin", "1"}, {"--overview", "--landmarks", "100"},
		{"--weights", "heavy"}, {"--keep", "1"}, {"--thin", "0"}, {"--memory", "0"}, {"--life", "2"},
	} {
		if status, _, stderr := run(t, append([]string{"cycles", file, "--count", "300"}, args...)...); status != Usage ||
			stderr == "" {
			t.Errorf("%v: status %d, %q", args, status, stderr)
		}
	}
	if status, out, _ := run(t, "cycles", file, "--overview", "--from", "250812"); status == Done {
		t.Errorf("a range behind the end: status %d, %s", status, out)
	}
}

func TestThinnedRuns(t *testing.T) {
	var whole, thinned cyclesJSON
	file := "../../testdata/recordings/matmul-standard.orr"
	object(t, &whole, "cycles", file, "--count", "6000", "--alphabet", "pc")
	object(t, &thinned, "cycles", file, "--count", "6000", "--alphabet", "pc", "--thin", "1,2")
	if whole.Used != 6000 || thinned.Used >= 4000 {
		t.Errorf("%d references, thinned %d", whole.Used, thinned.Used)
	}
}
