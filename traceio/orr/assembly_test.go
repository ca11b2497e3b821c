package orr

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// randomReplay is a lane of known sites whose mispredictions lead anywhere, most often on, to a few loops, or nowhere.
func randomReplay(rnd *rand.Rand, known, rows int) *siteReplay {
	x := &siteReplay{
		next: make([]successors, known), straight: make(straightRuns, known+chunk), rows: rows,
		refs: make([]uint32, rows+chunk), pcs: make([]traceio.Addr, rows+chunk), sizes: make([]uint16, rows+chunk),
		kinds: make([]traceio.Kind, rows+chunk),
	}
	for i := range known + chunk {
		x.sitePCs, x.siteSizes = append(x.sitePCs, traceio.Addr(i)<<20), append(x.siteSizes, uint16(rnd.Uint32()))
		x.siteKinds = append(x.siteKinds, traceio.Kind(rnd.IntN(3)))
	}
	ref := uint32(0)
	for range rnd.IntN(rows + 1) {
		switch rnd.IntN(8) {
		case 0:
			ref = uint32(rnd.IntN(known))
		case 1:
			ref -= min(ref, uint32(rnd.IntN(20)))
		case 2:
			x.mispredictions = append(x.mispredictions, misprediction{0, uint32(rnd.IntN(4))})
			continue
		default:
			ref = (ref + 1) % uint32(known)
		}
		x.mispredictions = append(x.mispredictions, misprediction{ref, uint32(rnd.IntN(9)) * uint32(rnd.IntN(9))})
	}
	return x
}

func (x *siteReplay) clone() *siteReplay {
	y := *x
	y.next, y.straight = slices.Clone(x.next), slices.Clone(x.straight)
	y.refs, y.pcs, y.sizes, y.kinds = slices.Clone(x.refs), slices.Clone(x.pcs), slices.Clone(x.sizes),
		slices.Clone(x.kinds)
	return &y
}

func TestSitesLikeGeneric(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	for k := range 400 {
		rows := 1 + rnd.IntN(step)
		got := randomReplay(rnd, 2+rnd.IntN(100), rows)
		want := got.clone()
		replaySites(got)
		replaySitesGeneric(want)
		n := rows - want.rows
		if got.rows != want.rows || got.left != want.left || got.site != want.site || got.run != want.run ||
			!slices.Equal(got.next, want.next) || !slices.Equal(got.straight, want.straight) ||
			!slices.Equal(got.refs[:n], want.refs[:n]) || !slices.Equal(got.pcs[:n], want.pcs[:n]) ||
			!slices.Equal(got.sizes[:n], want.sizes[:n]) || !slices.Equal(got.kinds[:n], want.kinds[:n]) {
			t.Fatalf("%d: of %d rows %d are left, want %d; sites %v, want %v", k, rows, got.rows, want.rows,
				got.refs[:n], want.refs[:n])
		}
	}
}

// TestStraightRuns walks from every site.
func TestStraightRuns(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 2))
	for k := range 100 {
		x := randomReplay(rnd, 2+rnd.IntN(60), step)
		if k%2 != 0 {
			thread := threadState{}
			thread.startDecoding(&siteTable{known: len(x.next), first: make([]traceio.Addr, len(x.next))})
			x.next, x.straight = thread.next, thread.straight
		}
		replaySites(x)
		for ref := range x.next {
			far := 0
			for at := ref; far < chunk-1 && int(x.next[at].next) == at+1; far++ {
				at++
			}
			if got := int(x.straight[straightMargin+ref]); got != far {
				t.Fatalf("from site %d %d follow straight on, want %d: %v", ref, got, far, x.next)
			}
		}
	}
}

func TestAddressesLikeGeneric(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for k := range 400 {
		rows, known := rnd.IntN(step+1), 1+rnd.IntN(20)
		tables := [2]contextTable{}
		for i := range tables[0] {
			tables[0][i] = rnd.Uint64()
		}
		tables[1] = tables[0]
		first := []int{2, 3, 40}[rnd.IntN(3)]
		x := addressBatch{states: make([]addressState, known), addrs: make([]traceio.Addr, first+rows), first: first,
			before: rnd.Uint64(), table: &tables[0]}
		for i := range first {
			x.addrs[i] = traceio.Addr(rnd.Uint64())
		}
		choice := newPredictors(x.table)
		for i := range x.states {
			s := &x.states[i]
			row := rnd.IntN(first + 1)
			s.mark = uint32(2*row + rnd.IntN(2))
			s.stride, s.delta = uint64(rnd.IntN(3)), uint64(rnd.IntN(3))
			h := history{before: x.before, second: secondBefore(x.addrs, first)}
			h.lookBack(x.addrs, s.row())
			by := rnd.IntN(predictors)
			s.miss(row-1, &h, h.last, uint32(by), choice[by])
			s.mark = uint32(2*row + rnd.IntN(2))
			s.delta *= uint64(rnd.IntN(2))
		}
		for i := range rows {
			if rnd.IntN(4) == 0 {
				x.misses = append(x.misses, uint32(first+i))
			}
		}
		x.misses = append(x.misses, uint32(first+rows))
		for range rows {
			x.sites = append(x.sites, uint32(rnd.IntN(known)))
			x.control = append(x.control, uint8(rnd.IntN(controlCodes)))
			x.residual = append(x.residual, uint8(rnd.IntN(3)), 0, 0, uint8(rnd.IntN(2)))
		}
		x.residual = append(x.residual, make([]byte, 8*rows+8)...)
		y := x
		y.states, y.addrs, y.table = slices.Clone(x.states), slices.Clone(x.addrs), &tables[1]
		choices := newPredictors(y.table)
		y.predictors = &choices
		decodeBatch(&x)
		decodeBatchGeneric(&y)
		if x.before != y.before || len(x.residual) != len(y.residual) || cap(x.residual) != cap(y.residual) ||
			!slices.Equal(x.addrs, y.addrs) || !slices.Equal(x.states, y.states) || tables[0] != tables[1] {
			t.Fatalf("%d: addresses %v, want %v", k, x.addrs, y.addrs)
		}
	}
}

// TestFindMisses looks at the bitmap bit by bit.
func TestFindMisses(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 6))
	d := &decoder{}
	for k := range 2000 {
		d.bitmap = make([]uint64, 20)
		for i := range d.bitmap {
			d.bitmap[i] = rnd.Uint64() | rnd.Uint64()>>rnd.IntN(64)
		}
		first, n := rnd.IntN(200), rnd.IntN(step+1)
		var want []uint32
		for i := first; i < first+n; i++ {
			if d.bitmap[i/64]>>(i%64)&1 != 0 {
				want = append(want, uint32(i))
			}
		}
		if got, want := d.findMisses(n, first), append(want, uint32(first+n)); !slices.Equal(got, want) {
			t.Fatalf("%d: of %d references from %d on %v are mispredicted, want %v", k, n, first, got, want)
		}
	}
}

func TestNumbersAreThoseOfVarints(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for k := range 400 {
		var src []byte
		var want []uint64
		for range rnd.IntN(60) {
			x := rnd.Uint64() >> rnd.IntN(64) >> min(rnd.IntN(64), 8*(k%9))
			src, want = binary.AppendUvarint(src, x), append(want, x)
		}
		if got, ok := readVarints(nil, src); !ok || !slices.Equal(got, want) {
			t.Fatalf("%d: % x is %v, want %v", k, src, got, want)
		}
	}
}

func TestNumbersWithoutAnEndAreRefused(t *testing.T) {
	for _, src := range []string{
		"\x80", "\x01\x02\x80", "\x01\x02\x03\x04\x05\x06\x07\x08\x80\x80", "\x80\x80\x80\x80\x80\x80\x80\x80",
		"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02",
		"\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
	} {
		if got, ok := readVarints(nil, []byte(src)); ok {
			t.Errorf("% x is %v", src, got)
		}
	}
}
