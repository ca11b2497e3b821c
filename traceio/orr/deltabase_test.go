package orr

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

func TestDeltasComeBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	var keep []byte
	for k := range 400 {
		var addrs []uint64
		var want []traceio.Addr
		places := [6]uint64{}
		for range rnd.IntN(40) {
			place := &places[rnd.IntN(len(places))]
			if *place += uint64(rnd.IntN(200)) - 100; rnd.IntN(10) == 0 {
				*place = rnd.Uint64() >> rnd.IntN(64)
			}
			addrs, want = append(addrs, *place), append(want, traceio.Addr(*place))
		}
		col, got := appendDeltas(nil, addrs), make([]traceio.Addr, len(want))
		if !readDeltas(got, col, &keep) || !slices.Equal(got, want) {
			t.Fatalf("%d: %v, want %v", k, got, want)
		}
		for cut := range col {
			if readDeltas(got, col[:cut], &keep) {
				t.Fatalf("%d: %d bytes of %d are %d addresses", k, cut, len(col), len(got))
			}
		}
		if readDeltas(got, append(col, 0), &keep) {
			t.Fatalf("%d: a byte more is not told", k)
		}
	}
}

// TestFirstAddressesGoToTheirSites leaves out sites whose rows store none.
func TestFirstAddressesGoToTheirSites(t *testing.T) {
	for _, own := range [][]uint8{{}, {1}, {0}, {1, 1, 1}, {0, 1, 0, 0, 1, 1}, {1, 0, 1, 0}} {
		s := &siteTable{}
		s.size(len(own) + 1)
		copy(s.own[1:], own)
		var told []uint64
		want := []traceio.Addr{0}
		for i, one := range own {
			if one != 0 {
				told = append(told, uint64(1000*i+7))
			}
			want = append(want, traceio.Addr(1000*i+7)*traceio.Addr(one))
		}
		if err := s.readFirst(appendDeltas(nil, told)); err != nil || !slices.Equal(s.first[:s.known], want) {
			t.Errorf("%v: %v, %v; want %v", own, s.first[:s.known], err, want)
		}
	}
}

// TestStackAndTableHaveTwoBases finds a byte and four bits enough for addresses that alternate between two places.
func TestStackAndTableHaveTwoBases(t *testing.T) {
	places := [2]uint64{0x7fff12345678, 0x55550000a000}
	var addrs []uint64
	for i := range 40 {
		places[i%2] += uint64(8 * (i%5 - 2))
		addrs = append(addrs, places[i%2])
	}
	if got, most := len(appendDeltas(nil, addrs)), 40/2+38+2*8; got > most {
		t.Errorf("%d bytes, want at most %d", got, most)
	}
}

// TestNewCodeIsOneRun finds that sites that follow each other for the first time are no mispredictions, even where
// another thread does, or a loop goes back to what is known.
func TestNewCodeIsOneRun(t *testing.T) {
	c, d := coders(t)
	for _, row := range []struct {
		name           string
		pcs            []int
		mispredictions int
	}{
		{"new code", []int{1, 2, 3, 4, 5, 6, 7}, 0},
		{"back", []int{1, 2, 3, 1, 2, 3, 4, 5}, 2},
		{"a branch is new", []int{1, 2, 3, 2, 4, 5, 6}, 2},
		{"the other", []int{1, 2, 3, 1, 2, 4, 1, 2, 3}, 4},
	} {
		var b, got traceio.Block
		for _, pc := range row.pcs {
			b.Append(traceio.Access{PC: traceio.Addr(0x400000 + pc), Addr: traceio.Addr(pc * 64), Size: 8})
		}
		payload, _ := c.encode(nil, &b)
		symbols, _ := readVarints(nil, c.cols[colSymbol])
		if err := d.decode(&got, payload, b.Len()); err != nil || !equal(&got, &b) {
			t.Errorf("%s: %v, %v; want %v", row.name, got.PC, err, b.PC)
		}
		if len(symbols) != row.mispredictions || c.controls > 0 {
			t.Errorf("%s: mispredictions %v, want %d; %d addresses missed", row.name, symbols, row.mispredictions, c.controls)
		}
	}
}

// TestThreadsFindEachOthersSites runs few sites on a few threads in any order, so that one meets what another was the
// first to see.
func TestThreadsFindEachOthersSites(t *testing.T) {
	c, d := coders(t)
	rnd := rand.New(rand.NewPCG(3, 7))
	for k := range 2000 {
		var b, got traceio.Block
		for i := range rnd.IntN(60) {
			pc, thread := traceio.Addr(0x400000+rnd.IntN(12)), traceio.Thread(rnd.IntN(3))
			b.Append(traceio.Access{PC: pc, Addr: pc<<8 + traceio.Addr(i*rnd.IntN(2)), Size: 8, Thread: thread})
		}
		payload, _ := c.encode(nil, &b)
		if err := d.decode(&got, payload, b.Len()); err != nil || !equal(&got, &b) {
			t.Fatalf("%d: %v; threads %v, sites %v", k, err, b.Thread, b.PC)
		}
	}
}
