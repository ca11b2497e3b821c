package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// TestHeapParts asks the command for each of its parts on the program that builds lists: what testdata/programs/list.c
// does.
func TestHeapParts(t *testing.T) {
	list := recordings + "list.orr"
	rule := filepath.Join(t.TempDir(), "rule")
	if err := os.WriteFile(rule, []byte("# words\ntexts: site list.c:29\nnodes: size = 24\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"1096 allocations, 919 frees", "177 blocks with 8379 bytes never freed", "8 reallocations",
			"list.c:29 holds its memory 99 % of the time after the last use",
			"67 % of the bytes of list.c:62 have no recorded reference: 8792 of 13112.", "Only recorded references count",
			"blocks that pin free memory", "largest compact regions"}},
		{[]string{"--sites", "--top", "2"}, []string{"list.c:39     540  12960", "and 3 more"}},
		{[]string{"--leaks"}, []string{"list.c:29     106   2603", "grows"}},
		{[]string{"--temporaries"}, []string{"list.c:92          6          100 %"}},
		{[]string{"--flame", "blocks"}, []string{"main;build_list;make_word;make_text 540\n"}},
		{[]string{"--flame", "leaked"}, []string{"main;build_list;make_word;make_text 2603\n"}},
		{[]string{"--bins", "sizes 16 64 1K"}, []string{"to 16 B", "to 64 B", "to 1024 B", "larger"}},
		{[]string{"--bins", "@" + rule}, []string{"texts", "nodes", "other"}},
		{[]string{"--against", recordings + "containers.orr"}, []string{"bytes in all   172659  54928  -117731", "list.c:62",
			"Against containers.orr: calls 1 096 instead of 1 054", "most shrank libstdc++.so.6.0.30 by"}},
		{[]string{"--against", list}, []string{"bytes in all    54928  54928      +0",
			"Every place asks for as many bytes as there."}},
	} {
		status, stdout, stderr := run(t, append([]string{"heap", list}, row.args...)...)
		if status != Done {
			t.Errorf("%q: status %d, %s", row.args, status, stderr)
		}
		for _, want := range row.want {
			if !strings.Contains(stdout, want) {
				t.Errorf("%q does not say %q:\n%s", row.args, want, stdout)
			}
		}
	}
	for _, row := range []struct{ args, want string }{
		{"--bins sise<3", "column 1"}, {"--bins @missing", "missing"}, {"--flame size", "bytes, blocks"},
		{"--flame bytes --json", "nothing but stacks"}, {"--top 0", "at least 1"}, {"--against missing", "missing"},
	} {
		status, _, stderr := run(t, append([]string{"heap", list}, strings.Fields(row.args)...)...)
		if status == Done || !strings.Contains(stderr, row.want) || !sentence(stderr) {
			t.Errorf("%s: status %d, %q; want %q", row.args, status, stderr, row.want)
		}
	}
}

// TestHeapOfLogs reads logs of other tools straight and through a conversion: both say the same of the heap, and of its
// sites when those are all that is asked for.
func TestHeapOfLogs(t *testing.T) {
	samples := "../../traceio/heaplog/testdata/sample."
	for _, format := range []string{"heaptrack", "ltrace", "mtrace", "valgrind"} {
		out := filepath.Join(t.TempDir(), format+".orr")
		if status, _, stderr := run(t, "convert", samples+format, out); status == Failed {
			t.Fatalf("%s: %s", format, stderr)
		}
		_, direct, _ := run(t, "heap", samples+format, "--json")
		_, converted, _ := run(t, "heap", out, "--json")
		converted = strings.Replace(converted, strconv.Quote(out), strconv.Quote(samples+format), 1) // the name of the file
		if direct != converted || len(direct) < 100 {
			t.Errorf("%s: read straight\n%s\nthrough a recording\n%s", format, direct, converted)
		}
		_, whole, _ := run(t, "heap", samples+format)
		for _, path := range []string{samples + format, out} {
			if _, sites, _ := run(t, "heap", path, "--sites"); !strings.Contains(whole, sites) || len(sites) < 100 {
				t.Errorf("%s of %s: sites alone are\n%s\nof all\n%s", format, path, sites, whole)
			}
		}
	}
}

// TestHeapErrors has a log with every kind of error: each is counted, listed with its place, and none is fatal.
func TestHeapErrors(t *testing.T) {
	log := filepath.Join(t.TempDir(), "faulty.mtrace")
	text := "= Start\n@ a:[0x1] + 0x1000 0x20\n@ a:[0x1] - 0x1000\n@ a:[0x1] - 0x1000\n@ a:[0x2] - 0x9000\n@ a:[0x1] + " +
		"0x2000 0x40\n@ a:[0x1] + 0x2010 0x40\n" +
		"@ a:[0x1] - 0x2018\n@ a:[0x1] < 0x1000\n@ a:[0x1] > 0x3000 0x10\n@ a:[0x1] + 0x4000 0x1000000000000000\n@ a:[0x1] " +
		"+ 0x5000 0xfffffffffffffff0\n"
	if err := os.WriteFile(log, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := run(t, "heap", log)
	if status != Done {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for _, want := range []string{"double-free: 1 ", "double-free of 0x1000 at event 2, in a+0x1\n",
		"unknown-free of 0x9000 at event 3, in a+0x2\n", "overlap of 0x2010 at event 5", "inner-free of 0x2018 at event 6",
		"realloc-of-freed of 0x1000 at event 7", "huge-block of 0x4000 at event 9, in a+0x1: 1152921504606846976 bytes, " +
			"more than all memory; the block counts with none\n",
		"negative-size of 0x5000 at event 10, in a+0x1: -16 bytes, less than nothing; the block counts with none\n",
		"6 allocations, 1 free, 176 bytes in all"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing in\n%s", want, stdout)
		}
	}
}

// TestHeapOfCutLogs: a last line that was cut makes no event, it is told, and by the exit status too; what was
// reallocated is told of every format that says so.
func TestHeapOfCutLogs(t *testing.T) {
	for _, row := range []struct {
		format string
		keep   int
		line   string
		frees  string
	}{{"heaptrack", 2001, "line 75", "36 allocations, 13 frees"}, {"mtrace", 700, "line 18", "12 allocations, 4 frees"},
		{"valgrind", 400, "line 10", "4 allocations, 0 frees"}} {
		text, err := os.ReadFile("../../traceio/heaplog/testdata/sample." + row.format)
		if err != nil {
			t.Fatal(err)
		}
		cut := filepath.Join(t.TempDir(), "cut."+row.format)
		if err := os.WriteFile(cut, text[:row.keep], 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"heap", cut}, {"heap", cut, "--sites"}, {"info", cut}} {
			status, stdout, stderr := run(t, args...)
			if want := "cut line (1, the first at " + row.line + ")"; status != Partial || !strings.Contains(stderr, want) ||
				len(args) == 2 && args[0] == "heap" && !strings.Contains(stdout, row.frees) {
				t.Errorf("%q: status %d, %q, want %q\n%s", args, status, stderr, want, stdout)
			}
		}
	}
	for _, format := range []string{"mtrace", "ltrace", "valgrind"} {
		if _, stdout, _ := run(t, "heap", "../../traceio/heaplog/testdata/sample."+format); !strings.Contains(stdout,
			", 5 reallocations\n") || !strings.Contains(stdout, "reallocated, first at") {
			t.Errorf("%s does not tell of five reallocations:\n%s", format, stdout)
		}
	}
}

// TestLeaksOfCutRecording: of blocks that live at the end of a recording that lacks events it is said that they may be
// no leaks; of others not.
func TestLeaksOfCutRecording(t *testing.T) {
	whole, err := os.ReadFile(recordings + "list.orr")
	if err != nil {
		t.Fatal(err)
	}
	const says = "may not be a leak"
	for _, row := range []struct {
		kind   string
		status int
		said   bool
	}{{"", Done, false}, {"cut-log", Partial, true}, {"lost-events", Partial, true}, {"unwritten-events", Partial, true},
		{"unrecorded-processes", Partial, false}} {
		path := filepath.Join(t.TempDir(), "list.orr")
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		if row.kind != "" {
			lost := traceio.Loss{Kind: row.kind, Count: 3, Why: "it was cut"}
			if err := orr.Amend(path, func(p *traceio.Program) { p.Lost = append(p.Lost, lost) }); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{{"heap", path}, {"heap", path, "--leaks"}} {
			status, stdout, stderr := run(t, args...)
			if status != row.status || strings.Contains(stdout, says) != row.said {
				t.Errorf("%s %q: status %d, want %d; says so: %v, want %v; %s", row.kind, args[2:], status, row.status,
					strings.Contains(stdout, says), row.said, stderr)
			}
		}
		if status, stdout, _ := run(t, "info", path, "--json"); status != row.status ||
			strings.Contains(stdout, `"`+row.kind+`": 3`) != (row.kind != "") {
			t.Errorf("%s: info ends with %d and says %s", row.kind, status, stdout)
		}
	}
}
