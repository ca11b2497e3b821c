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
		{[]string{graphs + "golist.ssa.gz", "--over", recordings + "golist.orr"}, []string{"by instruction, its code at 0x",
			"golist.go:35", "MOVQload"}},
		{[]string{graphs + "golist.ssa.html.gz", "--over", recordings + "golist.orr"},
			[]string{"by line, for the recorded instructions do not fit the code", "golist.go:35"}},
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
	if len(got.Methods) != 1 || len(got.Methods[0].Phases) != 55 || got.Methods[0].Heat == nil ||
		!got.Methods[0].Heat.Exact {
		t.Fatalf("%+v", got)
	}
	if l := got.Methods[0].Heat.Lines[0]; l.References != 4096 || l.Misses["L1D"] != 4096 || l.Nodes[0].Stride == 0 {
		t.Errorf("%+v", l)
	}
}

// TestGraphChooses: functions and phases by name, what filters leave, the difference of two phases and the drawing of
// one.
func TestGraphChooses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "constants.js")
	if err := os.WriteFile(file, []byte(`remove("name", "Const.*")`), 0o600); err != nil {
		t.Fatal(err)
	}
	var whole, one, left graphJSON
	object(t, &whole, "graph", graphs+"gomatmul.ssa.gz")
	object(t, &one, "graph", graphs+"gomatmul.ssa.gz", "--method", "multiply", "--phase", "lower")
	object(t, &left, "graph", graphs+"gomatmul.ssa.gz", "--phase", "opt", "--filter", file)
	phase := func(name string) (out graphPhaseJSON) {
		for _, p := range whole.Methods[0].Phases {
			if p.Name == name {
				return p
			}
		}
		t.Fatalf("no phase %q in %+v", name, whole.Methods[0].Phases)
		return out
	}
	if p := one.Methods[0].Phases; len(p) != 1 || p[0] != phase("lower") {
		t.Errorf("--phase lower has %+v, want %+v", p, phase("lower"))
	}
	if p := left.Methods[0].Phases; len(p) != 1 || p[0].Nodes >= phase("opt").Nodes || p[0].Nodes == 0 {
		t.Errorf("without constants there is %+v of %+v", p, phase("opt"))
	}
	var got struct {
		graphLayoutJSON
		graphDiffJSON
		Details graphDetailsJSON
	}
	object(t, &got, "graph", graphs+"gomatmul.ssa.gz", "--diff", "start,lower", "--layout", "--phase", "lower")
	d, l, before, after := got.graphDiffJSON, got.graphLayoutJSON, phase("start"), phase("lower")
	if got.Details.From != "start" || got.Details.Phase != "lower" {
		t.Errorf("measured %+v", got.Details)
	}
	if d.Removed+d.Changed+d.Same != before.Nodes || d.Added+d.Changed+d.Same != after.Nodes ||
		d.Added == 0 || d.Removed == 0 {
		t.Errorf("%+v of %d nodes before and %d after", d, before.Nodes, after.Nodes)
	}
	if l.Layers < 2 || l.Width <= 0 || l.Height <= 0 {
		t.Errorf("layout %+v", l)
	}
	_, said, _ := run(t, "graph", graphs+"gomatmul.ssa.gz", "--diff", "1,2", "--layout")
	if !strings.Contains(said, " added, ") || !strings.Contains(said, "cut edge") {
		t.Errorf("in words:\n%s", said)
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
	if status, stdout, stderr = run(t, "graph", file, "--over", recordings+"golist.orr"); status != Done ||
		!strings.Contains(stdout, "by instruction") {
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
		{[]string{"graph", graphs + "hotspot.xml", "--over", "x.orr", "--top", "0"}, Usage, "--top is 0"},
		{[]string{"graph", graphs + "hotspot.xml", "--phase", "zzz"}, Usage, `has no phase "zzz"`},
		{[]string{"graph", graphs + "hotspot.xml", "--diff", "1"}, Usage, `--diff "1" is not P1,P2`},
		{[]string{"graph", graphs + "hotspot.xml", "--diff", "1,9"}, Usage, `has no phase "9"`},
		{[]string{"graph", graphs + "hotspot.xml", "--filter", "zzz"}, Usage,
			`--filter "zzz" is neither FILE.js nor one of the shipped filters`},
		{[]string{"graph", graphs + "hotspot.xml", "--filter", "zzz.js"}, Failed, "zzz.js"},
		{[]string{"graph", "listen", "x"}, Usage, "takes no arguments"},
		{[]string{"graph", "listen", "--count", "-1"}, Usage, "must not be negative"},
		{[]string{"graph", "listen", "--memory", "0"}, Usage, "--memory is 0"},
		{[]string{"graph", "listen", "--address", "256.0.0.1:1", "--dir", filepath.Dir(text)}, Failed,
			"nobody can be listened to"},
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
