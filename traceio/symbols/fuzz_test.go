package symbols

import (
	"bytes"
	"context"
	"debug/elf"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"orrery/traceio"
)

// exercise does everything that Resolve and Ranges do on a file in memory.
func exercise(data []byte) {
	if o, err := parseObject("mutant", data); err == nil {
		exerciseObject(o)
	}
}

func exerciseObject(o *object) {
	o.buildID()
	p := &traceio.Program{Modules: []traceio.Module{{Path: "mutant", High: 1 << 40}}}
	var sites []*traceio.Site
	for pc := traceio.Addr(0x401000); pc < 0x401800; pc += 7 {
		sites = append(sites, &traceio.Site{PC: pc})
	}
	ctx := context.Background()
	_ = o.resolve(ctx, sites, 0)
	o.link()
	var c collector
	_ = o.globals(ctx, &c, 0, 0)
	_ = o.functions(ctx, &c, sites, 0, 0)
	o.flows(sites, 0)
	if table, err := o.goFrames(ctx, linked(sites, 0)); err == nil {
		table.frames(o, sites, 0)
	}
	p.Globals, p.Functions, p.Types = c.finish(), c.finishFunctions(), c.types
	for _, g := range p.Globals {
		p.Element(g.Name, g.Type, g.Size/2)
	}
	_, _ = o.ranges("mutant", []string{"f*", "*.c"})
}

// Damage anywhere in the file must end in less of a name, never in a panic.
func TestDamage(t *testing.T) {
	data, err := os.ReadFile(build(t, "gcc", "list.c", "-g", "-O2", "-no-pie", "-nostartfiles", "-Wl,-e,main"))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		m := append([]byte(nil), data...)
		for range 1 + r.IntN(20) {
			m[r.IntN(len(m))] = byte(r.Uint32())
		}
		if r.IntN(4) == 0 {
			m = m[:r.IntN(len(m))]
		}
		exercise(m)
	}
}

func FuzzObject(f *testing.F) {
	data, err := os.ReadFile(build(f, "gcc", "list.c", "-g", "-O2", "-no-pie", "-nostartfiles", "-Wl,-e,main", "-s"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	full, err := os.ReadFile(build(f, "gcc", "list.c", "-g", "-O1", "-no-pie", "-nostartfiles", "-Wl,-e,main"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	f.Add([]byte("\x7fELF"))
	f.Fuzz(func(t *testing.T, data []byte) { exercise(data) })
}

// FuzzSplit reads any bytes as the .dwo or .dwp file that a program names, whose own debug information they are joined
// to.
func FuzzSplit(f *testing.F) {
	source, err := filepath.Abs(filepath.Join("testdata", "list.c"))
	if err != nil {
		f.Fatal(err)
	}
	var programs [][]byte
	for _, version := range []string{"-gdwarf-5", "-gdwarf-4"} {
		dir := f.TempDir()
		prog := filepath.Join(dir, "prog")
		tool(f, dir, "gcc", "-g", version, "-gsplit-dwarf", "-O1", "-no-pie", "-nostartfiles",
			"-Wl,-e,main", "-o", prog, source)
		files, err := filepath.Glob(filepath.Join(dir, "*.dwo"))
		if err != nil || len(files) != 1 {
			f.Fatal(files, err)
		}
		programs = append(programs, read(f, prog))
		whole := read(f, files[0])
		f.Add(whole)
		f.Add(whole[:len(whole)/2])
	}
	f.Add(read(f, filepath.Join("testdata", "dwp", "prog.dwp")))
	f.Add([]byte("\x7fELF"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := newDwo()
		_ = guard("mutant", func() error { d.read(data); return nil })
		for _, program := range programs {
			o := &object{path: "mutant"}
			if o.file, err = elf.NewFile(bytes.NewReader(program)); err != nil {
				t.Fatal(err)
			}
			o.readDebug(o.file, program)
			o.joinWith(o.file, func(string) *dwo { return d })
			exerciseObject(o)
		}
	})
}
