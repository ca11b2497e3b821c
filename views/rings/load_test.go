package rings

import (
	"math"
	"testing"

	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
)

// What Load extracts is what the replay says, line by line.
func TestLoadTakesOverTheState(t *testing.T) {
	r := wandering(11, 2000)
	c := hierarchies()["split, three"]
	p := replay(t, r, c)
	for _, fetches := range []bool{false, true} {
		s := State{At: 1500, Tail: 30, Mean: 50, Frac: 0.25, Fetches: fetches}
		if err := s.Load(p, r); err != nil {
			t.Fatal(err)
		}
		names := ""
		for _, v := range s.Levels {
			names += v.Name + " "
		}
		if want := map[bool]string{false: "L1D L2 L3 ", true: "L1I L2 L3 "}[fetches]; names != want {
			t.Fatalf("levels %q, want %q", names, want)
		}
		truth, err := p.At(s.From)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := p.Temperature(1500, 50)
		after, _ := p.Temperature(1501, 50)
		for _, v := range s.Levels {
			for set := range v.Sets {
				lines := truth.Lines(v.Index, set, nil)
				for rank := range v.Ways {
					want := uint64(0)
					if rank < len(lines) {
						want = uint64(lines[rank].Addr)/v.Block + 1
					}
					if got := v.Lines[set*v.Ways+rank]; got != want {
						t.Fatalf("%s set %d rank %d: %d, want %d", v.Name, set, rank, got, want)
					}
				}
			}
			if want := before[v.Index]*0.75 + after[v.Index]*0.25; math.Abs(v.Temperature-want) > 1e-12 {
				t.Errorf("%s: temperature %v, want %v", v.Name, v.Temperature, want)
			}
		}
		checkRefs(t, r, &s, fetches)
	}
}

// checkRefs compares the references taken with a walk over all rows.
func checkRefs(t *testing.T, r *recorded, s *State, fetches bool) {
	t.Helper()
	var want []traceio.Access
	seq := traceio.Seq(0)
	for _, b := range r.blocks {
		for row := range b.Len() {
			fetch := b.Kind[row] == traceio.Fetch
			if fetch == fetches && seq >= s.From && seq <= s.At {
				want = append(want, traceio.Access{Seq: seq, Addr: b.Addr[row], PC: b.PC[row], Size: b.Size[row],
					Kind: b.Kind[row]})
			}
			if !fetch {
				seq++
			}
		}
	}
	// The fetches of the very first reference may stand in a block before; a frame does not depend on them.
	for fetches && len(want) > 0 && want[0].Seq == s.From && (len(s.Refs) == 0 || s.Refs[0] != want[0]) {
		want = want[1:]
	}
	if len(s.Refs) != len(want) {
		t.Fatalf("%d references, want %d", len(s.Refs), len(want))
	}
	for i := range want {
		if s.Refs[i] != want[i] {
			t.Fatalf("reference %d: %+v, want %+v", i, s.Refs[i], want[i])
		}
	}
}

// Replaying the events of a window on the extracted contents gives the replay's state at its end.
func TestEventsLeadToTheReplaysState(t *testing.T) {
	r := wandering(12, 2000)
	for name, c := range hierarchies() {
		p := replay(t, r, c)
		for at := 50; at < 2000; at += 291 {
			s := State{At: traceio.Seq(at), Tail: 40, Frac: 1}
			if err := s.Load(p, r); err != nil {
				t.Fatal(err)
			}
			f := newFrame(&s, newLayout(&s, room))
			after, _ := p.At(s.At + 1)
			for i, v := range Caches(after, 0, false) {
				for k, want := range v.Lines {
					if got := f.levels[i].lines[k]; got != want {
						t.Fatalf("%s at %d: %s entry %d is %d, want %d", name, at, v.Name, k, got, want)
					}
				}
			}
		}
	}
}

func TestEmptyAndStrangeStatesDraw(t *testing.T) {
	r := matrix()
	p := replay(t, r, hierarchies()["paper"])
	it := items(r, 8, false)
	whole := state(t, r, p, it, 3000, nil)
	unknown := whole
	unknown.Regions = nil
	noRefs := whole
	noRefs.Refs, noRefs.Events = nil, nil
	bad := whole
	bad.Events = []cachesim.Event{{Seq: 3000, Level: 0, Set: 99, From: 50, To: 70}, {Seq: 3000, Level: 9},
		{Seq: 3000, Op: cachesim.Miss, To: -1}}
	page := whole
	page.Items = NewItems(4096, []traceio.Addr{0x10000, 0x11000}, thirds, nil)
	for name, s := range map[string]State{
		"nothing": {Theme: palette.Light()}, "without items": {Theme: palette.Dark(), Levels: whole.Levels,
			Events: whole.Events, At: 3000},
		"without regions": unknown, "without references": noRefs, "events of another hierarchy": bad, "pages": page,
	} {
		for _, size := range []scene.Size{{W: 600, H: 500}, {W: 30, H: 30}, {}} {
			d := Scene(s, size)
			for _, sh := range d.Shapes {
				if discs, ok := sh.(scene.Discs); ok {
					for _, c := range discs.Centers {
						if math.IsNaN(c.X + c.Y) {
							t.Fatalf("%s %v: a glyph at %v", name, size, c)
						}
					}
				}
			}
			Hit(s, size, scene.Point{X: size.W / 3, Y: size.H / 2})
		}
	}
}

// An empty recording gives a state that draws its empty picture.
func TestLoadOfNothing(t *testing.T) {
	r := &recorded{size: 10}
	p := replay(t, r, hierarchies()["paper"])
	s := State{Theme: palette.Dark(), At: 7}
	if err := s.Load(p, r); err != nil || len(s.Levels) != 0 {
		t.Fatalf("error %v, %d levels", err, len(s.Levels))
	}
	Scene(s, room)
}

func BenchmarkScene(b *testing.B) {
	for _, row := range []struct {
		name string
		c    cachesim.Config
		unit uint64
	}{
		{"20000 items, 32K and 256K", cachesim.Config{Name: "b", Levels: []cachesim.Level{
			{Name: "L1", Kind: cachesim.Data, Size: 32 << 10, Ways: 8, Block: 64}, {Name: "L2", Kind: cachesim.Unified,
				Size: 256 << 10, Ways: 8, Block: 64}}}, 8},
		{"matrix, paper", hierarchies()["paper"], 8},
	} {
		b.Run(row.name, func(b *testing.B) {
			r := matrix()
			if row.unit == 8 && row.c.Name == "b" {
				r = &recorded{size: traceio.MaxBlock}
				for i := range traceio.Addr(20_000) {
					r.add(0x10000+8*i, traceio.Load, 8)
					r.add(0x10000+8*(i*7919%20_000), traceio.Store, 8)
				}
			}
			p := replay(b, r, row.c)
			s := state(b, r, p, items(r, row.unit, false), int(r.n)*3/4, func(s *State) { s.Tail, s.Frac = 64, 0.5 })
			size := scene.Size{W: 1280, H: 900, Scale: 1}
			glyphs := 0
			for _, sh := range Scene(s, size).Shapes {
				if d, ok := sh.(scene.Discs); ok {
					glyphs += len(d.Centers)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				Scene(s, size)
			}
			b.ReportMetric(float64(glyphs), "glyphs")
		})
	}
}
