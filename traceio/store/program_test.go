package store

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"orrery/traceio"
)

// TestFindsTheProgramBesideTheTrace uses the test program itself as the recorded one.
func TestFindsTheProgramBesideTheTrace(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	entry := f.Entry
	if f.Type == elf.ET_DYN {
		entry += pieBase
	}
	for _, c := range []struct {
		name  string
		entry uint64
		age   time.Duration // of the program, against the trace
		want  bool
	}{
		{"as built", entry, time.Minute, true},
		{"rebuilt since", entry, -time.Minute, false},
		{"another program", entry + 1, time.Minute, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			prog, trace := filepath.Join(dir, "prog"), filepath.Join(dir, "prog.lk")
			text := fmt.Sprintf("==1== Lackey, an example Valgrind tool\n==1== Command: ./prog\nI  %08x,4\n L 10,1\n", c.entry)
			for path, data := range map[string][]byte{prog: image, trace: []byte(text)} {
				if err := os.WriteFile(path, data, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			now := time.Now()
			if err := os.Chtimes(prog, now, now.Add(-c.age)); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(trace, now, now); err != nil {
				t.Fatal(err)
			}
			r, err := Open(context.Background(), trace, Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			m := r.Program().Modules
			if got := len(m) == 1; got != c.want {
				t.Fatalf("modules %+v", m)
			}
			if c.want && (m[0].Path != prog || !m[0].Main || m[0].Low > traceio.Addr(entry) ||
				m[0].High <= traceio.Addr(entry)) {
				t.Errorf("module %+v", m[0])
			}
		})
	}
}
