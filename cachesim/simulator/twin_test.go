package simulator

import (
	"slices"

	. "orrery/cachesim"
	"orrery/traceio"
)

// twin is the obvious simulator: a set is a list of structures, everything else is a map, and every question is
// answered by looking at all there is. It shares no code with the package but the types of Config and Counts.
type twin struct {
	config Config
	levels []*twinLevel
	memory Traffic
	refs   uint64
	pc     uint64
	at     uint64             // address of the reference in progress, or of its part in the block
	ahead  bool               // a prefetch is in progress
	shared map[sharedKey]bool // of the blocks that a core has, whether others may have them
}

type twinLevel struct {
	Level
	below   *twinLevel
	above   []*twinLevel
	sets    map[uint64]*twinSet
	buffer  []twinLine // newest first
	counts  Counts
	seen    map[uint64]bool
	lost    map[uint64]bool
	full    []uint64 // fully associative cache, last to leave first
	strides map[uint64]*twinStride
	order   int
	core    int // 1 + its core; 0: all share it
	drawn   uint64
	isEntry bool
}

type twinLine struct {
	addr  uint64
	dirty bool
	ahead bool
}

type twinStride struct {
	pc, last, stride uint64
	state            string
}

func newTwin(c Config) *twin {
	c = c.PerCore()
	t := &twin{config: c, shared: map[sharedKey]bool{}}
	for i, l := range c.Levels {
		t.levels = append(t.levels, &twinLevel{Level: l, core: c.CoreOf(i) + 1, sets: map[uint64]*twinSet{},
			seen: map[uint64]bool{},
			lost: map[uint64]bool{}, strides: map[uint64]*twinStride{}, order: i, isEntry: true})
	}
	for i, l := range t.levels {
		if l.Next == "memory" {
			continue
		}
		for _, m := range t.levels[i+1:] {
			if l.below == nil && (l.Next == m.Name || l.Next == "" && m.Kind == Unified) {
				l.below = m
				m.isEntry = false
			}
		}
	}
	for _, l := range t.levels {
		for m := l.below; m != nil; m = m.below {
			m.above = append(m.above, l)
		}
	}
	return t
}

// first is where a kind of reference enters on a core: a level of the right kind that is below nobody.
func (t *twin) first(core int, k traceio.Kind) *twinLevel {
	for _, l := range t.levels {
		if l.isEntry && (l.Kind == Unified || (l.Kind == Instruction) == (k == traceio.Fetch)) &&
			(l.core == 0 || l.core-1 == core) {
			return l
		}
	}
	return nil
}

// reference returns the level of the slowest part: 0 to len(levels), -1 ignored, and whether that part asked nobody.
func (t *twin) reference(a traceio.Access) (slowest int, whole bool) {
	t.refs++
	core := int(a.Thread) % max(1, t.config.Cores)
	l := t.first(core, a.Kind)
	if l == nil {
		return -1, false
	}
	best := -1
	size := uint64(l.Block)
	low, end := uint64(a.Addr), uint64(a.Addr)+max(1, uint64(a.Size))
	t.pc = uint64(a.PC)
	for block := low / size * size; block < end; block += size {
		covers := a.Kind == traceio.Store && low <= block && end >= block+size
		t.at = max(low, block)
		if l.core > 0 && !t.config.Translates() {
			t.negotiate(l, block, a.Kind == traceio.Store)
		}
		where, alone := t.request(l, block, a.Kind, covers)
		if score := 2*where + map[bool]int{true: 1}[alone]; score > best {
			best, slowest, whole = score, where, alone
		}
	}
	return slowest, whole
}

// negotiate makes the other cores ready for what core l.core is about to do to a block. Who may have what is seen from
// where the block is: it is shared if two cores have it, or had it when one of them read it.
func (t *twin) negotiate(l *twinLevel, block uint64, store bool) {
	mine := t.coreHas(l.core, block)
	if store && mine && t.shared[sharedKey{l.core, block}] {
		l.counts.Upgrades++
	}
	exclusive := mine && !t.shared[sharedKey{l.core, block}]
	if !store && mine || store && exclusive {
		return
	}
	any := false
	for core := 1; core <= t.config.Cores; core++ {
		if core == l.core {
			continue
		}
		var modified *twinLevel
		for _, u := range t.levels {
			if u.core != core {
				continue
			}
			x := u.look(block)
			if x == nil {
				continue
			}
			any = true
			if x.dirty && modified == nil {
				modified = u
			}
			x.dirty = false
			if store {
				u.counts.Invalidations++
				u.throwOut(block)
				u.lost[block] = true
				u.full = slices.DeleteFunc(u.full, func(b uint64) bool { return b == block })
			} else {
				t.shared[sharedKey{core, block}] = true
			}
		}
		if modified != nil {
			modified.counts.Interventions++
			to, whole := modified, true
			for to != nil && to.core != 0 {
				if to.below != nil && to.below.Block != to.Block {
					whole = false
				}
				to = to.below
			}
			if to == nil {
				t.memory.Writes++
			} else {
				t.request(to, block, traceio.Store, whole)
			}
		}
	}
	t.shared[sharedKey{l.core, block}] = any && !store
}

type sharedKey struct {
	core  int
	block uint64
}

func (t *twin) coreHas(core int, block uint64) bool {
	return slices.ContainsFunc(t.levels, func(u *twinLevel) bool { return u.core == core && u.look(block) != nil })
}

func (l *twinLevel) set(block uint64) *twinSet {
	index := block / uint64(l.Block) % uint64(l.Sets())
	if l.sets[index] == nil {
		l.sets[index] = newTwinSet(l)
	}
	return l.sets[index]
}

// look is the block in the level's sets or buffer.
func (l *twinLevel) look(block uint64) *twinLine {
	if x := l.set(block).find(block); x != nil {
		return x
	}
	for i := range l.buffer {
		if l.buffer[i].addr == block {
			return &l.buffer[i]
		}
	}
	return nil
}

// throwOut forgets a block, wherever in the level it is.
func (l *twinLevel) throwOut(block uint64) {
	l.set(block).remove(block)
	l.buffer = slices.DeleteFunc(l.buffer, func(x twinLine) bool { return x.addr == block })
}

func (t *twin) request(l *twinLevel, addr uint64, k traceio.Kind, covers bool) (where int, alone bool) {
	block := addr / uint64(l.Block) * uint64(l.Block)
	*[]*uint64{&l.counts.Reads, &l.counts.Writes, &l.counts.Fetches}[k]++
	store := k == traceio.Store
	enters := l.Inclusion != Exclusive && !(store && l.NoAllocate)
	demand := !store || l.isEntry
	class := l.ask(block, store, enters)
	set := l.set(block)

	if x := set.find(block); x != nil {
		if l.Inclusion == Exclusive && !store {
			set.remove(block) // the level above has looked whether it is dirty
			return l.order, false
		}
		if x.ahead {
			x.ahead = false
			l.counts.Useful++
		}
		x.dirty = x.dirty || store && l.Write != WriteThrough
		set.touch(block)
	} else if x := l.look(block); x != nil {
		l.counts.VictimHits++
		y := *x
		l.throwOut(block)
		y.dirty = y.dirty || store && l.Write != WriteThrough
		t.insert(l, y)
	} else {
		*[]*uint64{&l.counts.ReadMisses, &l.counts.WriteMisses, &l.counts.FetchMisses}[k]++
		*class++
		if !enters && store {
			return t.writeBelow(l, block, covers)
		}
		if !enters {
			return t.readBelow(l, block, k), false
		}
		return t.bringIn(l, block, k, covers)
	}
	if store && l.Write == WriteThrough {
		t.writeBelow(l, block, covers)
	}
	if demand {
		t.learn(l, k)
	}
	return l.order, false
}

// bringIn is a miss that allocates.
func (t *twin) bringIn(l *twinLevel, block uint64, k traceio.Kind, covers bool) (where int, alone bool) {
	store := k == traceio.Store
	demand := !store || l.isEntry
	mustAsk := l.below != nil && l.below.Inclusion == Exclusive
	for m := l.below; m != nil; m = m.below {
		mustAsk = mustAsk || m.Inclusion == Inclusive
	}
	x := twinLine{addr: block, dirty: store && l.Write != WriteThrough || t.comesDirty(l, block)}
	victim := l.set(block).put(x)
	where, alone = l.order, true
	if !covers || mustAsk {
		where, alone = t.readBelow(l, block, k), false
	}
	t.expel(l, victim)
	if store && l.Write == WriteThrough {
		t.writeBelow(l, block, covers)
	}
	if l.Prefetch == NextLine && demand && block+uint64(l.Block) != 0 {
		t.fetchAhead(l, block+uint64(l.Block), k)
	}
	if demand {
		t.learn(l, k)
	}
	return where, alone
}

// comesDirty tells whether an exclusive level below will hand the block up dirty.
func (t *twin) comesDirty(l *twinLevel, block uint64) bool {
	m := l.below
	if m == nil || m.Inclusion != Exclusive {
		return false
	}
	if x := m.look(block); x != nil {
		return x.dirty
	}
	return t.comesDirty(m, block)
}

func (t *twin) readBelow(l *twinLevel, block uint64, k traceio.Kind) int {
	if l.below == nil {
		t.memory.Reads++
		return len(t.levels)
	}
	if k == traceio.Store {
		k = traceio.Load
	}
	where, _ := t.request(l.below, block, k, false)
	return where
}

func (t *twin) writeBelow(l *twinLevel, block uint64, covers bool) (where int, alone bool) {
	if l.below == nil {
		t.memory.Writes++
		return len(t.levels), false
	}
	return t.request(l.below, block, traceio.Store, covers && l.Block == l.below.Block)
}

// insert puts a line into its set and deals with what that pushes out.
func (t *twin) insert(l *twinLevel, x twinLine) { t.expel(l, l.set(x.addr).put(x)) }

// expel deals with a line that was pushed out of its set.
func (t *twin) expel(l *twinLevel, victim *twinLine) {
	if victim == nil {
		return
	}
	if l.VictimBlocks > 0 {
		victim.ahead = false
		l.buffer = append([]twinLine{*victim}, l.buffer...)
		if len(l.buffer) <= l.VictimBlocks {
			return
		}
		v := l.buffer[l.VictimBlocks]
		victim = &v
		l.buffer = l.buffer[:l.VictimBlocks]
	}
	if l.Inclusion == Inclusive {
		for _, u := range l.above {
			for part := victim.addr; part < victim.addr+uint64(l.Block); part += uint64(u.Block) {
				if x := u.look(part); x != nil {
					u.counts.Invalidations++
					victim.dirty = victim.dirty || x.dirty
					u.throwOut(part)
				}
			}
		}
	}
	l.counts.Evictions++
	if victim.dirty {
		l.counts.WriteBacks++
	}
	switch {
	case l.below != nil && l.below.Inclusion == Exclusive:
		t.take(l.below, *victim)
	case victim.dirty:
		t.writeBelow(l, victim.addr, true)
	}
}

// take is an exclusive level receiving what the level above evicts.
func (t *twin) take(l *twinLevel, x twinLine) {
	l.counts.Fills++
	x.ahead = false
	l.seen[x.addr] = true
	delete(l.lost, x.addr)
	if had := slices.Contains(l.full, x.addr); !had || l.Policy != FIFO {
		l.full = slices.DeleteFunc(l.full, func(b uint64) bool { return b == x.addr })
		l.full = slices.Insert(l.full, 0, x.addr)
		l.full = l.full[:min(len(l.full), int(l.Size/l.Block))]
	}
	if y := l.set(x.addr).find(x.addr); y != nil {
		y.dirty = y.dirty || x.dirty
		l.set(x.addr).touch(x.addr)
		return
	}
	t.insert(l, x)
}

func (t *twin) fetchAhead(l *twinLevel, block uint64, k traceio.Kind) {
	if t.ahead || l.look(block) != nil {
		return
	}
	if l.core > 0 && !t.config.Translates() {
		t.negotiate(l, block, false)
	}
	t.ahead = true
	l.counts.Prefetches++
	victim := l.set(block).put(twinLine{addr: block, dirty: t.comesDirty(l, block), ahead: true})
	t.readBelow(l, block, k)
	t.expel(l, victim)
	t.ahead = false
}

// learn is the stride prefetcher.
func (t *twin) learn(l *twinLevel, k traceio.Kind) {
	if l.Prefetch != Stride || t.ahead {
		return
	}
	addr, pc := t.at, t.pc
	if pc == 0 {
		pc = ^(addr / 4096)
	}
	slot := splitmix(pc) % 64
	e := l.strides[slot]
	if e == nil || e.pc != pc {
		l.strides[slot] = &twinStride{pc: pc, last: addr, state: "initial"}
		return
	}
	stride := addr - e.last
	right := stride == e.stride
	e.last = addr
	next := map[string][2]string{ // Chen and Baer, figure 4: right, wrong
		"initial": {"steady", "transient"}, "transient": {"steady", "none"}, "steady": {"steady", "initial"},
		"none": {"transient", "none"},
	}[e.state]
	if !right && e.state != "steady" {
		e.stride = stride
	}
	e.state = next[map[bool]int{true: 0, false: 1}[right]]
	if e.state == "steady" && e.stride != 0 && (addr+e.stride)/uint64(l.Block) != addr/uint64(l.Block) {
		t.fetchAhead(l, (addr+e.stride)/uint64(l.Block)*uint64(l.Block), k)
	}
}

func splitmix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// ask updates the fully associative cache and the memory of all blocks, and gives the count that a miss belongs to.
func (l *twinLevel) ask(block uint64, store, enters bool) *uint64 {
	class := &l.counts.Conflict
	inFull := slices.Contains(l.full, block)
	switch {
	case l.lost[block]:
		class = &l.counts.Coherence
	case !l.seen[block]:
		class = &l.counts.Compulsory
	case !inFull:
		class = &l.counts.Capacity
	}
	l.seen[block] = true
	delete(l.lost, block)
	switch {
	case inFull && l.Inclusion == Exclusive && !store:
		l.full = slices.DeleteFunc(l.full, func(b uint64) bool { return b == block })
	case inFull && l.Policy == FIFO, !inFull && !enters:
	default:
		l.full = slices.DeleteFunc(l.full, func(b uint64) bool { return b == block })
		l.full = slices.Insert(l.full, 0, block)
		l.full = l.full[:min(len(l.full), int(l.Size/l.Block))]
	}
	return class
}

func (t *twin) totals() Totals {
	out := Totals{References: t.refs, Memory: t.memory}
	for _, l := range t.levels {
		out.Levels = append(out.Levels, l.counts)
	}
	return out
}

// lines is what a set has in eviction order; the set behind the last is the victim buffer.
func (t *twin) lines(level, set int) []Line {
	l := t.levels[level]
	all := l.buffer
	if set < l.Sets() {
		all = nil
		if s := l.sets[uint64(set)]; s != nil {
			all = s.order()
		}
	}
	var out []Line
	for _, x := range all {
		out = append(out, Line{traceio.Addr(x.addr), true, x.dirty, x.ahead})
	}
	return out
}
