package attribution

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// blocks is a recording held in memory.
type blocks []*traceio.Block

func (b blocks) Blocks() int                         { return len(b) }
func (b blocks) Block(i int) (*traceio.Block, error) { return b[i], nil }
func (b blocks) Len() (n traceio.Seq) {
	for _, one := range b {
		n += traceio.Seq(one.Data())
	}
	return n
}
func (b blocks) Span(i int) (first, end traceio.Seq) {
	return b[i].First, b[i].First + traceio.Seq(b[i].Data())
}
func (b blocks) Find(traceio.Seq) int { return 0 }

// randomTrace makes references of a few classes (the PC is the class) with a mixture of locality, crossings and
// fetches.
func randomTrace(r *rand.Rand, rows int) blocks {
	var out blocks
	first := traceio.Seq(0)
	for rows > 0 {
		b := &traceio.Block{}
		b.Reset(first)
		for range min(rows, 500) {
			a := traceio.Access{Addr: traceio.Addr(r.IntN(1 << (4 + r.IntN(10)))), PC: traceio.Addr(r.IntN(5)),
				Size: uint16(1 << r.IntN(6))}
			a.Kind = traceio.Kind(r.IntN(3))
			b.Append(a)
		}
		rows -= b.Len()
		first += traceio.Seq(b.Data())
		out = append(out, b)
	}
	return out
}

func config(t *testing.T) cachesim.Config {
	t.Helper()
	c, err := cachesim.ParseConfig([]byte(`
[[level]]
name = "L1I"
kind = "instruction"
size = "256B"
ways = 2
block = 16
[[level]]
name = "L1D"
kind = "data"
size = "256B"
ways = 2
block = 16
[[level]]
name = "L2"
kind = "unified"
size = "1KiB"
ways = 4
block = 32
`), "test.toml")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestMissesAddUp checks the attribution against the simulator's events.
func TestMissesAddUp(t *testing.T) {
	c := config(t)
	trace := randomTrace(rand.New(rand.NewPCG(5, 6)), 5000)
	rows, err := Misses(context.Background(), trace, c, 4, func(b *traceio.Block, ids []int32) {
		for i, pc := range b.PC {
			ids[i] = int32(pc) - 1 // class 0 is unknown
		}
	}, func(id int32) string { return string(rune('a' + id)) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := twin(t, trace, c)
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i, got := range rows {
		w := want[got.Key]
		if got.Reads != w.Reads || got.Writes != w.Writes || got.Fetches != w.Fetches {
			t.Errorf("%s: %d reads, %d writes, %d fetches; want %+v", got.Key, got.Reads, got.Writes, got.Fetches, w)
		}
		for l := range c.Levels {
			if got.Misses[l] != w.Misses[l] {
				t.Errorf("%s: %d misses in %s, want %d", got.Key, got.Misses[l], c.Levels[l].Name, w.Misses[l])
			}
		}
		if i > 0 && rows[i-1].Total() < got.Total() {
			t.Errorf("row %d (%s) has more misses than the one before", i, got.Key)
		}
	}
}

// twin goes through the events of one reference at a time.
func twin(t *testing.T, trace blocks, c cachesim.Config) map[string]*Row {
	h, err := simulator.New(c)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*Row{}
	var log simulator.Log
	for _, b := range trace {
		rows := make([]*Row, b.Len())
		for i, pc := range b.PC {
			key := Other
			if pc > 0 {
				key = string(rune('a' + pc - 1))
			}
			if out[key] == nil {
				out[key] = &Row{Misses: make([]uint64, len(c.Levels))}
			}
			rows[i] = out[key]
			rows[i].count(b.Kind[i])
		}
		h.RunLog(b, &log)
		for _, e := range log.Events(nil) {
			if e.Op == cachesim.Miss || e.Op == cachesim.Allocate {
				rows[e.Row].Misses[e.Level]++
			}
		}
	}
	return out
}

func (r *Row) count(kind traceio.Kind) {
	switch kind {
	case traceio.Load:
		r.Reads++
	case traceio.Store:
		r.Writes++
	default:
		r.Fetches++
	}
}

func TestSetsAddUpToTheLevels(t *testing.T) {
	c := config(t)
	trace := randomTrace(rand.New(rand.NewPCG(7, 8)), 4000)
	rows, err := Sets(context.Background(), trace, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	h, err := simulator.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range trace {
		h.Run(b)
	}
	totals := h.Totals()
	for l := range c.Levels {
		var requests, misses uint64
		for _, r := range rows {
			if len(r.Key) > len(c.Levels[l].Name) && r.Key[:len(c.Levels[l].Name)+1] == c.Levels[l].Name+"/" {
				requests += r.Fetches + r.Reads + r.Writes
				misses += r.Misses[l]
			}
		}
		if want := totals.Levels[l]; requests != want.Requests() || misses != want.Misses() {
			t.Errorf("%s: sets have %d requests and %d misses, the level %d and %d", c.Levels[l].Name, requests, misses,
				want.Requests(), want.Misses())
		}
	}
}

func TestCountingStopsWhenAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Sets(ctx, randomTrace(rand.New(rand.NewPCG(1, 1)), 10), config(t),
		nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want cancelled", err)
	}
}
