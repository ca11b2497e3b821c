package region

import (
	"cmp"
	"slices"
	"strconv"

	"orrery/traceio"
)

// pointers looks for thread pointers.
type pointers struct {
	distance map[traceio.Addr]distance // by instruction
	maybe    [1 << 10]bool             // by the low bits of an instruction: it may be one of those
	at       map[owner]traceio.Addr
}

// distance is how far from which pointer an instruction uses memory.
type distance struct {
	library int
	from    traceio.Addr
}

// owner is whose memory a pointer points to.
type owner struct {
	thread  traceio.Thread
	library int
}

// newPointers gives nil when nobody wants to know.
func newPointers(prog *traceio.Program) *pointers {
	if prog == nil || len(prog.ThreadLocals) == 0 {
		return nil
	}
	p := &pointers{distance: map[traceio.Addr]distance{}, at: map[owner]traceio.Addr{}}
	for _, s := range prog.Sites {
		switch {
		case s.Flow == traceio.Fixed:
			p.distance[s.PC] = distance{0, s.Target}
		case s.Flow == traceio.Placed && s.Module >= 0 && s.Module < len(prog.Modules) && !prog.Modules[s.Module].Main:
			p.distance[s.PC] = distance{s.Module + 1, s.Target}
		default:
			continue
		}
		p.maybe[s.PC%traceio.Addr(len(p.maybe))] = true
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
			k := owner{b.Thread[row], d.library}
			if _, known := p.at[k]; !known {
				p.at[k] = b.Addr[row] - d.from
			}
		}
	}
}

func (p *pointers) found() []Pointer {
	if p == nil {
		return nil
	}
	var out []Pointer
	for k, a := range p.at {
		out = append(out, Pointer{k.thread, k.library, a})
	}
	slices.SortFunc(out, func(a, b Pointer) int {
		return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Library, b.Library))
	})
	return out
}

// mostThreadLocals bounds the regions that many threads with many variables make.
const mostThreadLocals = 1 << 16

// threadLocals makes a region of each thread's instance of each variable of which there is one per thread.
func (m *Map) threadLocals(pointers []Pointer) {
	for _, p := range pointers {
		for _, g := range m.prog.ThreadLocals {
			if p.Library != 0 && p.Library != g.Module+1 || p.Library == 0 && !m.inMain(g.Module) {
				continue
			}
			low := p.At + g.Addr
			if len(m.regions) >= mostThreadLocals || low+traceio.Addr(g.Size) <= low {
				return
			}
			name := g.Name
			if p.Thread > 0 {
				name += " of thread " + strconv.Itoa(int(p.Thread))
			}
			m.add(Region{Name: name, Kind: Global, Low: low, High: low + traceio.Addr(g.Size), Size: g.Size, Type: g.Type,
				Site: -1, Thread: -1})
		}
	}
}

// inMain tells whether a module is the main program; of recordings without modules everything is.
func (m *Map) inMain(module int) bool {
	return module < 0 || module >= len(m.prog.Modules) || m.prog.Modules[module].Main
}
