package symbols

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orrery/traceio"
)

// madeMaps are maps and what they hold, as "low-high name".
var madeMaps = []struct {
	name, text string
	want       []string
}{
	{"V8", "2b28 64 JS:*sum /home/me/list.js:3:13\n18c4000 300 Builtin:LoadIC\n3000 10 JS:~ /home/me/list.js:1:1\n4000 " +
		"20 LazyCompile:~next file.js:2\n", []string{"0x2b28-0x2b8c sum", "0x18c4000-0x18c4300 Builtin:LoadIC",
		"0x3000-0x3010 (anonymous) /home/me/list.js:1:1", "0x4000-0x4020 next"}},
	{"a JVM", "7f00 40 Lcom/example/List;::sum\n0x7f40 0x10 Interpreter\n",
		[]string{"0x7f00-0x7f40 Lcom/example/List;::sum", "0x7f40-0x7f50 Interpreter"}},
	{"cut within a line", "100 10 first\n200 1", []string{"0x100-0x110 first"}},
	{"lines that are none",
		"\n# a comment\nzz 10 x\n100 0 empty\nffffffffffffffff 2 wraps\n100 10 \n100 10 a name with spaces\n",
		[]string{"0x100-0x110 a name with spaces"}},
	{"a line that is too long", "100 10 " + strings.Repeat("x", 1<<18) + "\n200 10 next\n", []string{"0x200-0x210 next"}},
	{"nothing", "", nil},
	{"another file", "\x7fELF\x02\x01\x01\x00", nil},
}

func TestReadMade(t *testing.T) {
	for _, c := range madeMaps {
		list, err := ReadMade(strings.NewReader(c.text), "perf-1.map")
		var got []string
		for _, m := range list {
			got = append(got, m.Low.String()+"-"+m.High.String()+" "+m.Name)
		}
		if !slices.Equal(got, c.want) || (err == nil) != (len(c.want) > 0) {
			t.Errorf("%s: %q and %v, want %q", c.name, got, err, c.want)
		}
	}
}

// TestNameMade names random instructions by random pieces that overlap, against a search through all of them.
func TestNameMade(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 14))
	for range 200 {
		prog := &traceio.Program{Modules: []traceio.Module{{Path: "/bin/x", Low: 0x400, High: 0x600}},
			Sites: []traceio.Site{{PC: 0x100, Module: -1, Frames: []traceio.Frame{{Function: "known"}}}, {PC: 0x180, Module: -1},
				{PC: 0x500, Module: 0}}}
		var list []Made
		for range rng.IntN(12) {
			low := traceio.Addr(rng.IntN(0x800))
			list = append(list, Made{low, low + traceio.Addr(1+rng.IntN(0x100)), string(rune('a' + len(list)))})
		}
		pcs := []traceio.Addr{0x100, 0x180, 0x500}
		for range 30 {
			pcs = append(pcs, traceio.Addr(rng.IntN(0x900)))
		}
		slices.Sort(pcs)
		pcs = slices.Compact(pcs)
		named, want := NameMade(prog, pcs, list), 0
		for _, pc := range pcs {
			name := ""
			for _, m := range list {
				if pc >= m.Low && pc < m.High && (pc < 0x400 || pc >= 0x600) {
					name = m.Name
				}
			}
			if pc == 0x100 {
				name = "known"
			} else if name != "" {
				want++
			}
			got := ""
			if s := prog.SiteAt(pc); s != nil && len(s.Frames) > 0 {
				got = s.Frames[0].Function
			}
			if got != name {
				t.Fatalf("%v is called %q, want %q; pieces %v", pc, got, name, list)
			}
		}
		if named != want || !slices.IsSortedFunc(prog.Sites, func(a, b traceio.Site) int { return int(a.PC) - int(b.PC) }) {
			t.Fatalf("%d named, want %d; sites %v", named, want, prog.Sites)
		}
	}
}

// A map that is older than the program is another program's, and a pipe or nothing is none.
func TestOpenMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), MapOf(7))
	if list, err := OpenMade(path, time.Time{}); list != nil || err != nil {
		t.Errorf("no map gives %v, %v", list, err)
	}
	if err := os.WriteFile(path, []byte("100 10 f\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := OpenMade(path, time.Time{}); len(list) != 1 || err != nil {
		t.Errorf("a map gives %v, %v", list, err)
	}
	if list, err := OpenMade(path, time.Now().Add(time.Hour)); list != nil || err != nil {
		t.Errorf("an old map gives %v, %v", list, err)
	}
	if list, err := OpenMade(filepath.Dir(path), time.Time{}); list != nil || err != nil {
		t.Errorf("a directory gives %v, %v", list, err)
	}
}

func FuzzMade(f *testing.F) {
	for _, c := range madeMaps {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, _ := ReadMade(strings.NewReader(text), "x")
		prog := &traceio.Program{}
		NameMade(prog, []traceio.Addr{0, 0x100, 1 << 40, ^traceio.Addr(0)}, list)
		for _, m := range list {
			if m.Low >= m.High || m.Name == "" {
				t.Fatalf("a piece %+v", m)
			}
		}
	})
}
