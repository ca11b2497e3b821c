package symbols

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
)

// What dwz has moved into a common file is found there: the oracle is the same program before dwz
// (testdata/dwz/make.sh).
func TestSharedDebugInformation(t *testing.T) {
	pcs := instructions(t, "testdata/dwz/a.whole", 1000)
	want, whole := ours(t, "testdata/dwz/a.whole", pcs)
	got, p := ours(t, "testdata/dwz/a", pcs)
	if !slices.Equal(got, want) || len(whole.Functions) < 3 {
		t.Errorf("the names differ, or there are no functions: %q, want %q", got, want)
	}
	name := func(p *traceio.Program, offset uint64) string {
		g := p.Globals[slices.IndexFunc(p.Globals, func(g traceio.Global) bool { return g.Name == "store::crates" })]
		return p.Element(g.Name, g.Type, offset)
	}
	for offset := range whole.Types[whole.Globals[0].Type].Size {
		if got, want := name(p, offset), name(whole, offset); got != want {
			t.Errorf("byte %d is %q, want %q", offset, got, want)
		}
	}
	if n := name(p, 136+8); n != "store::crates[1].content.label" {
		t.Errorf("a byte is called %q", n)
	}
	locals := func(p *traceio.Program) (out []string) {
		for _, f := range p.Functions {
			for _, l := range f.Locals {
				out = append(out, l.Name+" "+p.Element("", l.Type, 9))
			}
		}
		slices.Sort(out)
		return out
	}
	if got, want := locals(p), locals(whole); !reflect.DeepEqual(got, want) || !slices.Contains(got,
		"shape::area:figure .corners[2].across+1") && !slices.Contains(got, "shape::area:figure .corners[2].across") {
		t.Errorf("variables on the stack %q, want %q", got, want)
	}
	if len(p.Notes) > 0 {
		t.Errorf("notes %q", p.Notes)
	}

	// Without the common file, or with another one, it is said what is missing.
	dir := t.TempDir()
	alone := filepath.Join(dir, "a")
	if err := os.WriteFile(alone, read(t, "testdata/dwz/a"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "common.debug"), read(t, "testdata/dwz/a.whole"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, p := ours(t, alone, pcs); len(p.Notes) != 1 ||
		!strings.Contains(p.Notes[0], "a shares debug information with other files") {
		t.Errorf("notes %q", p.Notes)
	}
}

// Debug information is found by the build id beside the program, and where debuginfod's clients put it.
func TestDebugInformationByBuildID(t *testing.T) {
	prog := build(t, "gcc", "list.c", "-g", "-O1", "-no-pie", "-Wl,--build-id=0xabcdef0123456789")
	pcs := instructions(t, prog, 100)
	want, _ := ours(t, prog, pcs)
	cache := t.TempDir()
	t.Setenv("DEBUGINFOD_CACHE_PATH", cache)
	dir := filepath.Dir(prog)
	cut := filepath.Join(dir, "cut")
	tool(t, dir, "strip", "-o", cut, prog)
	if bare, _ := ours(t, cut, pcs); slices.Equal(bare, want) {
		t.Fatal("the stripped program has its names")
	}
	for _, place := range []string{filepath.Join(dir, ".build-id/ab/cdef0123456789.debug"),
		filepath.Join(dir, ".debug/.build-id/ab/cdef0123456789.debug"), filepath.Join(cache, "abcdef0123456789/debuginfo")} {
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			t.Fatal(err)
		}
		tool(t, dir, "objcopy", "--only-keep-debug", prog, place)
		if got, _ := ours(t, cut, pcs); !slices.Equal(got, want) {
			t.Errorf("%s is not found", place)
		}
		other := build(t, "gcc", "list.c", "-g", "-O0", "-no-pie", "-Wl,--build-id=0xabcdef01234567ff")
		tool(t, dir, "objcopy", "--only-keep-debug", other, place)
		if got, _ := ours(t, cut, pcs); slices.Equal(got, want) {
			t.Errorf("%s of another program is believed", place)
		}
		if err := os.Remove(place); err != nil {
			t.Fatal(err)
		}
	}
}
