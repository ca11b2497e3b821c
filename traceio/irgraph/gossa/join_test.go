package gossa

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphtest"
	"orrery/traceio/store"
)

// references counts the data references of a recording by instruction.
func references(t *testing.T, name string) (map[traceio.Addr]int, *traceio.Program) {
	t.Helper()
	r, err := store.Open(context.Background(), filepath.Join("../../../testdata/recordings", name+".orr"),
		store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := map[traceio.Addr]int{}
	for i := range r.Blocks() {
		b, err := r.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		for row, pc := range b.PC {
			if b.Kind[row] != traceio.Fetch {
				out[pc]++
			}
		}
	}
	return out, r.Program()
}

// TestShippedRecordingsJoin compiles the programs of the shipped recordings again and looks up each reference that the
// function made: by instruction and by line there must be a node that refers to memory.
func TestShippedRecordingsJoin(t *testing.T) {
	for _, c := range []struct {
		program, function string
		atLeast           int      // references that the loops make
		chain             []string // of operations, each an input of the next, that the hot line must have
	}{
		{"gomatmul", "multiply", 2 * 32 * 32 * 32, []string{"MOVSDloadidx8", "MULSDloadidx8", "ADDSD"}},
		{"golist", "sum", 2 * 512 * 8, []string{"MOVQload", "Copy", "Phi", "MOVQload"}},
	} {
		got, err := Record(context.Background(), Options{Dir: "../../../testdata/programs/" + c.program,
			Package: ".", Func: c.function})
		if err != nil {
			t.Fatal(err)
		}
		counts, program := references(t, c.program)
		g := got.Groups[0]
		last := g.Snapshots[len(g.Snapshots)-1]
		entry, ok := g.Entry(program.Sites)
		if !ok {
			t.Errorf("%s: no address fits the listing", c.program)
			continue
		}
		places := irgraph.NewSourceIndex(g, last)
		end := entry + traceio.Addr(g.Listing[len(g.Listing)-1].Offset)
		all, joined, byLine := 0, 0, 0
		for pc, n := range counts {
			site := program.SiteAt(pc)
			if pc < entry || pc > end || site == nil {
				continue
			}
			all += n
			if in, nodes := places.Instruction(pc - entry); in != nil && in.Line == site.Own().Line && refers(last, nodes) {
				joined += n
			}
			if refers(last, places.Line(site.Own().File, site.Own().Line)) {
				byLine += n
			}
		}
		if all < c.atLeast || joined*100 < all*97 || byLine*100 < all*97 {
			t.Errorf("%s: of %d references, at least %d, %d find their node by instruction and %d by line", c.program, all,
				c.atLeast, joined, byLine)
		}
		if !chained(last, c.chain) {
			t.Errorf("%s: the last graph does not have %v", c.program, c.chain)
		}
		again, err := Read(bytes.NewReader(got.Text), "x.ssa")
		if err != nil || len(again.Groups) != 1 || len(again.Groups[0].Listing) != len(g.Listing) {
			t.Errorf("%s: the text read again: %v", c.program, err)
		}
	}
}

func refers(s *irgraph.Snapshot, nodes []int32) bool {
	for _, n := range nodes {
		if s.Nodes[n].Properties.Get(irgraph.KeyAccess) != "" {
			return true
		}
	}
	return false
}

// chained reports whether nodes of the given names follow each other along edges.
func chained(s *irgraph.Snapshot, names []string) bool {
	at := map[int32]bool{}
	for i := range s.Nodes {
		at[int32(i)] = s.Nodes[i].Name() == names[0]
	}
	for _, name := range names[1:] {
		next := map[int32]bool{}
		for _, e := range s.Edges {
			if at[e.From] && s.Nodes[e.To].Name() == name {
				next[e.To] = true
			}
		}
		at = next
	}
	return len(at) > 0
}

// TestEntryIsRefusedWhereNothingFits shifts one address and repeats the code at another: neither may be taken for sure.
func TestEntryIsRefusedWhereNothingFits(t *testing.T) {
	g := read(t, graphtest.Sample(t, "golist.ssa.gz")).Groups[0]
	var sites []traceio.Site
	at := func(base traceio.Addr) {
		for _, in := range g.Listing {
			sites = append(sites, traceio.Site{PC: base + traceio.Addr(in.Offset),
				Frames: []traceio.Frame{{File: in.File, Line: in.Line}}})
		}
	}
	at(0x401000)
	if entry, ok := g.Entry(sites); !ok || entry != 0x401000 {
		t.Errorf("the code itself is found at %v, %v", entry, ok)
	}
	at(0x402000)
	if entry, ok := g.Entry(sites); ok {
		t.Errorf("of two copies one is taken: %v", entry)
	}
	if entry, ok := g.Entry(nil); ok {
		t.Errorf("without sites it is %v", entry)
	}
}

func TestRecordRefuses(t *testing.T) {
	broken := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module broken\n\ngo 1.26\n",
		"main.go": "package main\n\nfunc main() { undefined() }\n"} {
		if err := os.WriteFile(filepath.Join(broken, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		opt  Options
		want string
	}{
		{"no function", Options{Package: "."}, "no function is named"},
		{"unknown function", Options{Dir: "../../../testdata/programs/golist", Package: ".", Func: "nothing"},
			`the compiler found no function "nothing"`},
		{"unknown package", Options{Package: "./nowhere", Func: "f"}, "nowhere"},
		{"several packages", Options{Dir: "..", Package: "./...", Func: "f"}, "packages; name one"},
		{"program that does not compile", Options{Dir: broken, Package: ".", Func: "main"}, "undefined"},
		{"no go", Options{Package: ".", Func: "f", Go: "no-such-command-as-this"}, "there is no go command on the path"},
	} {
		_, err := Record(context.Background(), c.opt)
		var e *traceio.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
