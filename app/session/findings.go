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
func (r *Recording) Findings(ctx context.Context, c cachesim.Config,
	report func(done, total int64)) ([]findings.Finding, error) {
	return findings.Find(ctx, findings.Input{Recording: r, Lines: r.Lines, Regions: r.Regions, Heap: r.Heap, Config: c,
		Threads: int(r.Counts().Threads)}, report)
}

// Chases looks for pointer chases in functions of which the compiler's graphs are known; counts are those of the
// recording in the hierarchy. See findings.Chases.
func (r *Recording) Chases(groups []*irgraph.Group, counts *heat.Counts, c cachesim.Config) (list []findings.Finding) {
	for _, g := range groups {
		last := g.Snapshots[len(g.Snapshots)-1]
		joined := heat.Join(counts, r.Program(), g, last)
		list = findings.Merge(list, findings.Chases(findings.Compiled{Function: g.Name, Snapshot: last, Heat: joined,
			Counts: counts, Length: r.Len()}, c))
	}
	return list
}

// NoFindings says what it means that none were found in a hierarchy: what is not looked for may cost all the same.
// Where there are no references nothing is said of any.
func (r *Recording) NoFindings(c cachesim.Config) string {
	if r.EventsOnly() {
		return fmt.Sprintf("none of the habits that are looked for costs %.0f %% of the heap; without references nothing "+
			"is known of the time", 100*findings.LeastShare)
	}
	whole := "the time of all references"
	if !c.Timed() {
		whole = "a level's misses"
	}
	return fmt.Sprintf("in %s none of the habits that are looked for costs %.0f %% of %s, or of the heap", c.Brief(),
		100*findings.LeastShare, whole)
}

// CostOf says what a finding costs.
func CostOf(f *findings.Finding) string {
	c := f.Cost
	percent := math.Round(100 * c.Share)
	if c.Share < 1 { // all is said of all only
		percent = min(percent, 99)
	}
	cost := fmt.Sprintf("costs %.0f %% of %s", percent, c.Of)
	switch {
	case f.Kind == findings.Untouched:
		return cost + fmt.Sprintf(", up to %s at once", words.Bytes(c.Bytes))
	case c.Misses > 0:
		return strings.Replace(cost, "costs ", "costs about ", 1) + fmt.Sprintf(": %s misses", words.Count(c.Misses))
	case f.Kind == findings.Drag:
		return cost + fmt.Sprintf(": %s on average", words.Bytes(c.Bytes))
	}
	return cost + fmt.Sprintf(": %s", words.Bytes(c.Bytes))
}

// EvidenceOf is one number with what it is: "bytes of each block of B used before it goes: 8 bytes".
func EvidenceOf(e findings.Evidence) string {
	value := fmt.Sprintf("%.3g", e.Value)
	if e.Value >= 100 {
		value = words.Count(uint64(math.Round(e.Value)))
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %s %s", e.What, value, e.Unit))
}
