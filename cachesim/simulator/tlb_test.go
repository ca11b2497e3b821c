package simulator

import (
	"math/rand/v2"
	"slices"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// TestTranslationOfEachCore: the tables of a core count what they would if it were alone with its threads' references,
// in every shipped processor, whether its last table is for data and fetches alike or not.
func TestTranslationOfEachCore(t *testing.T) {
	const cores = 4
	for _, name := range Presets() {
		one, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(one.TLBs) == 0 {
			continue
		}
		all := fresh(t, one.WithCores(cores))
		var own [cores]*Hierarchy
		for core := range own {
			own[core] = fresh(t, one.WithCores(1))
		}
		r := rand.New(rand.NewPCG(7, 1))
		for range 4 {
			b := randomBlock(r, 0, 2000)
			for i := range b.Addr {
				b.Thread[i], b.Addr[i] = traceio.Thread(i%cores), b.Addr[i]<<8
			}
			all.Run(b)
			for core := range own {
				own[core].Run(rowsOf(b, core, cores))
			}
		}
		names := one.WithCores(cores).Translation().PerCore()
		var got, want []Counts
		walks := uint64(0)
		for core := range own {
			totals := own[core].Totals()
			want, walks = append(want, totals.TLBs...), walks+totals.Walks
			for i := range names.Levels {
				if names.CoreOf(i) == core {
					got = append(got, all.Totals().TLBs[i])
				}
			}
		}
		if !slices.Equal(got, want) || all.Totals().Walks != walks {
			t.Errorf("%s: %d walks and, core by core, %+v\nwant %d and %+v", name, all.Totals().Walks, got, walks, want)
		}
	}
}

// rowsOf is every cores-th row of a block.
func rowsOf(b *traceio.Block, from, cores int) *traceio.Block {
	own := &traceio.Block{}
	for i := from; i < len(b.Addr); i += cores {
		own.Addr, own.PC, own.Size = append(own.Addr, b.Addr[i]), append(own.PC, b.PC[i]), append(own.Size, b.Size[i])
		own.Thread, own.Kind = append(own.Thread, b.Thread[i]), append(own.Kind, b.Kind[i])
		if b.Kind[i] == traceio.Fetch {
			own.Fetches++
		}
	}
	return own
}
