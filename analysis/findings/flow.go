package findings

import (
	"context"
	"math"

	"orrery/analysis/attribution"
	"orrery/analysis/region"
	"orrery/cachesim"
	"orrery/traceio"
)

// flow is how blocks came into a level on the way of the data, what was used of them there, and what they had to make
// place for.
type flow struct {
	in    Input
	level cachesim.Level
	index int       // of the level
	late  []float64 // by level: how much later the data is when the level misses, nanoseconds

	fetched map[place]*fetched
	again   map[pair]*returned // fetches of what another line touched last: by that line and the one that fetches
	pushed  map[pair]*returned // fetches of what was pushed out: by its region and the line that did it
	sets    map[int32]uint64   // conflict misses of each set
	known   map[int32]*known
	// that all references took, nanoseconds; in a hierarchy without latencies the misses of this level, each 1
	time float64

	blocks  blocks
	ran     []traceio.Seq // when a line last made a reference, plus 1; by line plus 1; the same for all levels
	regions *region.Lookup
	served  miss  // the miss that is being served
	entered int32 // the line for which a block entered last
}

// place is a source line and a region that it touches.
type place struct{ line, region int32 }

// pair is two lines, or a region and a line, in this order.
type pair struct{ first, second int32 }

// tally is some misses.
type tally struct {
	misses uint64
	time   float64 // that they waited, nanoseconds
	span   Range
}

func (t *tally) add(m *miss) {
	t.misses += m.weight
	t.time += m.time * float64(m.weight)
	if t.span.To == 0 {
		t.span.From = m.seq
	}
	t.span.From, t.span.To = min(t.span.From, m.seq), max(t.span.To, m.seq+1)
}

// fetched is what a line fetched of a region.
type fetched struct {
	tally
	conflicts   tally
	fills       uint64   // stays in the level that are over
	used, bytes uint64   // in these: bytes touched at all, and bytes touched again and again
	near        uint64   // misses on the block that it fetched before, or on one beside it
	even        uint64   // misses that are as far from the one before as that was from its own, up to a block
	rounds      returned // fetches of what had been there before, by whatever line
	before      traceio.Addr
	from        traceio.Addr // the reference that missed before
	step        int64        // to it, bytes
}

// known is what was met of a region in the whole run: its blocks, by whoever fetched them last, and their bytes that
// were ever touched.
type known struct{ blocks, ever uint64 }

// of is what was met of a region.
func (f *flow) of(region int32) *known {
	k := f.known[region]
	if k == nil {
		k = &known{}
		f.known[region] = k
	}
	return k
}

// bytes is the size of a region, in whole blocks.
func (f *flow) bytes(region int32) uint64 { return f.of(region).blocks * f.blocks.size }

// returned is fetches of blocks that had been there before.
type returned struct {
	tally
	gap, square float64 // sums of the references since the block was last touched, and of their squares
	idle        float64 // the part of the gaps in which the line that touched it last did not run any more
	region      int32   // that was fetched last
	turns       uint64  // misses between which and the one before the line that touched it last ran
	at          traceio.Seq
}

// come counts a miss on a block that had been there before, whose last line has not run for so many references.
func (r *returned) come(m *miss, idle traceio.Seq) {
	n, gap := float64(m.weight), float64(m.seq-m.before.seen)
	r.add(m)
	r.gap += gap * n
	r.square += gap * gap * n
	r.idle += float64(idle) * n
	r.region = m.at.region
	if r.misses > m.weight && m.seq+1-min(idle, m.seq+1) > r.at {
		r.turns += m.weight
	}
	r.at = m.seq + 1
}

// regular gives the mean of the references since the block was last touched, and their standard deviation as a share of
// it.
func (r *returned) regular() (mean, spread float64) {
	n := float64(r.misses)
	mean = r.gap / n
	return mean, math.Sqrt(max(0, r.square/n-mean*mean)) / max(1, mean)
}

// miss is a miss that is being served: what it costs is known when the levels below have answered.
type miss struct {
	weight   uint64 // 0 for none
	time     float64
	seq      traceio.Seq
	at       place
	addr     traceio.Addr // of the block
	from     traceio.Addr // of the first byte in it that was asked for
	set      int32
	conflict bool
	before   block // as it was before; fetches 0 for one that is new
}

// follow runs the recording through one core's hierarchy and gives the flow into each level on the way of the data, the
// first one first.
func follow(ctx context.Context, in Input, report func(done, total int64)) ([]*flow, error) {
	c, err := in.Config.WithCores(1).Foresee(ctx, in.Recording, nil)
	if err != nil {
		return nil, err
	}
	h, err := cachesim.New(c)
	if err != nil {
		return nil, err
	}
	h.Classify()
	w := newWay(in, h.Config())
	var log cachesim.Log
	var events []cachesim.Event
	lines, ids := in.Lines.Lookup(), make([]int32, traceio.MaxBlock)
	for i := range in.Recording.Blocks() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := in.Recording.Block(i)
		if err != nil {
			return nil, err
		}
		h.RunLog(b, &log)
		events = log.Events(events[:0])
		lines.Classify(b, ids[:b.Len()])
		w.add(b, events, ids)
		report(int64(b.First)+int64(b.Data()), int64(in.Recording.Len()))
	}
	t := h.Totals()
	for _, f := range w.flows {
		f.settle()
		f.blocks.each(f.total)
		if f.time = t.Time; !in.Config.Timed() {
			f.time = float64(t.Levels[f.index].ReadMisses + t.Levels[f.index].WriteMisses)
		}
	}
	return w.flows, nil
}

// way is the levels that data passes on its way to the processor.
type way struct {
	flows []*flow
	at    []*flow // by index of the level; nil for one that is not on the way
	ran   []traceio.Seq
}

func newWay(in Input, c cachesim.Config) *way {
	w := &way{at: make([]*flow, len(c.Levels)), ran: make([]traceio.Seq, in.Lines.Len()+1)}
	late := later(c)
	for i := c.Entry(traceio.Load); i >= 0 && i < len(c.Levels); i = c.Next(i) {
		f := &flow{in: in, level: c.Levels[i], index: i, late: late, fetched: map[place]*fetched{},
			again: map[pair]*returned{}, pushed: map[pair]*returned{},
			sets: map[int32]uint64{}, known: map[int32]*known{}, ran: w.ran, blocks: newBlocks(uint64(c.Levels[i].Block)),
			regions: in.Regions.Lookup()}
		if !c.Timed() {
			f.late = make([]float64, len(c.Levels))
			f.late[i] = 1
		}
		w.at[i], w.flows = f, append(w.flows, f)
	}
	return w
}

// later is, by level, how much later the data is when the level misses, nanoseconds.
func later(c cachesim.Config) []float64 {
	late := make([]float64, len(c.Levels))
	for i := range c.Levels {
		late[i] = c.Memory.Latency
		if next := c.Next(i); next >= 0 && next < len(c.Levels) {
			late[i] = c.Levels[next].Latency
		}
	}
	return late
}

// add takes in the events of a block of references, whose lines are ids.
func (w *way) add(b *traceio.Block, events []cachesim.Event, ids []int32) {
	row, seq := 0, b.First
	upTo := func(end int) {
		for ; row < end; row++ {
			if b.Kind[row] != traceio.Fetch {
				seq++
				w.ran[ids[row]+1] = seq
			}
		}
	}
	for i := range events {
		e := &events[i]
		upTo(int(e.Row)) // the lines before this row, so that a line that runs now is still known by when it ran before
		if e.Op == cachesim.Miss && e.Self {
			for _, f := range w.flows { // the levels above, which wait for this one
				if f.index == int(e.Level) {
					break
				}
				f.served.time += f.late[e.Level]
			}
		}
		if f := w.at[e.Level]; f != nil && b.Kind[e.Row] != traceio.Fetch {
			f.event(b, e, ids[e.Row])
		}
	}
	upTo(b.Len())
}

// event takes in one event of the level, in the service of a reference of a line.
func (f *flow) event(b *traceio.Block, e *cachesim.Event, line int32) {
	switch e.Op {
	case cachesim.Hit, cachesim.VictimHit, cachesim.Promote:
		f.settle()
		if s := f.blocks.find(e.Line); s != nil && e.Self {
			s.touch(b, e, line, f.blocks.grain)
		}
	case cachesim.Miss, cachesim.Allocate, cachesim.Prefetch, cachesim.Fill:
		f.settle()
		s := f.blocks.get(e.Line)
		if s == nil { // not in the sample
			f.entered = line
			return
		}
		before := *s
		f.leave(s)
		region, _ := f.regions.Locate(e.Line, e.Seq)
		if e.Self {
			region, _ = f.regions.Locate(max(e.Line, b.Addr[e.Row]), e.Seq)
		}
		f.entered = line
		s.enter(place{line, region})
		if e.Self {
			s.touch(b, e, line, f.blocks.grain)
		}
		if e.Op == cachesim.Miss && e.Self {
			f.served = miss{weight: f.blocks.weight(), time: f.late[f.index], seq: e.Seq, at: s.by, addr: e.Line,
				from: max(e.Line, b.Addr[e.Row]), set: e.Set, conflict: e.Class == cachesim.Conflict, before: before}
		}
	case cachesim.Evict, cachesim.WriteBack, cachesim.Invalidate:
		if s := f.blocks.find(e.Line); s != nil {
			f.leave(s)
			if s.evictor = f.entered; e.Op == cachesim.Invalidate {
				s.evictor = attribution.Unknown
			}
		}
	}
}

// at is what a line fetched of a region.
func (f *flow) at(p place) *fetched {
	s := f.fetched[p]
	if s == nil {
		s = &fetched{}
		f.fetched[p] = s
	}
	return s
}

// settle counts the miss that was being served.
func (f *flow) settle() {
	m := &f.served
	if m.weight == 0 {
		return
	}
	s := f.at(m.at)
	s.add(m)
	if d := int64(m.addr - s.before); d >= -int64(f.blocks.size) && d <= int64(f.blocks.size) {
		s.near += m.weight
	}
	step := int64(m.from - s.from)
	if d := step - s.step; d > -int64(f.blocks.size) && d < int64(f.blocks.size) {
		s.even += m.weight
	}
	s.before, s.from, s.step = m.addr, m.from, step
	if m.conflict {
		s.conflicts.add(m)
		f.sets[m.set] += m.weight
	}
	if b := &m.before; b.stays > 0 {
		if b.last >= 0 && m.at.line >= 0 {
			idle := m.seq + 1 - min(m.seq+1, f.ran[b.last+1])
			s.rounds.come(m, idle)
			if b.last != m.at.line {
				meet(f.again, pair{b.last, m.at.line}).come(m, idle)
			}
		}
		if b.evictor >= 0 {
			meet(f.pushed, pair{b.by.region, b.evictor}).add(m)
		}
	}
	f.served = miss{}
}

func meet(m map[pair]*returned, p pair) *returned {
	r := m[p]
	if r == nil {
		r = &returned{}
		m[p] = r
	}
	return r
}

// leave counts what was used of a block in a stay that is over, if it was there.
func (f *flow) leave(s *block) {
	if s.now == 0 {
		return
	}
	w, at := f.blocks.weight(), f.at(s.by)
	at.fills += w
	at.used += w * f.blocks.bytes(s.now)
	at.bytes += w * uint64(s.bytes)
	s.now, s.bytes = 0, 0
}

// total counts a block when the run is over.
func (f *flow) total(s *block) {
	f.leave(s)
	k := f.of(s.by.region)
	k.blocks += f.blocks.weight()
	k.ever += f.blocks.weight() * f.blocks.bytes(s.ever)
}
