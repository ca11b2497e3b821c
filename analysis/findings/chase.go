package findings

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/analysis/heat"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// Compiled is a function as its compiler saw it, with the recorded heat of its nodes.
type Compiled struct {
	Function string
	Snapshot *irgraph.Snapshot
	Heat     *heat.Joined // of this snapshot
	Counts   *heat.Counts // of the whole recording, in the hierarchy that the findings are about
	Length   traceio.Seq  // of the recording
}

// Chases finds the costly pointer chases of a function. On a chase the address of a load comes from the load of the
// round before (depgraph.FindChase), so a miss on the way waits for the miss before: those of the chase's own loads,
// and of others that take their address from it, which touch the same elements. There is one finding for each chase, at
// the line that misses most, ranked as those of Find are.
func Chases(in Compiled, c cachesim.Config) (list []Finding) {
	late, total := extraLatencies(c), 0.0
	for i := range in.Counts.Of {
		total += timeOfReferences(&in.Counts.Of[i], c, late)
	}
	g := depgraph.Display(in.Snapshot)
	for _, w := range chaseCosts(g, in.Heat, c.Entry(traceio.Load)) {
		h := w.all
		cost := Cost{Misses: h.Misses[c.Entry(traceio.Load)], Nanoseconds: timeOfMisses(&h, c, late), Of: timeOf(c)}
		if cost.Share = cost.Nanoseconds / max(1, total); len(w.names) == 0 || cost.Misses < LeastMisses ||
			cost.Share < LeastShare {
			continue
		}
		p := g.Nodes[w.worst].Properties
		d := Finding{Kind: Chase, Cost: cost, Function: in.Function, File: p.Get(irgraph.KeyFile), Site: -1,
			Range: Range{To: in.Length}}
		d.Line, _ = strconv.Atoi(p.Get(irgraph.KeyLine))
		d.Title = fmt.Sprintf(chaseTitle, traceio.ShortFunction(in.Function))
		d.Advice = fmt.Sprintf(chaseAdvice, path.Base(d.File), d.Line,
			strings.Join(w.names, " and "), cost.Misses)
		d.Evidence = []Evidence{{"rounds", float64(w.rounds), ""}, {"misses of " + c.Levels[c.Entry(traceio.Load)].Name +
			" a round", float64(cost.Misses) / float64(max(1, w.rounds)), ""},
			{"commonest distance from one element to the next", float64(w.step.Stride), "bytes"},
			{"rounds that go so far", float64(w.step.Strided), ""}}
		list = append(list, d)
	}
	slices.SortStableFunc(list, rank)
	return list
}

// chaseCost is one chase with what it did.
type chaseCost struct {
	all    heat.Heat // of all loads whose address comes from it
	worst  int       // the node of these that misses most
	rounds uint64    // loads of the load on the chase that ran most
	step   heat.Heat // of that load
	names  []string  // of the loads on the chase
}

// chaseCosts are the chases of a graph that ran, each a set of nodes connected by marked edges, in the order of their
// first node.
func chaseCosts(g *depgraph.Graph, joined *heat.Joined, level int) (list []*chaseCost) {
	chase := depgraph.FindChase(g)
	part := make([]int, len(g.Nodes))
	for v := range part {
		part[v] = v
	}
	for changed := true; changed; { // chases are a few nodes long
		changed = false
		for e, x := range g.Edges {
			if a, b := &part[x.From], &part[x.To]; chase.Edges[e] && *a != *b {
				*a, *b, changed = min(*a, *b), min(*a, *b), true
			}
		}
	}
	of := map[int]*chaseCost{}
	counted := map[[2]int]bool{}
	take := func(v int, on int) {
		w, h := of[on], &joined.Nodes[v]
		if !strings.HasPrefix(g.Nodes[v].Properties.Get(irgraph.KeyAccess), "load") || h.Loads == 0 ||
			counted[[2]int{v, on}] {
			return
		}
		counted[[2]int{v, on}] = true
		if w == nil {
			w = &chaseCost{worst: v}
			of[on] = w
			list = append(list, w)
		}
		w.all.Loads += h.Loads
		if w.all.Misses == nil {
			w.all.Misses = make([]uint64, len(h.Misses))
		}
		for i, n := range h.Misses {
			w.all.Misses[i] += n
		}
		if h.Misses[level] > joined.Nodes[w.worst].Misses[level] {
			w.worst = v
		}
		if chase.Nodes[v] {
			w.names = append(w.names, g.Nodes[v].Name()+" "+g.Nodes[v].ID)
			if h.Loads > w.rounds {
				w.rounds, w.step = h.Loads, *h
			}
		}
	}
	for v := range g.Nodes {
		if chase.Nodes[v] {
			take(v, part[v])
		}
	}
	for _, x := range g.Edges {
		if chase.Nodes[x.From] && g.CarriesValue(&x) {
			take(int(x.To), part[x.From])
		}
	}
	return list
}

// timeOfReferences is how long references took by the latencies of a hierarchy, nanoseconds, one after the other.
func timeOfReferences(h *heat.Heat, c cachesim.Config, late []float64) float64 {
	if h.References() == 0 {
		return 0
	}
	return float64(h.References())*c.Levels[c.Entry(traceio.Load)].Latency + timeOfMisses(h, c, late)
}

// timeOfMisses is the part of it that misses waited.
func timeOfMisses(h *heat.Heat, c cachesim.Config, late []float64) (time float64) {
	for i := c.Entry(traceio.Load); i >= 0 && i < len(h.Misses); i = c.Next(i) {
		time += float64(h.Misses[i]) * late[i]
	}
	return time
}
