package session

import (
	"context"

	"orrery/analysis/findings"
	"orrery/cachesim"
)

// Findings looks for habits of the program that cost, in a hierarchy; see findings.Find.
func (r *Recording) Findings(ctx context.Context, c cachesim.Config, report func(done, total int64)) ([]findings.Finding, error) {
	return findings.Find(ctx, findings.Input{Recording: r, Lines: r.Lines, Regions: r.Regions, Heap: r.Heap, Config: c, Threads: int(r.Counts().Threads)}, report)
}
