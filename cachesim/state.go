package cachesim

import (
	"slices"

	"orrery/traceio"
)

// Line is one way of a set.
type Line struct {
	Addr  traceio.Addr // first address of the block
	Valid bool
	Dirty bool
	Ahead bool // fetched by a prefetcher and not asked for yet
}

// State is everything a hierarchy holds just before the data reference Seq, its own instruction fetches not yet done.
// At Seq = length of the recording it is the end. A State is immutable; several goroutines may read it.
type State struct {
	Seq    traceio.Seq
	config Config
	arena  []uint64 // level after level the sets and the victim buffer, each in order of rank
	tally  tally
	shared [][]uint64 // by level: the blocks in state S, ascending; nil where nobody knows
}

// snapshot copies the state out, in the order of ranks.
func (h *Hierarchy) snapshot(s traceio.Seq) *State {
	st := &State{Seq: s, config: h.config, tally: h.counts()}
	words := 0
	for _, l := range h.levels {
		words += int((l.mask+1)*l.ways) + len(l.buffer.words)
	}
	st.arena = make([]uint64, 0, words)
	if h.coherent {
		st.shared = make([][]uint64, len(h.levels))
	}
	for i, l := range h.levels {
		if st.shared != nil && l.core > 0 {
			st.shared[i] = l.sharedBlocks()
		}
		if l.find != structured {
			for set := range l.mask + 1 {
				st.arena = h.ranked(l, set, st.arena)
			}
			continue
		}
		if l.rule.ordered() && l.top&sharedBit == 0 {
			st.arena = append(append(st.arena, l.lines...), l.buffer.words...)
			continue
		}
		for set := range l.mask + 1 {
			st.arena = l.set(set).picture(st.arena)
		}
		st.arena = l.buffer.picture(st.arena)
	}
	return st
}

// sharedBlocks are the blocks of a level that other cores may have too.
func (l *level) sharedBlocks() []uint64 {
	out := []uint64{}
	for _, words := range [2][]uint64{l.lines, l.buffer.words} {
		for _, w := range words {
			if w&validBit != 0 && w&sharedBit != 0 {
				out = append(out, l.lineOf(w))
			}
		}
	}
	slices.Sort(out)
	return out
}

// picture appends the words of a set in order of rank, the empty ways last.
func (s set) picture(to []uint64) []uint64 {
	if len(s.words) == 0 {
		return to
	}
	from := len(to)
	if slices.Max(s.words) > 0 {
		to = s.order(to)
	}
	for i := from; i < len(to); i++ {
		to[i] &^= s.level.top & sharedBit
	}
	used := len(to)
	to = to[:from+len(s.words)] // snapshot has made room
	clear(to[used:])
	return to
}

// Config is the hierarchy's configuration.
func (s *State) Config() Config { return s.config }

// Totals are the counts of everything before Seq.
func (s *State) Totals() Totals {
	return s.tally.totals(s.config)
}

// Lines appends the valid lines of a set in order of rank: the block that stays longest first. Set Sets() is the
// level's victim buffer.
func (s *State) Lines(level, set int, lines []Line) []Line {
	l := s.config.Levels[level]
	bits, flags := log2(l.Block), s.config.flags(l)
	for _, w := range s.set(level, set) {
		if w == 0 {
			break
		}
		lines = append(lines, Line{Addr: traceio.Addr(w &^ flags >> lineBits << bits), Valid: true, Dirty: w&dirtyBit != 0,
			Ahead: w&flags&aheadBit != 0})
	}
	return lines
}

// Find is the set that addr maps to and the rank of its block there, -1 when the set does not have it. (The victim
// buffer may.)
func (s *State) Find(level int, addr traceio.Addr) (set, rank int) {
	l := s.config.Levels[level]
	line, flags := uint64(addr)>>log2(l.Block), s.config.flags(l)
	set = int(line) & (l.Sets() - 1)
	for rank, w := range s.set(level, set) {
		if w&^flags|dirtyBit == line<<lineBits|validBit|dirtyBit {
			return set, rank
		}
	}
	return set, -1
}

// MESI is the state of a block in a level of one of several cores: 'M' modified, 'E' exclusive, 'S' shared, 'I'
// invalid, that is not there. It is 0 where there is no such state: in levels that all cores share, with one core, and
// after Apply.
func (s *State) MESI(level int, line Line) byte {
	l := s.config.Levels[level]
	if s.shared == nil || l.core == 0 {
		return 0
	}
	switch {
	case !line.Valid:
		return 'I'
	case line.Dirty:
		return 'M'
	}
	if _, there := slices.BinarySearch(s.shared[level], uint64(line.Addr)>>log2(l.Block)); there {
		return 'S'
	}
	return 'E'
}

// set is the words of one set, or of the victim buffer.
func (s *State) set(level, set int) []uint64 {
	at := 0
	for _, l := range s.config.Levels[:level] {
		at += l.Sets()*l.Ways + l.VictimBlocks
	}
	l := s.config.Levels[level]
	if set == l.Sets() {
		return s.arena[at+set*l.Ways:][:l.VictimBlocks]
	}
	return s.arena[at+set*l.Ways:][:l.Ways]
}

// Apply is the state after an event; it is for players that advance a picture from a Window's state by its events. The
// counts and Seq of the result are those of s.
func (s *State) Apply(events ...Event) *State {
	after := *s
	after.shared = nil
	after.arena = append([]uint64(nil), s.arena...)
	for _, e := range events {
		after.apply(e)
	}
	return &after
}

func (s *State) apply(e Event) {
	set := s.set(int(e.Level), int(e.Set))
	l := s.config.Levels[e.Level]
	flags := s.config.flags(l)
	switch {
	case e.From < 0 && e.To >= 0:
		w := uint64(e.Line)>>log2(l.Block)<<lineBits | validBit
		if e.Op == Prefetch {
			w |= aheadBit
		}
		copy(set[e.To+1:], set[e.To:])
		set[e.To] = w | dirtyOf(e)
	case e.From >= 0 && e.To >= 0:
		w := set[e.From]&^dirtyBit | dirtyOf(e)
		if e.Op == Hit {
			w &^= flags & aheadBit
		}
		copy(set[e.From:], set[e.From+1:])
		copy(set[e.To+1:], set[e.To:len(set)-1])
		set[e.To] = w
	case e.From >= 0 && e.Op != Evict && e.Op != WriteBack:
		copy(set[e.From:], set[e.From+1:])
		set[len(set)-1] = 0
	}
}

func dirtyOf(e Event) uint64 {
	if e.Dirty {
		return dirtyBit
	}
	return 0
}
