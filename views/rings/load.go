package rings

import (
	"fmt"
	"slices"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// Replay answers what a frame needs of a simulated recording; *simulator.Replay does.
type Replay interface {
	Config() cachesim.Config
	Len() traceio.Seq
	At(s traceio.Seq) (*simulator.State, error)
	Window(from, to traceio.Seq) (*simulator.Window, error)
	Temperature(t, n traceio.Seq, weights ...simulator.Weight) ([]float64, error)
}

// Blocks gives a recording's references; *store.Recording does.
type Blocks interface {
	Find(s traceio.Seq) int
	Block(i int) (*traceio.Block, error)
}

// Load fills in what depends on the moment: From, Levels with their temperatures, Events and Refs for the reference At
// with the Frac, Tail, Speed, Mean, Weights and Fetches that the state has. It is to be called when one of these
// changes; a change of Frac alone only needs Temper.
func (s *State) Load(r Replay, b Blocks) error {
	s.From, s.Levels, s.Events, s.Refs = 0, nil, nil, nil
	if r.Len() == 0 {
		return nil
	}
	s.At = min(s.At, r.Len()-1)
	if back := traceio.Seq(History(s.Tail, s.Speed)); s.At > back {
		s.From = s.At - back
	}
	w, err := r.Window(s.From, s.At+1)
	if err != nil {
		return fmt.Errorf("drawing the caches at reference %d: %w", s.At, err)
	}
	s.Events = w.Events
	for at := s.From; at <= s.At; {
		block, err := b.Block(b.Find(at))
		if err != nil {
			return fmt.Errorf("drawing the caches at reference %d: %w", s.At, err)
		}
		s.Refs, at = appendRefs(s.Refs, block, at, s.At+1, s.Fetches)
	}
	s.Levels = Caches(w.State, s.own(r.Config()), s.Fetches)
	if r.Config().Cores > 1 {
		after, err := r.At(s.At + 1)
		if err != nil {
			return err
		}
		s.cohere(after)
	}
	return s.Temper(r)
}

// cohere notes the coherence of the blocks that the levels hold after the reference in progress.
func (s *State) cohere(after *simulator.State) {
	var lines []simulator.Line
	for i := range s.Levels {
		v := &s.Levels[i]
		v.Coherence = nil
		for set := range v.Sets {
			lines = after.Lines(v.Index, v.First+set, lines[:0])
			for _, line := range lines {
				state := after.MESI(v.Index, line)
				if state == 0 {
					continue
				}
				if v.Coherence == nil {
					v.Coherence = map[uint64]byte{}
				}
				v.Coherence[uint64(line.Addr)/v.Block+1] = state
			}
		}
	}
}

// own is the core whose caches are shown; with several cores the references of the others are left out.
func (s *State) own(c cachesim.Config) int {
	if c.Cores <= 1 {
		return 0
	}
	core := s.Core - 1
	if core < 0 || core >= c.Cores {
		core = 0
		if n := len(s.Refs); n > 0 {
			core = c.Core(s.Refs[n-1].Thread)
		}
	}
	s.Refs = slices.DeleteFunc(s.Refs, func(a traceio.Access) bool { return c.Core(a.Thread) != core })
	return core
}

// Temper sets the temperatures for the moment At + Frac, between those before and after the reference.
func (s *State) Temper(r Replay) error {
	n := traceio.Seq(max(1, s.Mean))
	before, err := r.Temperature(s.At, n, s.Weights...)
	if err != nil {
		return err
	}
	after, err := r.Temperature(s.At+1, n, s.Weights...)
	if err != nil {
		return err
	}
	for i := range s.Levels {
		k := s.Levels[i].Index
		if s.Levels[i].First > 0 {
			continue // a victim buffer is part of its level
		}
		s.Levels[i].Temperature = before[k] + (after[k]-before[k])*min(1, max(0, s.Frac))
	}
	return nil
}

// appendRefs adds the data references (or fetches) of [from, to) that lie in the block; next is where the following one
// begins.
func appendRefs(refs []traceio.Access, b *traceio.Block, from, to traceio.Seq,
	fetches bool) (all []traceio.Access, next traceio.Seq) {
	end := b.First + traceio.Seq(b.Data())
	row := b.Row(from)
	if fetches {
		for row > 0 && b.Kind[row-1] == traceio.Fetch {
			row--
		}
	}
	// Fetches behind the block's last data reference belong to the first one of the next block.
	for seq := from; seq < to && row < b.Len(); row++ {
		fetch := b.Kind[row] == traceio.Fetch
		if fetch == fetches {
			refs = append(refs, traceio.Access{Seq: seq, Addr: b.Addr[row], PC: b.PC[row], Size: b.Size[row], Kind: b.Kind[row],
				Thread: b.Thread[row]})
		}
		if !fetch {
			seq++
		}
	}
	return refs, max(from+1, min(to, end))
}

// Caches is the levels on a core's way of data, or of instruction fetches, with what they hold in a state. A victim
// buffer is a level of its own, of one set.
func Caches(st *simulator.State, core int, fetches bool) []Level {
	c := st.Config()
	kind := traceio.Load
	if fetches {
		kind = traceio.Fetch
	}
	var levels []Level
	var set []simulator.Line
	for i := c.EntryOf(core, kind); i >= 0 && i < len(c.Levels) && len(levels) < MaxLevels; i = c.Next(i) {
		l := c.Levels[i]
		add := func(v Level) {
			v.Lines = make([]uint64, v.Sets*v.Ways)
			for k := range v.Sets {
				set = st.Lines(i, v.First+k, set[:0])
				for rank, line := range set {
					v.Lines[k*v.Ways+rank] = uint64(line.Addr)/v.Block + 1
				}
			}
			levels = append(levels, v)
		}
		add(Level{Name: l.Name, Index: i, Sets: l.Sets(), Ways: l.Ways, Block: uint64(l.Block)})
		if l.VictimBlocks > 0 && len(levels) < MaxLevels {
			add(Level{Name: l.Name + " victims", Index: i, First: l.Sets(), Sets: 1, Ways: l.VictimBlocks,
				Block: uint64(l.Block)})
		}
	}
	return levels
}

// ringOf is the index of the ring that shows what an event is about, -1 for none.
func (s *State) ringOf(e *cachesim.Event) int {
	for i := range s.Levels {
		if v := &s.Levels[i]; v.Index == int(e.Level) && int(e.Set) >= v.First && int(e.Set) < v.First+v.Sets {
			return i
		}
	}
	return -1
}
