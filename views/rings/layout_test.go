package rings

import (
	"math"
	"math/rand/v2"
	"testing"

	"orrery/traceio"
	"orrery/views/scene"
)

// Whatever the shape of the hierarchy and of the pane, glyphs at rest lie in their level's annulus or in the memory
// ring outside all of them, and no two of one set in the same place.
func TestGlyphsLieInTheirRings(t *testing.T) {
	r := wandering(6, 2500)
	for name, c := range hierarchies() {
		p := replay(t, r, c)
		it := items(r, 8, false)
		for _, size := range []scene.Size{{W: 600, H: 500, Scale: 1}, {W: 1900, H: 1000, Scale: 1},
			{W: 240, H: 180, Scale: 1}} {
			s := state(t, r, p, it, 2400, func(s *State) { s.Frac = 1 })
			all, f := glyphsOf(&s, size)
			type place struct{ level, set int }
			taken := map[place]map[scene.Point]traceio.Addr{}
			for _, g := range all {
				away, _ := polar(f.l.c, g.at)
				if g.level < len(f.l.rings) {
					if k := &f.l.rings[g.level]; away < k.r0 || away > k.r1 {
						t.Fatalf("%s %v: glyph of level %d at radius %.1f, the level reaches from %.1f to %.1f", name, size, g.level,
							away, k.r0, k.r1)
					}
				} else if last := f.l.rings[len(f.l.rings)-1].r1; away <= last || away > f.l.mem.r+1e-9 {
					t.Fatalf("%s %v: memory at radius %.1f, it reaches from %.1f to %.1f", name, size, away, last, f.l.mem.r)
				}
				at := place{g.level, g.set}
				if taken[at] == nil {
					taken[at] = map[scene.Point]traceio.Addr{}
				}
				share := func(a, b traceio.Addr) bool {
					span := traceio.Addr(uint64(f.l.rings[g.level].fold) * f.l.grain)
					return a/span == b/span
				}
				if other, ok := taken[at][g.at]; ok && g.level < len(f.l.rings) && !share(other, g.addr) {
					t.Fatalf("%s %v: %v and %v of level %d set %d stand in one place", name, size, other, g.addr, g.level, g.set)
				}
				taken[at][g.at] = g.addr
			}
		}
	}
}

// The head of every set is at the inner boundary, the next victim at the outer one, and distance grows with rank.
func TestArmsRunOutward(t *testing.T) {
	for _, v := range []Level{{Sets: 1, Ways: 16, Block: 64}, {Sets: 2, Ways: 4, Block: 32},
		{Sets: 64, Ways: 8, Block: 64}, {Sets: 1024, Ways: 8, Block: 64}} {
		s := State{Levels: []Level{v}}
		l := newLayout(&s, room)
		g := &l.rings[0]
		for set := 0; set < v.Sets; set += 1 + v.Sets/7 {
			last := g.r0
			for rank := range v.Ways {
				away, _ := polar(l.c, g.at(float64(set), g.slot(set, float64(rank), 0)))
				if away <= last {
					t.Fatalf("%d sets of %d: rank %d of set %d lies at %.2f, the one before at %.2f", v.Sets, v.Ways,
						rank, set, away, last)
				}
				last = away
			}
			if g.arm(polarOf(l, g.at(float64(set), float64(v.Ways)/2))) != set {
				t.Fatalf("%d sets of %d: the middle of arm %d is taken for another arm", v.Sets, v.Ways, set)
			}
		}
	}
}

func polarOf(l *layout, p scene.Point) (float64, float64) { return polar(l.c, p) }

// Square-root spacing: neighbours along an arm are evenly apart, and no nearer to other arms than half of that.
func TestArmsAreEvenlySpaced(t *testing.T) {
	for _, v := range []Level{{Sets: 1, Ways: 256, Block: 64}, {Sets: 2, Ways: 64, Block: 64},
		{Sets: 4, Ways: 32, Block: 64}} {
		s := State{Levels: []Level{v}}
		l := newLayout(&s, room)
		g := &l.rings[0]
		var all []scene.Point
		for set := range v.Sets {
			for rank := range v.Ways {
				all = append(all, g.at(float64(set), g.slot(set, float64(rank), 0)))
			}
		}
		least := math.Inf(1)
		for i := range all {
			for k := range i {
				least = min(least, math.Hypot(all[i].X-all[k].X, all[i].Y-all[k].Y))
			}
		}
		if least < 0.5*g.pitch {
			t.Errorf("%d sets of %d ways: two glyphs only %.2f apart, even spacing would be %.2f", v.Sets,
				v.Ways, least, g.pitch)
		}
	}
}

// Each region has its part of the ring, in order of address and growing with its items, and items keep their places
// whatever happens.
func TestMemoryRing(t *testing.T) {
	for _, n := range []int{1, 3, 40, 700, 20_000, 400_000} {
		var touched []traceio.Addr
		for i := range n {
			touched = append(touched, traceio.Addr(0x1000+i*8))
		}
		touched = append(touched, 0x900000, 0x900008)
		it := NewItems(8, touched, func(a traceio.Addr) int {
			if a >= 0x900000 {
				return 1
			}
			return 0
		}, nil)
		s := State{Levels: []Level{{Sets: 4, Ways: 4, Block: 32}}, Items: it}
		l := newLayout(&s, room)
		width := func(k int) float64 { return l.mem.arcs[k].to - l.mem.arcs[k].from }
		if len(l.mem.arcs) != 2 || (n > 2) != (width(0) > width(1)+1e-9) || width(1) < 0.2 {
			t.Fatalf("%d items: the arcs are %+v", n, l.mem.arcs)
		}
		seen := map[scene.Point]int{}
		last := math.Inf(-1)
		for i := range n {
			p := l.mem.at(i)
			seen[p]++
			r, a := polar(l.c, p)
			if r < l.rings[0].r1+2 || r > l.mem.r+1e-9 {
				t.Fatalf("%d items: item %d at radius %v", n, i, r)
			}
			turn := math.Mod(a-gapAngle+4*math.Pi, 2*math.Pi)
			if turn < last-1e-6 || turn > width(0)+1e-6+0.2 {
				t.Fatalf("%d items: item %d at %v of the ring, the one before at %v", n, i, turn, last)
			}
			last = turn
		}
		if merge := l.mem.arcs[0].merge; len(seen) != (n+merge-1)/merge {
			t.Fatalf("%d items stand in %d places, %d to a place", n, len(seen), merge)
		}
	}
}

func TestItemsAgreeWithAMap(t *testing.T) {
	g := rand.New(rand.NewPCG(8, 8))
	for _, unit := range []uint64{1, 8, 64, 4096} {
		truth := map[traceio.Addr]bool{}
		var touched []traceio.Addr
		for range 3000 {
			a := traceio.Addr(g.Uint64() >> (g.IntN(50)))
			touched = append(touched, a)
			truth[a&^traceio.Addr(unit-1)] = true
		}
		it := NewItems(unit, touched, func(a traceio.Addr) int { return int(a>>20)%3 - 1 }, nil)
		if it.Len() != len(truth) {
			t.Fatalf("unit %d: %d items, want %d", unit, it.Len(), len(truth))
		}
		for _, a := range touched {
			i := it.Find(a)
			if i < 0 || it.Addr(i) != a&^traceio.Addr(unit-1) {
				t.Fatalf("unit %d: %v is not found", unit, a)
			}
			if it.Region(i) != int(it.Addr(i)>>20)%3-1 {
				t.Fatalf("unit %d: %v is in region %d", unit, a, it.Region(i))
			}
		}
		for range 2000 {
			a := traceio.Addr(g.Uint64() >> (g.IntN(50)))
			if (it.Find(a) >= 0) != truth[a&^traceio.Addr(unit-1)] {
				t.Fatalf("unit %d: Find(%v) = %d", unit, a, it.Find(a))
			}
		}
	}
	if NewItems(8, nil, nil, nil).Find(5) != -1 {
		t.Error("nothing was touched, yet something is found")
	}
}

func TestTouchedSeesEveryByte(t *testing.T) {
	r := wandering(9, 1000)
	for _, fetches := range []bool{false, true} {
		truth := map[traceio.Addr]bool{}
		c := NewTouched(8)
		for _, b := range r.blocks {
			c.Add(b, fetches, nil)
			for i, a := range b.Addr {
				if (b.Kind[i] == traceio.Fetch) == fetches {
					for k := range traceio.Addr(b.Size[i]) {
						truth[(a+k)&^7] = true
					}
				}
			}
		}
		got := c.Addrs()
		if len(got) != len(truth) {
			t.Fatalf("fetches %v: %d units, want %d", fetches, len(got), len(truth))
		}
		for _, a := range got {
			if !truth[a] {
				t.Fatalf("%v was never touched", a)
			}
		}
	}
	c := NewTouched(64)
	var b traceio.Block
	b.Append(traceio.Access{Addr: ^traceio.Addr(0) - 3, Size: 8})
	c.Add(&b, false, nil)
	if n := len(c.Addrs()); n != 1 {
		t.Errorf("a reference at the end of memory touches %d units", n)
	}
}
