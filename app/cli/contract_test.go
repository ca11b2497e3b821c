package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orrery/analysis/findings"
)

// contractPage is what the command line promises.
const contractPage = "../../assets/docs/command-line.md"

// notBuilt are the rows that the page has under "Not built yet". Who builds one takes it off here and there: the test
// fails where a row is built that is listed, and where one is missing that is not.
var notBuilt = []string{
	"orrery whatif", "orrery check", "orrery install", "orrery licences",
	"orrery export --format pprof", "orrery export --format callgrind", "orrery export --format cachegrind",
	"orrery export --format speedscope",
	"orrery export --format folded", "orrery export --format perfetto", "orrery export --value misses",
	"orrery export --remedy",
	"orrery cache --preset host",
	"orrery cache --from", "orrery heap --from", "orrery findings --from",
	"orrery cycles --region", "orrery cycles --line", "orrery cycles --function", "orrery cycles --thread",
	"orrery cycles -", "orrery cache -", "orrery heap -", "orrery findings -", "orrery render heap -",
	"kind refetch", "kind true_sharing", "kind temporary",
	"findings[].remedy", "findings[].before", "findings[].after", "findings[].exact", "remainder",
}

// docPage is the page, read.
type docPage struct {
	commands []string
	options  map[string]map[string]string   // by command or group: default by name
	with     map[string][]string            // by command: the groups of options that it takes
	fields   map[string]map[string][]string // by heading or group: types by path
	share    map[string][]string            // by heading: the groups of fields that it has
	kinds    []string
	missing  []string // under "Not built yet"
}

var (
	quoted = regexp.MustCompile("`([^`]*)`")
	bold   = regexp.MustCompile(`\*\*([a-z ]+)\*\*`)
)

// names are the texts in backquotes.
func names(text string) (out []string) {
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

func readPage(t *testing.T) *docPage {
	t.Helper()
	text, err := os.ReadFile(contractPage)
	if err != nil {
		t.Fatal(err)
	}
	p := &docPage{options: map[string]map[string]string{}, with: map[string][]string{},
		fields: map[string]map[string][]string{}, share: map[string][]string{}}
	section, heading, table := "", "", ""
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case strings.HasPrefix(line, "## "):
			section, heading = line[3:], ""
		case strings.HasPrefix(line, "### "):
			heading = strings.NewReplacer("`", "", "Options of **", "", "Fields of **", "", "**", "").Replace(line[4:])
			switch section {
			case "Options":
				p.options[heading] = map[string]string{}
			case "JSON":
				p.fields[heading] = map[string][]string{}
			}
		case strings.HasPrefix(line, "|--"):
		case strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| `"):
			table = cells[0]
		case strings.HasPrefix(line, "| `"):
			row := names(cells[0])
			switch {
			case section == "Commands":
				p.commands = append(p.commands, strings.TrimSuffix(row[0], " [FILE...]"))
			case section == "Options":
				p.options[heading][strings.TrimPrefix(row[0], "--")] = strings.Trim(strings.TrimSpace(cells[1]), "`")
			case section == "JSON" && table == "kind":
				p.kinds = append(p.kinds, row[0])
			case section == "JSON":
				for _, path := range row {
					p.fields[heading][path] = strings.Split(strings.TrimSpace(cells[1]), " or ")
				}
			}
		case section == "Options" && heading != "" && strings.HasPrefix(line, "With the options"):
			for _, m := range bold.FindAllStringSubmatch(line, -1) {
				p.with[heading] = append(p.with[heading], m[1])
			}
		case section == "JSON" && heading != "":
			for _, m := range bold.FindAllStringSubmatch(line, -1) {
				p.share[heading] = append(p.share[heading], m[1])
			}
		case section == "Not built yet" && strings.HasPrefix(line, "- "):
			p.missing = append(p.missing, names(line)[0])
		}
	}
	return p
}

// TestContractNotBuilt: what the page puts off is what this test does.
func TestContractNotBuilt(t *testing.T) {
	p := readPage(t)
	if !slices.Equal(p.missing, notBuilt) {
		t.Errorf("the page puts off\n%q\nand this test\n%q", p.missing, notBuilt)
	}
	out := filepath.Join(t.TempDir(), "out")
	list := recordings + "list.orr"
	for _, row := range notBuilt {
		rest, command := strings.CutPrefix(row, "orrery ")
		if !command {
			continue // kinds and fields: see below
		}
		args := strings.Fields(rest)
		want := "neither a command nor a file"
		if len(args) > 1 {
			want = ""
			name := args[0]
			switch flag := args[len(args)-1]; {
			case flag == "-" && name == "render":
				args = append(args, "-o", out+".svg")
			case flag == "-":
			case strings.HasPrefix(flag, "--"):
				args = append(args, "1", list)
			default:
				args = append(args, list)
			}
			if name == "export" {
				args = append(args, "-o", out)
			}
		}
		status, _, stderr := run(t, args...)
		if status != Usage && !(slices.Contains(args, "-") && status == Failed) || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q: it has been built, so take it off the list and put it on the page", row, status, stderr)
		}
	}
}

// commandsOf are a command and what is below it, by path, but for hidden ones.
func commandsOf(c *cobra.Command, into map[string]*cobra.Command) map[string]*cobra.Command {
	if !c.Hidden {
		into[c.CommandPath()] = c
		for _, s := range c.Commands() {
			commandsOf(s, into)
		}
	}
	return into
}

// TestContractCommands holds commands and options, with their defaults, against the page.
func TestContractCommands(t *testing.T) {
	p := readPage(t)
	root := newRoot(Streams{}, nil)
	root.InitDefaultVersionFlag()
	have := commandsOf(root, map[string]*cobra.Command{})
	sameNames(t, "commands", slices.Collect(maps.Keys(have)), p.commands)
	for path, c := range have {
		want, described := p.options[path]
		if !described {
			t.Errorf("%s: the page has no options of it", path)
			continue
		}
		want = maps.Clone(want)
		for _, group := range p.with[path] {
			if p.options[group] == nil {
				t.Fatalf("%s: the page has no options of %q", path, group)
			}
			maps.Copy(want, p.options[group])
		}
		got := map[string]string{}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			got[f.Name] = f.DefValue
			if f.DefValue == "false" || f.DefValue == "0" || f.DefValue == "[]" {
				got[f.Name] = ""
			}
		})
		sameNames(t, "options of "+path, slices.Collect(maps.Keys(got)), slices.Collect(maps.Keys(want)))
		for name, value := range got {
			if described, ok := want[name]; ok && described != value {
				t.Errorf("%s --%s is %q by default, on the page %q", path, name, value, described)
			}
		}
	}
	for path := range p.options {
		if strings.HasPrefix(path, "orrery") && have[path] == nil {
			t.Errorf("the page has options of %s, which is no command", path)
		}
	}
}

// sameNames compares two sets of names.
func sameNames(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s: %q is not on the page", what, name)
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s: %q is on the page, but not built", what, name)
		}
	}
}

// seenFields are the types of what objects have, by path, and whether there was anything in it.
type seenFields struct {
	types  map[string]map[string]bool
	filled map[string]bool
	maps   func(path string) bool // whose keys are data
}

func (s *seenFields) add(path string, v any) {
	note := func(kind string, filled bool) {
		if s.types[path] == nil {
			s.types[path] = map[string]bool{}
		}
		s.types[path][kind] = true
		s.filled[path] = s.filled[path] || filled
	}
	switch v := v.(type) {
	case nil:
		note("null", true)
	case string:
		note("text", v != "")
	case float64:
		note("number", v != 0)
	case bool:
		note("true or false", v)
	case []any:
		note("list", len(v) > 0)
		for _, x := range v {
			s.add(path+"[]", x)
		}
	case map[string]any:
		note("object", len(v) > 0)
		for key, x := range v {
			switch {
			case s.maps(path):
				s.add(path+"{}", x)
			case path == "":
				s.add(key, x)
			default:
				s.add(path+"."+key, x)
			}
		}
	}
}

// container tells whether a field on the page lies within a path.
func container(fields map[string][]string, path string) bool {
	for name := range fields {
		if len(name) > len(path) && strings.HasPrefix(name, path) && strings.ContainsAny(name[len(path):len(path)+1], ".[{") {
			return true
		}
	}
	return false
}

// TestContractFields runs every command with --json and holds the fields of what it prints, and their
// types, against the page.
func TestContractFields(t *testing.T) {
	p := readPage(t)
	runs := contractRuns(t)
	kinds := map[string]bool{}
	for heading, fields := range p.fields {
		if !strings.HasPrefix(heading, "orrery") {
			continue // a group of fields
		}
		if len(runs[heading]) == 0 {
			t.Errorf("%s is on the page, but nothing here runs it", heading)
			continue
		}
		want := maps.Clone(fields)
		for _, group := range append(p.share[heading], "every object") {
			maps.Copy(want, p.fields[group])
		}
		seen := &seenFields{types: map[string]map[string]bool{}, filled: map[string]bool{}, maps: func(path string) bool {
			for name := range want {
				if strings.HasPrefix(name, path+"{}") {
					return path != ""
				}
			}
			return false
		}}
		for _, args := range runs[heading] {
			status, stdout, stderr := run(t, append(slices.Clone(args), "--json")...)
			if status != Done && status != Partial {
				t.Errorf("orrery %s: status %d, %s", strings.Join(args, " "), status, stderr)
				continue
			}
			var object map[string]any
			decodeJSON(t, []byte(stdout), &object)
			if object["schema"] != float64(Schema) || object["orrery"] != Version() ||
				!slices.Contains(append(slices.Clone(args), "", "motion-jpeg"), object["file"].(string)) {
				t.Errorf("orrery %s: begins with %v, %v, %v", strings.Join(args, " "), object["schema"],
					object["orrery"], object["file"])
			}
			for key, value := range object {
				seen.add(key, value)
			}
			for _, f := range listOf(object["findings"]) {
				kinds[f.(map[string]any)["kind"].(string)] = true
			}
		}
		for path, types := range seen.types {
			allowed, ok := want[path]
			if !ok && !container(want, path) {
				t.Errorf("%s: %s (%s) is not on the page", heading, path, strings.Join(slices.Sorted(maps.Keys(types)), ", "))
			}
			for kind := range types {
				if ok && !slices.Contains(allowed, kind) &&
					!(kind == "true or false" && slices.Equal(allowed, []string{"true", "false"})) {
					t.Errorf("%s: %s is a %s, on the page %s", heading, path, kind, strings.Join(allowed, " or "))
				}
			}
		}
		for path := range want {
			switch {
			case seen.types[path] == nil:
				t.Errorf("%s: %s is on the page, but no run has it", heading, path)
			case slices.Contains(notBuilt, path) && seen.filled[path]:
				t.Errorf("%s: %s has been built, so take it off the list", heading, path)
			}
		}
	}
	var all []string
	for _, kind := range findings.Kinds() {
		all = append(all, string(kind))
	}
	sameNames(t, "kinds of findings", all, p.kinds)
	for kind := range kinds {
		if !slices.Contains(all, kind) {
			t.Errorf("a finding is of the kind %q, which is none", kind)
		}
	}
	for _, kind := range all {
		if slices.Contains(notBuilt, "kind "+kind) {
			t.Errorf("the kind %s has been built, so take it off the list", kind)
		}
	}
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// contractRuns are commands that have every field between them, by the heading that the page has for what they print.
func contractRuns(t *testing.T) map[string][][]string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	hotspot, err := os.ReadFile(graphs + "hotspot.xml")
	if err != nil {
		t.Fatal(err)
	}
	cut := write("cut.xml", string(hotspot[:len(hotspot)*3/4]))
	timed := write("timed.ltrace", "malloc(32) = 0x40 <0.000123>\nfree(0x40) = <void> <0.000009>\n")
	uneven := write("uneven.csv", "cores,area,time,energy\n1,5,3,2\n1,6,2,3\n2,9,1,x\n2,9,1,4\n")
	list, bubble, matmul, sharing := recordings+"list.orr", recordings+"bubble-vector-shuffled.orr",
		recordings+"matmul-standard.orr", recordings+"sharing-packed.orr"
	samples := "../../traceio/heaplog/testdata/sample."
	slam := []string{"designs", "../../testdata/designs/slam.csv", "--minimise", "time,error", "--parameters",
		"knob_mf,knob_sl", "--filter", "knob_mf >= 800"}
	split := strings.Fields
	return map[string][][]string{
		"orrery info": {{"info", list}, {"info", samples + "ltrace"}, {"info", oracles + "quicksort.lk.gz"},
			{"info", recordings + "golist.orr"}},
		"orrery cycles": {{"cycles", bubble}, split("cycles " + list + " --from 1000 --to 1400"),
			split("cycles " + bubble + " --thin 4"), split("cycles " + recordings + "habits-loops.orr --count 1000")},
		"orrery cycles --overview": {split("cycles " + list + " --overview"),
			split("cycles " + recordings + "habits-hoard.orr --overview")},
		"orrery cache": {split("cache " + bubble + " --classes --by line --curve --bound --preset zen3"),
			split("cache " + sharing + " --preset desktop --cores 4 --sharing")},
		"orrery cache, a comparison": {{"cache", matmul, recordings + "matmul-blocked.orr"},
			{"cache", bubble, "--against", "tiny"}},
		"orrery heap": {{"heap", list}, {"heap", samples + "ltrace", "--against", samples + "mtrace"},
			{"heap", samples + "heaptrack"}, {"heap", timed}, {"heap", graphs + "jslist.orr"}},
		"orrery findings": {{"findings", matmul}, {"findings", list}, {"findings", sharing},
			{"findings", recordings + "habits-hoard.orr"}, {"findings", list, "--preset", "tiny"}},
		"orrery designs": {append(slices.Clone(slam), "--compare", "1000/8", "--compare", "500/8"),
			{"designs", "motion-jpeg"},
			split("designs " + uneven + " --parameters cores --maximise energy --minimise time,area --architecture area")},
		"orrery designs search": {split("designs search " + bubble + " --generations 2 --population 8"),
			split("designs mjpeg --generations 2 --population 8")},
		"orrery graph": {split("graph " + graphs + "golist.ssa.gz --over " + recordings +
			"golist.orr --diff 1,20 --layout --phase 20"), {"graph", cut}},
		"orrery result-cache": {{"result-cache"}},
	}
}

// TestEveryJSONHasTheEnvelope: no command prints another object, so none can forget it.
func TestEveryJSONHasTheEnvelope(t *testing.T) {
	p := readPage(t)
	root := newRoot(Streams{}, nil)
	for path, c := range commandsOf(root, map[string]*cobra.Command{}) {
		if c.Flags().Lookup("json") == nil {
			continue
		}
		heading := map[string]string{"orrery designs mjpeg": "orrery designs search"}[path]
		if heading == "" {
			heading = path
		}
		if p.fields[heading] == nil {
			t.Errorf("%s takes --json, but the page has no fields of it", path)
		}
	}
	var out strings.Builder
	if err := printJSON(&out, "a<b", struct{}{}); err != nil || !json.Valid([]byte(out.String())) {
		t.Errorf("%v: %s", err, out.String())
	}
	if want := fmt.Sprintf("{\n  \"schema\": %d,\n", Schema); !strings.HasPrefix(out.String(), want) {
		t.Errorf("an empty object is %s, want it to begin %s", out.String(), want)
	}
}
