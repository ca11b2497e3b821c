package orr

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// tableOf is a table of which only is known which sites store an address.
func tableOf(sites []site) *siteTable {
	s := &siteTable{}
	s.size(len(sites) + 1)
	for i, k := range sites {
		s.own[i+1] = 1
		if k.code&3 == selfFetch {
			s.own[i+1] = 0
		}
	}
	return s
}

func TestFirstAddressesComeBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	for k := range 400 {
		var sites []site
		var first []uint64
		want := []traceio.Addr{0}
		places := [3]uint64{rnd.Uint64(), rnd.Uint64(), rnd.Uint64()}
		for range rnd.IntN(40) {
			s, place := site{code: uint32(rnd.IntN(4))}, &places[rnd.IntN(3)]
			*place += uint64(rnd.IntN(200)) - 100
			if rnd.IntN(20) == 0 {
				*place = rnd.Uint64()
			}
			sites, first, want = append(sites, s), append(first, *place), append(want, traceio.Addr(*place))
			if s.code == selfFetch {
				want[len(want)-1] = 0
			}
		}
		col, table := appendFirst(nil, sites, first), tableOf(sites)
		if err := table.readFirst(col); err != nil || !slices.Equal(table.first[:table.known], want) {
			t.Fatalf("%d: %v, %v; want %v", k, table.first[:table.known], err, want)
		}
		for cut := range col {
			if err := table.readFirst(col[:cut]); err == nil {
				t.Fatalf("%d: %d bytes of %d are addresses of %d sites", k, cut, len(col), len(sites))
			}
		}
	}
}

// TestStackAndTableAreTwoTrails finds a byte and two bits enough for addresses that alternate between two places.
func TestStackAndTableAreTwoTrails(t *testing.T) {
	places := [2]uint64{0x7fff12345678, 0x55550000a000}
	var first []uint64
	for i := range 40 {
		places[i%2] += uint64(8 * (i%5 - 2))
		first = append(first, places[i%2])
	}
	col := appendFirst(nil, make([]site, 40), first)
	if most := 40/4 + 38 + 2*7; len(col) > most {
		t.Errorf("%d bytes, want at most %d", len(col), most)
	}
}

// TestNewCodeIsOneRun finds that sites that follow each other for the first time take no turns, even where another thread does, or
// a loop goes back to what is known.
func TestNewCodeIsOneRun(t *testing.T) {
	c, d := coders(t)
	for _, row := range []struct {
		name  string
		pcs   []int
		turns int
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
		symbols, _ := readNumbers(nil, c.cols[colSymbol])
		if err := d.decode(&got, payload, b.Len()); err != nil || !equal(&got, &b) {
			t.Errorf("%s: %v, %v; want %v", row.name, got.PC, err, b.PC)
		}
		if len(symbols) != row.turns || c.controls > 0 {
			t.Errorf("%s: turns %v, want %d; %d addresses missed", row.name, symbols, row.turns, c.controls)
		}
	}
}
