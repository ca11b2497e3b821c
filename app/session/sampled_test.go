package session

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orrery/analysis/attribution"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/orr/orrtest"
	"orrery/traceio/resultcache"
	"orrery/views/link"
	"orrery/views/palette"
)

// longRecording writes a recording of many small blocks: a short beginning that is like nothing else, then rounds of
// three functions.
func longRecording(t testing.TB) string {
	t.Helper()
	rnd := rand.New(rand.NewPCG(11, 12))
	prog := &traceio.Program{}
	for fn, name := range []string{"read", "sort", "print", "main"} {
		for k := range 5 {
			prog.Sites = append(prog.Sites, traceio.Site{PC: traceio.Addr(0x1000*(1+fn) + 4*k), Module: -1,
				Frames: []traceio.Frame{{Function: name, File: "a.c", Line: 10*fn + k + 1}}})
		}
		prog.Globals = append(prog.Globals, traceio.Global{Name: name + "_data", Addr: traceio.Addr(0x600000 + 0x10000*fn),
			Size: 1 << 15, Module: -1})
	}
	return orrtest.File(t, func(w *orr.Writer) (*traceio.Program, error) {
		var b traceio.Block
		next := traceio.Seq(0)
		for block := range 300 {
			b.Reset(next)
			for range 400 + rnd.IntN(200) {
				fn := block / 10 % 3
				if block == 0 {
					fn = 3
				}
				a := traceio.Access{PC: traceio.Addr(0x1000*(1+fn) + 4*rnd.IntN(5)),
					Addr: traceio.Addr(0x600000 + 0x10000*fn + 8*rnd.IntN(100)), Size: 8}
				if rnd.IntN(4) == 0 {
					a.Kind = traceio.Store
				}
				b.Append(a)
			}
			if err := w.WriteBlock(&b); err != nil {
				return nil, err
			}
			next += traceio.Seq(b.Data())
		}
		return prog, nil
	})
}

// TestSampledThenExact opens a long recording for the first time, again, and once more with what was kept spoilt.
func TestSampledThenExact(t *testing.T) {
	path := longRecording(t)
	t.Setenv(resultcache.Variable, "off")
	want := open(t, path)
	if want.Sampled() || want.Estimated() != "" {
		t.Fatal("a recording that was loaded whole is sampled")
	}
	kept := resultcache.At(t.TempDir())
	t.Setenv(resultcache.Variable, kept.Dir())
	load := func(samples int) {
		t.Helper()
		var glimpses []*Recording
		got, err := LoadGrowing(context.Background(), path, func(bool) bool { return false },
			func(r *Recording) { glimpses = append(glimpses, r) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Close()
		if len(glimpses) != samples {
			t.Fatalf("%d times sampled, want %d", len(glimpses), samples)
		}
		for _, g := range glimpses {
			checkGlimpse(t, g, want)
		}
		if !reflect.DeepEqual(got.Lines, want.Lines) || !reflect.DeepEqual(got.Use.Regions, want.Use.Regions) ||
			!slices.Equal(got.Use.Ranked, want.Use.Ranked) ||
			!reflect.DeepEqual(got.Digest.Pieces, want.Digest.Pieces) || !reflect.DeepEqual(got.code, want.code) ||
			got.Sampled() {
			t.Errorf("loaded with %d samples it differs from loaded whole", samples)
		}
		for _, view := range []link.Range{{To: got.Len()}, {From: 5000, To: 5200}, {From: 100, To: 90000}} {
			if !reflect.DeepEqual(got.Lanes(nil, view, palette.Dark()), want.Lanes(nil, view, palette.Dark())) {
				t.Errorf("loaded with %d samples the lanes of %v differ", samples, view)
			}
		}
	}
	load(1)
	load(0)
	files, err := filepath.Glob(filepath.Join(kept.Dir(), "*.counts"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte("spoilt"), 0o600); err != nil {
		t.Fatal(err)
	}
	load(1)
	load(0)
}

// checkGlimpse holds estimates against the truth.
func checkGlimpse(t *testing.T, g, want *Recording) {
	t.Helper()
	if !g.Sampled() || g.Estimated() == "" || g.Len() != want.Len() || !reflect.DeepEqual(g.Regions.Regions(),
		want.Regions.Regions()) {
		t.Errorf("the glimpse: %q, %d references, %d regions", g.Estimated(), g.Len(), len(g.Regions.Regions()))
	}
	near := func(what string, got, want uint64) {
		if math.Abs(float64(got)-float64(want)) > 0.25*float64(want) {
			t.Errorf("%s is estimated at %d of %d", what, got, want)
		}
	}
	for id, u := range want.Use.Regions {
		near(g.Regions.Regions()[id].Name, g.Use.Regions[id].References(), u.References())
	}
	for i := range want.Lines.Len() {
		l := want.Lines.At(int32(i))
		if l.Function == "main" { // ran in the first block alone, and was counted there
			if id := g.Lines.Find(l.File, l.Line); g.Lines.At(id).References() != l.References() {
				t.Errorf("%s is estimated at %d of %d", l.Name(), g.Lines.At(id).References(), l.References())
			}
		}
	}
	for _, view := range []link.Range{{To: g.Len()}, {From: 100, To: 90000}} {
		if got, want := g.Lanes(nil, view, palette.Dark()), want.Lanes(nil, view, palette.Dark()); len(got) != len(want) {
			t.Errorf("%d lanes, want %d", len(got), len(want))
		}
	}
}

// TestLinesOfDigestAgainstPass counts the lines of shipped recordings by a pass of their own.
func TestLinesOfDigestAgainstPass(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/recordings/*.orr")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.Size() > 40<<10 {
			continue // they take as long as all others together
		}
		r := open(t, path)
		want := attribution.LinesOf(r.Program(), func(add func(pc traceio.Addr, loads, stores uint64)) {
			for i := range r.Blocks() {
				b, err := r.Block(i)
				if err != nil {
					t.Fatal(err)
				}
				for row, pc := range b.PC {
					switch b.Kind[row] {
					case traceio.Load:
						add(pc, 1, 0)
					case traceio.Store:
						add(pc, 0, 1)
					}
				}
			}
		})
		if !reflect.DeepEqual(r.Lines, want) {
			t.Errorf("%s: the lines differ", filepath.Base(path))
		}
	}
}

// TestCodeLaneAgainstCount says for stretches of all lengths which function runs, and counts.
func TestCodeLaneAgainstCount(t *testing.T) {
	t.Setenv(resultcache.Variable, "off")
	r := open(t, longRecording(t))
	for _, view := range []link.Range{{To: r.Len()}, {From: 50000, To: 60000}, {From: 499, To: 530},
		{From: r.Len() - 3, To: r.Len()}, {From: 7, To: 8}} {
		l, ok := r.codeLane(view, palette.Dark())
		if !ok || len(l.Bands) == 0 {
			t.Fatalf("%v: no lane", view)
		}
		at := l.Bands[0].Span.From
		for i, band := range l.Bands {
			if band.Span.From != at || i > 0 && band.Name == l.Bands[i-1].Name {
				t.Fatalf("%v: band %d, %v %s, follows %v", view, i, band.Span, band.Name, l.Bands[max(0, i-1)])
			}
			at = band.Span.To
			runs := map[string]int{}
			for s := band.Span.From; s < band.Span.To; s++ {
				a, err := r.At(s)
				if err != nil {
					t.Fatal(err)
				}
				runs[r.Program().SiteAt(a.PC).Frames[0].Function]++
			}
			for name, n := range runs {
				if n > runs[band.Name] {
					t.Errorf("%v: in %v %s makes %d references and %s %d", view, band.Span, band.Name, runs[band.Name], name, n)
				}
			}
		}
		if l.Bands[0].Span.From > view.From || at < view.To {
			t.Errorf("%v is covered from %d to %d", view, l.Bands[0].Span.From, at)
		}
	}
}

// TestLanesOfCachesEndWithThem cuts the lanes of a whole recording while only its beginning has been simulated.
func TestLanesOfCachesEndWithThem(t *testing.T) {
	t.Setenv(resultcache.Variable, "off")
	whole := open(t, longRecording(t))
	var text bytes.Buffer
	for range 2000 {
		text.WriteString(" L 600000,8\n")
	}
	path := filepath.Join(t.TempDir(), "beginning.lk")
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	config, err := cachesim.Preset(cachesim.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	caches, err := open(t, path).RunCaches(context.Background(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := len(whole.Lanes(nil, link.Range{To: whole.Len()}, palette.Dark()))
	lanes := whole.Lanes(caches, link.Range{To: whole.Len()}, palette.Dark())
	if len(lanes) <= before {
		t.Fatal("no lanes of the caches")
	}
	for _, l := range lanes {
		if end := l.First + l.Step*traceio.Seq(len(l.Values)); strings.HasSuffix(l.Name, "misses") &&
			end > caches.Len()+l.Step {
			t.Errorf("%s reaches to %d of %d", l.Name, end, caches.Len())
		}
	}
	if got := len(whole.Lanes(caches, link.Range{From: 5000, To: whole.Len()}, palette.Dark())); got != before {
		t.Errorf("%d lanes behind the beginning, want %d", got, before)
	}
}
