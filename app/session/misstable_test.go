package session

import (
	"context"
	"math"
	"testing"

	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/table"
)

func preset(t *testing.T, name string) cachesim.Config {
	t.Helper()
	c, err := cachesim.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestTablesAddUp: whatever is counted by, the columns add up to what a simulation counts in all, classes add up to
// misses, and every named row leads to a thing of the other views.
func TestTablesAddUp(t *testing.T) {
	r := open(t, shipped+"matmul-blocked.orr")
	config := preset(t, "example")
	want, err := r.Simulate(context.Background(), config, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range Keys() {
		m, err := r.FindMissTable(context.Background(), config, by, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Table(palette.Dark(), m, nil)
		sum := map[string]float64{}
		things := 0
		for _, row := range s.Rows {
			for k, c := range s.Columns {
				sum[c.Title] += row.Values[k]
			}
			if row.Thing.What != link.Nothing {
				things++
			}
		}
		for _, i := range DataLevels(config) {
			l, name := want.Levels[i], config.Levels[i].Name
			for title, n := range map[string]uint64{" misses": l.Misses(), " first": l.Compulsory, " capacity": l.Capacity,
				" conflict": l.Conflict, " write-backs": l.WriteBacks, " hits": l.Requests() - l.Misses()} {
				if sum[name+title] != float64(n) {
					t.Errorf("by %s: %s%s add up to %g, want %d", by, name, title, sum[name+title], n)
				}
			}
		}
		if by != "set" && sum["references"] != float64(r.Len()) {
			t.Errorf("by %s: %g references, want %d", by, sum["references"], r.Len())
		}
		if len(s.Rows) == 0 || things < len(s.Rows)-1 { // one may be what has no name
			t.Errorf("by %s: %d of %d rows lead to something", by, things, len(s.Rows))
		}
		if len(table.CSV(s)) < 100 {
			t.Errorf("by %s: there is no file", by)
		}
	}
}

// TestCurveIsWhatSimulationsGive: points of the lines are what caches of that size and associativity miss when they are
// simulated.
func TestCurveIsWhatSimulationsGive(t *testing.T) {
	r := open(t, shipped+"sort-merge.orr")
	const block = 64
	m, err := r.FindMissCurve(context.Background(), block, nil)
	if err == nil {
		m, err = r.FindWays(context.Background(), m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, l := range m.Lines {
		for k, p := range l.Points {
			if k%3 != 1 || p.Bytes > 1<<15 {
				continue
			}
			ways := l.Ways
			if ways == 0 {
				ways = int(p.Bytes / block)
			}
			c := cachesim.Config{Levels: []cachesim.Level{{Name: "L1", Kind: cachesim.Data, Size: cachesim.Size(p.Bytes),
				Ways: ways, Block: block}}}
			got, err := r.Simulate(context.Background(), c, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			n := got.Levels[0]
			if want := float64(n.Misses()) / float64(n.Requests()); math.Abs(p.Ratio-want) > 1e-12 {
				t.Errorf("%d ways, %d bytes: %g, a simulation misses %g", l.Ways, p.Bytes, p.Ratio, want)
			}
			checked++
		}
	}
	if checked < 12 {
		t.Errorf("only %d points were held against simulations", checked)
	}
}

// TestPressureIsWhatSetsDo counts the different blocks of every set and its misses in the plainest way.
func TestPressureIsWhatSetsDo(t *testing.T) {
	r := open(t, shipped+"matmul-standard.orr")
	config := preset(t, "example")
	p, err := r.FindPressure(context.Background(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	totals, err := r.Simulate(context.Background(), config, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range DataLevels(config) {
		l := config.Levels[i]
		blocks := make([]map[uint64]bool, l.Sets())
		for k := range blocks {
			blocks[k] = map[uint64]bool{}
		}
		for b := range r.Blocks() {
			block, err := r.Block(b)
			if err != nil {
				t.Fatal(err)
			}
			for row, a := range block.Addr {
				if block.Kind[row] == traceio.Fetch {
					continue
				}
				for line := uint64(a) / uint64(l.Block); line <= (uint64(a)+uint64(max(1, block.Size[row]))-1)/uint64(
					l.Block); line++ {
					blocks[line%uint64(l.Sets())][line] = true
				}
			}
		}
		misses, conflicts := uint64(0), uint64(0)
		for k, s := range p.Sets[i] {
			misses, conflicts = misses+s.Misses, conflicts+s.Conflict
			if s.Blocks != uint64(len(blocks[k])) {
				t.Errorf("%s set %d: %d blocks, want %d", l.Name, k, s.Blocks, len(blocks[k]))
			}
		}
		if w := totals.Levels[i]; misses != w.Misses() || conflicts != w.Conflict {
			t.Errorf("%s: %d misses, %d conflicts; want %d, %d", l.Name, misses, conflicts, w.Misses(), w.Conflict)
		}
	}
}
