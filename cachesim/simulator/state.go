package simulator

import (
	"slices"

	"orrery/cachesim"
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
	config cachesim.Config
	words  []uint64 // level after level the sets and the victim buffer, each in order of rank
	tally  tally
	shared [][]uint64 // by level: the blocks in state S, ascending; nil where there are no such states
}

// snapshot copies the state out, in the order of ranks.
func (h *Hierarchy) snapshot(s traceio.Seq) *State {
	words, shared := h.caches.engine.Snapshot()
	return &State{Seq: s, config: h.config, words: words, tally: h.tally(), shared: shared}
}

// Config is the hierarchy's configuration.
func (s *State) Config() cachesim.Config { return s.config }

// Totals are the counts of everything before Seq.
func (s *State) Totals() cachesim.Totals {
	return s.tally.totals(s.config)
}

// Lines appends the valid lines of a set in order of rank: the block that stays longest first. Set Sets() is the
// level's victim buffer.
func (s *State) Lines(level, set int, lines []Line) []Line {
	l := s.config.Levels[level]
	bits, flags := l.Block.Log2(), s.config.Flags(l)
	for _, w := range s.set(level, set) {
		if w == 0 {
			break
		}
		lines = append(lines, Line{Addr: traceio.Addr(w &^ flags >> cachesim.WordBits << bits), Valid: true,
			Dirty: w&cachesim.WordDirty != 0,
			Ahead: w&flags&cachesim.WordAhead != 0})
	}
	return lines
}

// Find is the set that addr maps to and the rank of its block there, -1 when the set does not have it. (The victim
// buffer may.)
func (s *State) Find(level int, addr traceio.Addr) (set, rank int) {
	l := s.config.Levels[level]
	line, flags := uint64(addr)>>l.Block.Log2(), s.config.Flags(l)
	set = int(line) & (l.Sets() - 1)
	for rank, w := range s.set(level, set) {
		if w&^flags|cachesim.WordDirty == line<<cachesim.WordBits|cachesim.WordValid|cachesim.WordDirty {
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
	if s.shared == nil || s.config.CoreOf(level) < 0 {
		return 0
	}
	switch {
	case !line.Valid:
		return 'I'
	case line.Dirty:
		return 'M'
	}
	if _, there := slices.BinarySearch(s.shared[level], uint64(line.Addr)>>l.Block.Log2()); there {
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
		return s.words[at+set*l.Ways:][:l.VictimBlocks]
	}
	return s.words[at+set*l.Ways:][:l.Ways]
}

// Apply is the state after an event; it is for players that advance a picture from a Window's state by its events. The
// counts and Seq of the result are those of s.
func (s *State) Apply(events ...cachesim.Event) *State {
	after := *s
	after.shared = nil
	after.words = append([]uint64(nil), s.words...)
	for _, e := range events {
		after.apply(e)
	}
	return &after
}

func (s *State) apply(e cachesim.Event) {
	set := s.set(int(e.Level), int(e.Set))
	l := s.config.Levels[e.Level]
	flags := s.config.Flags(l)
	switch {
	case e.From < 0 && e.To >= 0:
		w := uint64(e.Line)>>l.Block.Log2()<<cachesim.WordBits | cachesim.WordValid
		if e.Op == cachesim.Prefetch {
			w |= cachesim.WordAhead
		}
		copy(set[e.To+1:], set[e.To:])
		set[e.To] = w | dirtyOf(e)
	case e.From >= 0 && e.To >= 0:
		w := set[e.From]&^cachesim.WordDirty | dirtyOf(e)
		if e.Op == cachesim.Hit {
			w &^= flags & cachesim.WordAhead
		}
		copy(set[e.From:], set[e.From+1:])
		copy(set[e.To+1:], set[e.To:len(set)-1])
		set[e.To] = w
	case e.From >= 0 && e.Op != cachesim.Evict && e.Op != cachesim.WriteBack:
		copy(set[e.From:], set[e.From+1:])
		set[len(set)-1] = 0
	}
}

func dirtyOf(e cachesim.Event) uint64 {
	if e.Dirty {
		return cachesim.WordDirty
	}
	return 0
}
