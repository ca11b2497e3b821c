package region

import (
	"cmp"
	"slices"

	"orrery/traceio"
)

// flatten cuts globals, stacks, modules and what made code uses, which lie in one another, into disjoint pieces: a
// global covers the module that holds it, a smaller variable the larger one around it.
func (m *Map) flatten() {
	priority := func(k Kind) int { return [...]int{Global: 4, Stack: 3, Module: 2, Managed: 1}[k] }
	var all []span
	for i := range m.regions {
		if r := &m.regions[i]; r.Kind != Managed && priority(r.Kind) > 0 {
			all = append(all, span{r.Low, r.High, int32(i)})
		}
	}
	all = append(all, m.madePieces()...)
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	over := func(a, b int32) bool { // a covers b
		x, y := &m.regions[a], &m.regions[b]
		if p, q := priority(x.Kind), priority(y.Kind); p != q {
			return p > q
		}
		if x.Size != y.Size {
			return x.Size < y.Size
		}
		return a < b
	}
	// Sweep with the open spans on a stack ordered by cover; spans in one place are few.
	var open []span
	at := traceio.Addr(0)
	emit := func(to traceio.Addr) { // pieces from at up to to
		for at < to && len(open) > 0 {
			top := open[len(open)-1]
			if top.high <= at {
				open = open[:len(open)-1]
				continue
			}
			end := min(top.high, to)
			if n := len(m.ranges); n > 0 && m.ranges[n-1].high == at && m.ranges[n-1].region == top.region {
				m.ranges[n-1].high = end
			} else {
				m.ranges = append(m.ranges, span{at, end, top.region})
			}
			at = end
		}
		at = max(at, to)
	}
	for _, s := range all {
		emit(s.low)
		i := len(open)
		for i > 0 && over(open[i-1].region, s.region) {
			i--
		}
		open = slices.Insert(open, i, s)
	}
	emit(^traceio.Addr(0))
}
