package simulator

import (
	"orrery/cachesim"
	"orrery/traceio"
)

// serve tells from the events of rows which level had the data of each row, from a row of the block on.
func (s *side) serve(b *traceio.Block, from int, events []cachesim.Event, served []cachesim.Served) {
	s.presume(b, from, served)
	row, level := int32(-1), -1 // in progress, and the level that is asked for its data; -1: it has them
	for i := range events {
		e := &events[i]
		// Only the processor asks a level where references enter: that begins a part of a row.
		if !e.Self || int(e.Level) != level && !s.enters[e.Level] {
			continue
		}
		if e.Row != row {
			row = e.Row
			served[int(row)-from] = 0
		}
		had := cachesim.Served(e.Level) * 2
		switch e.Op {
		case cachesim.Hit, cachesim.VictimHit, cachesim.Promote:
		case cachesim.Allocate:
			had++
		case cachesim.Miss:
			if level = s.next[e.Level]; level < len(s.next) {
				continue
			}
			had = cachesim.Served(level) * 2
		default:
			continue
		}
		level = -1
		served[int(row)-from] = max(served[int(row)-from], had)
	}
}

// presume fills served with what most rows are served by: the level where they enter.
func (s *side) presume(b *traceio.Block, from int, served []cachesim.Served) {
	first := make([][4]cachesim.Served, len(s.entries))
	for core := range first {
		for k, entry := range s.entries[core] {
			if first[core][k] = cachesim.Unserved; entry >= 0 {
				first[core][k] = cachesim.Served(entry) * 2
			}
		}
	}
	kinds := b.Kind[from:][:len(served)]
	if only := first[0]; len(first) == 1 {
		for i, k := range kinds {
			served[i] = only[k&3]
		}
		return
	}
	for i, k := range kinds {
		served[i] = first[s.config.Core(b.Thread[from+i])][k&3]
	}
}

// ServedBetween tells which level had the data of each data reference in [from, to), in order.
func (r *Replay) ServedBetween(from, to traceio.Seq) ([]cachesim.Served, error) {
	to = min(to, r.Len())
	if from >= to {
		return nil, nil
	}
	out := make([]cachesim.Served, 0, to-from)
	err := r.serve(from, to, func(k traceio.Kind, _ traceio.Thread, s cachesim.Served) {
		if k != traceio.Fetch {
			out = append(out, s)
		}
	})
	return out, err
}
