package heaplog

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
)

// totals are what one can count in a log without knowing its order of events.
type totals struct{ made, freed, bytes, live uint64 }

// count adds a log up.
func count(t *testing.T, allocs []traceio.Alloc) totals {
	var n totals
	live := map[traceio.Addr]uint64{}
	for _, a := range allocs {
		if a.Op == traceio.Free {
			n.freed++
			n.live -= live[a.Addr]
			delete(live, a.Addr)
			continue
		}
		if _, ok := live[a.Addr]; ok {
			t.Errorf("%v is allocated twice", a.Addr)
		}
		live[a.Addr] = a.Size
		n.made++
		n.bytes += a.Size
		n.live += a.Size
	}
	return n
}

// rule is how a line of a log counts, as one would write it for awk: groups "size", "count", "to" (a new block, not 0),
// "from" (an old one, not 0).
type rule struct{ pattern string }

// grep counts a log with regular expressions, line by line.
func grep(text string, base int, rules []rule) totals {
	var n totals
	live := map[string]uint64{}
	for _, line := range strings.Split(text, "\n") {
		for _, r := range rules {
			re := regexp.MustCompile(r.pattern)
			m := re.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			get := func(name string) string {
				if i := re.SubexpIndex(name); i >= 0 {
					return strings.TrimPrefix(strings.ToLower(m[i]), "0x")
				}
				return ""
			}
			if from := get("from"); strings.Trim(from, "0") != "" {
				n.freed++
				n.live -= live[from]
				delete(live, from)
			}
			if to := get("to"); strings.Trim(to, "0") != "" {
				size, _ := strconv.ParseUint(get("size"), base, 64)
				if times, err := strconv.ParseUint(get("count"), base, 64); err == nil {
					size *= times
				}
				n.made++
				n.bytes += size
				n.live += size
				live[to] = size
			}
			break
		}
	}
	return n
}

// TestSamples compares logs of real tools with counts by regular expressions, and heaptrack's with its own report.
func TestSamples(t *testing.T) {
	for _, row := range []struct {
		file  string
		base  int
		rules []rule
		lost  string
	}{
		{"sample.mtrace", 16, []rule{{`\] [+>] (?P<to>\S+) (?P<size>\S+)`}, {`\] [-<] (?P<from>\S+)`}}, ""},
		{"sample.heaptrack", 16, []rule{{`^\+ (?P<size>\S+) \S+ (?P<to>\S+)`}, {`^- (?P<from>\S+)`}}, ""},
		{"sample.valgrind", 10, []rule{{`realloc\(0x0,.*malloc\((?P<size>\d+)\) = (?P<to>0x\w+)`},
			{`realloc\((?P<nobody>\w+),\d+\) = 0x0`},
			{`realloc\((?P<from>\w+),(?P<size>\d+)\) = (?P<to>\w+)`}, {`calloc\((?P<count>\d+),(?P<size>\d+)\) = (?P<to>\w+)`},
			{`memalign\(al \d+, size (?P<size>\d+)\) = (?P<to>\w+)`}, {`malloc\((?P<size>\d+)\) = (?P<to>\w+)`},
			{`free\((?P<from>\w+)\)`}}, ""},
		{"sample.ltrace", 10, []rule{{`realloc\((?P<nobody>\w+), \d+\) += 0$`},
			{`realloc\((?P<from>\w+), (?P<size>\d+)\) += (?P<to>\w+)`},
			{`calloc\((?P<count>\d+), (?P<size>\d+)\) += (?P<to>\w+)`}, {`aligned_alloc\(\d+, (?P<size>\d+).* = (?P<to>\w+)`},
			{` malloc\((?P<size>\d+)\) += (?P<to>\w+)`}, {`free\((?P<from>\w+)\)`}}, "1 lost-address"},
	} {
		text, err := os.ReadFile("testdata/" + row.file)
		if err != nil {
			t.Fatal(err)
		}
		src, format := Detect(strings.NewReader(string(text)), text[:min(len(text), traceio.HeadLen)], row.file)
		if src == nil || "sample."+format != row.file {
			t.Errorf("%s is taken for %q", row.file, format)
			continue
		}
		allocs, err := read(t, src)
		if err != nil {
			t.Fatal(err)
		}
		got, want := count(t, allocs), grep(string(text), row.base, row.rules)
		if got != want || got.made < 60 || !strings.HasPrefix(lost(src), row.lost) || row.lost == "" && len(src.Loss()) > 0 {
			t.Errorf("%s: %+v, counted %+v, lost %q", row.file, got, want, lost(src))
		}
		if format != "valgrind" && len(src.Program().Stacks) < 5 {
			t.Errorf("%s: %d stacks", row.file, len(src.Program().Stacks))
		}
		if format == "heaptrack" {
			checkTotals(t, got)
		}
	}
}

// checkTotals compares with what heaptrack_print told of the same program.
func checkTotals(t *testing.T, got totals) {
	text, err := os.ReadFile("testdata/sample.totals")
	if err != nil {
		t.Fatal(err)
	}
	calls := regexp.MustCompile(`calls to allocation functions: (\d+)`).FindStringSubmatch(string(text))
	leaked := regexp.MustCompile(`total memory leaked: ([\d.]+)K`).FindStringSubmatch(string(text))
	if calls == nil || leaked == nil {
		t.Fatalf("heaptrack_print says %q", text)
	}
	if calls[1] != strconv.FormatUint(got.made, 10) {
		t.Errorf("%d calls, heaptrack says %s", got.made, calls[1])
	}
	if kilo := strconv.FormatFloat(float64(got.live)/1000, 'f', 2, 64); kilo != leaked[1] {
		t.Errorf("%s KB leaked, heaptrack says %s", kilo, leaked[1])
	}
}
