package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// The twin of holes paints every 8 bytes.
func TestHolesAgainstPaint(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 21))
		log, end := randomLog(r, 300, false)
		h := analyze(t, log, end, nil)
		at := Time(r.IntN(int(end)))
		owner := map[traceio.Addr]int{} // by 8 bytes
		for id := range h.Count() {
			if b := h.Block(id); b.From <= at && b.To > at {
				for a := b.Low; a < b.reach(); a += 8 {
					owner[a] = id
				}
			}
		}
		var used []traceio.Addr
		for a := range owner {
			used = append(used, a)
		}
		slices.Sort(used)
		var want []Hole
		for i := 1; i < len(used); i++ {
			below, above := owner[used[i-1]], owner[used[i]]
			low, high := h.Block(below).reach(), used[i]
			if gap := int64(high) - int64(low); below != above && gap > chunkHead && gap <= MaxGap {
				want = append(want, Hole{low, high, below, above})
			}
		}
		if got := h.holes(h.standing(at)); !slices.Equal(got, want) {
			t.Fatalf("seed %d: holes at %d are\n%v\nwant\n%v", seed, at, got, want)
		}
		slices.SortStableFunc(want, func(a, b Hole) int { return int(b.Size()) - int(a.Size()) })
		if got := h.Holes(at, 3); !slices.Equal(got, want[:min(3, len(want))]) {
			t.Fatalf("seed %d: the largest holes at %d are %v, want %v", seed, at, got, want[:min(3, len(want))])
		}
		regions, blocks := h.Compact(at, 0, 1<<30), 0
		for _, x := range regions {
			blocks += x.Blocks
		}
		live, _, _ := h.Live(at)
		inPools := 0
		for _, x := range want {
			if h.pool(x.Low) == h.pool(x.High) {
				inPools++
			}
		}
		if blocks != live || len(regions) < inPools+1 {
			t.Fatalf("seed %d: %d regions of %d blocks; want more than %d holes, %d live blocks", seed, len(regions),
				blocks, inPools, live)
		}
	}
}

// Three blocks of one site alone on pages, two sites on another; a block in the middle of free space.
func TestShape(t *testing.T) {
	stack := func(e traceio.Alloc, id traceio.StackID) traceio.Alloc { e.Stack = id; return e }
	p := &traceio.Program{Stacks: [][]traceio.Addr{nil, {11}, {21}}, Sites: []traceio.Site{
		{PC: 10, Frames: []traceio.Frame{{Function: "a", File: "/a.c", Line: 1}}},
		{PC: 20, Frames: []traceio.Frame{{Function: "b", File: "/b.c", Line: 2}}}}}
	h := analyze(t, []traceio.Alloc{
		stack(malloc(0, 0x10010, 24), 1), stack(malloc(1, 0x11010, 24), 1), stack(malloc(2, 0x12010, 24), 1),
		stack(malloc(3, 0x13010, 24), 1), stack(malloc(4, 0x13030, 24), 2),
		stack(malloc(5, 0x14010, 0x3000), 2), free(6, 0x14010), stack(malloc(7, 0x18000, 24), 2),
	}, 10, p)
	if got, want := h.Survivors(9), []Survivor{{Site: h.site("a.c:1"), Pages: 3, Blocks: 3, Bytes: 72},
		{Site: h.site("b.c:2"), Pages: 1, Blocks: 1, Bytes: 24}}; !slices.Equal(got, want) {
		t.Errorf("survivors %+v, want %+v", got, want)
	}
	// A block that lies on two pages, of which one is shared with another site, or none, is one block.
	two := analyze(t, []traceio.Alloc{
		stack(malloc(0, 0x10f80, 0x100), 1), stack(malloc(1, 0x11f80, 0x100), 1), stack(malloc(2, 0x10010, 24), 2),
		stack(malloc(3, 0x20f80, 0x200), 2)}, 10, p)
	if got, want := two.Survivors(9), []Survivor{{Site: two.site("a.c:1"), Pages: 2, Blocks: 2, Bytes: 0x180},
		{Site: two.site("b.c:2"), Pages: 2, Blocks: 1, Bytes: 0x200}}; !slices.Equal(got, want) {
		t.Errorf("survivors %+v, want %+v", got, want)
	}
	pins := h.Pins(9, 2)
	if want := (Pin{Block: 6, Below: 0x18000 - 0x13048, Shrinks: 0x18000 - 0x13048 + 24}); pins[0] != want {
		t.Errorf("the first pin is %+v, want %+v", pins[0], want)
	}
	if want := (Pin{Block: 4, Above: 0x18000 - 0x13048}); pins[1] != want {
		t.Errorf("the second pin is %+v, want %+v", pins[1], want)
	}
	if got, want := h.Compact(5, 0, 1), []Region{{Low: 0x14010, High: 0x17018, Blocks: 1, Bytes: 0x3000,
		Site: h.site("b.c:2")}}; !slices.Equal(got, want) {
		t.Errorf("the largest region is %+v, want %+v", got, want)
	}
	if got := h.Compact(9, 0x1000, 1)[0]; got.Blocks != 5 || got.Low != 0x10010 || h.Sites[got.Site].Name() != "a.c:1" {
		t.Errorf("with slack the largest region is %+v", got)
	}
}

func (h *Heap) site(name string) int {
	return slices.IndexFunc(h.Sites, func(s Site) bool { return s.Name() == name })
}
