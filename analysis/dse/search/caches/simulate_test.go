package caches

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"orrery/analysis/dse/search"
	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/traceio/store"
)

const (
	standard = "../../../../testdata/recordings/matmul-standard.orr"
	blocked  = "../../../../testdata/recordings/matmul-blocked.orr"
)

// open is a shipped recording, until the test ends.
func open(t testing.TB, path string) simulator.Recording {
	t.Helper()
	rec, err := store.Open(context.Background(), path, store.Options{}, nil)
	if err == nil {
		t.Cleanup(func() { rec.Close() })
		return rec
	}
	t.Fatal(err)
	return nil
}

func problem(t testing.TB, rec simulator.Recording, space Space) *Problem {
	t.Helper()
	p, err := New(rec, space)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// plain runs a design as the cache view does, and nothing else.
func plain(t testing.TB, rec simulator.Recording, c cachesim.Config) cachesim.Totals {
	t.Helper()
	h, err := simulator.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rec.Blocks() {
		b, err := rec.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		h.Run(b)
	}
	return h.Totals()
}

// drawn are possible designs of a space.
func drawn(p *Problem, r *rand.Rand, n int) []Design {
	var out []Design
	for range n {
		g := make(search.Genome, len(p.genes))
		p.Start(r, g)
		p.Repair(g)
		if d := p.Design(g); p.space.violation(d, p.costs) == 0 {
			out = append(out, d)
		}
	}
	return out
}

// equalToPlain compares every count of every level, and the average access time to the last bit.
func equalToPlain(t *testing.T, p *Problem, rec simulator.Recording, d Design) {
	t.Helper()
	c, err := d.Config(p.costs, p.space.Memory)
	if err != nil {
		t.Fatal(err)
	}
	want := plain(t, rec, c)
	totals := p.sim.Totals(d)
	for i, got := range totals {
		if got.Counts != want.Levels[i] {
			t.Fatalf("%v, %s: %+v\nwant %+v", d, c.Levels[i].Name, got.Counts, want.Levels[i])
		}
	}
	if got := totals[len(totals)-1].Below; got != want.Memory {
		t.Fatalf("%v: memory %+v, want %+v", d, got, want.Memory)
	}
	w, err := Weigh(d, totals, p.costs, p.space.Memory)
	if err != nil {
		t.Fatal(err)
	}
	if w.Time != want.AMAT {
		t.Fatalf("%v: %v ns, want %v", d, w.Time, want.AMAT)
	}
}

// onlyLRU is the default space without other policies, write modes and prefetchers: everything is in stacks.
func onlyLRU() Space {
	s := DefaultSpace()
	for i := range s.Levels {
		l := &s.Levels[i]
		l.Policies, l.Writes, l.Prefetches = l.Policies[:1], l.Writes[:1], l.Prefetches[:1]
	}
	return s
}

// TestSharedSimulationIsThePlainOne: what designs share in several rounds, with requests kept, thrown away and made
// again, is exactly what a plain run of each counts.
func TestSharedSimulationIsThePlainOne(t *testing.T) {
	for _, row := range []struct {
		name   string
		path   string
		space  Space
		n      int
		budget int64
	}{
		{"LRU", standard, onlyLRU(), 20, defaultBudget},
		{"everything", standard, DefaultSpace(), 15, defaultBudget},
		{"everything, blocked", blocked, DefaultSpace(), 10, defaultBudget},
		{"little room", standard, DefaultSpace(), 10, 1 << 20},
	} {
		rec := beginning(t, row.path, 20000)
		p := problem(t, rec, row.space)
		p.sim.budget = row.budget
		r := rand.New(rand.NewPCG(3, 9))
		list := drawn(p, r, row.n)
		if len(list) < row.n*8/10 {
			t.Fatalf("%s: only %d designs of %d are possible", row.name, len(list), row.n)
		}
		for k := 0; k < len(list); k += 5 {
			if err := p.sim.Run(context.Background(), list[k:min(k+5, len(list))]); err != nil {
				t.Fatal(err)
			}
		}
		for _, d := range list {
			equalToPlain(t, p, rec, d)
		}
	}
}

// held is a recording in memory.
type held struct{ blocks []*traceio.Block }

func (r held) Len() traceio.Seq {
	last := r.blocks[len(r.blocks)-1]
	return last.First + traceio.Seq(last.Data())
}
func (r held) Blocks() int                         { return len(r.blocks) }
func (r held) Block(i int) (*traceio.Block, error) { return r.blocks[i], nil }
func (r held) Span(i int) (first, end traceio.Seq) { return 0, 0 }
func (r held) Find(traceio.Seq) int                { return 0 }

// beginning is the first references of a recording, for what is done often.
func beginning(t testing.TB, path string, n int) held {
	t.Helper()
	b, err := open(t, path).Block(0)
	if err != nil {
		t.Fatal(err)
	}
	part := rows(b, 0, n)
	return held{[]*traceio.Block{&part}}
}

// randomRecording has references that cross blocks, cover them and come as fetches, too.
func randomRecording(r *rand.Rand, blocks, rows int) held {
	var rec held
	first := traceio.Seq(0)
	for range blocks {
		b := new(traceio.Block)
		b.Reset(first)
		base, stride := uint64(r.IntN(1<<18)), uint64(r.IntN(300))
		for range rows {
			if r.IntN(30) == 0 {
				base, stride = uint64(r.IntN(1<<18)), uint64(r.IntN(300))
			}
			base += stride
			b.Append(traceio.Access{Addr: traceio.Addr(1<<40 + base), Size: uint16(1 << r.IntN(9)),
				Kind: traceio.Kind(r.IntN(3)), PC: traceio.Addr(r.IntN(9))})
		}
		rec.blocks = append(rec.blocks, b)
		first += traceio.Seq(b.Data())
	}
	return rec
}

func TestRandomReferences(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	rec := randomRecording(r, 2, 1500)
	p := problem(t, rec, DefaultSpace())
	list := append(drawn(p, r, 50), drawn(problem(t, rec, onlyLRU()), r, 20)...)
	if err := p.sim.Run(context.Background(), list); err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		equalToPlain(t, p, rec, d)
	}
}

// TestSimulationStops: a context that ends, and a recording that cannot be read, end a run, and the simulator goes on
// being right.
func TestSimulationStops(t *testing.T) {
	rec := open(t, standard)
	p := problem(t, rec, onlyLRU())
	list := drawn(p, rand.New(rand.NewPCG(1, 1)), 10)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.sim.Run(ctx, list); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := p.sim.Run(context.Background(), list); err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		equalToPlain(t, p, rec, d)
	}
}

// BenchmarkDesigns is how many designs a search evaluates over the shipped multiply: a new one each time, so that
// nothing is known beforehand. The peer, plain, runs every design by itself.
func BenchmarkDesigns(b *testing.B) {
	for _, row := range []struct {
		name  string
		space Space
	}{{"everything", DefaultSpace()}, {"LRU", onlyLRU()}} {
		rec := open(b, standard)
		b.Run(row.name+"/shared", func(b *testing.B) {
			const generations = 20
			designs := 0
			b.ReportAllocs()
			for b.Loop() {
				p := problem(b, rec, row.space)
				s, err := search.New(p, search.DefaultOptions(p))
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Run(context.Background(), generations, nil, nil); err != nil {
					b.Fatal(err)
				}
				for _, d := range s.Designs() {
					if d.Result.Possible() {
						designs++
					}
				}
			}
			b.ReportMetric(float64(designs)/b.Elapsed().Seconds(), "designs/s")
		})
		b.Run(row.name+"/plain", func(b *testing.B) {
			p := problem(b, rec, row.space)
			list := drawn(p, rand.New(rand.NewPCG(1, 1)), 100)
			b.ReportAllocs()
			for b.Loop() {
				for _, d := range list {
					c, err := d.Config(p.costs, p.space.Memory)
					if err != nil {
						b.Fatal(err)
					}
					plain(b, rec, c)
				}
			}
			b.ReportMetric(float64(b.N*len(list))/b.Elapsed().Seconds(), "designs/s")
		})
	}
}
