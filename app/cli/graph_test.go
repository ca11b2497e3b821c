package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio/irgraph/graphfile"
	"orrery/traceio/irgraph/graphtest"
)

const graphs = "../../testdata/graphs/"

func TestGraphLists(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{graphs + "gomatmul.ssa.gz"}, []string{"go+gzip, 1 function, 55 graphs", "multiply, ", "late opt  "}},
		{[]string{graphs + "hotspot.xml"}, []string{"igv, 1 function, 3 graphs", "After Parsing     23     33       0"}},
		{[]string{graphs + "list.turbo.json.gz"}, []string{"v8+gzip, 1 function", "V8.TFTyper"}},
		{[]string{graphs + "gcc"}, []string{"gcc, 2 functions, 8 graphs", "021t.ssa"}},
		{[]string{graphs + "gcc", "--group", "twice"}, []string{"gcc, 1 function, 4 graphs"}},
		{[]string{graphs + "golist.ssa.html.gz"}, []string{"go+gzip, 1 function", "before insert phis"}},
		{[]string{graphs + "calls.graphml"}, []string{"graphml, 1 function, 1 graph"}},
		{[]string{graphs + "golist.ssa.gz", "--over", recordings + "golist.orr"}, []string{"by instruction, its code at 0x", "golist.go:35", "MOVQload"}},
		{[]string{graphs + "golist.ssa.html.gz", "--over", recordings + "golist.orr"}, []string{"by line, for the recorded instructions do not fit the code", "golist.go:35"}},
	} {
		status, stdout, stderr := run(t, append([]string{"graph"}, c.args...)...)
		if status != Done {
			t.Errorf("%v: status %d: %s", c.args, status, stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(stdout, want) {
				t.Errorf("%v: %q is not in\n%s", c.args, want, stdout)
			}
		}
	}
}

func TestGraphAsObject(t *testing.T) {
	var got graphJSON
	object(t, &got, "graph", graphs+"golist.ssa.gz", "--over", recordings+"golist.orr")
	if len(got.Groups) != 1 || len(got.Groups[0].Phases) != 55 || got.Groups[0].Heat == nil || !got.Groups[0].Heat.Exact {
		t.Fatalf("%+v", got)
	}
	if l := got.Groups[0].Heat.Lines[0]; l.References != 4096 || l.Misses["L1D"] != 4096 || l.Nodes[0].Stride == 0 {
		t.Errorf("%+v", l)
	}
}

// TestGraphWrites writes XML and reads it again.
func TestGraphWrites(t *testing.T) {
	xml := filepath.Join(t.TempDir(), "sum.xml")
	if status, _, stderr := run(t, "graph", graphs+"golist.ssa.gz", "-o", xml); status != Done {
		t.Fatal(stderr)
	}
	a, err := graphfile.Open(t.Context(), graphs+"golist.ssa.gz", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := graphfile.Open(t.Context(), xml, nil)
	if err != nil {
		t.Fatal(err)
	}
	if graphtest.Text(a) != graphtest.Text(b) || b.Format != "igv" {
		t.Error("what was written is not what was read")
	}
}

func TestGraphRecords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sum.ssa")
	status, stdout, stderr := run(t, "graph", "record", "--func", "sum", "-o", file, "../../testdata/programs/golist")
	if status != Done || !strings.HasPrefix(stdout, "sum: 55 graphs, ") {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	if status, stdout, stderr = run(t, "graph", file, "--over", recordings+"golist.orr"); status != Done || !strings.Contains(stdout, "by instruction") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

func TestGraphRefuses(t *testing.T) {
	text := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(text, []byte("nothing of the kind\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"graph"}, Usage, "takes one file"},
		{[]string{"graph", text}, Failed, "in no known format of graphs"},
		{[]string{"graph", graphs + "nowhere.xml"}, Failed, "no such file"},
		{[]string{"graph", graphs + "hotspot.xml", "--group", "zzz"}, Failed, `no function has "zzz"`},
		{[]string{"graph", graphs + "hotspot.xml", "--top", "0"}, Usage, "--top is 0"},
		{[]string{"graph", "listen", "x"}, Usage, "takes no arguments"},
		{[]string{"graph", "listen", "--count", "-1"}, Usage, "must not be negative"},
		{[]string{"graph", "listen", "--memory", "0"}, Usage, "--memory is 0"},
		{[]string{"graph", "listen", "--address", "256.0.0.1:1", "--dir", filepath.Dir(text)}, Failed, "nobody can be listened to"},
		{[]string{"graph", "record", "."}, Usage, "name a function"},
		{[]string{"graph", "record", "--func", "f"}, Usage, "takes one package"},
		{[]string{"graph", "record", "--func", "f", "./nowhere"}, Failed, "nowhere"},
	} {
		status, _, stderr := run(t, c.args...)
		if status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d, %s; want %d, %q", c.args, status, stderr, c.status, c.want)
		}
	}
}
