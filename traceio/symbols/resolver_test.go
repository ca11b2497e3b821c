package symbols

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"orrery/traceio"
)

// A Resolver says of each program what Resolve says, also of a file that changes in between.
func TestResolverAgainstResolve(t *testing.T) {
	first := build(t, "gcc", "list.c", "-g", "-O1", "-no-pie")
	second := build(t, "gcc", "list.c", "-g", "-O0", "-no-pie")
	path := filepath.Join(t.TempDir(), "list")
	var r Resolver
	for i, prog := range []string{first, first, second, first} {
		if i != 1 {
			if err := os.WriteFile(path, read(t, prog), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		var pcs []traceio.Addr
		for _, pc := range instructions(t, prog, 100*(i+1)) {
			pcs = append(pcs, traceio.Addr(pc))
		}
		want := &traceio.Program{Modules: []traceio.Module{{Path: path, High: 1 << 40}}}
		got := &traceio.Program{Modules: want.Modules}
		if err := Resolve(context.Background(), want, pcs); err != nil {
			t.Fatal(err)
		}
		if err := r.Resolve(context.Background(), got, pcs); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) || len(got.Sites) == 0 || len(got.Globals) == 0 {
			t.Errorf("program %d is resolved otherwise than alone", i)
		}
	}
	if len(r.objects) != 3 { // the last is the first again, of another time
		t.Errorf("%d files are kept", len(r.objects))
	}
}

// Calls names the addresses that it is asked for as Resolve does, in two steps as in one, and nothing else.
func TestCallsAgainstResolve(t *testing.T) {
	path := build(t, "gcc", "list.c", "-g", "-O1", "-no-pie")
	var pcs []traceio.Addr
	for _, pc := range instructions(t, path, 200) {
		pcs = append(pcs, traceio.Addr(pc))
	}
	pcs = append(pcs, 1<<41, 1<<42) // outside, and in a module whose file is gone
	mods := []traceio.Module{{Path: path, High: 1 << 40}, {Path: path + ".gone", Low: 1 << 42, High: 1 << 43}}
	want := &traceio.Program{Modules: mods}
	if err := Resolve(context.Background(), want, pcs); err != nil {
		t.Fatal(err)
	}
	got := &traceio.Program{Modules: mods}
	for _, some := range [][]traceio.Addr{pcs[50:], pcs[:70]} {
		if err := Calls(context.Background(), got, some); err != nil {
			t.Fatal(err)
		}
	}
	named := 0
	for i := range want.Sites {
		w, g := &want.Sites[i], &got.Sites[i]
		if g.PC != w.PC || g.Module != w.Module || !reflect.DeepEqual(g.Frames, w.Frames) {
			t.Errorf("%v is %+v, want %+v", w.PC, g, w)
		}
		named += len(g.Frames)
	}
	if len(got.Sites) != len(want.Sites) || named < 100 || got.Globals != nil || got.Functions != nil {
		t.Errorf("%d sites with %d frames, want %d", len(got.Sites), named, len(want.Sites))
	}
}
