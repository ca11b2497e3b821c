package symbols

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
)

// tool runs a program that a test needs.
func tool(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	need(t, name)
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// Debug information that was moved to a file of its own gives the same names as before.
func TestDetachedDebugInformation(t *testing.T) {
	prog := build(t, "gcc", "list.c", "-g", "-O1", "-no-pie", "-Wl,--build-id=none")
	pcs := instructions(t, prog, 200)
	want, whole := ours(t, prog, pcs)
	dir := filepath.Dir(prog)
	for _, place := range []string{"prog.debug", ".debug/prog.debug"} {
		t.Run(place, func(t *testing.T) {
			debug := filepath.Join(dir, place)
			if err := os.MkdirAll(filepath.Dir(debug), 0o755); err != nil {
				t.Fatal(err)
			}
			cut := filepath.Join(dir, "cut")
			tool(t, dir, "objcopy", "--only-keep-debug", prog, debug)
			tool(t, dir, "objcopy", "--strip-all", "--add-gnu-debuglink="+debug, prog, cut)
			got, p := ours(t, cut, pcs)
			if !slices.Equal(got, want) || len(p.Globals) < len(whole.Globals) || len(p.Functions) != len(whole.Functions) {
				t.Errorf("the names differ: %d globals and %d functions, want %d and %d", len(p.Globals), len(p.Functions),
					len(whole.Globals), len(whole.Functions))
			}
			// Another file of that name does not belong to the program.
			if err := os.WriteFile(debug, append(read(t, debug), 0), 0o644); err != nil {
				t.Fatal(err)
			}
			if got, _ := ours(t, cut, pcs); slices.Equal(got, want) {
				t.Error("a file with another checksum was believed")
			}
			if err := os.Remove(debug); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSplitDebugInformation compares a program whose debug information is in .dwo files with the same one that has it
// inside; where they are missing, or another's, lines and the symbol table remain.
func TestSplitDebugInformation(t *testing.T) {
	for _, row := range []struct{ compiler, source, level, dwarf string }{
		{"gcc", "list.c", "-O0", "5"}, {"gcc", "list.c", "-O2", "5"}, {"clang", "list.c", "-O0", "5"},
		{"clang", "list.c", "-O2", "5"},
		{"g++", "shapes.cpp", "-O2", "5"},
	} {
		t.Run(row.compiler+row.level+" "+row.source+" DWARF "+row.dwarf, func(t *testing.T) {
			flags := []string{"-g", "-gdwarf-" + row.dwarf, row.level, "-no-pie"}
			split := filepath.Join(t.TempDir(), "prog")
			source, err := filepath.Abs(filepath.Join("testdata", row.source))
			if err != nil {
				t.Fatal(err)
			}
			tool(t, filepath.Dir(split), row.compiler, append(flags, "-o", split, source)...)
			pcs := instructions(t, split, 400)
			want, one := ours(t, split, pcs)
			tool(t, filepath.Dir(split), row.compiler, append(flags, "-gsplit-dwarf", "-o", split, source)...)
			files, err := filepath.Glob(filepath.Join(filepath.Dir(split), "*.dwo"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			check := func(what string, same bool) {
				t.Helper()
				got, p := ours(t, split, pcs)
				if same != (slices.Equal(got, want) && reflect.DeepEqual(p.Globals, one.Globals) && reflect.DeepEqual(p.Types,
					one.Types) && reflect.DeepEqual(p.Functions, one.Functions)) {
					t.Errorf("%s: like the whole program: %v; %d globals, %d functions and %d types, whole %d, %d and %d", what, !same,
						len(p.Globals), len(p.Functions), len(p.Types), len(one.Globals), len(one.Functions), len(one.Types))
					for i := range got {
						if got[i] != want[i] {
							t.Fatalf("%x is %s, want %s", pcs[i], got[i], want[i])
						}
					}
				}
				if row.level == "-O0" {
					fill := address(t, split, "fill")
					if f := whole(t, split, fill+8).SiteAt(fill + 8).Own(); f.Function != "fill" || f.Line == 0 ||
						!strings.HasSuffix(f.File, "list.c") {
						t.Errorf("%s: fill is %+v", what, f)
					}
				}
			}
			check("beside the program", true)
			data := read(t, files[0])
			for what, other := range map[string][]byte{"cut": data[:len(data)/2], "empty": nil,
				"of another build": bytes.ReplaceAll(data, unitID(t, files[0]), make([]byte, 8))} {
				if row.level != "-O0" {
					break
				}
				if err := os.WriteFile(files[0], other, 0o644); err != nil {
					t.Fatal(err)
				}
				check(what, false)
			}
			if err := os.Remove(files[0]); err != nil {
				t.Fatal(err)
			}
			check("missing", false)
		})
	}
}

// TestPackedDebugInformation compares a program of two files whose .dwo files are in one package with the same one that
// has its debug information inside (see testdata/dwp/make.sh).
func TestPackedDebugInformation(t *testing.T) {
	dir := t.TempDir()
	prog, whole := filepath.Join(dir, "prog"), filepath.Join(dir, "whole")
	for _, path := range []string{prog, prog + ".dwp", whole} {
		if err := os.WriteFile(path, read(t, filepath.Join("testdata", "dwp", filepath.Base(path))), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	comparePacked(t, prog, whole)
}

func comparePacked(t *testing.T, prog, whole string) {
	t.Helper()
	pcs := instructions(t, whole, 400)
	want, one := ours(t, whole, pcs)
	got, p := ours(t, prog, pcs)
	if !slices.Equal(got, want) {
		t.Errorf("places differ from those of the whole program:\n%q\n%q", got, want)
	}
	if len(one.Types) < 3 || !reflect.DeepEqual(p.Globals, one.Globals) || !reflect.DeepEqual(p.Functions,
		one.Functions) || !reflect.DeepEqual(p.Types, one.Types) {
		t.Errorf("%d globals, %d functions and %d types, or what they are, differ from %d, %d and %d",
			len(p.Globals), len(p.Functions), len(p.Types), len(one.Globals), len(one.Functions), len(one.Types))
	}
	data := read(t, prog+".dwp")
	for what, other := range map[string][]byte{"cut": data[:len(data)/2], "empty": nil} {
		if err := os.WriteFile(prog+".dwp", other, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, _ := ours(t, prog, pcs); slices.Equal(got, want) {
			t.Errorf("%s: the package was not needed", what)
		}
	}
}

// unitID is what tells the first unit of a .dwo file from all others.
func unitID(t *testing.T, path string) []byte {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var id []byte
	info := section(f, ".debug_info.dwo")
	eachUnit(info, func(_ int, u []byte, _ byte) {
		id = u[wholeHead:splitHead]
	})
	return id
}

// address asks nm for a function.
func address(t testing.TB, prog, function string) traceio.Addr {
	t.Helper()
	m := regexp.MustCompile(`(?m)^([0-9a-f]+) [tT] ` + regexp.QuoteMeta(function) + `$`).FindStringSubmatch(
		tool(t, "", "nm", prog))
	if m == nil {
		t.Fatalf("nm does not know %s", function)
	}
	a, _ := strconv.ParseUint(m[1], 16, 64)
	return traceio.Addr(a)
}

// objdump says which instructions call, return and push.
func TestFlows(t *testing.T) {
	for _, flags := range [][]string{{"-O0"}, {"-O2", "-fcf-protection=full"}} {
		prog := build(t, "g++", "shapes.cpp", append(flags, "-no-pie")...)
		text := tool(t, "", "objdump", "-d", "-j", ".text", "-j", ".plt", "--no-show-raw-insn", prog)
		type want struct {
			flow   traceio.Flow
			target traceio.Addr
		}
		wants := map[traceio.Addr]want{}
		var pcs []traceio.Addr
		first := false
		for _, line := range strings.Split(text, "\n") {
			if strings.HasSuffix(line, ">:") {
				first = true
				continue
			}
			m := regexp.MustCompile(`^ *([0-9a-f]+):\t(.*)$`).FindStringSubmatch(line)
			if m == nil {
				continue
			}
			a, _ := strconv.ParseUint(m[1], 16, 64)
			pc := traceio.Addr(a)
			w := want{}
			if c := regexp.MustCompile(`^(?:bnd |notrack |data16 |rex.W )*call +([0-9a-f]+) `).FindStringSubmatch(m[2]); c !=
				nil {
				to, _ := strconv.ParseUint(c[1], 16, 64)
				w = want{traceio.Call, traceio.Addr(to)}
			} else if regexp.MustCompile(`^(bnd |notrack )*call +\*`).MatchString(m[2]) {
				w.flow = traceio.Call
			} else if regexp.MustCompile(`^(bnd |repz )*ret`).MatchString(m[2]) {
				w.flow = traceio.Return
			} else if first && regexp.MustCompile(`^push +%r`).MatchString(m[2]) {
				w.flow = traceio.Prolog
			}
			first = first && strings.HasPrefix(m[2], "endbr64")
			wants[pc] = w
			pcs = append(pcs, pc)
		}
		p := whole(t, prog, pcs...)
		calls, prologs := 0, 0
		for pc, w := range wants {
			s := p.SiteAt(pc)
			if s.Flow != w.flow || s.Target != w.target {
				t.Errorf("%v %v: flow %d to %v, want %d to %v", flags, pc, s.Flow, s.Target, w.flow, w.target)
			}
			if w.flow == traceio.Call {
				calls++
			}
			if w.flow == traceio.Prolog {
				prologs++
			}
		}
		if calls < 20 || prologs < 5 {
			t.Errorf("%v: only %d calls and %d prologs were compared", flags, calls, prologs)
		}
	}
}

// The oracle of places is the compiler: the program prints how far its variables lie from its frame's base, which the
// builtin gives.
func TestLocals(t *testing.T) {
	for _, row := range []struct {
		compiler string
		flags    []string
	}{
		{"gcc", []string{"-O0"}},
		{"gcc", []string{"-O0", "-gdwarf-4"}},
		{"gcc", []string{"-O2"}},
		{"clang", []string{"-O0"}},
		{"clang", []string{"-O0", "-gdwarf-4"}},
	} {
		t.Run(row.compiler+strings.Join(row.flags, ""), func(t *testing.T) {
			prog := build(t, row.compiler, "places.c", append(row.flags, "-g", "-no-pie")...)
			pc := address(t, prog, "places")
			var all []traceio.Addr // every byte is a candidate for an instruction
			for i := range traceio.Addr(2000) {
				all = append(all, pc+i)
			}
			p := whole(t, prog, all...)
			i := slices.IndexFunc(p.Functions, func(f traceio.Function) bool { return f.Name == "places" && f.Entry == pc })
			if i < 0 {
				t.Fatalf("no function places in %v", p.Functions)
			}
			seen := 0
			for _, line := range strings.Split(strings.TrimSpace(tool(t, "", prog)), "\n") {
				var name string
				var offset int64
				if _, err := fmt.Sscan(line, &name, &offset); err != nil {
					t.Fatalf("the program printed %q", line)
				}
				found := slices.ContainsFunc(p.Functions[i].Locals, func(l traceio.Local) bool {
					at := offset - l.Offset
					return at >= 0 && at < int64(l.Size) && p.Element(l.Name, l.Type, uint64(at)) == "places:"+name
				})
				if !found {
					t.Errorf("nothing called places:%s is at %d; there are %+v", name, offset, p.Functions[i].Locals)
				}
				seen++
			}
			if seen < 8 {
				t.Errorf("only %d places were compared", seen)
			}
		})
	}
}

// Go's own compiler writes DWARF 5 since Go 1.25, with packages in the names of functions and without linkage names.
func TestGoPrograms(t *testing.T) {
	dir := t.TempDir()
	source := `package main

import "os"

var table [8][4]int

//go:noinline
func multiply(n int) int {
	for i := range table {
		table[i][n%4] += n * i
	}
	return table[3][n%4]
}

type pair struct{ a, b int }

//go:noinline
func (p *pair) sum() int { return p.a + p.b }

func main() {
	p := &pair{multiply(5), 2}
	if p.sum() != 17 {
		os.Exit(1)
	}
}
`
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, dir, "go", "build", "-o", "prog", "main.go")
	prog := filepath.Join(dir, "prog")
	for symbol, line := range map[string]int{"main.multiply": 9, "main.(*pair).sum": 18} {
		at := address(t, prog, symbol)
		p := whole(t, prog, at)
		f := p.SiteAt(at).Own()
		if f.Function != symbol || f.Line != line-1 && f.Line != line || filepath.Base(f.File) != "main.go" {
			t.Errorf("%s is %+v, want line %d", symbol, f, line)
		}
		g := slices.IndexFunc(p.Globals, func(g traceio.Global) bool { return g.Name == "main.table" })
		if g < 0 {
			t.Fatal("no variable main.table")
		}
		if got := p.Element("main.table", p.Globals[g].Type, 8*(3*4+1)); got != "main.table[3][1]" {
			t.Errorf("the element is called %q", got)
		}
	}
}

// Clang locates globals by indexes into .debug_addr.
func TestClangGlobals(t *testing.T) {
	prog := build(t, "clang", "list.c", "-g", "-O0", "-no-pie")
	p := whole(t, prog)
	for _, row := range []struct {
		name   string
		offset uint64
		want   string
	}{{"A", 4 * (63*3 + 7), "A[3][7]"}, {"P", 3 * 40, "P[3].id"}, {"counter::history", 4, "counter::history[0][1]"}} {
		i := slices.IndexFunc(p.Globals, func(g traceio.Global) bool { return g.Name == row.name })
		if i < 0 {
			t.Errorf("no variable %s in %v", row.name, p.Globals)
			continue
		}
		if got := p.Element(row.name, p.Globals[i].Type, row.offset); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

func TestLEB(t *testing.T) {
	for _, row := range []struct {
		b    []byte
		v    int64
		size int
	}{
		{[]byte{2}, 2, 1}, {[]byte{0x7e}, -2, 1}, {[]byte{0xff, 0}, 127, 2}, {[]byte{0x81, 0x7f}, -127, 2},
		{[]byte{0x80, 1}, 128, 2}, {[]byte{0x80, 0x7f}, -128, 2},
		{nil, 0, 0}, {[]byte{0x80}, 0, 0}, {[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}, 0, 0},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, -1 << 63, 10},
	} {
		if v, size := sleb(row.b); v != row.v || size != row.size {
			t.Errorf("%x: %d, %d; want %d, %d", row.b, v, size, row.v, row.size)
		}
	}
}
