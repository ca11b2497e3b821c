package session

import (
	"context"
	"math/rand/v2"
	"testing"

	"orrery/cachesim"
	"orrery/traceio"
)

// TestStory compares what is told of bytes with a walk through the whole recording, reference by reference.
func TestStory(t *testing.T) {
	rec := open(t, "../../testdata/recordings/matmul-standard.orr")
	config, err := cachesim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	caches, err := rec.RunCaches(context.Background(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 5))
	for range 8 {
		at := traceio.Seq(r.Uint64N(1200))
		a, err := rec.At(traceio.Seq(r.Uint64N(uint64(at) + 1)))
		if err != nil {
			t.Fatal(err)
		}
		low, high := a.Addr, a.Addr+8
		got, err := caches.Story(low, high, at)
		if err != nil {
			t.Fatal(err)
		}
		var uses []traceio.Seq
		since := map[string]traceio.Seq{} // by level that holds it
		for s := traceio.Seq(0); s <= at; s++ {
			x, err := rec.At(s)
			if err != nil {
				t.Fatal(err)
			}
			if x.Addr < high && x.Addr+traceio.Addr(x.Size) > low {
				uses = append(uses, s)
			}
			state, err := caches.At(s + 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := config.Entry(traceio.Load); i < len(config.Levels); i = config.Next(i) {
				name := config.Levels[i].Name
				if _, rank := state.Find(i, low); rank < 0 {
					delete(since, name)
				} else if _, ok := since[name]; !ok {
					since[name] = s
				}
			}
		}
		for i := range min(len(uses), storyUses) {
			if want := uses[len(uses)-1-i]; i >= len(got.Uses) || got.Uses[i].Seq != want {
				t.Fatalf("%v at %d: uses %+v, want number %d at %d", low, at, got.Uses, i, want)
			}
		}
		if len(got.Held) != len(since) {
			t.Fatalf("%v at %d: held %+v, want %v", low, at, got.Held, since)
		}
		for _, h := range got.Held {
			if h.Before || since[h.Level] != h.Since {
				t.Fatalf("%v at %d: held %+v, want %v", low, at, got.Held, since)
			}
		}
	}
}

// TestFilterItems compares the items that a filter leaves with those that each chosen reference touches.
func TestFilterItems(t *testing.T) {
	rec := open(t, "../../testdata/recordings/matmul-standard.orr")
	config, err := cachesim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	items, err := rec.CacheItems(context.Background(), config, ElementGrain)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"A", "A, C", "B[3]*", "line matmul.c:17", "A, line matmul.c:16",
		"multiply:*", "line multiply"} {
		f := ParseCacheFilter(text)
		if f.String() != text {
			t.Errorf("%q is read as %q", text, f.String())
		}
		hidden, err := rec.FilterItems(context.Background(), items, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		var memory interface {
			Has(traceio.Addr, traceio.Seq) bool
		}
		if len(f.Memory) > 0 {
			memory, err = rec.Regions.Filter(f.Memory)
			if err != nil {
				t.Fatal(err)
			}
		}
		want := make([]bool, items.Len())
		left := 0
		for s := range rec.Len() {
			a, err := rec.At(s)
			if err != nil {
				t.Fatal(err)
			}
			line := rec.Lines.Of(a.PC)
			chosen := memory == nil || memory.Has(a.Addr, s)
			switch text {
			case "line matmul.c:17":
				chosen = rec.Lines.At(line).Line == 17
			case "A, line matmul.c:16":
				chosen = chosen && rec.Lines.At(line).Line == 16
			case "line multiply":
				chosen = rec.Lines.At(line).Function == "multiply"
			}
			for b := a.Addr; chosen && b < a.Addr+traceio.Addr(a.Size); b++ {
				want[items.Find(b)] = true
			}
		}
		for i, h := range hidden {
			if h == want[i] {
				t.Fatalf("%s: item %d at %v is hidden %v", text, i, items.Addr(i), h)
			}
			if !h {
				left++
			}
		}
		if left == 0 || left == items.Len() && text != "line multiply" {
			t.Errorf("%s leaves %d of %d items", text, left, items.Len())
		}
	}
	for _, text := range []string{"nonesuch", "line nonesuch.c:4"} {
		if err := rec.CheckFilter(ParseCacheFilter(text)); err == nil {
			t.Errorf("%q chooses nothing and is accepted", text)
		}
	}
}
