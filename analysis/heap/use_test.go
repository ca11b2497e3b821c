package heap

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/traceio"
)

// references is a recording in memory.
type references struct {
	blocks []traceio.Block
	err    error
	read   int // calls of Block
}

func (r *references) Blocks() int { return len(r.blocks) }

func (r *references) Block(i int) (*traceio.Block, error) {
	r.read++
	return &r.blocks[i], r.err
}

func (r *references) Span(i int) (first, end traceio.Seq) {
	b := &r.blocks[i]
	return b.First, b.First + traceio.Seq(b.Data())
}

func (r *references) Reach(i int) (low, high traceio.Addr) {
	low = ^traceio.Addr(0)
	for row, a := range r.blocks[i].Addr {
		if r.blocks[i].Kind[row] != traceio.Fetch {
			low, high = min(low, a), max(high, a)
		}
	}
	return low, high
}

// randomUse is a log with references that mostly hit its blocks, some of them across their ends.
func randomUse(r *rand.Rand, n int) ([]traceio.Alloc, *references, traceio.Seq) {
	log, end := randomLog(r, n, false)
	end *= 10
	for i := range log {
		log[i].Seq *= 10
	}
	rec := &references{}
	for first := traceio.Seq(0); first < end; {
		var b traceio.Block
		b.First = first
		for range min(1+r.IntN(200), int(end-first)) {
			e := &log[r.IntN(len(log))]
			if r.IntN(5) == 0 {
				b.Append(traceio.Access{Kind: traceio.Fetch})
			}
			b.Append(traceio.Access{Addr: e.Addr + traceio.Addr(r.IntN(int(e.Size)+8)), Size: uint16(r.IntN(17)),
				Kind: traceio.Kind(r.IntN(2))})
		}
		first += traceio.Seq(b.Data())
		rec.blocks = append(rec.blocks, b)
	}
	return log, rec, end
}

// The twin keeps a set of the bytes of each block and asks for every reference which blocks live.
func TestObserveAgainstSets(t *testing.T) {
	for seed := range uint64(4) {
		log, rec, end := randomUse(rand.New(rand.NewPCG(seed, 71)), 200)
		h := analyze(t, log, end, calls())
		u, err := Observe(context.Background(), h, rec, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, sets := make([]Use, h.Count()), make([]map[traceio.Addr]bool, h.Count())
		sites := make([]SiteUse, len(h.Sites))
		for i := range rec.blocks {
			b := &rec.blocks[i]
			for s := b.First; s < b.First+traceio.Seq(b.Data()); s++ {
				x := b.At(s)
				for id := range h.Count() {
					n, w := h.Block(id), &want[id]
					if s < h.Alloc(n) || s >= h.Free(n) || x.Addr < n.Low || x.Addr >= n.High() {
						continue
					}
					if w.References() == 0 {
						w.First = s
					}
					if w.Last = s; x.Kind == traceio.Load {
						w.Loads++
					} else {
						w.Stores++
					}
					if n.Size == 0 {
						continue
					}
					if sets[id] == nil {
						sets[id] = map[traceio.Addr]bool{}
					}
					for k := range traceio.Addr(max(x.Size, 1)) {
						if x.Addr+k < n.High() {
							sets[id][x.Addr+k] = true
						}
					}
					sites[n.Site].Profile[uint64(x.Addr-n.Low)*UseColumns/n.Size]++
				}
			}
		}
		for id := range want {
			want[id].Touched = uint64(len(sets[id]))
			if u.Blocks[id] != want[id] {
				t.Fatalf("seed %d: block %d of %d bytes: %+v, want %+v", seed, id, h.Block(id).Size, u.Blocks[id], want[id])
			}
			n, s := h.Block(id), &sites[h.Block(id).Site]
			life := h.Free(n) - h.Alloc(n)
			lag, drag := traceio.Seq(0), life
			if want[id].References() > 0 {
				lag, drag = want[id].First-h.Alloc(n), h.Free(n)-want[id].Last-1
				if got := u.Lag(h, id); got != lag {
					t.Fatalf("seed %d: block %d lags %d, want %d", seed, id, got, lag)
				}
			} else {
				s.Unused++
			}
			if got := u.Drag(h, id); got != drag {
				t.Fatalf("seed %d: block %d drags %d, want %d", seed, id, got, drag)
			}
			s.Blocks++
			s.References += want[id].References()
			s.Bytes += n.Size
			s.Touched += want[id].Touched
			s.Life += uint64(life)
			s.Lag += uint64(lag)
			s.Drag += uint64(drag)
			s.WeightedLife += float64(life) * float64(n.Size)
			s.WeightedLag += float64(lag) * float64(n.Size)
			s.WeightedDrag += float64(drag) * float64(n.Size)
			s.WeightedUntouched += float64(life) * float64(n.Size-want[id].Touched)
			once := uint64(0) // of the blocks of the same site that live when this one is made
			for other := range id + 1 {
				if h.death(other) > h.birth(id) && h.SiteOf(other) == h.SiteOf(id) {
					once += h.Size(other) - want[other].Touched
				}
			}
			s.MostUntouched = max(s.MostUntouched, once)
		}
		for i := range sites {
			if u.Sites[i] != sites[i] {
				t.Fatalf("seed %d: site %d\n got  %+v\n want %+v", seed, i, u.Sites[i], sites[i])
			}
		}
		for id := 0; id < h.Count(); id += 1 + h.Count()/20 {
			grid, err := Heat(context.Background(), h, rec, id, 4, 5)
			if err != nil {
				t.Fatal(err)
			}
			sum := uint64(0)
			for _, row := range grid {
				for _, n := range row {
					sum += uint64(n)
				}
			}
			if want := want[id]; sum != want.References() {
				t.Errorf("seed %d: the heat of block %d is %d references, want %d", seed, id, sum, want.References())
			}
		}
	}
}

// Of a long recording only those blocks are read that can have references to the heap's block in its life.
func TestHeatReadsLittle(t *testing.T) {
	h := analyze(t, []traceio.Alloc{{Seq: 500, Addr: 0x1000, Size: 64}, {Seq: 700, Addr: 0x1000, Op: traceio.Free}}, 1000,
		nil)
	rec := &references{}
	for i := range 100 {
		b := traceio.Block{First: traceio.Seq(10 * i)}
		for k := range 10 {
			b.Append(traceio.Access{Addr: traceio.Addr(0x1000*(1+i%2) + k), Size: 1})
		}
		rec.blocks = append(rec.blocks, b)
	}
	grid, err := Heat(context.Background(), h, rec, 0, 2, 1)
	if err != nil || grid[0][0] != 100 || grid[1][0] != 0 || rec.read != 10 {
		t.Errorf("%v, %v after %d blocks, want 100 references in 10", grid, err, rec.read)
	}
	rec.err = errors.New("broken")
	if _, err := Heat(context.Background(), h, rec, 0, 2, 1); !errors.Is(err, rec.err) {
		t.Errorf("a broken recording gives %v", err)
	}
}

func TestObserveLargeBlocks(t *testing.T) {
	m := newTouched(5 << 20)
	m.mark(0, 1)
	m.mark(5<<20-1, 5<<20)
	if got := m.count(5 << 20); got != 16 {
		t.Errorf("two units of 8 bytes count as %d bytes", got)
	}
	if n := len(newTouched(1 << 46).bits); n > mostUnits/64+1 {
		t.Errorf("64 TiB need %d words", n)
	}
}

func TestSentences(t *testing.T) {
	h := analyze(t, []traceio.Alloc{{Seq: 0, Addr: 0x1000, Size: 100, Stack: 1}, {Seq: 0, Addr: 0x2000, Size: 8, Stack: 2},
		{Seq: 90, Addr: 0x1000, Op: traceio.Free}}, 100, calls())
	var b traceio.Block
	for i := range 100 {
		a := traceio.Addr(0x9000)
		if i == 20 {
			a = 0x1000
		}
		b.Append(traceio.Access{Addr: a, Size: 8})
	}
	u, err := Observe(context.Background(), h, &references{blocks: []traceio.Block{b}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(u.Sentences(h, 5), "\n")
	if want := "list.c:7 holds its memory 77 % of the time after the last use, a block 69 references on average; 92 % " +
		"of its bytes have no recorded reference.\n" +
		"No recorded reference uses a block of list.c:30: 8 bytes."; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, row := range []struct {
		limits []string
		want   string
	}{
		{nil, "Only recorded references count: what --only, --from, --max-refs or --keep-last left out may have " +
			"touched more."},
		{[]string{"references made by list.c"},
			"The recording is limited to references made by list.c. What is left out may have touched more."},
	} {
		h.Program = &traceio.Program{Limits: row.limits}
		if got := u.Caveat(h); got != row.want {
			t.Errorf("limited to %v: %q, want %q", row.limits, got, row.want)
		}
	}
	if got := (&Usage{}).Caveat(h); got != "" {
		t.Errorf("where all is touched: %q", got)
	}
	broken := errors.New("broken")
	if _, err := Observe(context.Background(), h, &references{blocks: []traceio.Block{b}, err: broken},
		nil); !errors.Is(err, broken) {
		t.Errorf("a broken recording gives %v", err)
	}
}
