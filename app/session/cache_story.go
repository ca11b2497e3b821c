package session

import (
	"fmt"

	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/explain"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/words"
)

// Story is what became of some bytes until a moment: the references that used them last, and since when caches hold
// them.
type Story struct {
	Uses   []traceio.Access // the newest first, at most storyUses
	Held   []Holding        // by the levels that hold the first byte, fastest first
	Looked traceio.Seq      // how many references back were looked at
	All    bool             // they are all there are
}

// Holding is a level that holds a block, since the service of reference Since; Before when that was earlier than was
// looked at.
type Holding struct {
	Level  string
	Since  traceio.Seq
	Before bool
}

// The story is sought in longer and longer spans before the moment: what is in use is found at once.
const (
	storyUses  = 4
	storyFirst = 1 << 9
	storyLast  = 1 << 16
)

// Story tells of the bytes [low, high) up to reference at, that one done.
func (c *Caches) Story(low, high traceio.Addr, at traceio.Seq) (Story, error) {
	if c.Len() == 0 {
		return Story{}, nil
	}
	at = min(at, c.Len()-1)
	for span := traceio.Seq(storyFirst); ; span *= 8 {
		from := at + 1 - min(at+1, min(span, storyLast))
		s, err := c.tell(low, high, from, at)
		if err != nil || from == 0 || span >= storyLast || s.whole() {
			return s, err
		}
	}
}

// whole tells whether looking further back would add nothing.
func (s *Story) whole() bool {
	for _, h := range s.Held {
		if h.Before {
			return false
		}
	}
	return len(s.Uses) == storyUses
}

func (c *Caches) tell(low, high traceio.Addr, from, at traceio.Seq) (Story, error) {
	s := Story{Looked: at + 1 - from, All: from == 0}
	w, err := c.Window(from, at+1)
	if err != nil {
		return s, err
	}
	config := c.Config()
	for i := range config.Levels { // of all cores
		if config.Levels[i].Kind == cachesim.Instruction {
			continue
		}
		h := Holding{Level: config.Levels[i].Name, Before: true}
		_, rank := w.State.Find(i, low)
		held := rank >= 0
		block := traceio.Addr(config.Levels[i].Block)
		for k := range w.Events {
			e := &w.Events[k]
			if int(e.Level) != i || e.Line != low&^(block-1) || int(e.Set) >= config.Levels[i].Sets() {
				continue
			}
			switch {
			case e.From < 0 && e.To >= 0:
				held, h.Since, h.Before = true, e.Seq, false
			case e.From >= 0 && e.To < 0:
				held = false
			}
		}
		if held {
			s.Held = append(s.Held, h)
		}
	}
	s.Uses, err = c.Of.usesBefore(low, high, from, at)
	return s, err
}

// usesBefore are the last data references to [low, high) in [from, at], the newest first.
func (r *Recording) usesBefore(low, high traceio.Addr, from, at traceio.Seq) ([]traceio.Access, error) {
	var uses []traceio.Access
	for i := r.Find(at); i >= 0; i-- {
		b, err := r.Block(i)
		if err != nil {
			return uses, err
		}
		seq := b.First + traceio.Seq(b.Data())
		for row := b.Len() - 1; row >= 0 && seq > from; row-- {
			if b.Kind[row] == traceio.Fetch {
				continue
			}
			seq--
			if a := b.Addr[row]; seq <= at && a < high && a+traceio.Addr(max(1, b.Size[row])) > low {
				uses = append(uses, traceio.Access{Seq: seq, Addr: a, PC: b.PC[row], Size: b.Size[row], Kind: b.Kind[row],
					Thread: b.Thread[row]})
				if len(uses) == storyUses {
					return uses, nil
				}
			}
		}
		if seq <= from {
			break
		}
	}
	return uses, nil
}

// Residency says since when the levels hold the bytes, a line for each: "in L1D since t 20 000".
func (s *Story) Residency() []string {
	var out []string
	for _, h := range s.Held {
		if h.Before {
			out = append(out, fmt.Sprintf("in %s for more than %s", h.Level, words.Plural(s.Looked, "reference")))
		} else {
			out = append(out, fmt.Sprintf("in %s since t %s", h.Level, words.Count(uint64(h.Since))))
		}
	}
	if out == nil {
		out = append(out, "in memory only")
	}
	return out
}

// History says which references used the bytes last, a line for each: "store at t 512, bubble.c:12".
func (r *Recording) History(s *Story) []string {
	var out []string
	for _, u := range s.Uses {
		line := fmt.Sprintf("%s at t %s", u.Kind, words.Count(uint64(u.Seq)))
		if code := r.Code(u.PC); code != "" {
			line += ", " + code
		}
		out = append(out, line)
	}
	switch {
	case out != nil:
	case s.All:
		out = append(out, "not used before")
	default:
		out = append(out, "not used in the last "+words.Plural(s.Looked, "reference"))
	}
	return out
}

// explainBytes tells what some bytes are, which caches hold them since when, and who used them last.
func (r *Recording) explainBytes(theme palette.Theme, t link.Thing, caches *Caches,
	cursor traceio.Seq) []explain.Section {
	region, name := r.Regions.At(t.Low, cursor)
	s := explain.Section{Title: name, Chip: r.RegionColor(theme, region.ID),
		Lines: []string{fmt.Sprintf("%v to %v, %d bytes in %s", t.Low, t.High, t.High-t.Low, region.Name)}}
	if _, id := r.Regions.Locate(t.Low, cursor); id >= 0 {
		b := r.Heap.Block(id)
		s.Lines = append(s.Lines, fmt.Sprintf("byte %d of block #%d, %d bytes", t.Low-b.Low, id, b.Size))
	}
	if caches == nil || cursor >= caches.Len() {
		return []explain.Section{s}
	}
	told, err := caches.Story(t.Low, t.High, cursor)
	if err != nil {
		return []explain.Section{s}
	}
	s.Lines = append(s.Lines, told.Residency()...)
	return []explain.Section{s, {Title: "Last used", Lines: r.History(&told)}}
}
