package symbols

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
)

// Instructions that use a library's thread-local variables are found in all forms of the calls that ask for their
// place; nm tells the variables' offsets.
func TestPlaced(t *testing.T) {
	const source = "static __thread long first = 3;\nstatic __thread long own;\n__thread long " +
		"shared;\n__attribute__((noinline)) long next(void) { own = own + first; return own; }\nlong count(void) { return " +
		"shared++ + next(); }\n"
	for _, row := range []struct {
		compiler string
		flags    string
		want     []string // variables with such an instruction
	}{
		{"gcc", "-O0", []string{"first", "own", "shared"}},
		{"gcc", "-O0 -fno-plt", []string{"first", "own", "shared"}},
		{"gcc", "-O2 -ftls-model=local-dynamic", []string{"own"}},
		{"clang", "-O0", []string{"own", "shared"}},
		{"clang", "-O2", []string{"shared"}},
	} {
		dir := t.TempDir()
		lib := filepath.Join(dir, "libcount.so")
		if err := os.WriteFile(filepath.Join(dir, "count.c"), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		tool(t, dir, row.compiler, append(strings.Fields(row.flags), "-shared", "-fPIC", "-o", lib, "count.c")...)
		offsets := map[traceio.Addr]string{}
		for _, name := range []string{"first", "own", "shared"} {
			for line := range strings.Lines(tool(t, dir, "nm", lib)) {
				if f := strings.Fields(line); len(f) == 3 && f[2] == name {
					offsets[traceio.Addr(mustHex(t, f[0]))] = name
				}
			}
		}
		var pcs []traceio.Addr
		for _, pc := range instructions(t, lib, 10000) {
			pcs = append(pcs, traceio.Addr(pc))
		}
		p := &traceio.Program{Modules: []traceio.Module{{Path: lib, High: 1 << 40}}}
		if err := Resolve(t.Context(), p, pcs); err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, s := range p.Sites {
			if s.Flow == traceio.Placed {
				if offsets[s.Target] == "" {
					t.Errorf("%s %s: %v uses offset %d, where no variable is", row.compiler, row.flags, s.PC, s.Target)
				}
				found[offsets[s.Target]] = true
			}
		}
		for _, w := range row.want {
			if !found[w] {
				t.Errorf("%s %s: no instruction is found that uses %s, only %v", row.compiler, row.flags, w, found)
			}
		}
	}
}

func mustHex(t *testing.T, s string) uint64 {
	t.Helper()
	x, ok := traceio.Hex([]byte(s))
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return x
}
