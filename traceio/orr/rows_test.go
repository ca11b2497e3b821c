package orr

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// randomFollowing is a lane of known sites whose turns lead anywhere, most often on, to a few loops, or nowhere.
func randomFollowing(rnd *rand.Rand, known, rows int) *following {
	x := &following{
		hops: make([]hop, known), reach: make(reach, known+chunk), rows: rows,
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
			x.turns = append(x.turns, turn{0, uint32(rnd.IntN(4))})
			continue
		default:
			ref = (ref + 1) % uint32(known)
		}
		x.turns = append(x.turns, turn{ref, uint32(rnd.IntN(9)) * uint32(rnd.IntN(9))})
	}
	return x
}

func (x *following) clone() *following {
	y := *x
	y.hops, y.reach = slices.Clone(x.hops), slices.Clone(x.reach)
	y.refs, y.pcs, y.sizes, y.kinds = slices.Clone(x.refs), slices.Clone(x.pcs), slices.Clone(x.sizes),
		slices.Clone(x.kinds)
	return &y
}

func TestSitesOfRowsAreThoseOfTheSlowWay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	for k := range 400 {
		rows := 1 + rnd.IntN(step)
		got := randomFollowing(rnd, 2+rnd.IntN(100), rows)
		want := got.clone()
		followRows(got)
		followAny(want)
		n := rows - want.rows
		if got.rows != want.rows || got.left != want.left || got.site != want.site || got.run != want.run ||
			!slices.Equal(got.hops, want.hops) || !slices.Equal(got.reach, want.reach) ||
			!slices.Equal(got.refs[:n], want.refs[:n]) || !slices.Equal(got.pcs[:n], want.pcs[:n]) ||
			!slices.Equal(got.sizes[:n], want.sizes[:n]) || !slices.Equal(got.kinds[:n], want.kinds[:n]) {
			t.Fatalf("%d: of %d rows %d are left, want %d; sites %v, want %v", k, rows, got.rows, want.rows,
				got.refs[:n], want.refs[:n])
		}
	}
}

// TestReachIsWhatWalkingFinds walks from every site.
func TestReachIsWhatWalkingFinds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 2))
	for k := range 100 {
		x := randomFollowing(rnd, 2+rnd.IntN(60), step)
		if k%2 != 0 {
			l := lane{hops: x.hops, reach: x.reach}
			l.straight(make([]traceio.Addr, len(x.hops)))
		}
		followRows(x)
		for ref := range x.hops {
			far := 0
			for at := ref; far < chunk-1 && int(x.hops[at].next) == at+1; far++ {
				at++
			}
			if got := int(x.reach[front+ref]); got != far {
				t.Fatalf("from site %d %d follow straight on, want %d: %v", ref, got, far, x.hops)
			}
		}
	}
}

func TestAddressesOfRowsAreThoseOfTheSlowWay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for k := range 400 {
		rows, known := rnd.IntN(step+1), 1+rnd.IntN(20)
		table := make([]uint64, 1<<guessBits)
		for i := range table {
			table[i] = rnd.Uint64()
		}
		guesses := [2][1 << guessBits]uint64{}
		copy(guesses[0][:], table)
		guesses[1] = guesses[0]
		from := []int{2, 3, 40}[rnd.IntN(3)]
		x := residing{recs: make([]rec, known), addrs: make([]traceio.Addr, from+rows), from: from,
			before: rnd.Uint64(), noting: k%2 != 0}
		for i := range from {
			x.addrs[i] = traceio.Addr(rnd.Uint64())
		}
		for i := range x.recs {
			r := &x.recs[i]
			row := rnd.IntN(from + 1)
			r.mark = uint32(2*row + rnd.IntN(2))
			r.stride, r.delta = uint64(rnd.IntN(3)), uint64(rnd.IntN(3))
			p := pastOf(x.addrs, from, x.before, r.row())
			r.miss(row-1, p.last, 0, p.before, p.second, uint32(rnd.IntN(ways)))
			r.mark = uint32(2*row + rnd.IntN(2))
			r.delta = uint64(rnd.IntN(2)) * r.delta
		}
		for i := range rows {
			if rnd.IntN(4) == 0 {
				x.stops = append(x.stops, uint32(from+i))
			}
		}
		x.stops = append(x.stops, uint32(from+rows))
		for range rows {
			x.refs = append(x.refs, uint32(rnd.IntN(known)))
			x.control = append(x.control, uint8(rnd.IntN(16)))
			x.residue = append(x.residue, uint8(rnd.IntN(3)), 0, 0, uint8(rnd.IntN(2)))
		}
		x.residue = append(x.residue, make([]byte, 8*rows+8)...)
		y := x
		y.recs, y.addrs = slices.Clone(x.recs), slices.Clone(x.addrs)
		x.guess, y.guess = &guesses[0], &guesses[1]
		residentRows(&x)
		residentAny(&y)
		if x.before != y.before || len(x.residue) != len(y.residue) || cap(x.residue) != cap(y.residue) ||
			!slices.Equal(x.addrs, y.addrs) || !slices.Equal(x.recs, y.recs) || guesses[0] != guesses[1] {
			t.Fatalf("%d: addresses %v, want %v", k, x.addrs, y.addrs)
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
		if got, ok := readNumbers(nil, src); !ok || !slices.Equal(got, want) {
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
		if got, ok := readNumbers(nil, []byte(src)); ok {
			t.Errorf("% x is %v", src, got)
		}
	}
}

// TestLookingEndsWhereGuessesAreJudged counts bit by bit.
func TestLookingEndsWhereGuessesAreJudged(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 6))
	d := &decoder{}
	for k := range 2000 {
		in := input{told: rnd.IntN(2 * guessTrial), place: rnd.IntN(200), missed: make([]uint64, 20)}
		if k%2 != 0 {
			in.told = guessTrial - 1 - rnd.IntN(200)
		}
		for i := range in.missed {
			in.missed[i] = rnd.Uint64() | rnd.Uint64()>>rnd.IntN(64)
		}
		n := rnd.IntN(step + 1)
		rows, misses := 0, 0
		var want [step]bool
		for left := guessTrial - in.told%guessTrial; rows < n; rows++ {
			at := in.place + rows
			if want[rows] = in.missed[at/64]>>(at%64)&1 != 0; want[rows] {
				if misses == left {
					break
				}
				misses++
			}
		}
		gotRows, gotMisses := d.look(n, &in)
		if gotRows != rows || gotMisses != misses {
			t.Fatalf("%d: of %d rows after %d misses %d are looked at with %d misses, want %d with %d", k, n, in.told, gotRows,
				gotMisses, rows, misses)
		}
		var stops []uint32
		for i := range rows {
			if d.missed[i/64]>>(i%64)&1 != 0 != want[i] {
				t.Fatalf("%d: row %d of %d is told wrong", k, i, rows)
			}
			if want[i] {
				stops = append(stops, uint32(in.place+i))
			}
		}
		if got, want := d.stop(rows, in.place), append(stops, uint32(in.place+rows)); !slices.Equal(got, want) {
			t.Fatalf("%d: stops %v, want %v", k, got, want)
		}
	}
}
