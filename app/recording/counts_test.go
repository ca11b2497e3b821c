package recording

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"orrery/app/cli"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
)

// counted is what one place says: by the name it gives, how many references that has.
type counted map[string]uint64

// TestOneNameHasOneCount: what a region, a line or a place that allocates counts is the same in every pane and command
// that names it, and all regions and all lines together have every reference.
func TestOneNameHasOneCount(t *testing.T) {
	for _, name := range []string{"bubble-vector-shuffled", "bubble-array-sorted", "list", "mpm-5", "matmul-standard",
		"golist", "habits-hoard"} {
		t.Run(name, func(t *testing.T) {
			b := open(t, shipped+name+".orr")
			all := map[string]map[string]counted{
				"region": {"info": infoRegions(t, b), "cache --by region": commandRows(t, b, "region"),
					"the table": tableRows(t, b, "region"), "the list": listedRegions(t, b),
					"the rings": ringRegions(b), "the explanation": explained(b, regionNames(b)),
					"the search": searched(b, regionNames(b))},
				"line": {"cache --by line": commandRows(t, b, "line"), "the table": tableRows(t, b, "line"),
					"the source": sourceLines(b), "the explanation": explained(b, lineNames(b)),
					"the search": searched(b, lineNames(b))},
				"blocks of": {"heap": commandSites(t, b, "blocks"), "the sites": siteRows(b, "calls")},
				"bytes of":  {"heap": commandSites(t, b, "bytes"), "the sites": siteRows(b, "bytes")},
			}
			for what, places := range all {
				one, from := counted{}, map[string]string{}
				for place, list := range places {
					if len(list) == 0 && (what == "region" || what == "line" && place != "the source") {
						t.Errorf("%s says nothing of a %s", place, what)
					}
					for name, n := range list {
						if was, ok := one[name]; ok && was != n {
							t.Errorf("%s %s has %d in %s and %d in %s", what, name, was, from[name], n, place)
						}
						one[name], from[name] = n, place
					}
				}
				sum := uint64(0)
				for name, n := range places["cache --by "+what] {
					if sum += n; places["the table"][name] != n {
						t.Errorf("%s %s has %d in the command and %d in the table", what, name, n, places["the table"][name])
					}
				}
				if len(places["cache --by "+what]) > 0 && sum != uint64(b.rec.Len()) {
					t.Errorf("every %s together has %d references, want %d", what, sum, b.rec.Len())
				}
			}
		})
	}
}

// command runs a command and gives what it prints.
func command(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if status := cli.Main(context.Background(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs},
		nil); status != cli.Done {
		t.Fatalf("%q ends with %d: %s", args, status, errs.String())
	}
	return out.Bytes()
}

func infoRegions(t *testing.T, b *bench) counted {
	out := counted{}
	for _, m := range regexp.MustCompile(`(?m)^region +(.*?) +(\d+) references?$`).FindAllStringSubmatch(
		string(command(t, "info", "--all", b.path)), -1) {
		out[m[1]] = number(m[2])
	}
	return out
}

func commandRows(t *testing.T, b *bench, by string) counted {
	var said struct {
		Rows []struct {
			Key           string
			Reads, Writes uint64
		}
	}
	if err := json.Unmarshal(command(t, "cache", "--by", by, "--json", b.path), &said); err != nil {
		t.Fatal(err)
	}
	out := counted{}
	for _, r := range said.Rows {
		out[r.Key] += r.Reads + r.Writes
	}
	return out
}

func tableRows(t *testing.T, b *bench, by string) counted {
	m, err := b.rec.FindMissTable(context.Background(), b.hierarchy, by, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := counted{}
	for _, r := range b.rec.Table(palette.Dark(), m, session.LineColors{}).Rows {
		out[r.Name] += uint64(r.Values[0])
	}
	return out
}

// listedRegions are the rows of the list, unfolded.
func listedRegions(t *testing.T, b *bench) counted {
	v := b.view(shell.Recording).(*regionsView)
	out := counted{}
	for _, open := range []bool{false, true} {
		v.open, v.rec = open, nil
		for _, g := range v.state(palette.Dark()).Groups {
			for _, r := range g.Rows {
				n := number(r.Value)
				if was, ok := out[r.Name]; ok && was != n {
					t.Errorf("%s has %d folded and %d unfolded", r.Name, was, n)
				}
				out[r.Name] = n
			}
		}
	}
	return out
}

func ringRegions(b *bench) counted {
	out := counted{}
	for _, r := range b.rec.RingRegions(palette.Dark(), nil) {
		if r.Label != "" {
			out[r.Label] = r.Count
		} else {
			out[r.Name] = r.Count
		}
	}
	return out
}

func regionNames(b *bench) map[string]link.Thing {
	out := map[string]link.Thing{}
	for _, id := range b.rec.Use.Ranked {
		name := b.rec.Regions.Regions()[id].Name
		out[name] = link.OfRegion(name)
	}
	return out
}

func lineNames(b *bench) map[string]link.Thing {
	out := map[string]link.Thing{}
	for i := range b.rec.Lines.Len() {
		if l := b.rec.Lines.At(int32(i)); l.Line > 0 {
			out[l.Name()] = link.OfLine(l.File, l.Line)
		}
	}
	return out
}

var (
	usedIn   = regexp.MustCompile(`([\d ]+) loads?, ([\d ]+) stores?, `)
	stackSum = regexp.MustCompile(`the (whole stack) has ([\d ]+) references`)
)

func explained(b *bench, names map[string]link.Thing) counted {
	out := counted{}
	for name, thing := range names {
		for _, s := range b.rec.Explain(palette.Dark(), thing, b.caches(), nil, 0, session.LineColors{}) {
			text := strings.Join(s.Lines, "\n")
			if m := usedIn.FindStringSubmatch(text); m != nil {
				out[name] = number(m[1]) + number(m[2])
			}
			if m := stackSum.FindStringSubmatch(text); m != nil {
				out[m[1]] = number(m[2])
			}
		}
	}
	return out
}

func searched(b *bench, names map[string]link.Thing) counted {
	out := counted{}
	for name := range names {
		for _, f := range b.Search(name, 50) {
			if _, count, ok := strings.Cut(f.Detail, ", "); ok && f.Label == name {
				out[name] = number(strings.Fields(strings.ReplaceAll(strings.ReplaceAll(count[strings.LastIndex(count, ",")+1:],
					"reference", ""), "s", ""))...)
			}
		}
	}
	return out
}

func sourceLines(b *bench) counted {
	out := counted{}
	for _, f := range b.rec.SourceFiles() {
		for n, h := range b.rec.SourceText(palette.Dark(), f, 0, nil, session.LineColors{}).Heat {
			if id := b.rec.Lines.Find(f, n); id >= 0 {
				out[b.rec.Lines.At(id).Name()] = h.References
			}
		}
	}
	return out
}

func commandSites(t *testing.T, b *bench, what string) counted {
	var said struct {
		Sites []map[string]any
	}
	if err := json.Unmarshal(command(t, "heap", "--sites", "--json", b.path), &said); err != nil {
		t.Fatal(err)
	}
	out := counted{}
	for _, s := range said.Sites {
		if s["file"] != nil && s["line"] != nil {
			out[fmt.Sprintf("%v:%v", s["file"], s["line"])] += uint64(s[what].(float64))
		}
	}
	return out
}

func siteRows(b *bench, what string) counted {
	s := b.rec.AllocationTable(palette.Dark(), session.Allocating{Heap: b.rec.Heap, Unit: b.rec.TimeUnit()}, "sites")
	column := -1
	for i, c := range s.Columns {
		if c.Title == what {
			column = i
		}
	}
	out := counted{}
	for _, r := range s.Rows {
		out[r.Name] += uint64(r.Values[column])
	}
	return out
}

// number reads one that is written with blanks between its thousands.
func number(words ...string) uint64 {
	n, err := strconv.ParseUint(strings.ReplaceAll(strings.Join(words, ""), " ", ""), 10, 64)
	if err != nil {
		return 1 << 63
	}
	return n
}
