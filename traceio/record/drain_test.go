package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// kept collects blocks as they are handed on.
type kept struct {
	rows   []traceio.Access
	allocs []traceio.Alloc
	marks  []traceio.Mark
	bad    string
}

func (k *kept) WriteBlock(b *traceio.Block) error {
	if uint64(b.First) != uint64(len(k.rows)) || b.Len() > traceio.MaxBlock || b.End < b.Start {
		k.bad = fmt.Sprintf("block at %d of %d rows after %d, ticks %d to %d", b.First, b.Len(), len(k.rows), b.Start, b.End)
	}
	for _, a := range b.Allocs {
		if a.Seq < b.First || a.Seq > b.First+traceio.Seq(b.Len()) {
			k.bad = fmt.Sprintf("allocation at %d in the block from %d", a.Seq, b.First)
		}
	}
	for i := range b.Addr {
		k.rows = append(k.rows, traceio.Access{Seq: traceio.Seq(len(k.rows)), Addr: b.Addr[i], PC: b.PC[i], Size: b.Size[i],
			Kind: b.Kind[i], Thread: b.Thread[i]})
	}
	k.allocs = append(k.allocs, b.Allocs...)
	k.marks = append(k.marks, b.Marks...)
	return nil
}

// pen writes slots as the plugin does.
type pen struct {
	r  *ring
	at uint64
}

func (p *pen) slot(place, key uint64) {
	p.r.slots[p.at%ringSlots] = orr.Row{Place: place, Key: orr.SiteKey(key) | phase(p.at)}
	p.at++
}

func (p *pen) reference(a traceio.Access, what, piece uint64) {
	shift := uint64(0)
	for 1<<shift < a.Size {
		shift++
	}
	p.slot(uint64(a.Addr)<<16|uint64(a.Thread), uint64(a.PC)<<16|piece<<7|shift<<4|what<<1)
}

func (p *pen) event(code, thread, value uint64, payload ...uint64) {
	p.slot(value, thread<<32|code<<16|uint64(len(payload))<<8)
	for _, w := range payload {
		p.slot(w, 8)
	}
}

func newPen(t testing.TB, out blockWriter, limit uint64) (*pen, *drain) {
	t.Helper()
	r := newRing(t)
	return &pen{r: r}, newDrain(r, direct{out, new(traceio.Block)}, limit)
}

// newRing is a ring that nobody shares.
func newRing(t testing.TB) *ring {
	t.Helper()
	mem, err := unix.Mmap(-1, 0, ringHeader+ringSlots*16, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	r := ringOver(mem)
	t.Cleanup(func() { r.close() })
	return r
}

type blockWriter interface{ WriteBlock(*traceio.Block) error }

// direct writes blocks at once.
type direct struct {
	blockWriter
	block *traceio.Block
}

func (d direct) rows(rows []orr.Row, tag orr.SiteKey) error {
	for _, r := range rows {
		k := r.Key ^ tag
		d.block.Append(traceio.Access{Addr: r.Addr(), PC: k.PC(), Size: k.Size(), Kind: k.Kind(), Thread: r.Thread()})
		if r.Thread() != rows[0].Thread() {
			return errors.New("rows of two threads")
		}
	}
	return nil
}

func (d direct) end(b *traceio.Block) error {
	rows := *d.block
	*d.block = traceio.Block{}
	rows.First, rows.Start, rows.End, rows.Allocs, rows.Marks = b.First, b.Start, b.End, b.Allocs, b.Marks
	return d.WriteBlock(&rows)
}

// TestDrain: more than a lap around the ring, polled at odd moments, come out as they went in.
func TestDrain(t *testing.T) {
	var out kept
	p, d := newPen(t, &out, 0)
	random := rand.New(rand.NewPCG(1, 2))
	var want []traceio.Access
	for p.at < ringSlots+ringSlots/2+777 {
		if p.at > d.ring.next+ringSlots/2 || random.IntN(50000) == 0 {
			d.poll()
		}
		a := traceio.Access{Seq: traceio.Seq(len(want)), Addr: traceio.Addr(random.Uint64() >> 17),
			PC:   traceio.Addr(random.Uint64() >> 17),
			Size: 1 << random.IntN(5), Thread: traceio.Thread(random.IntN(3))}
		switch what := uint64(1 + random.IntN(3)); {
		case random.IntN(100) == 0:
			p.event(codeClock, 0, p.at)
		default:
			p.reference(a, what, 0)
			if what != 2 {
				want = append(want, a)
			}
			if what != 1 {
				a.Kind, a.Seq = traceio.Store, traceio.Seq(len(want))
				want = append(want, a)
			}
		}
	}
	d.poll()
	d.finish()
	if out.bad != "" {
		t.Error(out.bad)
	}
	if !slices.Equal(out.rows, want) {
		t.Errorf("%d references came out, %d went in, or they differ", len(out.rows), len(want))
	}
}

// TestTurns: a program that fills the ring as fast as it is emptied does not keep the reader from the others.
func TestTurns(t *testing.T) {
	r := newRing(t)
	p := &pen{r: r}
	fill := func() {
		for p.at < r.next+ringSlots/2 {
			p.reference(traceio.Access{Addr: traceio.Addr(p.at), Size: 8}, 1, 0)
		}
	}
	d := newDrain(r, refilling{fill}, 0)
	for range 3 {
		if fill(); d.poll() > ringSlots {
			t.Fatal("one ring was read for longer than one turn")
		}
	}
}

// refilling writes more as soon as something is taken.
type refilling struct{ fill func() }

func (f refilling) rows([]orr.Row, orr.SiteKey) error {
	f.fill()
	return nil
}

func (refilling) end(*traceio.Block) error { return nil }

// TestPieces: pieces of one wide reference become one, also with another thread in between; what only looks like pieces
// stays apart.
func TestPieces(t *testing.T) {
	var out kept
	p, d := newPen(t, &out, 0)
	ref := func(pc, addr traceio.Addr, thread traceio.Thread, store bool, piece uint64) {
		what := uint64(1)
		if store {
			what = 2
		}
		p.reference(traceio.Access{PC: pc, Addr: addr, Size: 8, Thread: thread}, what, piece)
	}
	ref(1, 100, 0, false, 0)
	ref(1, 108, 0, false, 1) // joins
	ref(1, 116, 0, false, 0) // the next execution
	ref(9, 500, 1, false, 0) // another thread
	ref(1, 124, 0, false, 1) // joins across it
	ref(2, 200, 0, false, 0)
	ref(2, 300, 0, false, 1) // a gather: not adjacent
	ref(3, 400, 0, false, 0) // compare-exchange of 16 bytes
	ref(3, 408, 0, false, 1)
	ref(3, 400, 0, true, 1)
	ref(3, 408, 0, true, 1)
	d.poll()
	d.finish()
	var got []string
	for _, a := range out.rows {
		got = append(got, fmt.Sprintf("%d:%d+%d", a.PC, uint64(a.Addr), a.Size))
	}
	if s, want := strings.Join(got, " "), "1:100+16 1:116+16 9:500+8 2:200+8 2:300+8 3:400+16 3:400+16"; s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestReallocRace: another thread is given the old place of a block before realloc, which gave it up, has told its end.
func TestReallocRace(t *testing.T) {
	var out kept
	p, d := newPen(t, &out, 0)
	p.event(codeMalloc, 1, 0x1000, 5, 10, 24)
	p.event(codeReallocBegin, 1, 0x1000, 6)
	p.event(codeMalloc, 2, 0x1000, 7, 20, 24)
	p.event(codeReallocEnd, 1, 0x2000, 8, 99, 104, 0x1000)
	p.event(codeReallocBegin, 2, 0x1000, 9)
	p.event(codeReallocEnd, 2, 0, 10, 1<<60, 0, 0x1000) // fails
	p.event(codeFree, 2, 0x1000, 11)
	d.poll()
	d.finish()
	var got []string
	for _, a := range out.allocs {
		got = append(got, fmt.Sprintf("%d%c%x", a.Thread, "+-"[a.Op], uint64(a.Addr)))
	}
	if s, want := strings.Join(got, " "), "1+1000 1-1000 2+1000 1+2000 2-1000"; s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// TestHole: a thread that was killed between taking a slot and filling it costs that slot and no more.
func TestHole(t *testing.T) {
	var out kept
	p, d := newPen(t, &out, 0)
	for i := range 100 {
		if i == 50 || i == 51 {
			p.at++
			continue
		}
		p.reference(traceio.Access{Addr: traceio.Addr(i), Size: 1}, 1, 0)
	}
	for d.poll() > 0 || d.ring.skipHole() {
	}
	d.finish()
	if len(out.rows) != 98 || out.rows[50].Addr != 52 {
		t.Errorf("%d references", len(out.rows))
	}
}

// TestLost: where a program has begun a record and left it, that is counted, and what stands before and behind it is
// read.
func TestLost(t *testing.T) {
	var out kept
	p, d := newPen(t, &out, 0)
	reference := func(n int) { p.reference(traceio.Access{Addr: traceio.Addr(n), Size: 1}, 1, 0) }
	reference(1)
	p.event(codeLost, 0, 1)
	reference(2)
	p.slot(0x1000, codeFree<<16|2<<8) // a block given back, with its time and one caller
	p.slot(7, 8)
	p.event(codeLost, 0, 1)
	p.slot(0x2000, 8)
	p.slot(0x3000, codeFree<<16|2<<8) // and one without the caller, which is not told
	p.slot(8, 8)
	p.event(codeLost, 0, 1)
	p.event(codeFree, 0, 0x4000, 9, 0x2000)
	reference(3)
	d.poll()
	d.finish()
	if len(out.rows) != 3 || len(out.allocs) != 2 || out.allocs[0].Addr != 0x1000 || out.allocs[1].Addr != 0x4000 {
		t.Errorf("references %v, events %v", out.rows, out.allocs)
	}
	if l := d.losses(); len(l) != 1 || l[0].Count != 3 || l[0].First != "reference 1" {
		t.Errorf("losses %v", l)
	}
}

// FuzzDrain: whatever a program that runs wild writes into the ring, the reader survives and its blocks are sound.
func FuzzDrain(f *testing.F) {
	seed := func(write func(p *pen)) {
		p, _ := newPen(f, &kept{}, 0)
		write(p)
		var raw []byte
		for _, s := range p.r.slots[:p.at] {
			raw = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(raw, s.Place), uint64(s.Key))
		}
		f.Add(raw)
	}
	seed(func(p *pen) {
		p.reference(traceio.Access{Addr: 1, PC: 2, Size: 8}, 3, 0)
		p.event(codeMalloc, 0, 0x1000, 1, 2, 3, 4, 5)
		p.event(codeReallocEnd, 0, 0x1000, 1)
		p.event(codeMark, 0, 1<<40, 1, 0x6f6c6c6548)
		p.event(codeExec, 0, 3, 1, 0x732f2f)
	})
	seed(func(p *pen) { p.event(codeStart, 0, 1, 2); p.event(codeMap, 0, 1); p.event(99, 0, 1) })
	r := newRing(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		n := min(len(raw)/16, ringSlots-1)
		r.next = 0
		for i := range n {
			place, key := binary.LittleEndian.Uint64(raw[16*i:]), binary.LittleEndian.Uint64(raw[16*i+8:])
			r.slots[i] = orr.Row{Place: place, Key: orr.SiteKey(key)}
		}
		r.slots[n] = orr.Row{}
		var out kept
		d := newDrain(r, direct{&out, new(traceio.Block)}, 0)
		d.start, d.code = func(_, _ uint64) {}, func(uint64) {}
		for d.poll() > 0 || r.next < uint64(n) && r.skipHole() {
		}
		d.finish()
		if out.bad != "" {
			t.Error(out.bad)
		}
		clear(r.slots[:n])
	})
}

// BenchmarkDrain is the reader's own cost for one reference, without encoding.
func BenchmarkDrain(b *testing.B) {
	r := newRing(b)
	p, d := &pen{r: r}, newDrain(r, discard{}, 0)
	for i := range uint64(ringSlots) {
		p.reference(traceio.Access{Addr: traceio.Addr(i), PC: traceio.Addr(i & 255), Size: 8}, 1+i&1, 0)
	}
	b.ReportAllocs()
	b.SetBytes(16 * ringSlots)
	for b.Loop() {
		d.ring.next = 0
		for n := uint64(0); n < ringSlots; n += ringChunk {
			d.take(n+ringChunk, 1)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/ringSlots, "ns/ref")
}

type discard struct{}

func (discard) rows([]orr.Row, orr.SiteKey) error { return nil }

func (discard) end(*traceio.Block) error { return nil }
