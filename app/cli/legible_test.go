package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLegible writes names as people see them, in any parts.
func TestLegible(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"plain", "a\tb\nzwei ü ✓\n", "a\tb\nzwei ü ✓\n"},
		{"escape", "a\x1b[31mb\r\b\a\x00", `a\u001b[31mb\u000d\u0008\u0007\u0000`},
		{"C1 and DEL", "\u009b31m\x7f\u0085", `\u009b31m\u007f\u0085`},
		{"turned", "a\u202eb\u2066c\u2069", `a\u202eb\u2066c\u2069`},
		{"no UTF-8", "a\x9bb\xff", `a\x9bb\xff`},
		{"cut", "a\xe2\x9c", `a\xe2\x9c`},
	} {
		for step := 1; step <= len(row.text); step++ {
			var out bytes.Buffer
			l := &legible{w: &out}
			for part := range slices.Chunk([]byte(row.text), step) {
				if n, err := l.Write(part); n != len(part) || err != nil {
					t.Fatalf("%s: %d of %d bytes, %v", row.name, n, len(part), err)
				}
			}
			if l.flush(); out.String() != row.want {
				t.Errorf("%s, %d bytes at a time: %q, want %q", row.name, step, out.String(), row.want)
			}
		}
	}
	if l := (&legible{w: io.Discard}); raw(l) != io.Discard || raw(io.Discard) != io.Discard {
		t.Error("the stream behind is another")
	}
}

// hostile is a name that a terminal would obey.
const hostile = "evil\x1b]0;gotcha\x07\x1b[31m\u009b1m\u202e"

// TestNamesStayNames runs commands on files of every format with such names in all places, and under such a name: no
// control character comes out, and what is JSON stays it.
func TestNamesStayNames(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, "x\x1b[32m"+name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	sample := func(name string) string {
		text, err := os.ReadFile("../../traceio/heaplog/testdata/sample." + name)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(text), "sample", hostile)
	}
	v8 := gunzip(t, "../../testdata/graphs/list.turbo.json.gz")
	quoted, _ := json.Marshal(hostile)
	inJSON := strings.Trim(string(quoted), `"`)
	bgv, err := os.ReadFile("../../testdata/graphs/sum.bgv")
	if err != nil {
		t.Fatal(err)
	}
	references := [][]string{{"info"}, {"info", "--json"}, {"cycles"}, {"cycles", "--explain"}, {"cache"},
		{"cache", "--by", "line"}, {"findings"}, {"findings", "--json"}}
	logs := [][]string{{"info"}, {"info", "--json"}, {"heap"}, {"heap", "--json"}, {"heap", "--flame", "bytes"},
		{"findings"}, {"export", "--format", "csv", "--events", "-o", filepath.Join(dir, "out.csv")}}
	tables := [][]string{{"designs"}, {"designs", "--json"}, {"designs", "--describe"}, {"designs", "--minimise", hostile}}
	graphs := [][]string{{"graph"}, {"graph", "--json"}, {"graph", "--phase", hostile}}
	for _, row := range []struct {
		path     string
		commands [][]string
	}{
		{write("log.mtrace", sample("mtrace")), logs},
		{write("log.heaptrack", sample("heaptrack")), logs},
		{write("log.valgrind", sample("valgrind")), logs},
		{write("log.ltrace", sample("ltrace")), logs},
		{write("a.lackey", "==1== Lackey, an example Valgrind tool\n==1== Command: ./"+hostile+" "+hostile+"\n"+
			strings.Repeat("I  04001000,3\n L 1ffe,8\n S 2ffe,8\n", 50)), references},
		{write("a.csv", "address,kind,"+hostile+"\n"+strings.Repeat("0x1000,load,"+hostile+"\n0x2000,"+hostile+",1\n", 50)),
			references},
		{write("designs.csv", hostile+",kind,time\n1,"+hostile+",2\n2,b,3\n2,c,"+hostile+"\n"), tables},
		{write("designs.json", `[{"`+inJSON+`":1,"kind":"`+inJSON+`","time":2},{"`+inJSON+`":2,"kind":"b","time":"`+
			inJSON+`"}]`), tables},
		{write("designs.tsv", "a\ttime\n1\t2\n2\t"+hostile+"\n"), tables},
		{write("g.dot", "digraph \""+hostile+"\" { a [label=\""+hostile+"\" \""+hostile+"\"=b]; a -> \""+hostile+
			"\" [label=\""+hostile+"\"]; c -- }"), graphs},
		{write("g.turbo.json", strings.ReplaceAll(v8, `"name":"`, `"name":"`+inJSON)), graphs},
		{write("g.bgv", strings.ReplaceAll(string(bgv), "Sum.", "\x1b[1m")), graphs},
		{write("g.ssa", strings.ReplaceAll(gunzip(t, "../../testdata/graphs/golist.ssa.gz"), "List", hostile)), graphs},
		{write("g.graphml", "<graphml><graph id=\"a\u009b\u202eb\"><node id=\"\u009bx\"/><edge source=\"\u009bx\" "+
			"target=\"\u009by\"/></graph></graphml>"), graphs},
		{write("g.xml", "<graphDocument><group><properties><p name=\"name\">\u009b\u202ea</p></properties><graph "+
			"name=\"\u009bg\"><nodes><node id=\"\u009b1\"/></nodes><edges><edge from=\"\u009b1\" "+
			"to=\"\u009b2\"/></edges></graph></group></graphDocument>"), graphs},
		{write("words.txt", hostile+" is no recording\n"), [][]string{{"info"}, {"graph"}, {"designs"}, {"heap"},
			{"cache", "--config"}}},
		{write("bad.toml", "\""+hostile+"\" = 1\n"), [][]string{{"cache", "../../testdata/recordings/list.orr", "--config"}}},
	} {
		for _, command := range row.commands {
			status, stdout, stderr := run(t, append(slices.Clone(command), row.path)...)
			for what, text := range map[string]string{"standard output": stdout, "standard error": stderr} {
				if i := strings.IndexFunc(text, commands); i >= 0 || !utf8.ValidString(text) {
					t.Errorf("orrery %q %q: %s has a control character: ...%.80q", command, filepath.Base(row.path), what,
						text[max(0, i-30):])
				}
			}
			if slices.Contains(command, "--json") && status != Failed && !json.Valid([]byte(stdout)) {
				t.Errorf("orrery %q %q: no JSON: %.200q", command, filepath.Base(row.path), stdout)
			}
		}
	}
}

func gunzip(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLongSentences: of a line that quotes a long text, the beginning and the end are shown on standard error; standard
// output is whole.
func TestLongSentences(t *testing.T) {
	var out, errs bytes.Buffer
	s, flush := Streams{Out: &out, Err: &errs}.legibly()
	long := "orrery: f.json: " + strings.Repeat("é\x1b", 100_000) + "; write it anew\n"
	fmt.Fprint(s.Out, long)
	fmt.Fprintf(s.Err, "orrery: short\n%s", long)
	flush()
	got := errs.String()
	if len(got) > 6*longestSentence || !utf8.ValidString(got) || strings.Count(got, "\n") != 2 ||
		!strings.Contains(got, " … ") || !strings.HasPrefix(got, "orrery: short\norrery: f.json: é") ||
		!strings.HasSuffix(got, "; write it anew\n") {
		t.Errorf("%d bytes: %.80q ... %q", len(got), got, got[max(0, len(got)-40):])
	}
	if out.Len() < len(long) {
		t.Errorf("%d bytes of %d are on standard output", out.Len(), len(long))
	}
}
