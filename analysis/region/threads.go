package region

import (
	"cmp"
	"slices"
	"strconv"

	"orrery/traceio"
)

// pointers looks for thread pointers.
type pointers struct {
	distance map[traceio.Addr]traceio.Addr // by instruction
	maybe    [1 << 10]bool                 // by the low bits of an instruction: it may be one of those
	at       map[traceio.Thread]traceio.Addr
}

// newPointers gives nil when nobody wants to know.
func newPointers(prog *traceio.Program) *pointers {
	if prog == nil || len(prog.ThreadLocals) == 0 {
		return nil
	}
	p := &pointers{distance: map[traceio.Addr]traceio.Addr{}, at: map[traceio.Thread]traceio.Addr{}}
	for _, s := range prog.Sites {
		if s.Flow == traceio.Fixed {
			p.distance[s.PC] = s.Target
			p.maybe[s.PC%traceio.Addr(len(p.maybe))] = true
		}
	}
	return p
}

func (p *pointers) scan(b *traceio.Block) {
	if p == nil {
		return
	}
	for row, pc := range b.PC {
		if !p.maybe[pc%traceio.Addr(len(p.maybe))] || b.Kind[row] == traceio.Fetch {
			continue
		}
		if d, ok := p.distance[pc]; ok {
			if _, known := p.at[b.Thread[row]]; !known {
				p.at[b.Thread[row]] = b.Addr[row] - d
			}
		}
	}
}

func (p *pointers) found() []Pointer {
	if p == nil {
		return nil
	}
	var out []Pointer
	for t, a := range p.at {
		out = append(out, Pointer{t, a})
	}
	slices.SortFunc(out, func(a, b Pointer) int { return cmp.Compare(a.Thread, b.Thread) })
	return out
}

// mostThreadLocals bounds the regions that many threads with many variables make.
const mostThreadLocals = 1 << 16

// threadLocals makes a region of each thread's instance of each variable of which there is one per thread.
func (m *Map) threadLocals(pointers []Pointer) {
	for _, p := range pointers {
		for _, g := range m.prog.ThreadLocals {
			low := p.At + g.Addr
			if len(m.regions) >= mostThreadLocals || low+traceio.Addr(g.Size) <= low {
				return
			}
			name := g.Name
			if p.Thread > 0 {
				name += " of thread " + strconv.Itoa(int(p.Thread))
			}
			m.add(Region{Name: name, Kind: Global, Low: low, High: low + traceio.Addr(g.Size), Size: g.Size, Type: g.Type, Site: -1, Thread: -1})
		}
	}
}
