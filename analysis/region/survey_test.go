package region

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/traceio/store"
)

func openShipped(t testing.TB, path string) (*store.Recording, *heap.Heap) {
	t.Helper()
	rec, err := store.Open(context.Background(), path, store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	h, err := heap.Analyze(context.Background(), rec.Allocs(), rec.Len(), rec.Program(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec, h
}

// TestSurveyAgainstPasses surveys the shipped recordings in one pass, keeps what it found and restores it: names,
// counts and look-ups are those of separate passes. A glimpse of all blocks knows the same regions.
func TestSurveyAgainstPasses(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/recordings/*.orr")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, path := range paths {
		switch filepath.Base(path) {
		case "containers.orr", "mpm-60.orr":
			continue // longer than all others together; lua-queens and list have heaps, too, and mpm-5 the same variables
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			rec, h := openShipped(t, path)
			prog := rec.Program()
			slow, want := inPasses(t, rec, prog, h)
			m, u := surveyed(t, rec, prog, h)
			hints := sampled(t, rec, prog, h)
			same(t, "survey", rec, m, u, slow, want)

			var kept bytes.Buffer
			if err := gob.NewEncoder(&kept).Encode(m.Keep(hints, u)); err != nil {
				t.Fatal(err)
			}
			var f Found
			if err := gob.NewDecoder(&kept).Decode(&f); err != nil {
				t.Fatal(err)
			}
			restored, use, err := Restore(rec, prog, h, f)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "restored", rec, restored, use, slow, want)

			firsts := make([]traceio.Seq, rec.Blocks())
			for i := range firsts {
				firsts[i], _ = rec.Span(i)
			}
			g := NewGlimpse(rec, prog, h, hints, firsts)
			for i := range rec.Blocks() {
				g.Add(blockOf(t, rec, i))
			}
			gm, gu := g.Done()
			total := uint64(0)
			for id, r := range gm.Regions() {
				total += gu.Regions[id].References()
				if w := slow.Regions()[id]; w.Place == "" && !reflect.DeepEqual(r, w) || r.Kind != w.Kind {
					t.Errorf("glimpse: region %d is %+v, want %+v", id, r, w)
				}
			}
			if len(gm.Regions()) != len(slow.Regions()) || total != uint64(rec.Len()) {
				t.Errorf("glimpse: %d regions of %d, %d references", len(gm.Regions()), len(slow.Regions()), total)
			}
		})
	}
}

func same(t *testing.T, what string, rec *store.Recording, m *Map, u *Usage, slow *Map, want *Usage) {
	t.Helper()
	if !reflect.DeepEqual(m.Regions(), slow.Regions()) {
		t.Errorf("%s: regions\n%+v\nwant\n%+v", what, m.Regions(), slow.Regions())
	}
	if !reflect.DeepEqual(u.Regions, want.Regions) || !reflect.DeepEqual(u.Ranked, want.Ranked) ||
		len(u.Blocks) != len(want.Blocks) || len(u.Blocks) > 0 && !reflect.DeepEqual(u.Blocks, want.Blocks) {
		t.Errorf("%s: the counts differ", what)
	}
	if (m.frames == nil) != (slow.frames == nil) {
		t.Fatalf("%s: frames known: %v, want %v", what, m.frames != nil, slow.frames != nil)
	}
	if m.frames != nil {
		got, exp := *m.frames, *slow.frames
		if fmt.Sprint(got.own, got.firsts, got.tops, got.nodes) != fmt.Sprint(exp.own, exp.firsts, exp.tops, exp.nodes) {
			t.Errorf("%s: what is known of the calls differs", what)
		}
	}
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 4 { // each walks half a block on average
		if rec.Len() == 0 {
			break
		}
		s := traceio.Seq(rnd.Uint64N(uint64(rec.Len())))
		a, err := rec.At(s)
		if err != nil {
			t.Fatal(err)
		}
		_, got := m.At(a.Addr, s)
		if _, name := slow.At(a.Addr, s); got != name {
			t.Fatalf("%s: %v at %d is %q, want %q", what, a.Addr, s, got, name)
		}
	}
}

// TestRestoreRefuses gives Restore what belongs to another recording, or to none.
func TestRestoreRefuses(t *testing.T) {
	rec, h := openShipped(t, "../../testdata/recordings/mpm-5.orr")
	m, u := surveyed(t, rec, rec.Program(), h)
	hints := sampled(t, rec, rec.Program(), h)
	for name, spoil := range map[string]func(*Found){
		"nothing":           func(f *Found) { *f = Found{} },
		"fewer regions":     func(f *Found) { f.Regions = f.Regions[1:] },
		"more blocks":       func(f *Found) { f.Blocks = append(f.Blocks, BlockUse{}) },
		"no frames":         func(f *Found) { f.Framed = false },
		"frames in a ring":  func(f *Found) { f.Nodes = []Node{{Outer: 0}}; f.Tops = [][]int32{{0}} },
		"an unknown frame":  func(f *Found) { f.Tops = [][]int32{{1 << 20}} },
		"unknown functions": func(f *Found) { f.Nodes = []Node{{Fn: 1 << 20, Outer: -1}} },
		"blocks disordered": func(f *Found) { f.Firsts, f.Tops = []traceio.Seq{5, 1}, make([][]int32, 2) },
		"a name too many":   func(f *Found) { f.Names = []HeldName{{ID: -1}} },
	} {
		f := m.Keep(hints, u)
		spoil(&f)
		if _, _, err := Restore(rec, rec.Program(), h, f); err == nil {
			t.Errorf("%s: restored", name)
		}
	}
}
