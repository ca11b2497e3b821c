package store

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"orrery/traceio"
)

const oracle = "../../testdata/oracles/quicksort.lk.gz"

// fake is a Source over rows in memory, in blocks of a given size, with its own idea of where they begin.
type fake struct {
	rows   []traceio.Access
	allocs []traceio.Alloc // in order of Seq
	marks  []traceio.Mark
	block  int
	at     int
	seq    traceio.Seq
}

func (f *fake) Next(b *traceio.Block) error {
	if f.at == len(f.rows) && len(f.allocs)+len(f.marks) == 0 {
		return io.EOF
	}
	b.Reset(f.seq)
	for b.Len() < f.block && f.at < len(f.rows) {
		b.Append(f.rows[f.at])
		f.at++
	}
	f.seq += traceio.Seq(b.Data())
	for len(f.allocs) > 0 && (f.allocs[0].Seq <= f.seq || f.at == len(f.rows)) {
		b.Allocs = append(b.Allocs, f.allocs[0])
		f.allocs = f.allocs[1:]
	}
	for len(f.marks) > 0 && (f.marks[0].Seq <= f.seq || f.at == len(f.rows)) {
		b.Marks = append(b.Marks, f.marks[0])
		f.marks = f.marks[1:]
	}
	b.Start, b.End = traceio.Ticks(f.seq), traceio.Ticks(f.seq+10)
	return nil
}

func (f *fake) Loss() []traceio.Loss      { return nil }
func (f *fake) Program() *traceio.Program { return &traceio.Program{Command: []string{"./fake"}} }

// randomSource makes n rows that resemble a program: few instructions that walk arrays, jumps between them, noise.
func randomSource(seed uint64, n int) *fake {
	rnd := rand.New(rand.NewPCG(seed, 7))
	f := &fake{block: 1 + rnd.IntN(traceio.MaxBlock)}
	threads := 1 + rnd.IntN(3)
	base := make([]uint64, 40)
	for i := range base {
		base[i] = rnd.Uint64() >> (8 + rnd.IntN(40))
	}
	seq := traceio.Seq(0)
	for i := range n {
		k := (i + rnd.IntN(2)) % len(base)
		base[k] += uint64(k) * 4
		a := traceio.Access{
			Seq: seq, PC: traceio.Addr(0x401000 + 3*k), Addr: traceio.Addr(base[k]), Size: uint16(1 << (k % 4)),
			Kind: traceio.Kind(k % 3), Thread: traceio.Thread(rnd.IntN(threads)),
		}
		if a.Kind == traceio.Fetch && rnd.IntN(10) > 0 {
			a.Addr = a.PC
		}
		if rnd.IntN(50) == 0 {
			a.Addr = traceio.Addr(rnd.Uint64())
		}
		f.rows = append(f.rows, a)
		if a.Kind != traceio.Fetch {
			seq++
		}
	}
	for s := traceio.Seq(0); s <= seq; s += traceio.Seq(1 + rnd.IntN(300)) {
		f.allocs = append(f.allocs, traceio.Alloc{
			Seq: s, Ticks: traceio.Ticks(s) * 3, Addr: traceio.Addr(rnd.Uint32()), Size: rnd.Uint64() >> rnd.IntN(64),
			Usable: uint64(rnd.IntN(100)), Stack: traceio.StackID(rnd.IntN(9)), Op: traceio.AllocOp(rnd.IntN(2)),
		})
		if rnd.IntN(5) == 0 {
			f.marks = append(f.marks, traceio.Mark{Seq: s, Kind: traceio.UserMark, Value: uint64(s), Text: "here"})
		}
	}
	return f
}

// rows reads a Source to its end, with every row's Seq by position.
func rows(t testing.TB, src traceio.Source) (out []traceio.Access, allocs []traceio.Alloc, marks []traceio.Mark) {
	t.Helper()
	var b traceio.Block
	for {
		err := src.Next(&b)
		if err == io.EOF {
			return out, allocs, marks
		}
		if err != nil {
			t.Fatal(err)
		}
		s := b.First
		fetches := 0
		for i := range b.Addr {
			out = append(out, traceio.Access{Seq: s, Addr: b.Addr[i], PC: b.PC[i], Size: b.Size[i], Kind: b.Kind[i],
				Thread: b.Thread[i]})
			if b.Kind[i] == traceio.Fetch {
				fetches++
			} else {
				s++
			}
		}
		if fetches != b.Fetches {
			t.Fatalf("a block says %d fetches and has %d", b.Fetches, fetches)
		}
		allocs = append(allocs, b.Allocs...)
		marks = append(marks, b.Marks...)
	}
}

func between(rows []traceio.Access, from, to traceio.Seq) (out []traceio.Access) {
	for _, a := range rows {
		if a.Seq >= from && a.Seq < to {
			out = append(out, a)
		}
	}
	return out
}

// index reads a source as Open reads a foreign file.
func index(ctx context.Context, name string, src traceio.Source) (*Recording, error) {
	x, err := newIndexer(name, "memory", src)
	if err != nil {
		return nil, err
	}
	return x.run(ctx)
}

func fromFake(t testing.TB, seed uint64, n int) (*fake, *Recording) {
	t.Helper()
	f := randomSource(seed, n)
	whole := *f
	r, err := index(context.Background(), "fake", f)
	if err != nil {
		t.Fatal(err)
	}
	return &whole, r
}

// saved writes r as a file of our own and opens that.
func saved(t testing.TB, r *Recording) *Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.orr")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(context.Background(), r, f, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	back, err := Open(context.Background(), path, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { back.Close() })
	return back
}

func TestHoldsWhatTheSourceYields(t *testing.T) {
	for seed := range uint64(3) {
		want, mem := fromFake(t, seed, 80000+int(seed)*20000)
		for name, r := range map[string]*Recording{"memory": mem, "file": saved(t, mem)} {
			got, allocs, marks := rows(t, r.Source(0, r.Len()))
			if !slices.Equal(got, want.rows) {
				t.Fatalf("%s, seed %d: rows differ", name, seed)
			}
			if !slices.Equal(allocs, want.allocs) || !slices.Equal(r.Allocs(), want.allocs) {
				t.Fatalf("%s, seed %d: allocations differ", name, seed)
			}
			if !slices.Equal(marks, want.marks) || !slices.Equal(r.Marks(), want.marks) {
				t.Fatalf("%s, seed %d: marks differ", name, seed)
			}
			pcs := map[traceio.Addr]bool{}
			var counts Counts
			for _, a := range want.rows {
				pcs[a.PC] = true
				counts.Threads = max(counts.Threads, int(a.Thread)+1)
				switch a.Kind {
				case traceio.Load:
					counts.Loads++
				case traceio.Store:
					counts.Stores++
				default:
					counts.Fetches++
				}
			}
			if r.Counts() != counts {
				t.Errorf("%s, seed %d: counts %+v, want %+v", name, seed, r.Counts(), counts)
			}
			if len(r.PCs()) != len(pcs) || !slices.IsSorted(r.PCs()) {
				t.Errorf("%s, seed %d: %d PCs, want %d", name, seed, len(r.PCs()), len(pcs))
			}
			if !slices.Equal(r.Program().Command, []string{"./fake"}) {
				t.Errorf("%s: command %q", name, r.Program().Command)
			}
		}
	}
}

func TestPartsMakeTheWhole(t *testing.T) {
	want, r := fromFake(t, 11, 120000)
	rnd := rand.New(rand.NewPCG(5, 5))
	cuts := []traceio.Seq{0, r.Len()}
	for i := range r.Blocks() {
		first, _ := r.Span(i)
		cuts = append(cuts, first, first+1)
	}
	for range 10 {
		cuts = append(cuts, traceio.Seq(rnd.Uint64N(uint64(r.Len()))))
	}
	slices.Sort(cuts)
	var got []traceio.Access
	var allocs []traceio.Alloc
	for i := 1; i < len(cuts); i++ {
		part, al, _ := rows(t, r.Source(cuts[i-1], cuts[i]))
		if i < len(cuts)-1 {
			if w := between(want.rows, cuts[i-1], cuts[i]); !slices.Equal(part, w) {
				t.Fatalf("[%d,%d): %d rows, want %d", cuts[i-1], cuts[i], len(part), len(w))
			}
		}
		got = append(got, part...)
		allocs = append(allocs, al...)
	}
	if !slices.Equal(got, want.rows) || !slices.Equal(allocs, want.allocs) {
		t.Fatalf("parts have %d rows and %d allocations, want %d and %d", len(got), len(allocs),
			len(want.rows), len(want.allocs))
	}
}

// A block's reach is the lowest and the highest address of its data references.
func TestReach(t *testing.T) {
	_, r := fromFake(t, 11, 50000)
	for i := range r.Blocks() {
		b, err := r.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		low, high := ^traceio.Addr(0), traceio.Addr(0)
		for row, a := range b.Addr {
			if b.Kind[row] != traceio.Fetch {
				low, high = min(low, a), max(high, a)
			}
		}
		if l, h := r.Reach(i); l != low || h != high {
			t.Errorf("block %d reaches from %v to %v, want %v to %v", i, l, h, low, high)
		}
	}
}

func TestAtAndFind(t *testing.T) {
	want, r := fromFake(t, 3, 150000)
	var data []traceio.Access
	for _, a := range want.rows {
		if a.Kind != traceio.Fetch {
			data = append(data, a)
		}
	}
	if int(r.Len()) != len(data) {
		t.Fatalf("%d data references, want %d", r.Len(), len(data))
	}
	var wait sync.WaitGroup
	for g := range uint64(4) {
		wait.Go(func() {
			rnd := rand.New(rand.NewPCG(g, 1))
			for range 60 {
				s := traceio.Seq(rnd.IntN(len(data)))
				got, err := r.At(s)
				if err != nil || got != data[s] {
					t.Errorf("%d: %+v, %v, want %+v", s, got, err, data[s])
					return
				}
			}
		})
	}
	wait.Wait()
}

func TestOpensTheOracle(t *testing.T) {
	var last int64
	r, err := Open(context.Background(), oracle, Options{}, func(done, total int64) {
		if done < last || done > total {
			t.Errorf("progress %d after %d of %d", done, last, total)
		}
		last = done
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if c := r.Counts(); c.Loads+c.Stores != 46597 || c.Fetches != 137988 || c.Threads != 1 || r.Len() != 46597 {
		t.Errorf("counts %+v, length %d", c, r.Len())
	}
	if r.Format() != "lackey+gzip" || last == 0 || len(r.Loss()) != 0 {
		t.Errorf("format %s, progress %d, loss %v", r.Format(), last, r.Loss())
	}
}
