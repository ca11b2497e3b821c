package session

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/analysis/attribution"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/orr/orrtest"
	"orrery/traceio/readtest"
	"orrery/traceio/store"
	"orrery/views/link"
	"orrery/views/palette"
)

const shipped = "../../testdata/recordings/"

func open(t *testing.T, path string) *Recording {
	t.Helper()
	r, err := Load(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestShippedRecordingsHaveNamesAndText(t *testing.T) {
	for _, e := range Examples() {
		r := open(t, shipped+e.File)
		if r.Len() == 0 || len(r.Program().Sources) == 0 || len(r.Use.Ranked) == 0 {
			t.Errorf("%s: %d references, %d sources, %d regions in use", e.File, r.Len(),
				len(r.Program().Sources), len(r.Use.Ranked))
			continue
		}
		var sum uint64
		withText := 0
		for i := range r.Lines.Len() {
			l := r.Lines.At(int32(i))
			sum += l.References()
			if r.LineText(l.File, l.Line) != "" {
				withText++
			}
		}
		if sum != uint64(r.Len()) || withText == 0 {
			t.Errorf("%s: lines account for %d of %d references, %d have text", e.File, sum, r.Len(), withText)
		}
	}
}

// TestCyclesKnowTheirReferences compares what a cycle says of its windows with reading each reference by itself.
func TestCyclesKnowTheirReferences(t *testing.T) {
	r := open(t, "../../testdata/oracles/quicksort.lk.gz")
	c, err := r.FindCycles(context.Background(), CyclesRequest{From: 46000, Count: 300, Every: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range c.Seqs {
		want, err := r.At(s)
		if err != nil {
			t.Fatal(err)
		}
		if c.First[i] != want || s != traceio.Seq(46000+3*i) {
			t.Fatalf("window %d begins with %+v, want %+v", i, c.First[i], want)
		}
	}
}

// TestTouchedIsWhereTheReferencesAre compares what a selection lights up in the spiral with looking up every window's
// reference by itself.
func TestTouchedIsWhereTheReferencesAre(t *testing.T) {
	r := open(t, shipped+"list.orr")
	c, err := r.FindCycles(context.Background(), CyclesRequest{From: 100_000, Count: 600, Every: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	block, at := -1, c.First[100].Addr
	for _, a := range c.First {
		if _, id := r.Regions.Locate(a.Addr, a.Seq); id >= 0 {
			block = id
		}
	}
	if block < 0 {
		t.Fatal("no reference touches a block")
	}
	name := r.Regions.Regions()[r.Use.Ranked[0]].Name
	for _, row := range []struct {
		name  string
		thing link.Thing
		has   func(a traceio.Access) bool
	}{
		{"region", link.Thing{What: link.Region, Name: name}, func(a traceio.Access) bool {
			id, _ := r.Regions.Locate(a.Addr, a.Seq)
			return r.Regions.Regions()[id].Name == name
		}},
		{"block", link.Thing{What: link.Block, ID: block}, func(a traceio.Access) bool {
			_, id := r.Regions.Locate(a.Addr, a.Seq)
			return id == block
		}},
		{"address", link.Thing{What: link.Address, Low: at + 1, High: at + 3}, func(a traceio.Access) bool {
			for b := range traceio.Addr(a.Size) {
				if a.Addr+b == at+1 || a.Addr+b == at+2 {
					return true
				}
			}
			return false
		}},
	} {
		lit, some := r.Touched(c, row.thing), 0
		if len(lit) != len(c.First) {
			t.Errorf("%s: %d answers for %d windows", row.name, len(lit), len(c.First))
			continue
		}
		for i, a := range c.First {
			if lit[i] != row.has(a) {
				t.Fatalf("%s: window %d, %+v: %v", row.name, i, a, lit[i])
			}
			if lit[i] {
				some++
			}
		}
		if some == 0 || some == len(lit) {
			t.Errorf("%s: %d of %d windows; the row shows nothing", row.name, some, len(lit))
		}
	}
	for _, thing := range []link.Thing{{}, {What: link.Line, File: "list.c", Line: 31},
		{What: link.Region, Name: "nonesuch"}, {What: link.Block, ID: -1},
		{What: link.Address, Low: 1, High: 2}, {What: link.Time, Span: link.Range{To: 9}}} {
		if lit := r.Touched(c, thing); lit != nil {
			t.Errorf("%+v lights up windows", thing)
		}
	}
}

// TestLanesAddUp compares lanes with counting the references one by one, over all and over a stretch.
func TestLanesAddUp(t *testing.T) {
	r := open(t, shipped+"list.orr")
	config, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	caches, err := r.RunCaches(context.Background(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, view := range []link.Range{{From: 0, To: r.Len()}, {From: 1000, To: 1700}, {From: r.Len() - 3, To: r.Len()}} {
		lanes := r.Lanes(caches, view, palette.Dark())
		if len(lanes) != 5 || len(lanes[1].Bands) == 0 {
			t.Fatalf("%d lanes, want stores, code, two levels and the heap", len(lanes))
		}
		for _, l := range lanes {
			if len(l.Bands) > 0 {
				continue
			}
			if len(l.Values) > laneColumns+1 || l.First > view.From || l.First+l.Step*traceio.Seq(len(l.Values)) < view.To {
				t.Errorf("%v: lane %s has %d values of %d from %d", view, l.Name, len(l.Values), l.Step, l.First)
			}
		}
		stores := lanes[0]
		for i, got := range stores.Values {
			from := stores.First + traceio.Seq(i)*stores.Step
			to := min(r.Len(), from+stores.Step)
			n := 0
			for s := from; s < to && i%50 == 0; s++ {
				if a, _ := r.At(s); a.Kind == traceio.Store {
					n++
				}
			}
			if want := 100 * float64(n) / float64(to-from); i%50 == 0 && (got-want > 1e-9 || want-got > 1e-9) {
				t.Errorf("%v: stores in [%d, %d) are %.3f %%, want %.3f %%", view, from, to, got, want)
			}
		}
	}
}

func TestMissesByAddUp(t *testing.T) {
	r := open(t, shipped+"matmul-standard.orr")
	config, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{"line", "function", "region"} {
		rows, err := r.MissesBy(context.Background(), config, by, nil)
		if err != nil {
			t.Fatal(err)
		}
		var sum uint64
		for _, row := range rows {
			sum += row.Reads + row.Writes
			if row.Key == attribution.Other {
				t.Errorf("by %s: %d references have no name", by, row.Reads+row.Writes)
			}
		}
		if sum != uint64(r.Len()) {
			t.Errorf("by %s: %d references, want %d", by, sum, r.Len())
		}
	}
	if _, err := r.MissesBy(context.Background(), config, "colour", nil); err == nil {
		t.Error("counting by colour was accepted")
	}
}

// TestTransposedMissesLess is the paper's first case: the right-hand matrix is what misses, and storing it by columns
// mends that.
func TestTransposedMissesLess(t *testing.T) {
	config, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	misses := map[string]map[string]uint64{}
	for _, kind := range []string{"standard", "transposed", "blocked"} {
		rows, err := open(t, shipped+"matmul-"+kind+".orr").MissesBy(context.Background(), config, "region", nil)
		if err != nil {
			t.Fatal(err)
		}
		misses[kind] = map[string]uint64{}
		for _, row := range rows {
			misses[kind][row.Key] = row.Misses[config.Index("L1D")]
		}
	}
	if s := misses["standard"]; s["B"] < 4*s["A"] {
		t.Errorf("standard: B misses %d times, A %d; want B far ahead", s["B"], s["A"])
	}
	if s, x := misses["standard"]["B"], misses["transposed"]["B"]; x*2 > s {
		t.Errorf("B misses %d times standard and %d transposed; want less than half", s, x)
	}
	if s, b := misses["standard"]["B"], misses["blocked"]["B"]; b >= s {
		t.Errorf("B misses %d times standard and %d blocked; want fewer", s, b)
	}
}

func TestForeignTextBecomesTheSameRecording(t *testing.T) {
	r := open(t, "../../testdata/oracles/quicksort.lk.gz")
	var file bytes.Buffer
	if err := store.Write(context.Background(), r.Recording, &file, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "q.orr")
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if again.Counts() != r.Counts() || again.Len() != r.Len() {
		t.Errorf("written and read back: %+v, want %+v", again.Counts(), r.Counts())
	}
}

func TestExamplesUnpackOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, e := range Examples() {
		first, err := Unpack(e.Path())
		if err != nil {
			t.Fatal(err)
		}
		before, err := os.Stat(first)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Unpack(e.Path()); err != nil || again != first {
			t.Errorf("%s: unpacked again to %s, %v", e.File, again, err)
		}
		if after, err := os.Stat(first); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s was written again", e.File)
		}
	}
}

// TestBuiltinNames has paths that mean an example, wherever one is, and paths that mean files.
func TestBuiltinNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, e := range Examples() {
		if name, ok := Builtin(e.Path()); !ok || name != "built-in/"+e.File {
			t.Errorf("%s is %q, %t", e.Path(), name, ok)
		}
	}
	for _, c := range []struct{ path, want string }{
		{"motion-jpeg", "built-in/motion-jpeg"}, {"built-in/motion-jpeg", "built-in/motion-jpeg"},
		{"built-in/nonesuch.orr", ""}, {"built-in/", ""}, {"list.orr", ""}, {"/x/built-in/list.orr", ""},
		{"built-in/../list.orr", ""},
		{"/x/motion-jpeg", ""}, {"", ""},
	} {
		name, ok := Builtin(c.path)
		if ok != (c.want != "") || ok && name != c.want {
			t.Errorf("%q is %q, %t; want %q", c.path, name, ok, c.want)
		}
		if path, err := Unpack(c.path); !ok && (err != nil || path != c.path) {
			t.Errorf("%q is unpacked to %q, %v", c.path, path, err)
		}
	}
	if err := os.WriteFile("motion-jpeg", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := Builtin("motion-jpeg"); ok {
		t.Error("a file is taken for the example whose name it has")
	}
	if !IsDesignExample(DesignExamplePath) {
		t.Error("a file hides the example from sessions")
	}
}

// TestLineColorsAreDistinct wants every colour given once, the recording's first lines to keep theirs, and no
// colourless stretch.
func TestLineColorsAreDistinct(t *testing.T) {
	for _, lines := range [][]int32{{0, 1, 2, 1}, {9, 9, 12, 3, 40, 12, 9}, {20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 29},
		{-1, -1}} {
		c := &Cycles{Lines: lines}
		colors := c.LineColors()
		taken := map[int]int32{}
		for id, rank := range colors {
			if other, twice := taken[rank]; twice || rank >= palette.Distinct {
				t.Errorf("%v: lines %d and %d have colour %d", lines, id, other, rank)
			}
			taken[rank] = id
		}
		for k, id := range c.byFrequency() {
			rank, ok := colors[id]
			if k < palette.Distinct && !ok {
				t.Errorf("%v: line %d, number %d of the stretch, has no colour", lines, id, k)
			}
			if int(id) < palette.Distinct && rank != int(id) {
				t.Errorf("%v: line %d lost its colour for %d", lines, id, rank)
			}
		}
	}
}

// TestDensityFollowsTheClock makes a recording whose second half runs four times as slowly.
func TestDensityFollowsTheClock(t *testing.T) {
	const blocks, rows = 20, traceio.MaxBlock
	r := open(t, clocked(t, blocks, rows))
	l, ok := r.densityLane(link.Range{To: r.Len()}, palette.Dark())
	if !ok {
		t.Fatal("a recording with a clock and 20 blocks has no density")
	}
	n := len(l.Values)
	for i, v := range l.Values {
		want := float64(rows) // a block in a microsecond
		if i >= n/2 {
			want = rows / 4
		}
		if at := l.First + traceio.Seq(i)*l.Step + l.Step/2; at%rows > l.Step && rows-at%rows > l.Step &&
			(v < want*0.9 || v > want*1.1) {
			t.Errorf("value %d of %d is %.0f references per microsecond, want about %.0f", i, n, v, want)
		}
	}
}

// clocked writes a recording of blocks that take a microsecond each, the second half four.
func clocked(t *testing.T, blocks, rows int) string {
	t.Helper()
	at := func(k int) traceio.Ticks {
		half := blocks / 2
		return traceio.Ticks(1000*min(k, half) + 4000*max(0, k-half))
	}
	return orrtest.File(t, func(w *orr.Writer) (*traceio.Program, error) {
		var b traceio.Block
		for k := range blocks {
			b.Reset(traceio.Seq(k * rows))
			for i := range rows {
				b.Append(traceio.Access{Addr: traceio.Addr(4096 + 4*i), Size: 4})
			}
			b.Start, b.End = at(k), at(k+1)
			if err := w.WriteBlock(&b); err != nil {
				return nil, err
			}
		}
		return &traceio.Program{Ticking: true}, nil
	})
}

// TestGrowingRecordingsAreBeginnings opens a long text and compares every beginning with the whole.
func TestGrowingRecordingsAreBeginnings(t *testing.T) {
	text := readtest.Gunzip(t, "../../testdata/oracles/quicksort.lk.gz")
	path := filepath.Join(t.TempDir(), "long.lk")
	if err := os.WriteFile(path, bytes.Repeat(text, 6), 0o644); err != nil {
		t.Fatal(err)
	}
	var beginnings []*Recording
	asked := 0
	whole, err := LoadGrowing(context.Background(), path, func(bool) bool { asked++; return asked%2 == 1 },
		func(r *Recording) { beginnings = append(beginnings, r) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	if len(beginnings) == 0 || len(beginnings) != (asked+1)/2 {
		t.Fatalf("%d beginnings after %d questions", len(beginnings), asked)
	}
	for _, r := range beginnings {
		if r.Estimated() != "so far" || whole.Estimated() != "" {
			t.Errorf("the beginning is marked %q, the whole %q", r.Estimated(), whole.Estimated())
		}
		if r.Len() == 0 || r.Len() >= whole.Len() {
			t.Errorf("a beginning of %d references of %d", r.Len(), whole.Len())
		}
		for s := traceio.Seq(0); s < r.Len(); s += 1009 {
			got, err1 := r.At(s)
			want, err2 := whole.At(s)
			if err1 != nil || err2 != nil || got != want {
				t.Fatalf("reference %d is %+v in the beginning and %+v in the whole (%v, %v)", s, got, want, err1, err2)
			}
		}
	}
}

// TestScatteredReferencesFindTheirHomes: references all over the address space make items of terabytes, of which only
// the touched parts may cost time.
func TestScatteredReferencesFindTheirHomes(t *testing.T) {
	var text strings.Builder
	r := rand.New(rand.NewPCG(7, 7))
	for range 3 * fewItems {
		fmt.Fprintf(&text, " L %x,4\n", r.Uint64N(1<<47))
	}
	path := filepath.Join(t.TempDir(), "scattered.lk")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	rec := open(t, path)
	config, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	caches, err := rec.RunCaches(context.Background(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := caches.Items.Len(); n == 0 || n > fewItems {
		t.Errorf("%d items, want 1 to %d", n, fewItems)
	}
}
