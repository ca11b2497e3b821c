package rings

import (
	"image/color"
	"math"

	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/scene"
)

// frame is the moment that a picture shows: the caches after reference At, and for every line that is on its way or
// still marked by what happened, where it was and is.
type frame struct {
	s        *State
	l        *layout
	now      float64 // At + Frac
	moved    float64 // Frac, eased: how far the moves of the reference in progress have come
	levels   []contents
	lines    []special
	by       *table // block at the smallest block size -> index in lines
	pulses   *table // glyph -> index in Refs of its last access
	trails   scene.Curves
	filtered bool // some glyphs are not to be shown
}

// special is a block (of the smallest size) that moves or is marked. The ranks are -1 where it was not.
type special struct {
	addr          traceio.Addr
	before, after [MaxLevels]int32
	flash         float64 // 0..1, what is left of a miss's red
	moving        bool
}

// glyph is one dot. Level counts from 0, memory is the level after the last one.
type glyph struct {
	at    scene.Point
	r     float64
	color color.NRGBA
	level int
	set   int
	rank  int
	addr  traceio.Addr
	span  uint64 // bytes, 0 for the picture's grain
	item  int    // -1 for memory that is not among the items
	ghost bool
	live  bool // marked or on its way: drawn over the others
}

func newFrame(s *State, l *layout) *frame {
	f := &frame{s: s, l: l, now: float64(s.At) + min(1, max(0, s.Frac)), filtered: s.filtered()}
	f.moved = ease(f.now - float64(s.At))
	f.by, f.pulses = newTable(16), newTable(16)
	f.levels = make([]contents, len(s.Levels))
	for i := range s.Levels {
		f.levels[i].load(&s.Levels[i], make([]uint64, 0, len(s.Levels[i].Lines)))
	}
	f.trails.Width = 1.25
	f.replay()
	f.access()
	for i := range f.levels {
		f.levels[i].settle()
	}
	return f
}

// ease is slow at both ends, so that a glyph neither jerks off nor bumps.
func ease(x float64) float64 { return x * x * (3 - 2*x) }

// speed is the number of references that a frame of the film goes on by, and so the time that marks last.
func (f *frame) speed() float64 { return float64(max(1, f.s.Speed)) }

// horizon is the number of references before now whose pathlines are drawn. At speed k the last k are joined whatever
// the tail, for they were skipped.
func (f *frame) horizon() float64 {
	if f.s.Tail <= 0 && f.s.Speed <= 1 {
		return 0
	}
	return float64(max(0, f.s.Tail)) + f.speed() - 1
}

// replay goes through the events up to At, one reference at a time.
func (f *frame) replay() {
	events := f.s.Events
	flashing := flashSteps * f.speed()
	for i := 0; i < len(events) && events[i].Seq <= f.s.At; {
		j := i + 1
		for j < len(events) && events[j].Seq == events[i].Seq {
			j++
		}
		step := events[i:j]
		i = j
		age := f.now - float64(step[0].Seq)
		if age > max(f.horizon()+1, flashing) {
			f.apply(step)
			continue
		}
		f.step(step, age)
	}
}

func (f *frame) apply(step []cachesim.Event) {
	for k := range step {
		if c := f.level(&step[k]); c != nil {
			c.apply(&step[k])
		}
	}
}

// step makes one reference's changes and keeps what is to be seen of them: for the reference in progress the moves of
// every line in the sets that it touches, for an earlier one the pathlines and the red of the lines that it is about.
func (f *frame) step(step []cachesim.Event, age float64) {
	current := step[0].Seq == f.s.At
	var past []special
	note := func(a traceio.Addr) {
		if current {
			f.special(a)
			return
		}
		for i := range past {
			if past[i].addr == a {
				return
			}
		}
		past = append(past, special{addr: a})
	}
	for k := range step {
		f.concerned(&step[k], current, note)
	}
	lines := past
	if current {
		lines = f.lines // with those that an earlier miss still marks, which may move again
	}
	for i := range lines {
		f.ranks(lines[i].addr, &lines[i].before)
	}
	f.apply(step)
	for i := range lines {
		f.ranks(lines[i].addr, &lines[i].after)
		f.outcome(&lines[i], current, age, f.asked(step, lines[i].addr))
	}
}

// asked reports whether the reference missed on the block, which did not come by itself then, as one does that is
// prefetched.
func (f *frame) asked(step []cachesim.Event, a traceio.Addr) bool {
	for k := range step {
		e := &step[k]
		if c := f.level(e); c != nil && e.Self && a&^(1<<c.shift-1) == e.Line && e.Op != cachesim.Hit && e.To >= 0 {
			return true
		}
	}
	return false
}

// level is the level that an event is about, nil when it is not in the picture.
func (f *frame) level(e *cachesim.Event) *contents {
	if i := f.s.ringOf(e); i >= 0 {
		return &f.levels[i]
	}
	return nil
}

// concerned names the blocks that an event is about, or all those in its set.
func (f *frame) concerned(e *cachesim.Event, all bool, note func(traceio.Addr)) {
	c := f.level(e)
	if c == nil {
		return
	}
	blocks := func(a traceio.Addr) {
		for end := a + 1<<c.shift; a < end; a += traceio.Addr(f.l.base) {
			note(a)
		}
	}
	blocks(e.Line)
	if !all {
		return
	}
	if at := (int(e.Set) - c.first) * c.ways; at >= 0 && at < len(c.lines) {
		for _, entry := range c.lines[at : at+c.ways] {
			if entry != 0 {
				blocks(traceio.Addr((entry - 1) << c.shift))
			}
		}
	}
}

// special is the entry of a block, made when it has none.
func (f *frame) special(a traceio.Addr) *special {
	key := f.l.block(a)
	if i := f.by.get(key); i >= 0 {
		return &f.lines[i]
	}
	f.by.put(key, int32(len(f.lines)))
	f.lines = append(f.lines, special{addr: a})
	return &f.lines[len(f.lines)-1]
}

func (f *frame) ranks(a traceio.Addr, ranks *[MaxLevels]int32) {
	for i := range ranks {
		ranks[i] = -1
		if i < len(f.levels) {
			ranks[i] = f.levels[i].rank(a)
		}
	}
}

// fastest is the first level that holds the block; memory, the number of levels, holds everything.
func (f *frame) fastest(ranks *[MaxLevels]int32) int {
	for i := range f.levels {
		if ranks[i] >= 0 {
			return i
		}
	}
	return len(f.levels)
}

// outcome keeps what one block did during a reference.
func (f *frame) outcome(b *special, current bool, age float64, asked bool) {
	was, is := f.fastest(&b.before), f.fastest(&b.after)
	inward := is < was
	if current {
		b.moving = b.before != b.after
	}
	if inward && asked {
		if left := 1 - age/(flashSteps*f.speed()); left > 0 {
			f.special(b.addr).flash = left * left
		}
	}
	if i := f.by.get(f.l.block(b.addr)); is > was && i >= 0 {
		f.lines[i].flash = 0 // what leaves has lost its glow
	}
	headward := is == was && is < len(f.levels) && b.after[is] < b.before[is]
	if was != is || headward {
		f.trail(b, was, is, current, age, asked)
	}
}

// access finds the glyphs that were used within the last move's time.
func (f *frame) access() {
	s := f.s
	for i := range s.Refs {
		r := &s.Refs[i]
		if r.Seq > s.At || f.now-float64(r.Seq) >= f.speed() {
			continue
		}
		f.glyphsOf(r.Addr, uint64(r.Size), func(a traceio.Addr) { f.pulses.put(uint64(a), int32(i)) })
		base := traceio.Addr(f.l.base)
		for a := r.Addr &^ (base - 1); a < r.Addr+traceio.Addr(max(1, r.Size)); a += base {
			n := len(f.lines)
			if b := f.special(a); len(f.lines) > n {
				f.ranks(a, &b.before)
			}
		}
	}
	// Lines that are only marked, not on their way, are where they are now.
	for i := range f.lines {
		if b := &f.lines[i]; !b.moving {
			f.ranks(b.addr, &b.after)
			b.before = b.after
		}
	}
}

func (f *frame) glyphsOf(a traceio.Addr, size uint64, visit func(traceio.Addr)) {
	g := traceio.Addr(f.l.grain)
	for at := a &^ (g - 1); at < a+traceio.Addr(max(1, size)); at += g {
		visit(at)
	}
}

// pulse is how much larger than usual a glyph is: 1, 2 half a move's time after an access, 1.
func (f *frame) pulse(a traceio.Addr) float64 {
	i := f.pulses.get(uint64(a) &^ (f.l.grain - 1))
	if i < 0 {
		return 1
	}
	x := (f.now - float64(f.s.Refs[i].Seq)) / f.speed()
	return 1 + math.Sin(math.Pi*min(1, max(0, x)))
}
