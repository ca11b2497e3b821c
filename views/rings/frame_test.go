package rings

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/scene"
)

var room = scene.Size{W: 900, H: 800, Scale: 1}

func glyphsOf(s *State, size scene.Size) (all []glyph, f *frame) {
	f = newFrame(s, newLayout(s, size))
	f.glyphs(func(g *glyph) { all = append(all, *g) })
	return all, f
}

// A frame must not depend on how one got there: loading it with the shortest window that History allows, with a longer
// one, and with everything since the beginning gives the same drawing.
func TestPlayingEqualsSeeking(t *testing.T) {
	r := wandering(1, 3000)
	g := rand.New(rand.NewPCG(7, 7))
	for name, c := range hierarchies() {
		p := replay(t, r, c)
		for k := range 6 {
			at := 200 + g.IntN(2700)
			fetches := k%3 == 2 && c.Entry(traceio.Fetch) >= 0
			it := items(r, 8, fetches)
			set := func(s *State) {
				s.Fetches = fetches
				s.Frac, s.Tail, s.Speed = g.Float64(), []int{0, 1, 16, 100}[at%4], []int{1, 4, 16}[at%3]
			}
			s := state(t, r, p, it, at, set)
			want := Scene(s, room)
			for _, from := range []traceio.Seq{0, s.From / 2} {
				w, err := p.Window(from, min(s.At+50, p.Len()))
				if err != nil {
					t.Fatal(err)
				}
				longer := s
				longer.From, longer.Events, longer.Refs = from, w.Events, nil
				longer.Levels = Caches(w.State, 0, fetches)
				for i := range longer.Levels {
					longer.Levels[i].Temperature = s.Levels[i].Temperature
				}
				for q := from; q < w.To; {
					b, _ := r.Block(r.Find(q))
					longer.Refs, q = appendRefs(longer.Refs, b, q, w.To, fetches)
				}
				if got := Scene(longer, room); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: the frame at %d+%.2f (tail %d, speed %d) from a window that begins at %d differs from the one "+
						"that begins at %d", name, at, s.Frac, s.Tail, s.Speed, from, s.From)
				}
			}
		}
	}
}

// Every valid line has, for each of its items, one bright glyph at the fastest level that holds it and ghosts in the
// slower ones and in memory; items in no cache are bright in memory. The truth is the replay's own state.
func TestEveryLineHasOneBrightGlyph(t *testing.T) {
	r := wandering(2, 2500)
	for name, c := range hierarchies() {
		p := replay(t, r, c)
		for _, unit := range []uint64{4, 16} {
			it := items(r, unit, false)
			for at := 3; at < 2500; at += 311 {
				s := state(t, r, p, it, at, func(s *State) { s.Frac = 1 })
				after, err := p.At(s.At + 1)
				if err != nil {
					t.Fatal(err)
				}
				all, f := glyphsOf(&s, room)
				for i := range f.l.rings {
					if f.l.rings[i].merged() {
						t.Fatalf("%s: level %d merges glyphs in this room, the test cannot count them", name, i)
					}
				}
				checkGlyphs(t, name, &s, after, all)
			}
		}
	}
}

// find is where a level, or a victim buffer, has an address by the simulator's own account.
func find(truth *simulator.State, v *Level, a traceio.Addr) (set, rank int) {
	if v.First == 0 {
		return truth.Find(v.Index, a)
	}
	for rank, line := range truth.Lines(v.Index, v.First, nil) {
		if line.Addr == a&^traceio.Addr(v.Block-1) {
			return 0, rank
		}
	}
	return 0, -1
}

func checkGlyphs(t *testing.T, name string, s *State, truth *simulator.State, all []glyph) {
	t.Helper()
	type key struct {
		item  int
		level int
	}
	seen := map[key]int{}
	for _, g := range all {
		if g.item < 0 {
			continue
		}
		k := key{g.item, g.level}
		if _, twice := seen[k]; twice {
			t.Fatalf("%s at %d: item %v has two glyphs in level %d", name, s.At, g.addr, g.level)
		}
		seen[k] = 1
		if g.ghost {
			seen[k] = 2
		}
		if g.level < len(s.Levels) {
			if set, rank := find(truth, &s.Levels[g.level], g.addr); rank != g.rank || set != g.set {
				t.Fatalf("%s at %d: %v is drawn in set %d rank %d of level %d, it is in set %d rank %d", name, s.At, g.addr, g.set,
					g.rank, g.level, set, rank)
			}
		}
	}
	for i := range s.Items.Len() {
		fastest := len(s.Levels)
		for l := len(s.Levels) - 1; l >= 0; l-- {
			if _, rank := find(truth, &s.Levels[l], s.Items.Addr(i)); rank >= 0 {
				fastest = l
			}
		}
		for l := range len(s.Levels) + 1 {
			want := 0
			held := l == len(s.Levels)
			if !held {
				_, rank := find(truth, &s.Levels[l], s.Items.Addr(i))
				held = rank >= 0
			}
			if held {
				want = 1
				if l > fastest {
					want = 2
				}
			}
			if got := seen[key{i, l}]; got != want {
				t.Fatalf("%s at %d: item %v in level %d: got %d, want %d (0 no glyph, 1 bright, 2 ghost)", name, s.At,
					s.Items.Addr(i), l, got, want)
			}
		}
	}
}

// Lines without any item are not lost: one bright grey glyph each.
func TestLinesWithoutItemsAreDrawnOnce(t *testing.T) {
	r := wandering(3, 1500)
	p := replay(t, r, hierarchies()["split, three"])
	s := state(t, r, p, nil, 1400, func(s *State) { s.Frac = 1 })
	all, _ := glyphsOf(&s, room)
	bright := map[traceio.Addr]int{}
	for _, g := range all {
		if g.level < 3 && !g.ghost {
			bright[g.addr]++
		}
	}
	after, _ := p.At(s.At + 1)
	lines := map[traceio.Addr]bool{}
	for i := 1; i < 4; i++ {
		for set := range s.Levels[i-1].Sets {
			for _, l := range after.Lines(i, set, nil) {
				lines[l.Addr] = true
			}
		}
	}
	for a := range lines {
		if bright[a] != 1 {
			t.Errorf("line %v has %d bright glyphs", a, bright[a])
		}
	}
	if len(bright) != len(lines) {
		t.Errorf("%d bright glyphs for %d lines", len(bright), len(lines))
	}
}

// The end of a step is the beginning of the next one.
func TestStepsJoin(t *testing.T) {
	r := wandering(4, 2000)
	for name, c := range hierarchies() {
		p := replay(t, r, c)
		it := items(r, 8, false)
		for at := 100; at < 1900; at += 173 {
			a := state(t, r, p, it, at, func(s *State) { s.Frac = 1 })
			b := state(t, r, p, it, at+1, nil)
			ga, _ := glyphsOf(&a, room)
			gb, fb := glyphsOf(&b, room)
			home := fb.l.mem.at(-1)
			type key struct {
				addr traceio.Addr
				main bool
				// level of the glyph's home for ghosts, so that two ghosts of an item are told apart
				level int
			}
			where := map[key]scene.Point{}
			for _, g := range ga {
				k := key{g.addr, !g.ghost, g.level}
				if !g.ghost {
					k.level = 0
				}
				where[k] = g.at
			}
			for _, g := range gb {
				k := key{g.addr, !g.ghost, g.level}
				if !g.ghost {
					k.level = 0
				}
				if g.ghost && g.color.A < 8 {
					continue // about to fade in
				}
				was, ok := where[k]
				if !ok && g.item < 0 && g.at == home {
					continue // comes from memory that has no place of its own
				}
				if !ok || math.Hypot(was.X-g.at.X, was.Y-g.at.Y) > 1e-6 {
					t.Fatalf("%s: from %d to %d glyph %v (ghost %v, level %d) jumps from %v to %v", name, at, at+1, g.addr, g.ghost,
						g.level, was, g.at)
				}
			}
		}
	}
}

// No glyph crosses more than a little of the picture within a fiftieth of a step.
func TestMotionIsSmooth(t *testing.T) {
	r := wandering(5, 800)
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	for at := 500; at < 510; at++ {
		last := map[traceio.Addr]scene.Point{}
		s := state(t, r, p, it, at, nil)
		for k := range 51 {
			s.Frac = float64(k) / 50
			all, _ := glyphsOf(&s, room)
			for _, g := range all {
				if g.ghost {
					continue
				}
				if was, ok := last[g.addr]; ok && math.Hypot(was.X-g.at.X, was.Y-g.at.Y) > 60 {
					t.Fatalf("at %d and %d/50 %v jumps from %v to %v", at, k, g.addr, was, g.at)
				}
				last[g.addr] = g.at
			}
		}
	}
}

func TestMissFlashesPulsesAndComesStraight(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	found := false
	for at := 3000; at < 3300 && !found; at++ {
		s := state(t, r, p, it, at, nil)
		a := s.Refs[len(s.Refs)-1].Addr
		f := newFrame(&s, newLayout(&s, room))
		b := &f.lines[f.by.get(uint64(a)/f.l.base)]
		if was, is := f.fastest(&b.before), f.fastest(&b.after); was != 2 || is != 0 {
			continue
		}
		found = true
		main := func(at int, frac float64) glyph {
			s := state(t, r, p, it, at, func(s *State) { s.Frac = frac })
			all, _ := glyphsOf(&s, room)
			for _, g := range all {
				if g.addr == a && !g.ghost {
					return g
				}
			}
			t.Fatalf("no glyph of %v at %d+%v", a, at, frac)
			return glyph{}
		}
		from, half, to := main(at, 0), main(at, 0.5), main(at, 1)
		home := f.l.mem.at(it.Find(a))
		if from.at != home {
			t.Errorf("a miss starts at %v, its home is %v", from.at, home)
		}
		mid := scene.Point{X: (from.at.X + to.at.X) / 2, Y: (from.at.Y + to.at.Y) / 2}
		if math.Hypot(half.at.X-mid.X, half.at.Y-mid.Y) > 1e-6 {
			t.Errorf("half way in it is at %v, want %v", half.at, mid)
		}
		if from.color != s.Theme.Miss {
			t.Errorf("it starts with the colour %v, want the red of a miss", from.color)
		}
		if want := (from.r + to.r) / 2 * 2; math.Abs(half.r-want) > 1e-6 || to.rank != 0 {
			t.Errorf("half way its radius is %v, want %v; it ends at rank %d", half.r, want, to.rank)
		}
		if later := main(at+flashSteps, 0); later.color != f.tint(it.Find(a)) && f.by != nil {
			t.Errorf("after %d steps it is still coloured %v", flashSteps, later.color)
		}
	}
	if !found {
		t.Fatal("no miss in all levels among the references tried")
	}
}

// An eviction keeps outside the straight line: at half its way it is farther from the centre than the chord's middle.
func TestEvictionSweepsWide(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	s := state(t, r, p, it, 3000, nil)
	f := newFrame(&s, newLayout(&s, room))
	g := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		a := f.l.rings[0].at(float64(g.IntN(2)), 4*g.Float64())
		b := f.l.mem.at(g.IntN(it.Len()))
		way := f.sweep(a, b)
		if way(0) != a || way(1) != b {
			t.Fatal("a sweep must begin and end where the glyph does")
		}
		r0, _ := polar(f.l.c, scene.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2})
		if r1, _ := polar(f.l.c, way(0.5)); r1 <= r0 {
			t.Fatalf("from %v to %v the sweep's middle has radius %v, the chord's %v", a, b, r1, r0)
		}
		last, _ := polar(f.l.c, a)
		for k := 1; k <= 50; k++ {
			next, _ := polar(f.l.c, way(float64(k)/50))
			if next < last-1e-9 {
				t.Fatal("a sweep never turns inward")
			}
			last = next
		}
	}
}

func TestTail(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	count := func(tail, speed int) (lines, opacity int) {
		s := state(t, r, p, it, 3000, func(s *State) { s.Tail, s.Speed = tail, speed })
		f := newFrame(&s, newLayout(&s, room))
		for _, c := range f.trails.Colors {
			opacity += int(c.A)
		}
		return len(f.trails.Starts), opacity
	}
	if n, _ := count(0, 1); n != 0 {
		t.Errorf("no tail, and yet %d pathlines", n)
	}
	a, oa := count(16, 1)
	b, ob := count(30, 1)
	if a == 0 || b <= a || ob <= oa {
		t.Errorf("pathlines for tails of 16 and 30: %d and %d, opacity %d and %d; want more and more", a, b, oa, ob)
	}
	if n, _ := count(0, 16); n == 0 {
		t.Error("in time-lapse the skipped references must be joined by pathlines even without a tail")
	}
}

func TestFilterHidesAndChangesNothingElse(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	s := state(t, r, p, it, 3000, func(s *State) { s.Frac = 0.5 })
	whole, _ := glyphsOf(&s, room)
	s.Regions = regions()
	s.Regions[1].Hidden = true
	fewer, _ := glyphsOf(&s, room)
	var want []glyph
	for _, g := range whole {
		if g.item < 0 || it.Region(g.item) != 1 {
			want = append(want, g)
		}
	}
	if len(want) == len(whole) || !reflect.DeepEqual(fewer, want) {
		t.Errorf("hiding region B leaves %d of %d glyphs, want the %d of the others where they were", len(fewer),
			len(whole), len(want))
	}
	s.Hidden = make([]bool, it.Len())
	for i := range s.Hidden {
		s.Hidden[i] = true
	}
	if none, _ := glyphsOf(&s, room); len(none) != 0 {
		t.Errorf("with every item hidden there are %d glyphs", len(none))
	}
}

// The items of one instruction can be shown alone.
func TestOnlyTheItemsOfALine(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	pc := r.blocks[0].PC[0]
	hidden := it.None()
	truth := map[traceio.Addr]bool{}
	for _, b := range r.blocks {
		for row, a := range b.Addr {
			if b.PC[row] == pc {
				truth[a] = true
				it.Show(hidden, a, uint64(b.Size[row]))
			}
		}
	}
	s := state(t, r, p, it, 3000, func(s *State) { s.Hidden = hidden })
	all, _ := glyphsOf(&s, room)
	seen := map[traceio.Addr]bool{}
	for _, g := range all {
		if !truth[g.addr] {
			t.Fatalf("%v is drawn, the instruction never used it", g.addr)
		}
		seen[g.addr] = true
	}
	if len(seen) != len(truth) {
		t.Errorf("%d of the instruction's %d items are drawn", len(seen), len(truth))
	}
}

func TestSelectedRegionStandsOut(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	s := state(t, r, p, it, 3000, func(s *State) { s.Selected = link.Thing{What: link.Region, Name: "A"} })
	all, _ := glyphsOf(&s, room)
	for _, g := range all {
		if !g.ghost && !g.live && g.item >= 0 && (g.color.A == 255) != (it.Region(g.item) == 0) {
			t.Fatalf("glyph of region %d has opacity %d", it.Region(g.item), g.color.A)
		}
	}
}
