package simulator

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// recording is a Recording in memory.
type recording []*traceio.Block

func (r recording) Len() traceio.Seq {
	n := traceio.Seq(0)
	for _, b := range r {
		n += traceio.Seq(b.Data())
	}
	return n
}
func (r recording) Blocks() int { return len(r) }
func (r recording) Span(i int) (first, end traceio.Seq) {
	return r[i].First, r[i].First + traceio.Seq(r[i].Data())
}
func (r recording) Find(s traceio.Seq) int {
	for i := range r {
		if _, end := r.Span(i); s < end {
			return i
		}
	}
	panic("Find beyond the end")
}
func (r recording) Block(i int) (*traceio.Block, error) { return r[i], nil }

// randomRecording has blocks of all sizes, some of fetches only, some of events only, and may begin and end with
// either.
func randomRecording(r *rand.Rand, blocks int) recording {
	var rec recording
	seq := traceio.Seq(0)
	for range blocks {
		if r.IntN(8) == 0 {
			rec = append(rec, &traceio.Block{First: seq})
		}
		b := randomBlock(r, seq, 1+r.IntN(200))
		if r.IntN(8) == 0 {
			for i := range b.Kind {
				b.Kind[i] = traceio.Fetch
			}
			b.Fetches = len(b.Kind)
		}
		seq += traceio.Seq(b.Data())
		rec = append(rec, b)
	}
	return rec
}

// slowAt runs from the beginning, row by row, until data reference s is next and no fetch of its own is done.
func slowAt(t *testing.T, rec recording, c Config, s traceio.Seq) *State {
	h := fresh(t, c)
	seq := traceio.Seq(0)
	for _, b := range rec {
		for i := range b.Addr {
			if seq == s && s < rec.Len() {
				return h.snapshot(s)
			}
			one := new(traceio.Block)
			one.Append(rowOf(b, i))
			h.Run(one)
			if b.Kind[i] != traceio.Fetch {
				seq++
			}
		}
	}
	return h.snapshot(s)
}

// slowHistory is every event and, for each row, its Seq, kind and Served, from a run without checkpoints.
type slowHistory struct {
	events []Event
	seq    []traceio.Seq
	kind   []traceio.Kind
	core   []int
	served []Served
}

func history(t *testing.T, rec recording, c Config) slowHistory {
	var out slowHistory
	h, g := fresh(t, c), fresh(t, c)
	for _, b := range rec {
		out.events = h.events(b, 0, b.Len(), b.First, out.events)
		served := make([]Served, b.Len())
		g.RunServed(b, served)
		out.served = append(out.served, served...)
		out.kind = append(out.kind, b.Kind...)
		for _, t := range b.Thread {
			out.core = append(out.core, int(t)%max(1, c.Cores))
		}
		seq := b.First
		for _, k := range b.Kind {
			out.seq = append(out.seq, seq)
			if k != traceio.Fetch {
				seq++
			}
		}
	}
	return out
}

// score is what one level did for one row: 1 hit, -1 miss, 0 not asked, by following the way down.
func score(c Config, core int, k traceio.Kind, s Served, level int) int {
	if s == Unserved {
		return 0
	}
	for i := c.EntryOf(core, k); i < len(c.Levels); i = c.Next(i) {
		switch {
		case i == s.Level() && !s.Whole():
			if i == level {
				return 1
			}
			return 0
		case i == level:
			return -1
		case i == s.Level():
			return 0
		}
	}
	return 0
}

func TestReplay(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		c := randomConfig(r)
		if len(c.TLBs) > 0 && r.IntN(2) == 0 {
			c = c.Translation()
		}
		rec := randomRecording(r, 1+r.IntN(30))
		lim := limits{budget: 1 << (12 + r.IntN(8)), interval: 1 << r.IntN(10), bins: 1 << (3 + r.IntN(10)),
			short: 1 << r.IntN(9)}
		replay, err := newReplay(context.Background(), rec, c, nil, lim)
		if err != nil {
			t.Fatal(err)
		}
		all := history(t, rec, c)
		n := rec.Len()
		for range 7 {
			from := traceio.Seq(r.Uint64N(uint64(n) + 1))
			to := min(n, from+traceio.Seq(r.IntN(300)))
			checkWindow(t, seed, replay, rec, all, from, to)
			checkHeat(t, seed, replay, all, to, traceio.Seq(1+r.IntN(1000)))
		}
		checkWindow(t, seed, replay, rec, all, 0, n)
		checkLanes(t, seed, replay, all)
	}
}

func checkWindow(t *testing.T, seed uint64, replay *Replay, rec recording, all slowHistory, from, to traceio.Seq) {
	t.Helper()
	want, wantTo := slowAt(t, rec, replay.config, from), slowAt(t, rec, replay.config, to)
	for _, s := range []*State{want, wantTo} {
		got, err := replay.At(s.Seq)
		if err != nil || !sameState(got, s) {
			t.Fatalf("seed %d: state at %d differs (%v)\n got %+v\nwant %+v", seed, s.Seq, err, got.Totals(), s.Totals())
		}
	}
	w, err := replay.Window(from, to)
	if err != nil || !sameState(w.State, want) {
		t.Fatalf("seed %d: window from %d begins with another state (%v)", seed, from, err)
	}
	var events []Event
	for _, e := range all.events {
		if from < to && e.Seq >= from && (e.Seq < to || to == rec.Len()) {
			events = append(events, e)
		}
	}
	if !slices.Equal(w.Events, events) {
		t.Fatalf("seed %d: window %d to %d has %d events, want %d", seed, from, to, len(w.Events), len(events))
	}
	if after := w.State.Apply(w.Events...); from < to && !slices.Equal(after.words, wantTo.words) {
		t.Fatalf("seed %d: events %d to %d do not lead to the state at the end", seed, from, to)
	}
}

func sameState(a, b *State) bool {
	return a.Seq == b.Seq && slices.Equal(a.words, b.words) && reflect.DeepEqual(a.Totals(), b.Totals())
}

func checkHeat(t *testing.T, seed uint64, replay *Replay, all slowHistory, at, n traceio.Seq) {
	t.Helper()
	got, err := replay.Temperature(at, n)
	if err != nil {
		t.Fatal(err)
	}
	c := replay.config
	for level, l := range c.Levels {
		sum, rows := 0, 0
		for i, s := range all.seq {
			late := s >= at && (at < replay.Len() || s > at)
			if late || s+n < at || all.kind[i] == traceio.Fetch && l.Kind == Data || all.kind[i] != traceio.Fetch &&
				l.Kind == Instruction {
				continue
			}
			rows++
			x := score(c, all.core[i], all.kind[i], all.served[i], level)
			if x < 0 && (level == c.EntryOf(all.core[i], traceio.Load) || level == c.EntryOf(all.core[i], traceio.Fetch)) {
				x = -4
			}
			sum += x
		}
		want := 0.0
		if rows > 0 {
			want = min(1, max(-1, float64(sum)/float64(rows)))
		}
		if math.Abs(got[level]-want) > 1e-12 {
			t.Fatalf("seed %d: temperature of %s at %d over %d is %v, want %v", seed, l.Name, at, n, got[level], want)
		}
	}
}

func checkLanes(t *testing.T, seed uint64, replay *Replay, all slowHistory) {
	t.Helper()
	width := replay.Resolution()
	bins := int((replay.Len() + width - 1) / width)
	if bins == 0 {
		return
	}
	for level := range replay.config.Levels {
		want := make([]Bar, bins)
		for i, s := range all.seq {
			bin := min(int(s/width), bins-1)
			switch score(replay.config, all.core[i], all.kind[i], all.served[i], level) {
			case 1:
				want[bin].Hits++
			case -1:
				want[bin].Misses++
			}
		}
		got := make([]Bar, bins)
		for i := range got {
			replay.Lane(level, traceio.Seq(i)*width, traceio.Seq(i+1)*width, got[i:i+1])
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: lane of level %d\n got %v\nwant %v", seed, level, got, want)
		}
		if replay.Len()%width == 0 {
			whole := make([]Bar, bins)
			replay.Lane(level, 0, replay.Len(), whole)
			if !slices.Equal(whole, want) {
				t.Fatalf("seed %d: whole lane of level %d\n got %v\nwant %v", seed, level, whole, want)
			}
		}
	}
}

func TestReplayFromSeveralGoroutines(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	c := randomConfig(r)
	rec := randomRecording(r, 20)
	replay, err := newReplay(context.Background(), rec, c, nil, limits{budget: 1 << 16, interval: 64, bins: 64})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]*State, rec.Len()+1)
	for s := range want {
		if s%97 == 0 {
			want[s] = slowAt(t, rec, c, traceio.Seq(s))
		}
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for s, w := range want {
				if w == nil {
					continue
				}
				got, err := replay.At(traceio.Seq(s))
				if err != nil || !sameState(got, w) {
					t.Errorf("state at %d differs (%v)", s, err)
				}
				if _, err := replay.Temperature(traceio.Seq(s), 50); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestReplayRefuses(t *testing.T) {
	c, err := Preset(DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rec := randomRecording(rand.New(rand.NewPCG(1, 1)), 3)
	if _, err := NewReplay(ctx, rec, c, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled build gives %v", err)
	}
	if _, err := NewReplay(context.Background(), rec, Config{}, nil); err == nil {
		t.Error("an empty configuration was taken")
	}
	empty, err := NewReplay(context.Background(), recording{}, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w, err := empty.Window(0, 10); err != nil || len(w.Events) != 0 {
		t.Errorf("window of nothing: %v, %v", w, err)
	}
	if heat, err := empty.Temperature(0, 100); err != nil || slices.Max(heat) != 0 {
		t.Errorf("temperature of nothing: %v, %v", heat, err)
	}
	lane := make([]Bar, 3)
	if empty.Lane(0, 0, 5, lane); lane[0] != (Bar{}) {
		t.Errorf("lane of nothing: %v", lane)
	}
}

// TestCheckpointBudget holds the memory of checkpoints to its bound, and what is left of them to its spacing.
func TestCheckpointBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	rec := randomRecording(r, 200)
	c, err := Preset("example")
	if err != nil {
		t.Fatal(err)
	}
	for _, budget := range []int{1 << 16, 1 << 18, 1 << 22} {
		replay, err := newReplay(context.Background(), rec, c, nil, limits{budget: budget, interval: 64, bins: 64})
		if err != nil {
			t.Fatal(err)
		}
		seen, bytes := map[any]bool{}, 0
		count := func(what any, size int) {
			if !seen[what] {
				seen[what] = true
				bytes += size
			}
		}
		for _, cp := range replay.points.list {
			for _, s := range cp.shelves {
				count(s, 8*shelfPages)
				for _, p := range s {
					count(p, 8*pageWords)
				}
			}
		}
		if bytes > budget || replay.points.bytes > budget {
			t.Errorf("checkpoints take %d bytes (counted %d) of %d", bytes, replay.points.bytes, budget)
		}
		gap, last := 0, position{}
		for _, cp := range append(replay.points.list, checkpoint{at: position{len(rec), 0}}) {
			rows := 0
			if err := replay.each(last, cp.at, func(_ *traceio.Block, row, end int) { rows += end - row }); err != nil {
				t.Fatal(err)
			}
			gap, last = max(gap, rows), cp.at
		}
		if gap > 2*replay.points.interval {
			t.Errorf("budget %d: checkpoints are %d rows apart at interval %d", budget, gap, replay.points.interval)
		}
	}
}
