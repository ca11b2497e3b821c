package store

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"orrery/traceio"
)

// repeated yields the data references of a recording again and again, each time 1 MiB further up, n in all.
type repeated struct {
	rows []traceio.Access
	n    int
	at   int
}

func (s *repeated) Next(b *traceio.Block) error {
	if s.at == s.n {
		return io.EOF
	}
	b.Reset(traceio.Seq(s.at))
	for b.Len() < traceio.MaxBlock && s.at < s.n {
		a := s.rows[s.at%len(s.rows)]
		a.Addr += traceio.Addr(s.at / len(s.rows) << 20)
		b.Append(a)
		s.at++
	}
	return nil
}

func (s *repeated) Loss() []traceio.Loss      { return nil }
func (s *repeated) Program() *traceio.Program { return &traceio.Program{} }

const twentyMillion = 20_000_000

func long(b *testing.B) *Recording {
	b.Helper()
	r, err := Open(context.Background(), oracle, Options{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	all, _, _ := rows(b, r.Source(0, r.Len()))
	data := slices.DeleteFunc(all, func(a traceio.Access) bool { return a.Kind == traceio.Fetch })
	r, err = index(context.Background(), "long", &repeated{rows: data, n: twentyMillion})
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// cpu is the processor time of the process so far.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSeek asks for references anywhere in a recording of 20 million, in memory and in a file. A frame has 16 ms.
func BenchmarkSeek(b *testing.B) {
	mem := long(b)
	own := saved(b, mem)
	info, err := os.Stat(own.Path())
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d references in %d blocks, %d bytes, %.3f each", own.Len(), own.Blocks(), info.Size(),
		float64(info.Size())/float64(own.Len()))
	for name, r := range map[string]*Recording{"memory": mem, "file": own} {
		b.Run(name, func(b *testing.B) {
			rnd := rand.New(rand.NewPCG(1, 2))
			worst := time.Duration(0)
			b.ReportAllocs()
			start := cpu()
			for b.Loop() {
				began := time.Now()
				if _, err := r.At(traceio.Seq(rnd.Uint64N(twentyMillion))); err != nil {
					b.Fatal(err)
				}
				worst = max(worst, time.Since(began))
			}
			b.ReportMetric(float64((cpu()-start).Microseconds())/float64(b.N), "cpu-us/op")
			b.ReportMetric(float64(worst.Microseconds()), "worst-us")
		})
	}
}

// BenchmarkOpen opens a file of our own with 20 million references: the time must not depend on them.
func BenchmarkOpen(b *testing.B) {
	own := saved(b, long(b))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(context.Background(), own.Path(), Options{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

// BenchmarkReplay reads 20 million references in order.
func BenchmarkReplay(b *testing.B) {
	r := long(b)
	var blk traceio.Block
	b.ReportAllocs()
	start := cpu()
	for b.Loop() {
		src := r.Source(0, r.Len())
		for src.Next(&blk) == nil {
		}
	}
	b.ReportMetric(float64((cpu()-start).Nanoseconds())/float64(b.N)/twentyMillion, "cpu-ns/ref")
}

// BenchmarkIndex parses the packed oracle and keeps it: decompression, parsing, encoding.
func BenchmarkIndex(b *testing.B) {
	b.ReportAllocs()
	start := cpu()
	refs := uint64(0)
	for b.Loop() {
		r, err := Open(context.Background(), oracle, Options{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		n := r.Counts()
		refs += n.Loads + n.Stores + n.Fetches
	}
	b.ReportMetric(float64((cpu()-start).Nanoseconds())/float64(refs), "cpu-ns/ref")
}
