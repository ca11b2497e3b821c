// Package simulator runs recordings through memory hierarchies and answers what people ask about them. A Hierarchy has
// an engine, the fast one where it serves, and each kind of answer is a consumer of the engine's one stream of events,
// written once: who had the data (served.go), counts by line of the program and by set (attribution.go), miss classes
// (classes.go), all events for a view (Log). A Replay (replay.go) has checkpoints (checkpoint.go), so that the State at
// any reference and the events around it are at hand, and sums (lanes.go) for the cache temperature of any window
// (temperature.go).
//
// Beside the hierarchy stand what bounds it and explains it: Belady's MIN (bound.go, foresee.go), stack distances for
// the miss ratio of every size and associativity (curve.go, pressure.go), and the blocks that cores share (sharing.go).
//
// Papers: Hill and Smith, "Evaluating Associativity in CPU Caches" (miss classes); Mattson et al., "Evaluation
// Techniques for Storage Hierarchies" (stack distances, MIN); others stand where they are used.
package simulator

import (
	"orrery/cachesim"
	"orrery/cachesim/fast"
	"orrery/cachesim/model"
	"orrery/traceio"
)

// Hierarchy is a simulated memory hierarchy with its state. One goroutine at a time may use it.
type Hierarchy struct {
	config cachesim.Config // with the levels of every core
	caches side
	pages  *side // address translation; nil: none
}

// side is the caches at work, or the TLBs.
type side struct {
	engine  cachesim.Engine
	config  cachesim.Config
	entries [][4]int      // by core and traceio.Kind: the level where references enter, or -1
	enters  []bool        // by level: references enter there
	next    []int         // by level: the one below; the number of levels is memory
	classes []*classifier // by level; nil: no miss classes
	log     cachesim.Stream
	events  []cachesim.Event
	loads   []traceio.Kind // scratch of onlyLoads
}

// New is an empty hierarchy, or the *cachesim.FieldError of Validate.
func New(c cachesim.Config) (*Hierarchy, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.NeedsFuture() && c.Future() == nil {
		return nil, c.NoFuture("nobody has looked through a recording for it; use another policy")
	}
	return build(c.PerCore()), nil
}

// build makes the hierarchy of a configuration that is sound and has the levels of every core.
func build(c cachesim.Config) *Hierarchy {
	h := &Hierarchy{config: c, caches: newSide(c)}
	if len(c.TLBs) > 0 {
		pages := newSide(c.Translation().PerCore())
		h.pages = &pages
	}
	return h
}

func newSide(c cachesim.Config) side {
	s := side{config: c, engine: newEngine(c)}
	for i := range c.Levels {
		s.enters, s.next = append(s.enters, c.Enters(i)), append(s.next, c.Next(i))
	}
	for core := range c.CoreCount() {
		entries := [4]int{3: -1} // the fourth spares a check of bounds
		for k := range entries[:3] {
			entries[k] = c.EntryOf(core, traceio.Kind(k))
		}
		s.entries = append(s.entries, entries)
	}
	return s
}

// newEngine chooses the engine.
func newEngine(c cachesim.Config) cachesim.Engine {
	if fast.Serves(c) {
		return fast.New(c)
	}
	return model.New(c)
}

// Config is what the hierarchy was made of.
func (h *Hierarchy) Config() cachesim.Config { return h.config }

// Totals are the counts of everything run so far.
func (h *Hierarchy) Totals() cachesim.Totals { return h.tally().totals(h.config) }

// Classify makes every later Run sort misses into compulsory, capacity and conflict; call it before the first one.
func (h *Hierarchy) Classify() {
	h.caches.classes = newClassifiers(h.caches.config)
	if h.pages != nil {
		h.pages.classes = newClassifiers(h.pages.config)
	}
}

// Reset empties all levels and sets all counts to 0.
func (h *Hierarchy) Reset() {
	h.caches.engine.Reset()
	if h.pages != nil {
		h.pages.engine.Reset()
	}
	if h.caches.classes != nil {
		h.Classify()
	}
}

// Run simulates a block's references and counts them.
func (h *Hierarchy) Run(b *traceio.Block) { h.run(b, 0, b.Len(), nil) }

// RunServed is Run and tells for each row which level had the data: served[i] belongs to row i. It must be as long as
// the block.
func (h *Hierarchy) RunServed(b *traceio.Block, served []cachesim.Served) {
	h.run(b, 0, b.Len(), served[:b.Len()])
}

// run simulates rows [from, to) of a block. In served, unless it is nil, it tells which level had the data of each of
// them.
func (h *Hierarchy) run(b *traceio.Block, from, to int, served []cachesim.Served) {
	h.translate(b, from, to)
	if served == nil {
		h.caches.run(b, from, to)
		return
	}
	h.caches.follow(b, from, to, func(b *traceio.Block, row, end int, events []cachesim.Event) {
		h.caches.serve(b, row, events, served[row-from:end-from])
	})
}

// events simulates rows [from, to) and appends all their events; see side.appendEvents.
func (h *Hierarchy) events(b *traceio.Block, from, to int, seq traceio.Seq, events []cachesim.Event) []cachesim.Event {
	h.translate(b, from, to)
	return h.caches.appendEvents(b, from, to, seq, events)
}

// translate is the TLBs' part.
func (h *Hierarchy) translate(b *traceio.Block, from, to int) {
	if h.pages != nil {
		h.pages.run(b, from, to)
	}
}

// run simulates rows [from, to) for their counts.
func (s *side) run(b *traceio.Block, from, to int) {
	if s.classes == nil {
		s.engine.Run(s.seen(b), from, to)
		return
	}
	s.follow(b, from, to, func(*traceio.Block, int, int, []cachesim.Event) {})
}

// chunk is the number of rows whose events are held at a time.
const chunk = 1 << 12

// follow simulates rows [from, to) and gives the stream of their events, without ranks, to a consumer: of some rows at
// a time. A row that no event tells of hit where it enters, or no level takes it. Misses are classed already.
func (s *side) follow(b *traceio.Block, from, to int,
	consume func(b *traceio.Block, row, end int, events []cachesim.Event)) {
	b = s.seen(b)
	for ; from < to; from += chunk {
		end := min(from+chunk, to)
		s.log = s.engine.Record(b, from, end, b.First, false, s.log)
		s.events = s.log.Events(s.events[:0])
		s.classify(b, from, end, s.events)
		consume(b, from, end, s.events)
	}
}

// appendEvents simulates rows [from, to) and appends all their events, with ranks; seq is that of the first data
// reference at or after row from.
func (s *side) appendEvents(b *traceio.Block, from, to int, seq traceio.Seq,
	events []cachesim.Event) []cachesim.Event {
	b = s.seen(b)
	for ; from < to; from += chunk {
		end := min(from+chunk, to)
		n := len(events)
		s.log = s.engine.Record(b, from, end, seq, true, s.log)
		events = s.log.Events(events)
		s.classify(b, from, end, events[n:])
		for _, k := range b.Kind[from:end] {
			seq += traceio.Seq(1 - k>>1)
		}
	}
	return events
}

// seen is the block as the engine sees it: for TLBs stores are loads.
func (s *side) seen(b *traceio.Block) *traceio.Block {
	if !s.config.Translates() {
		return b
	}
	s.loads = append(s.loads[:0], b.Kind...)
	for i, k := range s.loads {
		s.loads[i] = k &^ traceio.Store
	}
	loads := *b
	loads.Kind = s.loads
	return &loads
}

// split takes the next part off a stream of events: rows up to quiet have none, and rowEvents are those of row quiet.
// At the end there are none, and quiet is end.
func split(end int, events []cachesim.Event) (quiet int, rowEvents, rest []cachesim.Event) {
	if len(events) == 0 {
		return end, nil, nil
	}
	n := 1
	for n < len(events) && events[n].Row == events[0].Row {
		n++
	}
	return int(events[0].Row), events[:n], events[n:]
}

// entry is the level where a row enters, or -1.
func (s *side) entry(b *traceio.Block, row int) int {
	core := 0
	if len(s.entries) > 1 {
		core = s.config.Core(b.Thread[row])
	}
	return s.entries[core][b.Kind[row]&3]
}

// Log is what happened while a block was run. It is to be reused, and valid as long as its block is.
type Log struct {
	log    cachesim.Stream
	events []cachesim.Event // instead of log, when misses are classed
}

// RunLog is Run and keeps in log what happened, in the place of what was there.
func (h *Hierarchy) RunLog(b *traceio.Block, log *Log) {
	s := &h.caches
	if s.classes != nil {
		log.events = h.events(b, 0, b.Len(), b.First, log.events[:0])
		return
	}
	h.translate(b, 0, b.Len())
	log.log = s.engine.Record(s.seen(b), 0, b.Len(), b.First, true, log.log)
}

// Events appends every event, in order of cause and effect, with its ranks.
func (l *Log) Events(events []cachesim.Event) []cachesim.Event {
	if l.events != nil || l.log == nil {
		return append(events, l.events...)
	}
	return l.log.Events(events)
}

// tally is everything that is counted.
type tally struct {
	caches cachesim.Tally
	pages  *cachesim.Tally // nil: no translation
}

func (h *Hierarchy) tally() tally {
	t := tally{caches: h.caches.tally()}
	if h.pages != nil {
		pages := h.pages.tally()
		t.pages = &pages
	}
	return t
}

func (s *side) tally() cachesim.Tally {
	t := s.engine.Tally()
	for i, c := range s.classes {
		l := &t.Levels[i]
		l.Compulsory, l.Capacity, l.Conflict = c.counts[cachesim.Compulsory], c.counts[cachesim.Capacity],
			c.counts[cachesim.Conflict]
		l.Coherence = c.counts[cachesim.Coherence]
	}
	return t
}

func (t tally) totals(c cachesim.Config) cachesim.Totals { return c.Totals(t.caches, t.pages) }

func (h *Hierarchy) setTally(t tally) {
	h.caches.engine.SetTally(t.caches)
	if h.pages != nil {
		h.pages.engine.SetTally(*t.pages)
	}
}

// words is the state: a copy of it is a checkpoint. restored is to be called after it was written to.
func (h *Hierarchy) words() [][]uint64 {
	words := [][]uint64{h.caches.engine.Words()}
	if h.pages != nil {
		words = append(words, h.pages.engine.Words())
	}
	return words
}

func (h *Hierarchy) restored() {
	h.caches.engine.Restored()
	if h.pages != nil {
		h.pages.engine.Restored()
	}
}

// size is the number of words of the state.
func (h *Hierarchy) size() (n int) {
	for _, w := range h.words() {
		n += len(w)
	}
	return n
}
