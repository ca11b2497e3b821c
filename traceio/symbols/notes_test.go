package symbols

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
)

// What has no names is told, once, and where nothing is missing nothing is said.
func TestNotes(t *testing.T) {
	plain := build(t, "gcc", "list.c", "-O0")
	stripped := build(t, "gcc", "list.c", "-O0", "-s")
	split := build(t, "gcc", "list.c", "-g", "-gsplit-dwarf")
	apart := build(t, "gcc", "list.c", "-g", "-gsplit-dwarf")
	old := build(t, "gcc", "list.c", "-g", "-gdwarf-4", "-gsplit-dwarf")
	if err := os.Remove(apart + "-list.dwo"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	goes := filepath.Join(dir, "goes")
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() { println(1) }\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, dir, "go", "build", "-o", goes, "main.go")
	slow, half, most := goes+"-slow", goes+"-half", goes+"-most"
	tool(t, dir, "go", "build", "-gcflags=all=-N -l", "-o", slow, "main.go")
	prints := filepath.Join(dir, "prints.go")
	if err := os.WriteFile(prints, []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, dir, "go", "build", "-gcflags=-N -l", "-o", half, prints)
	tool(t, dir, "go", "build", "-gcflags=all=-N -l", "-gcflags=fmt=", "-o", most, prints)
	for _, row := range []struct{ name, path, id, note string }{
		{"all there", build(t, "gcc", "list.c", "-g", "-O2"), "", ""},
		{"without -g", plain, "", "prog has no debug information: its lines"},
		{"stripped", stripped, "", "prog is stripped: its functions"},
		{"split", split, "", ""},
		{"split and apart", apart, "", "prog has its debug information in .dwo files, some of which are not where"},
		{"split as of DWARF 4", old, "", "prog has its debug information in .dwo files of DWARF 4, which are not read: "},
		{"Go", goes, "", "goes is written in Go: of the variables"},
		{"Go that is not optimised", slow, "", ""},
		{"Go of which what it imports is optimised", half, "", "of its packages are optimised, errors among them, so few"},
		{"Go of which one package is optimised", most, "", "goes-most is written in Go: its package fmt is optimised"},
		{"gone", filepath.Join(dir, "gone"), "", "gone is not on this machine"},
		{"rebuilt", plain, "0123", "no names from " + plain + " has been rebuilt"},
		{"no program", filepath.Join(dir, "main.go"), "", "no names from " + filepath.Join(dir, "main.go") +
			" is not a usable ELF file"},
	} {
		p := &traceio.Program{Modules: []traceio.Module{{Path: row.path, BuildID: row.id, High: 1 << 40, Main: true}}}
		for range 2 {
			if err := Resolve(context.Background(), p, []traceio.Addr{0x1000}); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(p.Notes, "\n"); !strings.Contains(got, row.note) || row.note == "" &&
			got != "" || len(p.Notes) > 1 {
			t.Errorf("%s: notes %q, want one with %q", row.name, p.Notes, row.note)
		}
		// What is known from before is enough, wherever the file is.
		p = &traceio.Program{Modules: []traceio.Module{{Path: row.path + "x", High: 1 << 40}},
			Sites: []traceio.Site{{PC: 0x1000, Frames: []traceio.Frame{{Function: "main"}}}}}
		if err := Resolve(context.Background(), p, nil); err != nil || len(p.Notes) > 0 || len(p.Sites[0].Frames) == 0 {
			t.Errorf("%s: %v, notes %q, sites %v", row.name, err, p.Notes, p.Sites)
		}
	}
}
