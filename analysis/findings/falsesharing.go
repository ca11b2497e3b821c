package findings

import (
	"context"
	"fmt"
	"strings"

	"orrery/analysis/attribution"
	"orrery/cachesim"
	"orrery/traceio"
)

// mostCores bounds the cores that threads are spread over.
const mostCores = 8

// interleave is how many references a core makes before the next one: threads that a recorder lists one after the other
// ran side by side.
const interleave = 1

// falseSharing finds blocks that move between cores though no core reads what another wrote (M. Dubois and others, "The
// detection and elimination of useless misses in multiprocessors", 1993): more such misses than true ones, and
// LeastShare of the time.
func falseSharing(ctx context.Context, in Input, report func(done, total int64)) (list []Finding, err error) {
	names := func(a traceio.Addr, s traceio.Seq) (string, string) {
		r, element := in.Regions.At(a, s)
		return r.Name, element
	}
	c := in.Config.WithCores(min(in.Threads, mostCores))
	made := ""
	if c.Validate() != nil {
		made = fmt.Sprintf(falseSharingPreset, in.Config.Brief(), cachesim.DefaultPreset)
		c, err = cachesim.Preset(cachesim.DefaultPreset)
		if err != nil {
			return nil, err
		}
		c = c.WithCores(min(in.Threads, mostCores))
	}
	blocks, sharing, err := attribution.Shared(ctx, in.Recording, c, interleave, names, in.Lines, report)
	if err != nil {
		return nil, err
	}
	entry := sharing.Config.Entry(traceio.Load)
	wait := c.Memory.Latency
	if next := sharing.Config.Next(entry); next >= 0 && next < len(sharing.Config.Levels) {
		wait = sharing.Config.Levels[next].Latency
	}
	whole := sharing.Totals.Time
	for i := range blocks {
		b := &blocks[i]
		lost := wait * float64(b.False)
		if b.False < LeastMisses || lost < LeastShare*whole || b.True > b.False {
			continue
		}
		var parts []string
		for _, t := range b.Threads {
			if t.Writes > 0 && len(t.Parts) > 0 {
				parts = append(parts, t.Parts[0])
			}
		}
		d := Finding{Kind: FalseSharing, Cost: Cost{Misses: b.False, Nanoseconds: lost, Share: min(1, lost/max(1, whole)),
			Of: timeOf(c)}, Site: -1,
			Title:  fmt.Sprintf(falseSharingTitle, len(parts), b.Region),
			Advice: fmt.Sprintf(falseSharingAdvice, phrase(parts), sharing.Config.Levels[entry].Block, made),
			Evidence: []Evidence{{"misses though nobody reads what another wrote", float64(b.False), ""},
				{"misses for data that another wrote", float64(b.True), ""},
				{"copies that writes took away", float64(b.Invalidations), ""}, {"threads", float64(len(b.Threads)), ""}},
			Regions: []string{b.Region}, Low: b.Addr, High: b.Addr + traceio.Addr(sharing.Config.Levels[entry].Block),
			Range: Range{b.Seq, in.Recording.Len()}}
		if len(b.Code) > 0 {
			if id := in.Lines.Of(b.Code[0].PC); id >= 0 {
				l := in.Lines.At(id)
				d.File, d.Line, d.Function = l.File, l.Line, l.Function
			}
		}
		list = append(list, d)
	}
	return list, nil
}

// phrase joins names, the first few of them.
func phrase(names []string) string {
	const few = 4
	switch n := len(names); {
	case n == 0:
		return "What the threads write"
	case n > few:
		return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", n-few)
	}
	return strings.Join(names, ", ")
}
