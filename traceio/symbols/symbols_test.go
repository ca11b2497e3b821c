package symbols

import (
	"context"
	"debug/elf"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
)

// whole resolves a program that runs at its link-time addresses, with the given instruction addresses.
func whole(t testing.TB, prog string, pcs ...traceio.Addr) *traceio.Program {
	t.Helper()
	p := &traceio.Program{Modules: []traceio.Module{{Path: prog, High: 1 << 40, Main: true}}}
	if err := Resolve(context.Background(), p, pcs); err != nil {
		t.Fatal(err)
	}
	return p
}

// The oracle of element names is the compiler: the program prints where its variables' elements are.
func TestGlobals(t *testing.T) {
	names := []string{"A[0][0]", "A[3][7]", "A[62][62]", "P[0].id", "P[3].at[2]", "P[9].meta.flags[1]", "P[4].meta.tag",
		"tail[0]", "tail[6]", "greeting"}
	source, err := os.ReadFile(filepath.Join("testdata", "list.c"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(source), "int main(int argc, char **argv)\n{", "int main(int argc, char **argv)\n{\n",
		1)
	for _, n := range names {
		text = strings.Replace(text, "    return 0;\n}\n", "    printf(\"%p\\n\", (void *)&"+n+");\n    return 0;\n}\n", 1)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "list.c"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	need(t, "gcc")
	for _, flags := range []string{"-gdwarf-5", "-gdwarf-4"} {
		prog := filepath.Join(dir, "prog"+flags)
		if out, err := exec.Command("gcc", flags, "-O0", "-no-pie", "-o", prog,
			filepath.Join(dir, "list.c")).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command(prog).Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Fields(string(out))
		lines = lines[len(lines)-len(names):]
		p := whole(t, prog)
		for i, n := range names {
			a, err := strconv.ParseUint(lines[i], 0, 64)
			if err != nil {
				t.Fatalf("the program printed %q", lines[i])
			}
			g := globalAt(p, traceio.Addr(a))
			if g < 0 {
				t.Errorf("%s: no global at %#x, want %s", flags, a, n)
				continue
			}
			v := p.Globals[g]
			if got := p.Element(v.Name, v.Type, a-uint64(v.Addr)); got != n {
				t.Errorf("%s: %#x is %s, want %s", flags, a, got, n)
			}
		}
		i := slices.IndexFunc(p.Globals, func(g traceio.Global) bool { return g.Name == "counter::history" })
		if i < 0 {
			t.Fatalf("%s: no static local counter::history in %v", flags, p.Globals)
		}
		if d := p.Types[p.Globals[i].Type].Dims; !slices.Equal(d, []int{4, 5}) {
			t.Errorf("%s: counter::history has extents %v, want 4, 5", flags, d)
		}
	}
}

// globalAt is the index of the last global that holds an address, -1 when none does.
func globalAt(p *traceio.Program, a traceio.Addr) int {
	for i, g := range slices.Backward(p.Globals) {
		if uint64(a-g.Addr) < g.Size {
			return i
		}
	}
	return -1
}

// Every data symbol that nm knows must be a global of the same place and size.
func TestGlobalsAgreeWithNM(t *testing.T) {
	need(t, "nm")
	for _, row := range []struct{ compiler, source string }{{"gcc", "list.c"}, {"g++", "shapes.cpp"}} {
		for _, strip := range []bool{false, true} {
			if strip && row.compiler == "g++" {
				continue
			}
			flags := []string{"-O2", "-no-pie"}
			if !strip {
				flags = append(flags, "-g")
			}
			prog := build(t, row.compiler, row.source, flags...)
			out, err := exec.Command("nm", "-S", "--defined-only", prog).Output()
			if err != nil {
				t.Fatal(err)
			}
			p := whole(t, prog)
			seen := 0
			for _, m := range regexp.MustCompile(`(?m)^([0-9a-f]+) ([0-9a-f]+) [bBdD] (\w+)`).FindAllStringSubmatch(string(out),
				-1) {
				a, _ := strconv.ParseUint(m[1], 16, 64)
				size, _ := strconv.ParseUint(m[2], 16, 64)
				i := globalAt(p, traceio.Addr(a))
				if i < 0 || p.Globals[i].Addr != traceio.Addr(a) || p.Globals[i].Size != size {
					t.Errorf("%s: nm has %s at %#x, %d bytes; the globals have it at index %d", row.source, m[3], a, size, i)
				}
				seen++
			}
			if seen < 3 {
				t.Errorf("%s: nm listed only %d symbols", row.source, seen)
			}
		}
	}
}

func TestNamespacesAndBases(t *testing.T) {
	p := whole(t, build(t, "g++", "shapes.cpp", "-g", "-O0", "-no-pie"))
	for _, row := range []struct {
		name   string
		offset uint64
		want   string
	}{
		{"geometry::made", 12, "geometry::made[3]"},
		{"numbers", 8, "numbers._M_impl._M_finish"},
	} {
		i := slices.IndexFunc(p.Globals, func(g traceio.Global) bool { return g.Name == row.name })
		if i < 0 {
			t.Errorf("no global %s in %v", row.name, p.Globals)
			continue
		}
		if got := p.Element(row.name, p.Globals[i].Type, row.offset); got != row.want {
			t.Errorf("%s+%d is %q, want %q", row.name, row.offset, got, row.want)
		}
	}
}

// Clang 14 locates globals by DW_OP_addrx; the operand indexes the unit's part of .debug_addr.
func TestAddressExpressions(t *testing.T) {
	o := &object{file: &elf.File{FileHeader: elf.FileHeader{Class: elf.ELFCLASS64, ByteOrder: binary.LittleEndian}}}
	o.addrs = []byte{1, 1, 1, 1, 1, 1, 1, 1, 0x10, 0x40, 0, 0, 0, 0, 0, 0, 0x20, 0x40, 0, 0, 0, 0, 0, 0}
	w := variables{o: o, base: 8}
	for _, row := range []struct {
		name string
		expr []byte
		want uint64
		ok   bool
	}{
		{"addr", []byte{3, 8, 0x40, 0, 0, 0, 0, 0, 0}, 0x4008, true},
		{"addr plus more", []byte{3, 8, 0x40, 0, 0, 0, 0, 0, 0, 0x23, 1}, 0, false},
		{"addrx 0", []byte{0xa1, 0}, 0x4010, true},
		{"addrx 1", []byte{0xa1, 1}, 0x4020, true},
		{"addrx behind the end", []byte{0xa1, 2}, 0, false},
		{"addrx huge", []byte{0xa1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 0, false},
		{"frame base", []byte{0x91, 0x6c}, 0, false},
		{"empty", nil, 0, false},
	} {
		if got, ok := w.address(row.expr); got != row.want || ok != row.ok {
			t.Errorf("%s: %#x, %v; want %#x, %v", row.name, got, ok, row.want, row.ok)
		}
	}
}

func TestDegrades(t *testing.T) {
	prog := build(t, "gcc", "list.c", "-g", "-O0", "-no-pie")
	f, err := elf.Open(prog)
	if err != nil {
		t.Fatal(err)
	}
	syms, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	var fill traceio.Addr
	for _, s := range syms {
		if s.Name == "fill" {
			fill = traceio.Addr(s.Value)
		}
	}
	frame := func(p *traceio.Program) traceio.Frame { return p.SiteAt(fill).Own() }
	full := whole(t, prog, fill)
	if f := frame(full); f.Function != "fill" || f.Line == 0 || len(full.Sources) != 1 ||
		!strings.Contains(full.Sources[0].Text, "static void fill") {
		t.Errorf("with debug information: %+v and %d sources", f, len(full.Sources))
	}
	need(t, "strip")
	for _, row := range []struct {
		name, flag string
		want       traceio.Frame
		module     int
	}{
		{"no debug information", "--strip-debug", traceio.Frame{Function: "fill"}, 0},
		{"no symbols", "--strip-all", traceio.Frame{}, 0},
	} {
		cut := filepath.Join(t.TempDir(), "cut")
		if out, err := exec.Command("strip", row.flag, "-o", cut, prog).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		p := whole(t, cut, fill)
		if got := frame(p); got != row.want || p.SiteAt(fill).Module != row.module {
			t.Errorf("%s: %+v in module %d, want %+v", row.name, got, p.SiteAt(fill).Module, row.want)
		}
	}
	p := &traceio.Program{Modules: []traceio.Module{{Path: prog, BuildID: "0123456789abcdef", High: 1 << 40},
		{Path: "/nowhere/lib.so", Low: 1 << 41, High: 1 << 42}},
		Stacks: [][]traceio.Addr{nil, {1<<41 + 7}}}
	if err := Resolve(context.Background(), p, []traceio.Addr{fill, 1 << 43}); err != nil {
		t.Fatal(err)
	}
	if s := p.SiteAt(fill); len(s.Frames) != 0 || s.Module != 0 {
		t.Errorf("a rebuilt file must not give names: %+v", s)
	}
	if s := p.CallerAt(1<<41 + 7); s == nil || s.Module != 1 {
		t.Errorf("the caller of a stack has no site: %+v", s)
	}
	if s := p.SiteAt(1 << 43); s.Module != -1 {
		t.Errorf("an address in no module is in module %d", s.Module)
	}
}

func TestRanges(t *testing.T) {
	prog := build(t, "gcc", "list.c", "-g", "-O2", "-no-pie")
	pcs := instructions(t, prog, 1<<20)
	_, p := ours(t, prog, pcs)
	for _, pattern := range []string{"fill", "square", "count*", "list.c", "push", "*"} {
		got, err := Ranges(prog, []string{pattern})
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		for i, pc := range pcs {
			in := slices.ContainsFunc(got, func(r Range) bool { return traceio.Addr(pc) >= r.Low && traceio.Addr(pc) < r.High })
			// Slow twin: any frame of the function, or the innermost frame in the file.
			want := false
			for k, f := range p.Sites[i].Frames {
				want = want || Match(pattern, f.Function) || k == 0 && Match("*/"+pattern, f.File)
			}
			if in != want && pattern != "*" {
				t.Errorf("%s: %#x in the ranges: %v, in the frames: %v", pattern, pc, in, want)
				break
			}
			if pattern == "*" && !in {
				t.Errorf("* leaves %#x out", pc)
			}
		}
	}
	_, err := Ranges(prog, []string{"fill", "no_such_function"})
	if err == nil || !strings.Contains(err.Error(), "no_such_function") {
		t.Errorf("a pattern without a match gave %v", err)
	}
	if _, err := Ranges(filepath.Join("testdata", "list.c"), []string{"fill"}); err == nil {
		t.Error("a source file was taken for a program")
	}
}

func TestMatch(t *testing.T) {
	for _, row := range []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"a*b*c", "aXbYbZc", true}, {"a*b*c", "aXbYbZ", false},
		{"P[*].id", "P[3].id", true}, {"P[?]", "P[33]", false}, {"**x", "x", true},
		{"heap@bzlib.c:104", "heap@bzlib.c:104", true},
	} {
		if got := Match(row.pattern, row.s); got != row.want {
			t.Errorf("Match(%q, %q) = %v", row.pattern, row.s, got)
		}
	}
}

func TestSystemFilesAreNotTheProject(t *testing.T) {
	sites := []*traceio.Site{{Frames: []traceio.Frame{{File: "./libio/libio/filedoalloc.c"}, {File: "/home/u/a.c"}, {}}}}
	anchor(sites, "/usr/lib/x86_64-linux-gnu/libc.so.6")
	for i, want := range []string{"/usr/src/libc.so.6/libio/libio/filedoalloc.c", "/home/u/a.c", ""} {
		if got := sites[0].Frames[i].File; got != want {
			t.Errorf("frame %d is in %q, want %q", i, got, want)
		}
	}
	if !system("/lib/x86_64-linux-gnu/libm.so.6") || system("/home/u/prog") {
		t.Error("system modules are not told from the user's")
	}
}

// objdump labels the entries of the procedure linkage table; every instruction in one must get that name.
func TestLinkage(t *testing.T) {
	for _, flags := range [][]string{{"-O1"}, {"-O1", "-no-pie"}, {"-O1", "-fcf-protection=full", "-Wl,-z,now"}} {
		prog := build(t, "gcc", "list.c", flags...)
		need(t, "objdump")
		text, err := exec.Command("objdump", "-d", prog).Output()
		if err != nil {
			t.Fatal(err)
		}
		whole, err := openObject(prog, "")
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, m := range regexp.MustCompile(`(?m)^([0-9a-f]+) <(\w+@plt)>:$`).FindAllStringSubmatch(string(text), -1) {
			a, _ := strconv.ParseUint(m[1], 16, 64)
			late, err := openUnlinked(prog, "")
			if err != nil {
				t.Fatal(err)
			}
			for off := range uint64(6) {
				for _, o := range []*object{whole, late} {
					if got := o.function(a + off); got != m[2] {
						t.Errorf("%v: %#x is %q, want %q", flags, a+off, got, m[2])
					}
				}
			}
			seen++
		}
		if seen < 3 {
			t.Errorf("%v: objdump shows only %d entries", flags, seen)
		}
	}
}
