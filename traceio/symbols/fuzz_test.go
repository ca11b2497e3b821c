package symbols

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"orrery/traceio"
)

// exercise does everything that Resolve and Ranges do on a file in memory.
func exercise(data []byte) {
	o, err := parseObject("mutant", data)
	if err != nil {
		return
	}
	o.buildID()
	p := &traceio.Program{Modules: []traceio.Module{{Path: "mutant", High: 1 << 40}}}
	var sites []*traceio.Site
	for pc := traceio.Addr(0x401000); pc < 0x401800; pc += 7 {
		sites = append(sites, &traceio.Site{PC: pc})
	}
	ctx := context.Background()
	_ = o.resolve(ctx, sites, 0)
	var c collector
	_ = o.globals(ctx, &c, 0, 0)
	_ = o.functions(ctx, &c, linked(sites, 0), 0, 0)
	o.flows(sites, 0)
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
