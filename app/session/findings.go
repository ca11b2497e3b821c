package session

import (
	"context"
	"fmt"
	"math"
	"strings"

	"orrery/analysis/findings"
	"orrery/analysis/heat"
	"orrery/cachesim"
	"orrery/traceio/irgraph"
	"orrery/views/words"
)

// Findings looks for habits of the program that cost, in a hierarchy; see findings.Find.
func (r *Recording) Findings(ctx context.Context, c cachesim.Config, report func(done, total int64)) ([]findings.Finding, error) {
	return findings.Find(ctx, findings.Input{Recording: r, Lines: r.Lines, Regions: r.Regions, Heap: r.Heap, Config: c, Threads: int(r.Counts().Threads)}, report)
}

// Chases looks for pointer chases in functions of which the compiler's graphs are known; counts are those of the recording in the
// hierarchy. See findings.Chases.
func (r *Recording) Chases(groups []*irgraph.Group, counts *heat.Counts, c cachesim.Config) (list []findings.Finding) {
	for _, g := range groups {
		last := g.Snapshots[len(g.Snapshots)-1]
		joined := heat.Join(counts, r.Program(), g, last)
		list = findings.Merge(list, findings.Chases(findings.Compiled{Function: g.Name, Snapshot: last, Heat: joined, Counts: counts, Length: r.Len()}, c))
	}
	return list
}

// CostOf says what a finding costs.
func CostOf(f *findings.Finding) string {
	c := f.Cost
	switch {
	case f.Kind == findings.Drag:
		return fmt.Sprintf("costs %.0f %% of what the heap holds over time", 100*c.Share)
	case c.Bytes > 0:
		return fmt.Sprintf("costs %s, %.0f %% of the heap's peak", words.Bytes(c.Bytes), 100*c.Share)
	}
	return fmt.Sprintf("costs about %.0f %% of the time of all references: %s misses", 100*c.Share, words.Count(c.Misses))
}

// EvidenceOf is one number with what it is: "bytes of each block of B used before it goes: 8 bytes".
func EvidenceOf(e findings.Evidence) string {
	value := fmt.Sprintf("%.3g", e.Value)
	if e.Value >= 100 {
		value = words.Count(uint64(math.Round(e.Value)))
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %s %s", e.What, value, e.Unit))
}
