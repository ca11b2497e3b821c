package orr

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomComparing are rows of few sites, whose addresses most often are what some way predicts.
func randomComparing(rnd *rand.Rand, guesses *[1 << guessBits]uint64) *comparing {
	from, rows, known := 2+rnd.IntN(60), 1+rnd.IntN(64), 1+rnd.IntN(8)
	x := &comparing{recs: make([]rec, known), addrs: make([]uint64, margin+from+rows), place: from, guess: guesses,
		before: rnd.Uint64(), noting: rnd.IntN(4) > 0, until: 1 + rnd.IntN(guessTrial)>>rnd.IntN(13)}
	for i := margin; i < margin+from; i++ {
		x.addrs[i] = rnd.Uint64()
	}
	for i := range x.recs {
		x.recs[i] = rec{next: rnd.Uint64(), step: uint64(rnd.IntN(3)), stride: uint64(rnd.IntN(3)),
			delta: uint64(rnd.IntN(3)),
			mark:  uint32(rnd.IntN(2 * from)), way: uint32(rnd.IntN(ways))}
	}
	y := x.clone() // goes on with what it expects
	before := x.before
	for i := range rows {
		ref := uint32(rnd.IntN(known))
		at := margin + from + i
		own := y.addrs[y.recs[ref].row():][:margin]
		addr := own[2] + rnd.Uint64N(3)
		switch rnd.IntN(8) {
		case 0:
			addr = own[2] + 2*(before-own[1])
		case 1:
			addr = own[2] + y.addrs[at-2] - own[0]
		case 2:
			addr = own[2] + before - own[1]
		case 3:
			addr = own[2] + y.recs[ref].stride
		case 4:
			addr = y.guess[guess(ref, before)]
		case 5, 6:
			addr = y.expected(&y.recs[ref], ref, 0, y.addrs[at-2])
		}
		x.refs, x.addrs[at] = append(x.refs, ref), addr
		y.addrs[at], y.refs, y.place, y.until = addr, []uint32{ref}, from+i, 1
		compareAny(y)
		before = addr
	}
	return x
}

func (x *comparing) clone() *comparing {
	y, table := *x, *x.guess
	y.recs, y.addrs, y.guess = slices.Clone(x.recs), slices.Clone(x.addrs), &table
	return &y
}

func TestMissesOfRowsAreThoseOfTheSlowWay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 2))
	guesses := new([1 << guessBits]uint64)
	met := map[uint64]int{}
	for k := range 3000 {
		got := randomComparing(rnd, guesses)
		want := got.clone()
		compareRows(got)
		compareAny(want)
		if got.rows != want.rows || got.missed != want.missed || got.right != want.right || got.before != want.before ||
			got.misses != want.misses || *got.guess != *want.guess || !slices.Equal(got.recs, want.recs) {
			t.Fatalf("%d: %d rows with misses %b and %d right guesses, want %d, %b, %d", k, got.rows, got.missed, got.right,
				want.rows, want.missed, want.right)
		}
		for _, m := range got.misses {
			met[m.way]++
		}
	}
	for way := range uint64(ways + 1) {
		if met[way] < 100 {
			t.Errorf("only %d misses are told by way %d", met[way], way)
		}
	}
}
