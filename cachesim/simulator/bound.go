package simulator

import (
	"context"
	"fmt"

	"orrery/cachesim"
	"orrery/traceio"
)

// Bound is what no replacement policy can beat.
type Bound struct {
	Level    int    // index into the levels of PerCore
	Requests uint64 // that reach the level
	Misses   uint64 // of Belady's MIN
	Cold     uint64 // of them, first requests to their block
	Actual   uint64 // misses of the level's own policy, for comparison
}

// maxBoundRequests bounds the memory of MIN, 12 bytes for each request that the bound has to look at.
const maxBoundRequests = 1 << 28

// MIN counts what a level would miss with Belady's policy, which evicts the block that is asked for again last (Belady
// 1966; Mattson et al. 1970 prove that no policy that places every block that it misses does better). Nobody can build
// it, since it knows the future: the recording is run through the hierarchy once to collect the requests that reach the
// level from those above, with their policies as they are, and then the collected requests are looked at from behind
// and once more from the front. The level's own policy matters for Actual only. MIN has the level's sets and ways; it
// does without its prefetcher and victim buffer, it allocates for every miss, and blocks stay with it that inclusion or
// other cores would take away: against those it is no bound. An exclusive level has none, because what it holds is not
// what it was asked for. It reports data references.
func MIN(ctx context.Context, rec Recording, c cachesim.Config, level int,
	report func(done, total int64)) (Bound, error) {
	c, err := Foresee(ctx, rec, c, report)
	if err != nil {
		return Bound{}, err
	}
	h, err := New(c)
	if err != nil {
		return Bound{}, err
	}
	if level < 0 || level >= len(h.config.Levels) {
		return Bound{}, fmt.Errorf("there is no level %d; the hierarchy has %d", level, len(h.config.Levels))
	}
	l := h.config.Levels[level]
	if l.Inclusion == cachesim.Exclusive {
		return Bound{}, &cachesim.FieldError{Level: level, Name: l.Name, Field: "inclusion",
			Value: fmt.Sprintf("%q", cachesim.Exclusive), Want: "MIN is a bound for levels that keep what they fetch"}
	}
	m, err := h.requests(ctx, rec, level, report)
	if err != nil {
		return Bound{}, err
	}
	counts := h.Totals().Levels[level]
	out := Bound{Level: level, Requests: counts.Requests(), Actual: counts.Misses(), Cold: uint64(len(m.lines))}
	out.Misses = m.misses(uint64(l.Sets()-1), l.Ways)
	return out, ctx.Err()
}

// requestsTo are the requests that reach a level of a hierarchy.
func requestsTo(ctx context.Context, rec Recording, c cachesim.Config, level int,
	report func(done, total int64)) (*future, *Hierarchy, error) {
	h, err := New(c)
	if err != nil {
		return nil, nil, err
	}
	m, err := h.requests(ctx, rec, level, report)
	return m, h, err
}

// requests runs a recording through the hierarchy and collects those that reach a level.
func (h *Hierarchy) requests(ctx context.Context, rec Recording, level int,
	report func(done, total int64)) (*future, error) {
	l := h.config.Levels[level]
	m := &future{recent: make([]uint64, l.Sets())}
	m.index.init(1 << 12)
	return m, eachBlock(ctx, rec, report, func(_ int, b *traceio.Block) error { return h.collect(b, level, m) })
}

// collect runs a block and adds the requests to a level to m, but for those for the block that its set was asked for
// last, which hit in every cache.
func (h *Hierarchy) collect(b *traceio.Block, level int, m *future) error {
	shift, s := h.config.Levels[level].Block.Log2(), &h.caches
	h.translate(b, 0, b.Len())
	s.follow(b, 0, b.Len(), func(b *traceio.Block, row, end int, events []cachesim.Event) {
		for row < end {
			quiet, rowEvents, rest := split(end, events)
			for ; row < quiet; row++ {
				if s.entry(b, row) == level {
					m.request(uint64(b.Addr[row]) >> shift)
				}
			}
			for i := range rowEvents {
				switch e := &rowEvents[i]; e.Op {
				case cachesim.Hit, cachesim.Miss, cachesim.Allocate, cachesim.VictimHit:
					if int(e.Level) == level {
						m.request(uint64(e.Line) >> shift)
					}
				}
			}
			events, row = rest, row+1
		}
	})
	if len(m.ids) > maxBoundRequests {
		return fmt.Errorf(
			"more than %d requests reach the level, too many to look at from behind; take a part of the recording",
			maxBoundRequests)
	}
	return nil
}

// future is a stream of requests, as numbers of blocks in the order of their first.
type future struct {
	index map64
	lines []uint64 // by number
	ids   []uint32

	recent []uint64 // by set: 1 + the block that it was asked for last
}

// request adds a request, unless its set was asked for the block last.
func (f *future) request(line uint64) {
	if last := &f.recent[line&uint64(len(f.recent)-1)]; *last != line+1 {
		*last = line + 1
		f.add(line)
	}
}

func (f *future) add(line uint64) {
	id, known := f.index.swap(line, uint32(len(f.lines)))
	if !known {
		id = uint32(len(f.lines))
		f.lines = append(f.lines, line)
	} else {
		f.index.swap(line, id)
	}
	if n := len(f.ids); n == 0 || f.ids[n-1] != id {
		f.ids = append(f.ids, id)
	}
}

const never = ^uint32(0)

// misses runs MIN over the requests, all sets at once.
func (f *future) misses(mask uint64, ways int) uint64 {
	next := make([]uint32, len(f.ids)) // by request: the next one to its block
	last := make([]uint32, len(f.lines))
	for i := range last {
		last[i] = never
	}
	for i := len(f.ids) - 1; i >= 0; i-- {
		id := f.ids[i]
		next[i], last[id] = last[id], uint32(i)
	}
	sets := make([]minSet, mask+1)
	resident := make([]bool, len(f.lines))
	misses := uint64(0)
	for i, id := range f.ids {
		s := &sets[f.lines[id]&mask]
		if !resident[id] {
			misses++
			if s.blocks == ways {
				resident[f.ids[s.farthest(uint32(i))]] = false
				s.blocks--
			}
			resident[id] = true
			s.blocks++
		}
		s.push(minEntry{next[i], uint32(i)})
		if len(s.heap) > 4*s.blocks+64 {
			s.tidy(uint32(i))
		}
	}
	return misses
}

// minSet is a set under MIN: a heap of requests with the time of the next one to their block, the latest on top.
// Entries whose block has been asked for since are dropped when they come up.
type minSet struct {
	blocks int
	heap   []minEntry
}

type minEntry struct{ next, request uint32 }

func (s *minSet) push(e minEntry) {
	s.heap = append(s.heap, e)
	for i := len(s.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if s.heap[up].next >= s.heap[i].next {
			return
		}
		s.heap[up], s.heap[i] = s.heap[i], s.heap[up]
		i = up
	}
}

// farthest takes out the request whose block is asked for again last, at the time of request now.
func (s *minSet) farthest(now uint32) (request uint32) {
	for {
		top := s.heap[0]
		s.pop()
		if top.next > now {
			return top.request
		}
	}
}

// tidy drops the entries that count no more.
func (s *minSet) tidy(now uint32) {
	old := s.heap
	s.heap = old[:0]
	for _, e := range old {
		if e.next > now {
			s.push(e)
		}
	}
}

func (s *minSet) pop() {
	n := len(s.heap) - 1
	s.heap[0] = s.heap[n]
	s.heap = s.heap[:n]
	for i := 0; ; {
		down := 2*i + 1
		if down >= n {
			return
		}
		if down+1 < n && s.heap[down+1].next > s.heap[down].next {
			down++
		}
		if s.heap[i].next >= s.heap[down].next {
			return
		}
		s.heap[i], s.heap[down] = s.heap[down], s.heap[i]
		i = down
	}
}
