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
