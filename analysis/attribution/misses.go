package attribution

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"orrery/cachesim"
	"orrery/traceio"
)

// Row is what the references of one line, function, region or set did to the caches.
type Row struct {
	Key     string
	Fetches uint64
	Reads   uint64
	Writes  uint64
	Misses  []uint64 // by index of the configuration's levels
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

// Misses simulates the recording from cold caches and counts by class. A reference that crosses blocks misses a level
// once if any part does. names gives the key of each class. Rows come with the most misses first, ties by
// references, then by key; classes without a reference are left out. report is told blocks.
func Misses(ctx context.Context, rec Recording, c cachesim.Config, classify Classify, names func(id int32) string,
	report func(done, total int64)) ([]Row, error) {
	h, err := cachesim.New(c)
	if err != nil {
		return nil, err
	}
	t := table{config: c, rows: map[int32]*Row{}}
	served := make([]cachesim.Served, traceio.MaxBlock)
	ids := make([]int32, traceio.MaxBlock)
	err = eachBlock(ctx, rec, report, func(b *traceio.Block) {
		h.RunServed(b, served[:b.Len()])
		classify(b, ids[:b.Len()])
		for row, id := range ids[:b.Len()] {
			t.add(id, b.Kind[row], served[row])
		}
	})
	if err != nil {
		return nil, err
	}
	return t.sorted(names), nil
}

// table collects rows by class.
type table struct {
	config cachesim.Config
	rows   map[int32]*Row
	last   int32
	row    *Row // of last; programs stay in one class for a while
}

func (t *table) get(id int32) *Row {
	id = max(id, Unknown)
	if t.row != nil && t.last == id {
		return t.row
	}
	r := t.rows[id]
	if r == nil {
		r = &Row{Misses: make([]uint64, len(t.config.Levels))}
		t.rows[id] = r
	}
	t.last, t.row = id, r
	return r
}

func (t *table) add(id int32, kind traceio.Kind, served cachesim.Served) {
	r := t.get(id)
	r.count(kind)
	if served == cachesim.Unserved {
		return
	}
	end := served.Level()
	for level := t.config.Entry(kind); level < end; level = t.config.Next(level) {
		r.Misses[level]++
	}
	if served.Whole() {
		r.Misses[end]++
	}
}

func (r *Row) count(kind traceio.Kind) {
	switch kind {
	case traceio.Load:
		r.Reads++
	case traceio.Store:
		r.Writes++
	default:
		r.Fetches++
	}
}

func (t *table) sorted(names func(id int32) string) []Row {
	out := make([]Row, 0, len(t.rows))
	for id, r := range t.rows {
		r.Key = Other
		if id != Unknown {
			r.Key = names(id)
		}
		out = append(out, *r)
	}
	sortRows(out)
	return out
}

func sortRows(rows []Row) {
	uses := func(r Row) uint64 { return r.Fetches + r.Reads + r.Writes }
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Total(), a.Total()), cmp.Compare(uses(b), uses(a)), cmp.Compare(a.Key, b.Key))
	})
}

// Sets simulates the recording from cold caches and counts requests and misses set by set; the key is LEVEL/SET. Requests
// include write-backs from the level above, which are writes. Sets that were never asked are left out. Rows are in
// order of level and set.
func Sets(ctx context.Context, rec Recording, c cachesim.Config, report func(done, total int64)) ([]Row, error) {
	h, err := cachesim.New(c)
	if err != nil {
		return nil, err
	}
	sets := make([][]Row, len(c.Levels))
	for i, l := range c.Levels {
		sets[i] = make([]Row, l.Sets())
	}
	var events []cachesim.Event
	err = eachBlock(ctx, rec, report, func(b *traceio.Block) {
		events = h.RunEvents(b, events[:0])
		for _, e := range events {
			if e.Op == cachesim.Evict || e.Op == cachesim.WriteBack {
				continue
			}
			r := &sets[e.Level][e.Set]
			if r.Misses == nil {
				r.Misses = make([]uint64, len(c.Levels))
			}
			r.count(e.Kind)
			if e.Op != cachesim.Hit {
				r.Misses[e.Level]++
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var out []Row
	for level, rows := range sets {
		for set, r := range rows {
			if r.Misses != nil {
				r.Key = fmt.Sprintf("%s/%d", c.Levels[level].Name, set)
				out = append(out, r)
			}
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
