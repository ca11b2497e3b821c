package symbols

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
)

// need fails the test with the remedy when a program that it compares with is missing.
func need(t testing.TB, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatalf("%s is missing; apt-get install gcc g++ clang binutils", p)
		}
	}
}

// build compiles a file of testdata and gives the executable's path.
func build(t testing.TB, compiler, source string, flags ...string) string {
	t.Helper()
	need(t, compiler)
	out := filepath.Join(t.TempDir(), "prog")
	args := append(flags, "-o", out, filepath.Join("testdata", source))
	if text, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", compiler, args, err, text)
	}
	return out
}

// instructions gives up to n instruction addresses spread over the text section, from objdump.
func instructions(t testing.TB, prog string, n int) []uint64 {
	t.Helper()
	need(t, "objdump")
	text, err := exec.Command("objdump", "-d", "-j", ".text", "--no-show-raw-insn", prog).Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []uint64
	for _, m := range regexp.MustCompile(`(?m)^ *([0-9a-f]+):\t(.*)$`).FindAllSubmatch(text, -1) {
		// Padding between functions never runs, and binutils gives it to the function before.
		if padding.Match(m[2]) {
			continue
		}
		a, err := strconv.ParseUint(string(m[1]), 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	if len(all) <= n {
		return all
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out
}

var padding = regexp.MustCompile(`\bnop[wl]?\b|xchg +%ax,%ax`)

var clone = regexp.MustCompile(`( \[clone .*\]|\.cold|\.(constprop|isra|part)\.\d+)+$`)

var discriminator = regexp.MustCompile(` \(discriminator \d+\)$`)

// addr2line asks binutils for the frames of each address, as lines "function file:line".
func addr2line(t testing.TB, prog string, pcs []uint64) []string {
	t.Helper()
	need(t, "addr2line")
	var in bytes.Buffer
	for _, pc := range pcs {
		fmt.Fprintf(&in, "%#x\n", pc)
	}
	cmd := exec.Command("addr2line", "-a", "-f", "-i", "-C", "-e", prog)
	cmd.Stdin = &in
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	s := bufio.NewScanner(bytes.NewReader(text))
	for s.Scan() {
		if strings.HasPrefix(s.Text(), "0x") {
			out = append(out, "")
			continue
		}
		// Clones are named as what they are copies of.
		function := clone.ReplaceAllString(s.Text(), "")
		s.Scan()
		where := discriminator.ReplaceAllString(s.Text(), "")
		where = strings.ReplaceAll(where, "??", "")
		where = strings.TrimSuffix(strings.TrimSuffix(where, ":?"), ":0")
		if !strings.Contains(where, ":") {
			where = "" // the object file's name from the symbol table: no place in a source
		}
		out[len(out)-1] += strings.ReplaceAll(function, "??", "") + " " + where + "\n"
	}
	return out
}

// ours is the same text from Resolve.
func ours(t testing.TB, prog string, pcs []uint64) ([]string, *traceio.Program) {
	t.Helper()
	const bias = 0x5500_0000_0000
	p := &traceio.Program{Modules: []traceio.Module{{Path: prog, Bias: bias, Low: bias, High: bias + 1<<30, Main: true}}}
	var run []traceio.Addr
	for _, pc := range pcs {
		run = append(run, bias+traceio.Addr(pc))
	}
	if err := Resolve(context.Background(), p, run); err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(pcs))
	for i, pc := range run {
		s := p.SiteAt(pc)
		if s == nil {
			t.Fatalf("no site for %v", pc)
		}
		if len(s.Frames) == 0 {
			out[i] = " \n"
		}
		for _, f := range s.Frames {
			where := f.File
			if f.Line > 0 {
				where += ":" + strconv.Itoa(f.Line)
			}
			out[i] += f.Function + " " + where + "\n"
		}
	}
	return out, p
}

// copies links several copies of list.c, each its own compilation unit with its own names, into one program.
func copies(t testing.TB, n int, flags ...string) string {
	t.Helper()
	need(t, "gcc")
	dir := t.TempDir()
	link := append([]string{}, flags...)
	for i := range n {
		object := filepath.Join(dir, fmt.Sprintf("copy%d.o", i))
		args := append([]string{"-c", "-o", object, filepath.Join("testdata", "list.c")}, flags...)
		if i > 0 {
			for _, name := range []string{"main", "A", "greeting", "tail"} {
				args = append(args, fmt.Sprintf("-D%s=%s_%d", name, name, i))
			}
		}
		if text, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
			t.Fatalf("gcc %v: %v\n%s", args, err, text)
		}
		link = append(link, object)
	}
	out := filepath.Join(dir, "prog")
	if text, err := exec.Command("gcc", append(link, "-o", out)...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, text)
	}
	return out
}

// same compares the answers for one address. In C++ binutils names a function without a linkage name (a lambda, or a
// template over one) in two ways: by the symbol around the address where it is the innermost frame, even if that is an
// inlined function and the symbol its caller, and by its plain name elsewhere. We give an inlined function its own name
// and an outermost function its symbol's; such answers are equal when everything else is.
func same(got, want, symbol string) bool {
	if got == want {
		return true
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		return false
	}
	last := len(g) - 2 // after the last frame stands an empty piece
	for i := range g {
		if g[i] == w[i] {
			continue
		}
		gf, gp := cut(g[i])
		wf, wp := cut(w[i])
		plain := gf == "operator()" || !strings.HasSuffix(gf, ")") // a demangled name ends with its parameters
		if gp != wp || !(i == 0 && wf == symbol && plain || i == last && gf == symbol) {
			return false
		}
	}
	return true
}

// cut splits "function file:line" at the last space.
func cut(s string) (function, place string) {
	i := strings.LastIndexByte(s, ' ')
	return s[:max(i, 0)], s[i+1:]
}

func TestAddr2line(t *testing.T) {
	cpp := func(flags ...string) func(testing.TB) string {
		return func(t testing.TB) string { return build(t, "g++", "shapes.cpp", flags...) }
	}
	c := func(n int, flags ...string) func(testing.TB) string {
		return func(t testing.TB) string { return copies(t, n, flags...) }
	}
	for _, row := range []struct {
		name  string
		build func(testing.TB) string
		exact bool // otherwise a hundredth may differ
	}{
		{"C -O0", c(4, "-g", "-O0"), true},
		{"C -O2", c(12, "-g", "-O2"), true},
		{"C -O2 DWARF 4", c(12, "-gdwarf-4", "-O2", "-no-pie"), true},
		{"C -O3 in sections", c(12, "-g", "-O3", "-ffunction-sections"), true},
		{"C without -g", c(4, "-O0"), true},
		// DWARF 4, because binutils 2.40 gives lines of the second file of a DWARF 5 table to the first file.
		{"C++ -O0", cpp("-gdwarf-4", "-O0"), false},
		{"C++ -O2", cpp("-gdwarf-4", "-O2"), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			prog := row.build(t)
			pcs := instructions(t, prog, 1000)
			want := addr2line(t, prog, pcs)
			got, _ := ours(t, prog, pcs)
			if len(want) != len(pcs) {
				t.Fatalf("addr2line gave %d answers for %d addresses", len(want), len(pcs))
			}
			o, err := openObject(prog, "")
			if err != nil {
				t.Fatal(err)
			}
			bad, renamed := 0, 0
			for i := range pcs {
				switch {
				case got[i] == want[i]:
				case !row.exact && same(got[i], want[i], o.function(pcs[i])):
					renamed++
				default:
					bad++
					t.Logf("%#x:\n got  %s want %s", pcs[i], strings.ReplaceAll(got[i], "\n", "\n      "),
						strings.ReplaceAll(want[i], "\n", "\n      "))
				}
			}
			t.Logf("%d addresses: %d agree, %d more but for the name of a function without linkage, %d differ", len(pcs),
				len(pcs)-bad-renamed, renamed, bad)
			if len(pcs) < 1000 {
				t.Errorf("only %d addresses were compared", len(pcs))
			}
			if row.exact && bad > 0 || bad*100 > len(pcs) {
				t.Errorf("%d of %d addresses differ", bad, len(pcs))
			}
		})
	}
}
