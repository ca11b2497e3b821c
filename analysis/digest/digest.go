// Package digest counts what a recording does, piece by piece: each piece, 65536 references as a rule, has its loads
// and stores, by instruction and by region, and the bounds of its addresses. In goes an open recording, of which one
// pass is made on all processors; out come the counts, the names of its memory, and what of them is worth keeping, so
// that the recording opens at once the next time. The overview over time, the counts of source lines and of regions are
// cut from them.
package digest

import (
	"cmp"
	"context"
	"math"
	"slices"

	"orrery/analysis/region"
	"orrery/traceio"
)

// Recording is the part of an open recording that is read here; *store.Recording is one.
type Recording interface {
	region.Recording
	Len() traceio.Seq
	Referring() bool // it has references, fetches among them
	Span(i int) (first, end traceio.Seq)
	Sweep(ctx context.Context, blocks []int, aside func() func(k int, b *traceio.Block), each func(k int,
		b *traceio.Block) error) error
}

// Digest is the counts of a recording, immutable.
type Digest struct {
	Len    traceio.Seq // of the recording
	Grain  traceio.Seq // references in a piece, the last one aside
	Pieces []Piece     // piece i is of the references [i*Grain, (i+1)*Grain)
	Seen   traceio.Seq // references that were counted: Len, unless this is a glimpse
	Head   traceio.Seq // of a glimpse: references at the beginning that were counted one by one and stand for themselves

	// Fine is stores over time: Fine[i] is the stores before reference i*Bin. A glimpse has none.
	Bin  traceio.Seq
	Fine []uint64
}

// Piece is what one stretch of references does. A glimpse has pieces in which nothing was counted.
type Piece struct {
	Loads, Stores uint32
	Low, High     traceio.Addr // first bytes of its references lie in [Low, High]; High < Low when nothing was counted
	Code          []Code       // by PC
	Data          []Data       // by region
}

// References is loads and stores together.
func (p *Piece) References() uint64 { return uint64(p.Loads) + uint64(p.Stores) }

// Code is what one instruction does in a piece.
type Code struct {
	PC            traceio.Addr
	Loads, Stores uint32
}

// Data is what happens to one region in a piece.
type Data struct {
	Region        int32
	Loads, Stores uint32
}

// The pieces are as long as a block of references, unless that makes fewer than some for each pixel of a narrow window.
const (
	mostGrain  = traceio.MaxBlock
	finePieces = 1024
	leastGrain = 16
)

// grain is how many references a piece of a recording of n has: a power of two.
func grain(n traceio.Seq) traceio.Seq {
	g := traceio.Seq(leastGrain)
	for g < mostGrain && g*finePieces < n {
		g *= 2
	}
	return g
}

// mostFine is how many counts of stores there are at most.
const mostFine = 1 << 19

func fineBin(n traceio.Seq) traceio.Seq {
	bin := traceio.Seq(leastGrain)
	for n/bin > mostFine {
		bin *= 2
	}
	return bin
}

func empty(n traceio.Seq) *Digest {
	d := &Digest{Len: n, Grain: grain(n), Bin: fineBin(n)}
	d.Pieces = make([]Piece, (n+d.Grain-1)/d.Grain)
	for i := range d.Pieces {
		d.Pieces[i].Low, d.Pieces[i].High = ^traceio.Addr(0), 0
	}
	return d
}

// Exact tells whether every reference was counted.
func (d *Digest) Exact() bool { return d.Seen == d.Len }

// scale is how many references each counted one of a piece stands for. The beginning of a program is like nothing that
// follows, so it stands for itself alone.
func (d *Digest) scale(piece int) float64 {
	if d.Exact() || traceio.Seq(piece)*d.Grain < d.Head {
		return 1
	}
	return float64(d.Len-d.Head) / float64(max(1, d.Seen-d.Head))
}

// sum is loads and stores that may be estimates.
type sum struct{ loads, stores float64 }

func (s *sum) add(loads, stores uint32, scale float64) {
	s.loads += float64(loads) * scale
	s.stores += float64(stores) * scale
}

func (s *sum) use() region.Use {
	return region.Use{Loads: uint64(math.Round(s.loads)), Stores: uint64(math.Round(s.stores))}
}

// EachCode gives loads and stores of all instructions, in several parts: estimates, if not Exact.
func (d *Digest) EachCode(give func(pc traceio.Addr, loads, stores uint64)) {
	if !d.Exact() { // rounded once
		for _, c := range d.ByCode() {
			give(c.PC, c.Loads, c.Stores)
		}
		return
	}
	for i := range d.Pieces {
		for _, c := range d.Pieces[i].Code {
			give(c.PC, uint64(c.Loads), uint64(c.Stores))
		}
	}
}

// ByCode sums loads and stores by instruction, in order of PC: estimates, if not Exact.
func (d *Digest) ByCode() []Totals {
	sums := map[traceio.Addr]*sum{}
	for i := range d.Pieces {
		scale := d.scale(i)
		for _, c := range d.Pieces[i].Code {
			t := sums[c.PC]
			if t == nil {
				t = &sum{}
				sums[c.PC] = t
			}
			t.add(c.Loads, c.Stores, scale)
		}
	}
	out := make([]Totals, 0, len(sums))
	for pc, t := range sums {
		out = append(out, Totals{pc, t.use()})
	}
	slices.SortFunc(out, func(a, b Totals) int { return cmp.Compare(a.PC, b.PC) })
	return out
}

// Totals is what one instruction does in the whole recording.
type Totals struct {
	PC traceio.Addr
	region.Use
}

// ByRegion sums loads and stores by region, of so many: estimates, if not Exact.
func (d *Digest) ByRegion(regions int) []region.Use {
	sums, out := make([]sum, regions), make([]region.Use, regions)
	for i := range d.Pieces {
		scale := d.scale(i)
		for _, x := range d.Pieces[i].Data {
			sums[x.Region].add(x.Loads, x.Stores, scale)
		}
	}
	for i := range sums {
		out[i] = sums[i].use()
	}
	return out
}

// settle puts the parts of a piece that came in several blocks together.
func (p *Piece) settle() {
	slices.SortFunc(p.Code, func(a, b Code) int { return cmp.Compare(a.PC, b.PC) })
	p.Code = joined(p.Code, func(a, b *Code) bool {
		if a.PC != b.PC {
			return false
		}
		a.Loads, a.Stores = a.Loads+b.Loads, a.Stores+b.Stores
		return true
	})
	slices.SortFunc(p.Data, func(a, b Data) int { return cmp.Compare(a.Region, b.Region) })
	p.Data = joined(p.Data, func(a, b *Data) bool {
		if a.Region != b.Region {
			return false
		}
		a.Loads, a.Stores = a.Loads+b.Loads, a.Stores+b.Stores
		return true
	})
}

// joined merges neighbours that join says belong together.
func joined[T any](all []T, join func(a, b *T) bool) []T {
	n := 0
	for i := range all {
		if n > 0 && join(&all[n-1], &all[i]) {
			continue
		}
		all[n] = all[i]
		n++
	}
	return slices.Clone(all[:n])
}
