package recording

import (
	"context"

	"orrery/analysis/dse/search"
	"orrery/analysis/dse/search/caches"
	"orrery/app/designs"
	tables "orrery/traceio/designs"
)

// newDesigns are the panes of the cache hierarchies that are searched for the recording.
func newDesigns(d *Document) *designs.Panes {
	memory := caches.DefaultMemory()
	want := designs.Wanted{Generations: 50, Population: 100, Seed: 1, MemoryTime: memory.Time,
		MemoryEnergy: memory.Energy}
	used := memory // of the newest search
	prepare := func(w designs.Wanted) func(context.Context) (search.Problem, error) {
		used = caches.Memory{Time: w.MemoryTime, Energy: w.MemoryEnergy}
		space, rec := caches.DefaultSpace(), d.rec
		space.Area, space.Memory = w.Area, used
		return func(context.Context) (search.Problem, error) { return caches.New(rec, space) }
	}
	why := func() string {
		switch {
		case d.lacking() != "":
			return d.lacking()
		case d.rec.Live():
			return "Cache hierarchies can be searched when the recorder is done."
		}
		return ""
	}
	return designs.NewPanes(d.host, d.link, d.path, prepare, why, want, func(set *tables.Set, point int) {
		config, err := caches.ConfigOf(set, point, used)
		if err != nil {
			d.host.Failed(err.Error())
			return
		}
		d.useHierarchy(config)
	})
}
