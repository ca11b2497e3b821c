package simulator

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	. "orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/store"
)

// matmul is the data references of C = A B for n x n matrices of 8-byte elements, as a compiler with optimisation makes
// them: the sum is in a register. tile 0 is the plain algorithm; transposed reads B by rows.
func matmul(n, tile int, transposed bool) iter.Seq[traceio.Access] {
	const element = 8
	if tile == 0 {
		tile = n
	}
	at := func(matrix, i, j int) traceio.Access {
		return traceio.Access{Addr: traceio.Addr(0x10000 + (matrix*n*n+i*n+j)*element), Size: element}
	}
	return func(yield func(traceio.Access) bool) {
		for jj := 0; jj < n; jj += tile {
			for kk := 0; kk < n; kk += tile {
				for i := range n {
					for j := jj; j < min(n, jj+tile); j++ {
						for k := kk; k < min(n, kk+tile); k++ {
							right := at(1, k, j)
							if transposed {
								right = at(1, j, k)
							}
							if !yield(at(0, i, k)) || !yield(right) {
								return
							}
						}
						sum := at(2, i, j)
						sum.Kind = traceio.Store
						if !yield(sum) {
							return
						}
					}
				}
			}
		}
	}
}

// bubble is the references of bubble sort at -O0 over n elements of 4 bytes in falling order, with the fetches of its
// loop.
func bubble(n int) iter.Seq[traceio.Access] {
	const base, stack, code = 0x20000, 0x7ffff000, 0x401000
	var step []traceio.Access
	for f := range 6 {
		step = append(step, traceio.Access{Addr: traceio.Addr(code + 7*f), Size: 7, Kind: traceio.Fetch})
	}
	step = append(step, traceio.Access{Addr: stack, Size: 4})
	for _, k := range []traceio.Kind{traceio.Load, traceio.Store} {
		step = append(step, traceio.Access{Addr: base, Size: 4, Kind: k}, traceio.Access{Addr: base + 4, Size: 4, Kind: k})
	}
	step = append(step, traceio.Access{Addr: stack, Size: 4, Kind: traceio.Store})
	return func(yield func(traceio.Access) bool) {
		for i := range n {
			for j := range n - 1 - i {
				for _, a := range step {
					if a.Addr == base || a.Addr == base+4 {
						a.Addr += traceio.Addr(4 * j)
					}
					if !yield(a) {
						return
					}
				}
			}
		}
	}
}

// collect makes a recording of at most rows rows, in full blocks.
func collect(rows int, refs iter.Seq[traceio.Access]) recording {
	b := new(traceio.Block)
	rec := recording{b}
	for a := range refs {
		if rows--; rows < 0 {
			break
		}
		if b.Len() == traceio.MaxBlock {
			first := b.First + traceio.Seq(b.Data())
			b = new(traceio.Block)
			b.Reset(first)
			rec = append(rec, b)
		}
		b.Append(a)
	}
	return rec
}

func (r recording) rows() int {
	n := 0
	for _, b := range r {
		n += b.Len()
	}
	return n
}

// withFetches puts n instruction fetches of a loop of 4-byte instructions before each reference.
func withFetches(n int, refs iter.Seq[traceio.Access]) iter.Seq[traceio.Access] {
	return func(yield func(traceio.Access) bool) {
		pc := 0
		for a := range refs {
			for range n {
				if pc++; !yield(traceio.Access{Addr: traceio.Addr(0x401000 + 4*(pc%(2*n))), Size: 4, Kind: traceio.Fetch}) {
					return
				}
			}
			if !yield(a) {
				return
			}
		}
	}
}

var workloads = []struct {
	name string
	refs iter.Seq[traceio.Access]
}{
	{"standard", matmul(128, 0, false)},
	{"transposed", matmul(128, 0, true)},
	{"blocked", matmul(128, 4, false)},
	{"standard+I", withFetches(3, matmul(128, 0, false))},
	{"transposed+I", withFetches(3, matmul(128, 0, true))},
	{"blocked+I", withFetches(3, matmul(128, 4, false))},
	{"bubble+I", bubble(4000)},
}

func BenchmarkRun(b *testing.B) {
	for _, w := range workloads {
		rec := collect(4<<20, w.refs)
		for _, name := range Presets() {
			c, err := Preset(name)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(w.name+"/"+name, func(b *testing.B) {
				h := fresh(b, c)
				run(b, rec, func(x *traceio.Block) { h.Run(x) })
			})
		}
	}
}

// BenchmarkVariants compares the ways to run one recording, with fetches, in one hierarchy.
func BenchmarkVariants(b *testing.B) {
	rec := collect(4<<20, withFetches(3, matmul(128, 0, false)))
	c, err := Preset("desktop")
	if err != nil {
		b.Fatal(err)
	}
	served, keys := make([]Served, traceio.MaxBlock), make([]int32, traceio.MaxBlock)
	b.Run("RunServed", func(b *testing.B) {
		h := fresh(b, c)
		run(b, rec, func(x *traceio.Block) { h.RunServed(x, served[:x.Len()]) })
	})
	b.Run("RunLog", func(b *testing.B) { // the events, as they are kept
		h := fresh(b, c)
		var log Log
		run(b, rec, func(x *traceio.Block) { h.RunLog(x, &log) })
	})
	b.Run("Run", func(b *testing.B) {
		h := fresh(b, c)
		run(b, rec, h.Run)
	})
	b.Run("Events", func(b *testing.B) { // all of them read, one by one
		h := fresh(b, c)
		var log Log
		var events []Event
		run(b, rec, func(x *traceio.Block) {
			h.RunLog(x, &log)
			events = log.Events(events[:0])
		})
	})
	b.Run("Changes", func(b *testing.B) { // the events of all that changes a set's order
		h, n := fresh(b, c), 0
		run(b, rec, func(x *traceio.Block) {
			h.caches.follow(x, 0, x.Len(), func(_ *traceio.Block, _, _ int, events []Event) { n += len(events) })
		})
	})
	b.Run("RunKeyed", func(b *testing.B) {
		h, a := fresh(b, c), NewAttribution(c, 1)
		run(b, rec, func(x *traceio.Block) { h.RunKeyed(x, keys[:x.Len()], a) })
	})
	b.Run("RunSets", func(b *testing.B) {
		h, s := fresh(b, c), NewSetCounts(c)
		run(b, rec, func(x *traceio.Block) { h.RunSets(x, s) })
	})
	b.Run("Classify", func(b *testing.B) {
		h := fresh(b, c)
		h.Classify()
		run(b, rec, func(x *traceio.Block) { h.Run(x) })
	})
}

// BenchmarkStackDistances is the exact curve, a part of it and the preview, of streams that reuse what is near and of
// one that does not.
func BenchmarkStackDistances(b *testing.B) {
	ctx := context.Background()
	far := func(yield func(traceio.Access) bool) { // any of 2^18 blocks, the worst that there is
		for r := rand.New(rand.NewPCG(3, 3)); yield(traceio.Access{Addr: traceio.Addr(r.Uint64N(1 << 24)), Size: 1}); {
		}
	}
	for _, w := range []struct {
		name string
		refs iter.Seq[traceio.Access]
	}{{"standard", matmul(128, 0, false)}, {"blocked", matmul(128, 4, false)}, {"bubble", bubble(4000)}, {"far", far}} {
		rec := collect(4<<20, w.refs)
		for what, f := range map[string]func() error{
			"exact":   func() error { _, err := StackDistances(ctx, rec, 64, nil); return err },
			"sampled": func() error { _, err := SampledDistances(ctx, rec, 64, 0.01, nil); return err },
			"sets":    func() error { _, err := SetDistances(ctx, rec, 64, 64, 32, nil); return err },
		} {
			b.Run(w.name+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				start := cpuSeconds(b)
				for range b.N {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(rec.Len())*float64(b.N)/1e6/(cpuSeconds(b)-start), "Mref/cpu-s")
			})
		}
	}
}

// BenchmarkPolicies compares what a level costs under each policy and with each structure.
func BenchmarkPolicies(b *testing.B) {
	rec := collect(2<<20, withFetches(3, matmul(128, 0, false)))
	for _, p := range Policies() {
		b.Run(string(p), func(b *testing.B) {
			c, err := Preset("desktop")
			if err != nil {
				b.Fatal(err)
			}
			for i := range c.Levels {
				c.Levels[i].Policy = p
			}
			h := fresh(b, c)
			run(b, rec, func(x *traceio.Block) { h.Run(x) })
		})
	}
	for _, c := range richConfigs() {
		b.Run(c.Name, func(b *testing.B) {
			h := fresh(b, c)
			run(b, rec, func(x *traceio.Block) { h.Run(x) })
		})
	}
}

func run(b *testing.B, rec recording, each func(*traceio.Block)) {
	b.ReportAllocs()
	b.ResetTimer()
	start := cpuSeconds(b)
	for range b.N {
		for _, x := range rec {
			each(x)
		}
	}
	b.ReportMetric(float64(rec.rows())*float64(b.N)/1e6/(cpuSeconds(b)-start), "Mref/cpu-s")
}

// cpuSeconds is the processor time of this process, which tells more than the clock on a machine that is shared.
func cpuSeconds(b *testing.B) float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// stored puts blocks into a file and opens that.
func stored(b *testing.B, rec recording) *store.Recording {
	b.Helper()
	path := filepath.Join(b.TempDir(), "bench.orr")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	out, err := orr.Create(f, nil)
	if err != nil {
		b.Fatal(err)
	}
	var with traceio.Block // rec has only the columns that the simulator reads
	for _, from := range rec {
		with.Reset(from.First)
		for i := range from.Addr {
			with.Append(traceio.Access{Addr: from.Addr[i], Size: from.Size[i], Kind: from.Kind[i]})
		}
		if err := out.WriteBlock(&with); err != nil {
			b.Fatal(err)
		}
	}
	if err := out.Close(nil); err != nil {
		b.Fatal(err)
	}
	r, err := store.Open(context.Background(), path, store.Options{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	return r
}

// again is a recording that goes through another one several times.
type again struct {
	Recording
	times int
}

func (a again) Len() traceio.Seq { return a.Recording.Len() * traceio.Seq(a.times) }
func (a again) Blocks() int      { return a.Recording.Blocks() * a.times }
func (a again) Span(i int) (first, end traceio.Seq) {
	n := a.Recording.Blocks()
	first, end = a.Recording.Span(i % n)
	before := a.Recording.Len() * traceio.Seq(i/n)
	return before + first, before + end
}
func (a again) Find(s traceio.Seq) int {
	n := a.Recording.Len()
	return int(s/n)*a.Recording.Blocks() + a.Recording.Find(s%n)
}
func (a again) Block(i int) (*traceio.Block, error) {
	b, err := a.Recording.Block(i % a.Recording.Blocks())
	if err != nil {
		return nil, err
	}
	moved := *b
	moved.First, _ = a.Span(i)
	return &moved, nil
}

// BenchmarkSeek asks a replay of 100 million data references, stored compressed and decoded on demand, for what a frame
// needs: the state at a random place, the events of the 100 references before it, and the temperatures there.
func BenchmarkSeek(b *testing.B) {
	rec := collect(20_000_000, func(yield func(traceio.Access) bool) {
		for {
			for a := range matmul(128, 0, false) {
				if !yield(a) {
					return
				}
			}
			for a := range matmul(100, 4, false) {
				if !yield(a) {
					return
				}
			}
		}
	})
	stored := again{stored(b, rec), 5}
	for _, name := range []string{DefaultPreset, "desktop", "skylake-sp", "zen3"} {
		c, err := Preset(name)
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		replay, err := NewReplay(context.Background(), stored, c, nil)
		if err != nil {
			b.Fatal(err)
		}
		built := time.Since(start)
		for _, what := range []string{"Window", "WindowAndTemperature"} {
			b.Run(fmt.Sprint(name, "/", what), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 1))
				b.ReportAllocs()
				var times []float64 // milliseconds of the processor, the collector's included
				for range b.N {
					t := traceio.Seq(100 + r.Uint64N(uint64(stored.Len())-100))
					start := cpuSeconds(b)
					if _, err := replay.Window(t-100, t); err != nil {
						b.Fatal(err)
					}
					if what != "Window" {
						if _, err := replay.Temperature(t, 100); err != nil {
							b.Fatal(err)
						}
					}
					times = append(times, 1000*(cpuSeconds(b)-start))
				}
				slices.Sort(times)
				b.ReportMetric(times[len(times)*95/100], "p95-cpu-ms")
				b.ReportMetric(times[len(times)-1], "worst-cpu-ms")
				b.ReportMetric(built.Seconds(), "build-s")
				b.ReportMetric(float64(replay.points.bytes)/1e6, "checkpoint-MB")
			})
		}
	}
}
