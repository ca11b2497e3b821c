package attribution

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// Recording is the part of an open recording that is read here.
type Recording = simulator.Recording

// Row is what the references of one line, function, region or set did to the caches.
type Row struct {
	Key     string
	Fetches uint64
	Reads   uint64
	Writes  uint64
	Misses  []uint64 // by index of the configuration's levels, as are the following

	WriteBacks []uint64
	Hits       []uint64                      // only from ClassedMisses and ClassedSets
	Classes    [][cachesim.NumClasses]uint64 // misses by cachesim.Class
}

// Total is the misses of all levels together.
func (r Row) Total() uint64 {
	sum := uint64(0)
	for _, m := range r.Misses {
		sum += m
	}
	return sum
}

// Classify writes the number of each row's class into ids, which is as long as the block; negative numbers are counted
// together under the name Other.
type Classify func(b *traceio.Block, ids []int32)

// Other is the key of references that belong to no class.
const Other = "other"

// Misses simulates the recording from cold caches and counts by class, 0 <= id < classes. A miss belongs to the
// reference in whose service it happened, so that over all rows they add up to the level's. names gives the key of each
// class. Rows come with the most misses first, ties by references, then by key; classes without a reference are left
// out. report is told blocks.
func Misses(ctx context.Context, rec Recording, c cachesim.Config, classes int, classify Classify,
	names func(id int32) string,
	report func(done, total int64)) ([]Row, error) {
	return misses(ctx, rec, c, classes, classify, names, false, report)
}

// ClassedMisses is Misses with the misses sorted into Classes, which takes two to three times as long.
func ClassedMisses(ctx context.Context, rec Recording, c cachesim.Config, classes int, classify Classify,
	names func(id int32) string,
	report func(done, total int64)) ([]Row, error) {
	return misses(ctx, rec, c, classes, classify, names, true, report)
}

func misses(ctx context.Context, rec Recording, c cachesim.Config, classes int, classify Classify,
	names func(id int32) string,
	classed bool, report func(done, total int64)) ([]Row, error) {
	h, err := newHierarchy(ctx, rec, c, classed)
	if err != nil {
		return nil, err
	}
	counts := simulator.NewAttribution(c, classes+1) // the last one is Other
	ids := make([]int32, traceio.MaxBlock)
	err = eachBlock(ctx, rec, report, func(b *traceio.Block) {
		classify(b, ids[:b.Len()])
		for row, id := range ids[:b.Len()] {
			if id < 0 {
				ids[row] = int32(classes)
			}
		}
		h.RunKeyed(b, ids[:b.Len()], counts)
	})
	if err != nil {
		return nil, err
	}
	var rows []Row
	for id := range classes + 1 {
		r := Row{Key: Other, Fetches: counts.Fetches[id], Reads: counts.Reads[id], Writes: counts.Writes[id]}
		if r.Fetches+r.Reads+r.Writes == 0 {
			continue
		}
		if id < classes {
			r.Key = names(int32(id))
		}
		for i, level := range counts.Misses {
			r.Misses = append(r.Misses, level[id])
			r.Hits = append(r.Hits, counts.Hits[i][id])
			r.WriteBacks = append(r.WriteBacks, counts.WriteBacks[i][id])
			r.Classes = append(r.Classes, counts.Classes[i][id])
		}
		rows = append(rows, r)
	}
	sortRows(rows)
	return rows, nil
}

func sortRows(rows []Row) {
	uses := func(r Row) uint64 { return r.Fetches + r.Reads + r.Writes }
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Total(), a.Total()), cmp.Compare(uses(b), uses(a)), cmp.Compare(a.Key, b.Key))
	})
}

// Sets simulates the recording from cold caches and counts requests and misses set by set; the key is LEVEL/SET.
// Requests include write-backs from the level above, which are writes. Sets that were never asked are left out. Rows
// are in order of level and set.
func Sets(ctx context.Context, rec Recording, c cachesim.Config, report func(done, total int64)) ([]Row, error) {
	return sets(ctx, rec, c, false, report)
}

// ClassedSets is Sets with the misses sorted into Classes.
func ClassedSets(ctx context.Context, rec Recording, c cachesim.Config, report func(done, total int64)) ([]Row, error) {
	return sets(ctx, rec, c, true, report)
}

// newHierarchy is a hierarchy for a recording that sorts misses into classes, or does not.
func newHierarchy(ctx context.Context, rec Recording, c cachesim.Config, classed bool) (*simulator.Hierarchy, error) {
	c, err := simulator.Foresee(ctx, rec, c, nil)
	if err != nil {
		return nil, err
	}
	h, err := simulator.New(c)
	if err == nil && classed {
		h.Classify()
	}
	return h, err
}

func sets(ctx context.Context, rec Recording, c cachesim.Config, classed bool,
	report func(done, total int64)) ([]Row, error) {
	h, err := newHierarchy(ctx, rec, c, classed)
	if err != nil {
		return nil, err
	}
	counts := simulator.NewSetCounts(c)
	if err := eachBlock(ctx, rec, report, func(b *traceio.Block) { h.RunSets(b, counts) }); err != nil {
		return nil, err
	}
	var out []Row
	levels := c.PerCore().Levels
	for level, sets := range counts {
		for set, n := range sets {
			if n.Fetches+n.Reads+n.Writes == 0 {
				continue
			}
			r := Row{Key: fmt.Sprintf("%s/%d", levels[level].Name, set), Fetches: n.Fetches, Reads: n.Reads, Writes: n.Writes,
				Misses: make([]uint64, len(levels)),
				Hits:   make([]uint64, len(levels)), WriteBacks: make([]uint64, len(levels)),
				Classes: make([][cachesim.NumClasses]uint64, len(levels))}
			r.Misses[level], r.WriteBacks[level], r.Classes[level] = n.Misses, n.WriteBacks, n.Classes
			r.Hits[level] = n.Fetches + n.Reads + n.Writes - n.Misses
			out = append(out, r)
		}
	}
	return out, nil
}

// eachBlock calls f with every block in order, checking ctx between them.
func eachBlock(ctx context.Context, rec Recording, report func(done, total int64), f func(b *traceio.Block)) error {
	for i := range rec.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := rec.Block(i)
		if err != nil {
			return err
		}
		f(b)
		if report != nil {
			report(int64(i+1), int64(rec.Blocks()))
		}
	}
	return nil
}
