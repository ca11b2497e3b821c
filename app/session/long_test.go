package session

import (
	"context"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/orr/orrtest"
	"orrery/traceio/resultcache"
)

const hundredMillion = 100_000_000

// hugeRecording writes a recording of a hundred million references: a few blocks of a program that walks over arrays
// and jumps about in a table, again and again.
func hugeRecording(b *testing.B) string {
	b.Helper()
	packer, err := orr.NewPacker()
	if err != nil {
		b.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(100, 6))
	prog := &traceio.Program{Globals: []traceio.Global{{Name: "table", Addr: 0x600000, Size: 1 << 22, Module: -1}}}
	for k := range 400 {
		prog.Sites = append(prog.Sites, traceio.Site{PC: traceio.Addr(0x1000 + 4*k), Module: -1,
			Frames: []traceio.Frame{{Function: "work", File: "work.c", Line: 1 + k/4}}})
	}
	var packed [16]orr.Packed
	for i := range packed {
		var blk traceio.Block
		for row := range traceio.MaxBlock {
			a := traceio.Access{PC: traceio.Addr(0x1000 + 4*(row%25+25*i)), Addr: traceio.Addr(0x7ff000000 + row%97*8), Size: 8,
				Kind: traceio.Kind(row % 3 & 1)}
			if row%4 == 0 {
				a.Addr = traceio.Addr(0x600000 + rnd.IntN(1<<22))
			}
			blk.Append(a)
		}
		if err := packer.Pack(&blk, &packed[i]); err != nil {
			b.Fatal(err)
		}
	}
	return orrtest.File(b, func(w *orr.Writer) (*traceio.Program, error) {
		for next := traceio.Seq(0); next < hundredMillion; next += traceio.MaxBlock {
			p := &packed[next/traceio.MaxBlock/8%traceio.Seq(len(packed))]
			p.Renumber(next)
			if err := w.WritePacked(p); err != nil {
				return nil, err
			}
		}
		return prog, nil
	})
}

// BenchmarkOpenLong opens a hundred million references for the first time, up to what is shown at once and up to exact
// figures, and again.
func BenchmarkOpenLong(b *testing.B) {
	path := hugeRecording(b)
	kept := resultcache.At(b.TempDir())
	b.Setenv(resultcache.Variable, kept.Dir())
	cpu := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
	}
	load := func(b *testing.B) (glimpse, glimpseCPU float64) {
		began, used := time.Now(), cpu()
		r, err := LoadGrowing(context.Background(), path, nil, func(*Recording) {
			glimpse, glimpseCPU = float64(time.Since(began).Microseconds())/1e3, cpu()-used
		}, nil)
		if err != nil {
			b.Fatal(err)
		}
		if r.Sampled() || r.Len() < hundredMillion {
			b.Fatalf("%d references, sampled %v", r.Len(), r.Sampled())
		}
		r.Close()
		return glimpse, glimpseCPU
	}
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		var glimpse, glimpseCPU float64
		start := cpu()
		for b.Loop() {
			kept.Clear()
			glimpse, glimpseCPU = load(b)
		}
		b.ReportMetric(glimpse, "shown-ms")
		b.ReportMetric(glimpseCPU, "shown-cpu-ms")
		b.ReportMetric((cpu()-start)/float64(b.N), "cpu-ms/op")
	})
	b.Run("again", func(b *testing.B) {
		b.ReportAllocs()
		start := cpu()
		for b.Loop() {
			load(b)
		}
		b.ReportMetric((cpu()-start)/float64(b.N), "cpu-ms/op")
	})
}
