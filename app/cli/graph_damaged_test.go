package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGraphDamagedFiles changes and cuts bytes of files: what is said names the damage, and no function that nobody
// asked for.
func TestGraphDamagedFiles(t *testing.T) {
	place := regexp.MustCompile(`\.(xml|bgv): ?(\d+|byte \d+): `)
	failed := 0
	for _, c := range []struct{ file, with string }{{"sum.bgv", ""}, {"hotspot.xml", `<>"{}[]=;/ 0a-,`}} {
		text, err := os.ReadFile(graphs + c.file)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(3, 1))
		for i := range 120 {
			b := append([]byte(nil), text...)
			if i%3 == 0 {
				b = b[:4+r.IntN(len(b)-4)]
			}
			for range 1 + r.IntN(10) {
				at := 4 + r.IntN(len(b)-4)
				if b[at] = byte(r.IntN(256)); c.with != "" {
					b[at] = c.with[r.IntN(len(c.with))]
				}
			}
			file := filepath.Join(t.TempDir(), fmt.Sprint(i, "-", c.file))
			if err := os.WriteFile(file, b, 0o600); err != nil {
				t.Fatal(err)
			}
			status, _, stderr := run(t, "graph", file)
			if strings.Contains(stderr, `has ""`) || strings.Contains(stderr, "in its name") {
				t.Fatalf("%s, damage %d: %s", c.file, i, stderr)
			}
			if status == Failed && !strings.Contains(stderr, "in no known format") {
				if failed++; !place.MatchString(stderr) {
					t.Errorf("%s, damage %d: it names no place: %s", c.file, i, stderr)
				}
			}
		}
	}
	if failed < 20 {
		t.Errorf("only %d of the files were unusable; the test says little", failed)
	}
}

// TestGraphWithoutGraphs are files in which no function has a graph: a name is blamed only when one was given.
func TestGraphWithoutGraphs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.xml")
	out := filepath.Join(t.TempDir(), "x.svg")
	for _, c := range []struct {
		text   string
		args   []string
		status int
		want   []string
	}{
		{"<graphDocument><group><properties><p name='name'>f</p></properties></group></graphDocument>", []string{"graph"},
			Failed, []string{"no function in it has a graph", "PrintIdealGraphLevel"}},
		{"<graphDocument><group>\n<grxph/></group></graphDocument>", []string{"graph"}, Failed,
			[]string{`x.xml:2: element "grxph" is not known`, "no function could be read"}},
		{"<graphDocument><group>\n<grxph/></group></graphDocument>", []string{"render", "graph", "-o", out}, Failed,
			[]string{`x.xml:2: element "grxph" is not known`, "no function could be read"}},
		{"<graphDocument><group>\n<graph name='a'></graph><grxph/></group></graphDocument>",
			[]string{"graph", "--group", "f"}, Failed, []string{`no function has "f" in its name`, `x.xml:2: element "grxph"`}},
		{"<graphDocument><group>\n<grxph/><graph name='a'><nodes><node id='1'/></nodes></graph></group></graphDocument>",
			[]string{"render", "graph", "-o", out}, Partial, []string{`x.xml:2: element "grxph"`}},
		{"<graphDocument><group><graph name='a'><nodes><node id='1'/></nodes></graph></group></graphDocument>",
			[]string{"graph", "-o", file + "2"}, Done, []string{"orrery: 1 function in "}},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		status, _, stderr := run(t, append(c.args, file)...)
		if status != c.status {
			t.Errorf("%s: status %d, want %d: %s", c.text, status, c.status, stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s: %q is not in %s", c.text, want, stderr)
			}
		}
	}
}
