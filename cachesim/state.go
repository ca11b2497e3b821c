package cachesim

import "orrery/traceio"

// Line is one way of a set.
type Line struct {
	Addr  traceio.Addr // first address of the block
	Valid bool
	Dirty bool
	Ahead bool // fetched by a prefetcher and not asked for yet
}

// State is everything a hierarchy holds just before the data reference Seq, its own instruction fetches not yet done. At
// Seq = length of the recording it is the end. A State is immutable; several goroutines may read it.
type State struct {
	Seq    traceio.Seq
	config Config
	arena  []uint64
	tally  tally
}

// Config is the hierarchy's configuration.
func (s *State) Config() Config { return s.config }

// Totals are the counts of everything before Seq.
func (s *State) Totals() Totals {
	return Totals{References: s.tally.rows, Levels: s.tally.levels, Memory: s.tally.memory, AMAT: s.config.amat(s.tally)}
}

// Lines appends the valid lines of a set in order of rank: the block that stays longest first. Set Sets() is the level's
// victim buffer.
func (s *State) Lines(level, set int, lines []Line) []Line {
	l := s.config.Levels[level]
	bits := log2(l.Block)
	for _, w := range s.set(level, set) {
		if w == 0 {
			break
		}
		lines = append(lines, Line{Addr: traceio.Addr(w >> lineBits << bits), Valid: true, Dirty: w&dirtyBit != 0})
	}
	return lines
}

// Find is the set that addr maps to and the rank of its block there, -1 when the level does not have it.
func (s *State) Find(level int, addr traceio.Addr) (set, rank int) {
	l := s.config.Levels[level]
	line := uint64(addr) >> log2(l.Block)
	set = int(line) & (l.Sets() - 1)
	for rank, w := range s.set(level, set) {
		if w|dirtyBit == line<<lineBits|validBit|dirtyBit {
			return set, rank
		}
	}
	return set, -1
}

// set is the words of one set.
func (s *State) set(level, set int) []uint64 {
	at := 0
	for _, l := range s.config.Levels[:level] {
		at += l.Sets() * l.Ways
	}
	ways := s.config.Levels[level].Ways
	return s.arena[at+set*ways:][:ways]
}

// Apply is the state after an event; it is for players that advance a picture from a Window's state by its events. The
// counts and Seq of the result are those of s.
func (s *State) Apply(events ...Event) *State {
	after := *s
	after.arena = append([]uint64(nil), s.arena...)
	for _, e := range events {
		after.apply(e)
	}
	return &after
}

func (s *State) apply(e Event) {
	set := s.set(int(e.Level), int(e.Set))
	var dirty uint64
	if e.Kind == traceio.Store {
		dirty = dirtyBit
	}
	switch e.Op {
	case Hit:
		w := set[e.From] | dirty
		copy(set[e.To+1:e.From+1], set[e.To:e.From])
		set[e.To] = w
	case Miss, Allocate:
		copy(set[e.To+1:], set[e.To:])
		set[e.To] = uint64(e.Line)>>log2(s.config.Levels[e.Level].Block)<<lineBits | validBit | dirty
	}
}
