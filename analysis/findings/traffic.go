package findings

import (
	"context"
	"math"

	"orrery/analysis/attribution"
	"orrery/analysis/region"
	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// traffic is what passes one level of the hierarchy on the way of the data: the blocks that enter, which code they
// enter for, what is used of them while they stay, and what they evict. Nearly all detectors of misses read it.
type traffic struct {
	in           Input
	level        cachesim.Level
	index        int       // of the level in the hierarchy
	extraLatency []float64 // by level: how much later the data arrives when the level misses, nanoseconds

	fetched    map[lineRegion]*fetches
	refetched  map[pair]*refetches // misses on blocks that another line touched last: by that line and the one that misses
	evicted    map[pair]*refetches // misses on evicted blocks: by their region and the line that evicted them
	sets       map[int32]uint64    // conflict misses of each set
	regionUses map[int32]*regionUse
	// time of all references, nanoseconds; in a hierarchy without latencies the misses of this level, each 1
	time float64

	table   blockTable
	lastRun []traceio.Seq // by line plus 1: when it last made a reference, plus 1; shared by all levels
	regions *region.Lookup
	pending miss  // the latest miss, until its cost is known
	entered int32 // the line for which a block entered last
}

// place is a source line and a region that it touches.
type lineRegion struct{ line, region int32 }

// pair is two lines, or a region and a line, in this order.
type pair struct{ first, second int32 }

// missTally sums up misses.
type missTally struct {
	misses uint64
	time   float64 // of waiting, nanoseconds
	span   Range
}

// add counts one miss.
func (t *missTally) add(m *miss) {
	t.misses += m.weight
	t.time += m.time * float64(m.weight)
	if t.span.To == 0 {
		t.span.From = m.seq
	}
	t.span.From, t.span.To = min(t.span.From, m.seq), max(t.span.To, m.seq+1)
}

// merge adds the misses of another tally.
func (t *missTally) merge(o *missTally) {
	if t.span.To == 0 {
		t.span = o.span
	}
	t.span = Range{min(t.span.From, o.span.From), max(t.span.To, o.span.To)}
	t.misses += o.misses
	t.time += o.time
}

// fetches are the misses of a line on a region.
type fetches struct {
	missTally
	conflicts   missTally
	fills       uint64    // ended stays in the level
	used, bytes uint64    // in these: distinct bytes touched, and bytes touched in all
	near        uint64    // misses on the block of the miss before, or one beside it
	strided     uint64    // misses at the same step as the one before, within a block
	again       refetches // misses on blocks that had been there before, for any line
	before      traceio.Addr
	from        traceio.Addr // address of the miss before
	step        int64        // from the miss before that to it, bytes
}

// regionUse is what was seen of a region in the whole run: its blocks, and how many of their bytes were ever touched.
type regionUse struct{ blocks, ever uint64 }

// regionUse is that of a region.
func (f *traffic) regionUse(region int32) *regionUse {
	k := f.regionUses[region]
	if k == nil {
		k = &regionUse{}
		f.regionUses[region] = k
	}
	return k
}

// bytes is the size of a region, in whole blocks.
func (f *traffic) bytes(region int32) uint64 { return f.regionUse(region).blocks * f.table.size }

// refetches are misses on blocks that had been there before.
type refetches struct {
	missTally
	gap, square  float64 // sums of the gaps, in references since the block was last touched, and of their squares
	idle         float64 // the part of the gaps in which the line that touched it last did not run
	region       int32   // of the latest
	alternations uint64  // misses since the one before which the line that touched the block last has run
	at           traceio.Seq
}

// count counts a miss on a block whose last line has not run for "idle" references.
func (r *refetches) count(m *miss, idle traceio.Seq) {
	n, gap := float64(m.weight), float64(m.seq-m.before.seen)
	r.add(m)
	r.gap += gap * n
	r.square += gap * gap * n
	r.idle += float64(idle) * n
	r.region = m.at.region
	if r.misses > m.weight && m.seq+1-min(idle, m.seq+1) > r.at {
		r.alternations += m.weight
	}
	r.at = m.seq + 1
}

// A gap is one rhythm when its standard deviation is at most maxSpread of its mean: a loop over the same data has the
// same gap for each block but at its ends. Another loop is at work when the line that had the block before was idle for
// at least minIdle of the gap: two lines of one loop are idle for next to none of it, two loops one after the other for
// half.
const (
	maxSpread = 0.25
	minIdle   = 0.25
)

// rhythm gives the mean gap and its standard deviation as a share of it.
func (r *refetches) rhythm() (mean, spread float64) {
	n := float64(r.misses)
	mean = r.gap / n
	return mean, math.Sqrt(max(0, r.square/n-mean*mean)) / max(1, mean)
}

// miss is a miss whose cost is known once the levels below have answered.
type miss struct {
	weight   uint64 // 0 for none
	time     float64
	seq      traceio.Seq
	at       lineRegion
	addr     traceio.Addr // of the block
	from     traceio.Addr // of the first byte in it that was asked for
	set      int32
	conflict bool
	before   blockUse // the block as it was before; stays is 0 for a new one
}

// replay runs the recording through one core's hierarchy and gives the traffic of each level on the way of the data,
// the first level first.
func replay(ctx context.Context, in Input, report func(done, total int64)) ([]*traffic, error) {
	c, err := simulator.Foresee(ctx, in.Recording, in.Config.WithCores(1), nil)
	if err != nil {
		return nil, err
	}
	h, err := simulator.New(c)
	if err != nil {
		return nil, err
	}
	h.Classify()
	w := newDataPath(in, h.Config())
	var log simulator.Log
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
		f.countMiss()
		f.table.each(f.endRun)
		if f.time = t.Time; !in.Config.Timed() {
			f.time = float64(t.Levels[f.index].ReadMisses + t.Levels[f.index].WriteMisses)
		}
	}
	return w.flows, nil
}

// dataPath is the levels that data passes on its way to the processor.
type dataPath struct {
	flows []*traffic
	at    []*traffic // by index of the level; nil for one that is not on the way
	ran   []traceio.Seq
}

func newDataPath(in Input, c cachesim.Config) *dataPath {
	w := &dataPath{at: make([]*traffic, len(c.Levels)), ran: make([]traceio.Seq, in.Lines.Len()+1)}
	late := extraLatencies(c)
	for i := c.Entry(traceio.Load); i >= 0 && i < len(c.Levels); i = c.Next(i) {
		f := &traffic{in: in, level: c.Levels[i], index: i, extraLatency: late, fetched: map[lineRegion]*fetches{},
			refetched: map[pair]*refetches{}, evicted: map[pair]*refetches{},
			sets: map[int32]uint64{}, regionUses: map[int32]*regionUse{}, lastRun: w.ran,
			table:   newBlocks(uint64(c.Levels[i].Block)),
			regions: in.Regions.Lookup()}
		if !c.Timed() {
			f.extraLatency = make([]float64, len(c.Levels))
			f.extraLatency[i] = 1
		}
		w.at[i], w.flows = f, append(w.flows, f)
	}
	return w
}

// extraLatencies is, by level, how much later the data arrives when the level misses, nanoseconds.
func extraLatencies(c cachesim.Config) []float64 {
	late := make([]float64, len(c.Levels))
	for i := range c.Levels {
		late[i] = c.Memory.Latency
		if next := c.Next(i); next >= 0 && next < len(c.Levels) {
			late[i] = c.Levels[next].Latency
		}
	}
	return late
}

// add takes the events of a block of references whose source lines are ids.
func (w *dataPath) add(b *traceio.Block, events []cachesim.Event, ids []int32) {
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
		upTo(int(e.Row)) // lines before this row only: a line that runs now counts by when it ran before
		if e.Op == cachesim.Miss && e.Self {
			for _, f := range w.flows { // the levels above, which wait for this one
				if f.index == int(e.Level) {
					break
				}
				f.pending.time += f.extraLatency[e.Level]
			}
		}
		if f := w.at[e.Level]; f != nil && b.Kind[e.Row] != traceio.Fetch {
			f.event(b, e, ids[e.Row])
		}
	}
	upTo(b.Len())
}

// event takes one event of the level, in the service of a reference of a line.
func (f *traffic) event(b *traceio.Block, e *cachesim.Event, line int32) {
	switch e.Op {
	case cachesim.Hit, cachesim.VictimHit, cachesim.Promote:
		f.countMiss()
		if s := f.table.find(e.Line); s != nil && e.Self {
			s.touch(b, e, line, f.table.grain)
		}
	case cachesim.Miss, cachesim.Allocate, cachesim.Prefetch, cachesim.Fill:
		f.countMiss()
		s := f.table.get(e.Line)
		if s == nil { // not in the sample
			f.entered = line
			return
		}
		before := *s
		f.endStay(s)
		region, _ := f.regions.Locate(e.Line, e.Seq)
		if e.Self {
			region, _ = f.regions.Locate(max(e.Line, b.Addr[e.Row]), e.Seq)
		}
		f.entered = line
		s.enter(lineRegion{line, region})
		if e.Self {
			s.touch(b, e, line, f.table.grain)
		}
		if e.Op == cachesim.Miss && e.Self {
			f.pending = miss{weight: f.table.weight(), time: f.extraLatency[f.index], seq: e.Seq, at: s.by, addr: e.Line,
				from: max(e.Line, b.Addr[e.Row]), set: e.Set, conflict: e.Class == cachesim.Conflict, before: before}
		}
	case cachesim.Evict, cachesim.WriteBack, cachesim.Invalidate:
		if s := f.table.find(e.Line); s != nil {
			f.endStay(s)
			if s.evictor = f.entered; e.Op == cachesim.Invalidate {
				s.evictor = attribution.Unknown
			}
		}
	}
}

// fetchesAt are the fetches of a line from a region.
func (f *traffic) fetchesAt(p lineRegion) *fetches {
	s := f.fetched[p]
	if s == nil {
		s = &fetches{}
		f.fetched[p] = s
	}
	return s
}

// countMiss counts the pending miss.
func (f *traffic) countMiss() {
	m := &f.pending
	if m.weight == 0 {
		return
	}
	s := f.fetchesAt(m.at)
	s.add(m)
	if d := int64(m.addr - s.before); d >= -int64(f.table.size) && d <= int64(f.table.size) {
		s.near += m.weight
	}
	step := int64(m.from - s.from)
	if d := step - s.step; d > -int64(f.table.size) && d < int64(f.table.size) {
		s.strided += m.weight
	}
	s.before, s.from, s.step = m.addr, m.from, step
	if m.conflict {
		s.conflicts.add(m)
		f.sets[m.set] += m.weight
	}
	if b := &m.before; b.stays > 0 {
		if b.last >= 0 && m.at.line >= 0 {
			idle := m.seq + 1 - min(m.seq+1, f.lastRun[b.last+1])
			s.again.count(m, idle)
			if b.last != m.at.line {
				refetchesOf(f.refetched, pair{b.last, m.at.line}).count(m, idle)
			}
		}
		if b.evictor >= 0 {
			refetchesOf(f.evicted, pair{b.by.region, b.evictor}).add(m)
		}
	}
	f.pending = miss{}
}

// refetchesOf is the entry of a pair.
func refetchesOf(m map[pair]*refetches, p pair) *refetches {
	r := m[p]
	if r == nil {
		r = &refetches{}
		m[p] = r
	}
	return r
}

// endStay counts what was used of a block that leaves the level, if it was there.
func (f *traffic) endStay(s *blockUse) {
	if s.now == 0 {
		return
	}
	w, at := f.table.weight(), f.fetchesAt(s.by)
	at.fills += w
	at.used += w * f.table.bytes(s.now)
	at.bytes += w * uint64(s.bytes)
	s.now, s.bytes = 0, 0
}

// endRun counts a block at the end of the run.
func (f *traffic) endRun(s *blockUse) {
	f.endStay(s)
	k := f.regionUse(s.by.region)
	k.blocks += f.table.weight()
	k.ever += f.table.weight() * f.table.bytes(s.ever)
}
