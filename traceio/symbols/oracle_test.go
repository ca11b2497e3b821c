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
			t.Fatalf("%s is missing; apt-get install gcc g++ binutils", p)
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

func TestAddr2line(t *testing.T) {
	for _, row := range []struct {
		name, compiler, source string
		flags                  []string
		share                  float64 // that must agree
	}{
		{"C -O0", "gcc", "list.c", []string{"-g", "-O0"}, 1},
		{"C -O2", "gcc", "list.c", []string{"-g", "-O2"}, 1},
		{"C -O2 DWARF 4", "gcc", "list.c", []string{"-gdwarf-4", "-O2", "-no-pie"}, 1},
		{"C -O3 in sections", "gcc", "list.c", []string{"-g", "-O3", "-ffunction-sections", "-Wl,--gc-sections"}, 1},
		{"C without -g", "gcc", "list.c", []string{"-O1"}, 1},
		{"C++ -O0", "g++", "shapes.cpp", []string{"-g", "-O0"}, 0.99},
		{"C++ -O2", "g++", "shapes.cpp", []string{"-g", "-O2"}, 0.99},
		{"C++ -O2 static library code", "g++", "shapes.cpp", []string{"-g", "-O2", "-static"}, 0.99},
	} {
		t.Run(row.name, func(t *testing.T) {
			prog := build(t, row.compiler, row.source, row.flags...)
			pcs := instructions(t, prog, 1000)
			want := addr2line(t, prog, pcs)
			got, _ := ours(t, prog, pcs)
			if len(want) != len(pcs) {
				t.Fatalf("addr2line gave %d answers for %d addresses", len(want), len(pcs))
			}
			bad := 0
			for i := range pcs {
				if got[i] == want[i] {
					continue
				}
				bad++
				if bad <= 8 {
					t.Logf("%#x:\n got  %s want %s", pcs[i], strings.ReplaceAll(got[i], "\n", "\n      "), strings.ReplaceAll(want[i], "\n", "\n      "))
				}
			}
			t.Logf("%d of %d addresses agree", len(pcs)-bad, len(pcs))
			if float64(len(pcs)-bad) < row.share*float64(len(pcs)) {
				t.Errorf("%d of %d addresses differ, at least %g must agree", bad, len(pcs), row.share)
			}
		})
	}
}
