package topology

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// TestOverviewOfParticles: the program says where its stages are, how many particles there are and how many nodes.
func TestOverviewOfParticles(t *testing.T) {
	const particles, size, steps = 300, 24, 3
	rec, stages := particleCode(particles, size, steps)
	o, err := Look(context.Background(), rec, OverviewOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	turns := map[string][]float64{
		"layout":    {particles},
		"to grid":   {9 * particles, particles},
		"grid":      {size * size},
		"from grid": {9 * particles, particles},
	}
	if len(o.Phases) != len(stages) {
		t.Fatalf("%d phases, want %d: %+v", len(o.Phases), len(stages), o.Phases)
	}
	kinds := map[string]int{}
	for i, p := range o.Phases {
		s := stages[i]
		if p.From != s.from || p.To != s.to {
			t.Errorf("%s: phase [%d, %d), want [%d, %d)", s.what, p.From, p.To, s.from, s.to)
		}
		if kind, seen := kinds[s.what]; seen && kind != p.Kind {
			t.Errorf("%s at %d is of kind %d, before of kind %d", s.what, p.From, p.Kind, kind)
		}
		kinds[s.what] = p.Kind
		if p.WindowFrom < p.From || p.WindowTo > p.To || p.WindowTo-p.WindowFrom != DefaultStretch {
			t.Errorf("%s: window [%d, %d)", s.what, p.WindowFrom, p.WindowTo)
		}
		for _, want := range turns[s.what] {
			if !slices.ContainsFunc(p.Turns, func(x PhaseTurns) bool { return x.Exact && x.Turns == want }) {
				t.Errorf("%s: turns %+v, want %g among them", s.what, p.Turns, want)
			}
		}
	}
	if got, want := o.Rounds(), []Round{{1, 3, steps}}; !slices.Equal(got, want) {
		t.Errorf("rounds %v, want %v", got, want)
	}
	if len(kinds) != 4 || len(o.Kinds) != 4 {
		t.Errorf("kinds %v of %d", kinds, len(o.Kinds))
	}
}

// endless is a recording of any length that holds one block at a time: three instructions in the first half, five in
// the second.
type endless struct{ length traceio.Seq }

func (e endless) Len() traceio.Seq       { return e.length }
func (e endless) Blocks() int            { return int((e.length + traceio.MaxBlock - 1) / traceio.MaxBlock) }
func (e endless) Find(s traceio.Seq) int { return int(s / traceio.MaxBlock) }

func (e endless) Block(i int) (*traceio.Block, error) {
	from := traceio.Seq(i) * traceio.MaxBlock
	n := min(traceio.MaxBlock, e.length-from)
	b := &traceio.Block{First: from, Kind: make([]traceio.Kind, n), Addr: make([]traceio.Addr, n),
		PC: make([]traceio.Addr, n)}
	for row := range n {
		code := (from + row) % 3
		if from+row >= e.length/2 {
			code = 10 + (from+row)%5
		}
		b.PC[row], b.Addr[row] = traceio.Addr(0x1000+4*code), traceio.Addr(0x80000+8*(from+row)%4096)
	}
	return b, nil
}

// TestOverviewOfTenMillion: the phases of a recording are found however long it is, for no symbols are held for them.
// The same recording is refused where each reference needs one.
func TestOverviewOfTenMillion(t *testing.T) {
	rec := endless{10_000_000}
	o, err := Look(context.Background(), rec, OverviewOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Phases) != 2 || o.Phases[0].To != rec.length/2 || o.To != rec.length {
		t.Errorf("phases %+v up to %d, want two that meet at %d", o.Phases, o.To, rec.length/2)
	}
	refused := (*Error)(nil)
	if _, _, err := Symbols(context.Background(), rec, Selection{}, nil); !errors.As(err, &refused) ||
		refused.Reason != TooLarge {
		t.Errorf("the symbols of all: %v, want a refusal", err)
	}
}

// TestOverviewAlwaysHoldsTogether: whatever runs, phases follow each other without a gap and windows lie inside.
func TestOverviewAlwaysHoldsTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for _, row := range []struct {
		name string
		n    int
		pc   func(i int) int
		opt  OverviewOptions
		most int
	}{
		{"one reference", 1, func(int) int { return 3 }, OverviewOptions{}, 1},
		{"one instruction", 20000, func(int) int { return 3 }, OverviewOptions{}, 1},
		{"no instructions", 9000, nil, OverviewOptions{}, 24},
		{"noise", 30000, func(int) int { return r.IntN(40) }, OverviewOptions{}, 1},
		{"two stages that alternate too often", 60000, func(i int) int { return i / 300 % 2 * 10 },
			OverviewOptions{Phases: 6}, 6},
		{"a range", 50000, func(i int) int { return i / 10000 }, OverviewOptions{From: 12345, Count: 20000}, 3},
		{"nothing kept", 5000, func(i int) int { return i % 7 },
			OverviewOptions{Keep: func(_, _ traceio.Addr) bool { return false }}, 1},
		{"half kept", 50000, func(i int) int { return i/25000*9 + i%7 },
			OverviewOptions{Keep: func(a, _ traceio.Addr) bool { return a%2 == 0 }}, 2},
	} {
		m := &memory{}
		for i := range row.n {
			m.add(0, uint64(i), traceio.Load)
			b := m.blocks[len(m.blocks)-1]
			b.PC[len(b.PC)-1] = 0
			if row.pc != nil {
				b.PC[len(b.PC)-1] = traceio.Addr(0x1000 + 4*row.pc(i))
			}
		}
		told := int64(-1)
		o, err := Look(context.Background(), m, row.opt, func(done, total int64) {
			if done < told || done > total {
				t.Errorf("%s: progress went from %d to %d of %d", row.name, told, done, total)
			}
			told = done
		})
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		at := o.From
		for _, p := range o.Phases {
			if p.From != at || p.To <= p.From || p.WindowFrom < p.From || p.WindowTo > p.To || p.WindowTo <= p.WindowFrom ||
				p.Kind >= len(o.Kinds) {
				t.Errorf("%s: phase %+v after %d", row.name, p, at)
			}
			at = p.To
		}
		if at != o.To || len(o.Phases) > row.most {
			t.Errorf("%s: %d phases up to %d, want at most %d up to %d", row.name, len(o.Phases), at, row.most, o.To)
		}
		again, err := Look(context.Background(), m, row.opt, nil)
		if err != nil || fmt.Sprint(again.Phases) != fmt.Sprint(o.Phases) {
			t.Errorf("%s: another run differs", row.name)
		}
	}
}

func TestRounds(t *testing.T) {
	for _, row := range []struct {
		kinds string
		want  []Round
	}{
		{"", nil},
		{"abab", nil},
		{"xababab", []Round{{1, 2, 3}}},
		{"abcabcabcabcx", []Round{{0, 3, 4}}},
		{"xabababycdecdecdez", []Round{{1, 2, 3}, {8, 3, 3}}},
		{"abababa", []Round{{0, 2, 3}}},
	} {
		var o Overview
		for _, k := range row.kinds {
			o.Phases = append(o.Phases, Phase{Kind: int(k)})
		}
		if got := o.Rounds(); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %v, want %v", row.kinds, got, row.want)
		}
	}
}

func TestOverviewRefusals(t *testing.T) {
	rec, _ := particleCode(10, 8, 1)
	for _, row := range []struct {
		name   string
		opt    OverviewOptions
		reason Reason
	}{
		{"from the end", OverviewOptions{From: rec.Len()}, TooShort},
		{"negative count", OverviewOptions{Count: -1}, BadOption},
		{"negative phases", OverviewOptions{Phases: -1}, BadOption},
		{"window 1", OverviewOptions{Analysis: Options{Window: 1}}, BadOption},
	} {
		_, err := Look(context.Background(), rec, row.opt, nil)
		var e *Error
		if !errors.As(err, &e) || e.Reason != row.reason || e.Hint == "" {
			t.Errorf("%s: got error %v", row.name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Look(ctx, rec, OverviewOptions{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
}

// TestCountsAgreeWithSlowOnes checks price and divergence against their definitions.
func TestCountsAgreeWithSlowOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 50 {
		var a, b [12]int64
		var c, d counts
		for i := range a {
			if a[i] = int64(max(0, r.IntN(9)-3)); a[i] > 0 {
				c = append(c, count{uint32(i), a[i]})
			}
			if b[i] = int64(max(0, r.IntN(9)-3)); b[i] > 0 {
				d = append(d, count{uint32(i), b[i]})
			}
		}
		if len(c) == 0 || len(d) == 0 {
			continue
		}
		entropy := func(p []float64) (h float64) {
			for _, x := range p {
				if x > 0 {
					h -= x * math.Log2(x)
				}
			}
			return h
		}
		table := func(a [12]int64, n int64) (p []float64) {
			for _, x := range a {
				p = append(p, float64(x)/float64(n))
			}
			return p
		}
		p, q := table(a, c.total()), table(b, d.total())
		var middle []float64
		for i := range p {
			middle = append(middle, (p[i]+q[i])/2)
		}
		if got, want := c.price(), float64(c.total())*entropy(p); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: price %g, want %g", c, got, want)
		}
		if got, want := divergence(c, d), entropy(middle)-(entropy(p)+entropy(q))/2; math.Abs(got-want) > 1e-9 {
			t.Errorf("%v, %v: divergence %g, want %g", c, d, got, want)
		}
		sum := c.plus(d)
		for i := range a {
			if sum.of(uint32(i)) != a[i]+b[i] {
				t.Errorf("%v and %v add up to %v", c, d, sum)
			}
		}
	}
}

// shopping is a program that fills a table of lists at random, then walks a list of some nodes, round after round, then
// streams.
func shopping(nodes, rounds int) (m *memory, from, to traceio.Seq) {
	r := rand.New(rand.NewPCG(3, 3))
	m = &memory{}
	for range 3000 {
		m.add(1, 0x100000+8*uint64(r.IntN(4096)), traceio.Load)
		m.add(2, 0x200000+24*uint64(r.IntN(5000)), traceio.Store)
	}
	order := r.Perm(nodes)
	from = m.Len()
	for range rounds {
		m.add(3, 0x300000, traceio.Load) // the head
		for _, i := range order {
			m.add(4, 0x400000+32*uint64(i), traceio.Load)   // the value
			m.add(5, 0x400000+32*uint64(i)+8, traceio.Load) // the next
		}
	}
	to = m.Len()
	for i := range 9000 {
		m.add(6, 0x800000+8*uint64(i), traceio.Load)
		m.add(7, 0xa00000+8*uint64(r.IntN(100_000)), traceio.Store)
	}
	return m, from, to
}

// TestOverviewSeesRoundsLongerThanAWindow: a list that is walked again and again goes round, however long it is up to a
// bound; what comes but once does not.
func TestOverviewSeesRoundsLongerThanAWindow(t *testing.T) {
	for _, row := range []struct{ nodes, rounds, window int }{
		// the last one is beyond what is looked at
		{100, 40, 1000}, {501, 10, 4000}, {750, 12, 4000}, {1400, 10, 16000}, {1400, 3, 8403}, {6000, 5, 1000},
	} {
		m, from, to := shopping(row.nodes, row.rounds)
		o, err := Look(context.Background(), m, OverviewOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(o.Phases, func(p Phase) bool { return p.From <= from+100 && p.To >= to-100 && p.To <= to+100 })
		if at < 0 {
			t.Fatalf("%+v: no phase is the walk from %d to %d: %+v", row, from, to, o.Phases)
		}
		p := &o.Phases[at]
		if got := int(p.WindowTo - p.WindowFrom); got < row.window-200 || got > row.window ||
			p.WindowFrom < p.From || p.WindowTo > p.To {
			t.Errorf("%+v: the window is [%d, %d) of [%d, %d)", row, p.WindowFrom, p.WindowTo, p.From, p.To)
		}
		walked := slices.ContainsFunc(p.Turns, func(x PhaseTurns) bool { return x.Exact && x.Turns == float64(row.rounds) })
		if want := row.nodes < 3000; walked != want {
			t.Errorf("%+v: turns %+v, want %d among them: %t", row, p.Turns, row.rounds, want)
		}
		for _, p := range o.Phases {
			if k := o.Kinds[p.Kind]; p.From >= to && k.Result != nil && k.Result.recurs() {
				t.Errorf("%+v: of [%d, %d), which streams, %+v is said", row, p.From, p.To, p.Turns)
			}
		}
	}
}
