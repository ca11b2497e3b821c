package symbols

import (
	"context"
	"testing"

	"orrery/traceio"
)

func BenchmarkResolve(b *testing.B) {
	for _, row := range []struct{ name, compiler, source string }{{"C", "gcc", "list.c"}, {"C++", "g++", "shapes.cpp"}} {
		prog := build(b, row.compiler, row.source, "-g", "-O2", "-no-pie")
		var pcs []traceio.Addr
		for _, pc := range instructions(b, prog, 1000) {
			pcs = append(pcs, traceio.Addr(pc))
		}
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p := &traceio.Program{Modules: []traceio.Module{{Path: prog, High: 1 << 40}}}
				if err := Resolve(context.Background(), p, pcs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
