package flame

import (
	"fmt"
	"math"

	"orrery/analysis/heap"
	"orrery/views/words"
)

// Metrics are those that a graph can show, in the order in which they are offered.
var Metrics = []heap.Metric{heap.ByBytes, heap.ByBlocks, heap.ByPeak, heap.ByLeaked, heap.ByTemporary,
	heap.ByWaste, heap.ByCrossed}

// Words names what a metric counts for people: "bytes at the peak".
func Words(m heap.Metric) string {
	switch m {
	case heap.ByBlocks:
		return "calls"
	case heap.ByPeak:
		return "bytes at the peak"
	case heap.ByLeaked:
		return "bytes never freed"
	case heap.ByTemporary:
		return "temporary blocks"
	case heap.ByWaste:
		return "wasted bytes"
	case heap.ByCrossed:
		return "blocks freed by another thread"
	}
	return "bytes asked for"
}

// amount is a number of a metric with its unit.
func amount(m heap.Metric, v uint64) string {
	what := "block"
	switch m {
	case heap.ByBlocks:
		what = "call"
	case heap.ByTemporary, heap.ByCrossed:
	default:
		return words.Bytes(v)
	}
	if v != 1 {
		what += "s"
	}
	return words.Count(v) + " " + what
}

// share writes how much of a whole something is: "34 %", "0.2 %". A half goes up, as in all tables and pictures.
func share(part, whole uint64) string {
	p := 100 * float64(part) / float64(max(whole, 1))
	if p >= 9.95 || part == 0 {
		return fmt.Sprintf("%.0f %%", math.Round(p))
	}
	return fmt.Sprintf("%.1f %%", p)
}

// Summary says in a line what the graph shows: how much there is in all, or how much of it goes through what the filter
// lights.
func Summary(s State) string {
	nodes := s.Nodes()
	if len(nodes) == 0 {
		return ""
	}
	all := s.Metric.Of(&nodes[len(nodes)-1].Total)
	if f := s.found(); f != nil {
		return fmt.Sprintf("%d found, %s of %s", len(f.Nodes), share(f.Value, all), amount(s.Metric, all))
	}
	return Words(s.Metric) + ": " + amount(s.Metric, all)
}

// describe is the lines of a node's tooltip.
func describe(s *State, n *heap.Node) []string {
	lines := []string{n.Name}
	if n == s.Root {
		lines[0] = "all allocations"
	}
	if n.Frame.File != "" && n.Frame.Line > 0 {
		lines = append(lines, fmt.Sprintf("%s:%d", n.Frame.File, n.Frame.Line))
	}
	all, own := s.Metric.Of(&n.Total), s.Metric.Of(&n.Self)
	here := "none of it by this function itself"
	switch {
	case own > 0 && own == all:
		here = "all of it by this function itself"
	case own > 0:
		here = amount(s.Metric, own) + " by this function itself"
	}
	text := fmt.Sprintf("%s: %s, %s of all", Words(s.Metric), amount(s.Metric, all),
		share(all, s.Metric.Of(&s.Root.Total)))
	if nodes := s.Nodes(); len(nodes) > 1 {
		last := nodes[len(nodes)-1]
		if whole := s.Metric.Of(&last.Total); all <= whole && n != last {
			text += fmt.Sprintf(", %s of %s", share(all, whole), last.Name)
		}
	}
	lines = append(lines, text, here)
	c := &n.Total
	return append(lines, fmt.Sprintf("%s, %s; %s at the peak, %s never freed, %s temporary", amount(heap.ByBlocks,
		c.Blocks), words.Bytes(c.Bytes), words.Bytes(c.PeakBytes), words.Bytes(c.LiveBytes), words.Count(c.Temporary)))
}
