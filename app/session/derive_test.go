package session

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orrery/traceio/store"
)

// TestNamesOfBeginnings: the names that a beginning has are found once, and those of a longer one with more calls are
// what they are without the shorter one.
func TestNamesOfBeginnings(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	open := func(traces, events int) *store.Recording {
		var s strings.Builder
		fmt.Fprintf(&s, "v 10400 3\nx %x %s\nm 1 x 0 400000 4000000\n", len(exe), exe)
		for i := range traces {
			fmt.Fprintf(&s, "t %x 0\n", 0x500000+0x1234*i)
		}
		for i := range events {
			fmt.Fprintf(&s, "+ 20 %x %x\n", i%traces+1, 0x10000000+0x30*i)
		}
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(s.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := store.Open(t.Context(), path, store.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var known naming
	short, from, err := name(t.Context(), open(20, 100), &known)
	if err != nil || len(from) != 1 || len(short.Program().Sites) != 20 {
		t.Fatalf("%d sites from %q, %v", len(short.Program().Sites), from, err)
	}
	for _, site := range short.Program().Sites {
		if site.Module != 0 {
			t.Errorf("%+v is not in %s", site, exe)
		}
	}
	longer, from, err := name(t.Context(), open(20, 200), &known)
	if err != nil || len(from) != 1 || longer.Program() != short.Program() {
		t.Errorf("the names of the same calls are found twice, from %q, %v", from, err)
	}
	more := open(30, 200)
	got, from, err := name(t.Context(), more, &known)
	want, _, _ := name(t.Context(), more, &naming{})
	if err != nil || len(from) != 1 || len(got.Program().Sites) != 30 ||
		!reflect.DeepEqual(got.Program(), want.Program()) {
		t.Errorf("%d sites from %q, %v; want %d", len(got.Program().Sites), from, err, len(want.Program().Sites))
	}
}
