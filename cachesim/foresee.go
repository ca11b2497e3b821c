package cachesim

import (
	"context"
	"fmt"
	"sort"
)

// foreseen is when every block of a recording is asked for in a level with the policy MIN. Times count the requests of
// a set; those for the block that it was asked for last change nothing and do not count.
type foreseen struct {
	index map64 // of block numbers, read only
	start []uint32
	times []uint32 // of block i those from start[i] to start[i+1], growing
}

// foresees tells whether a level has the policy that has to know the requests that are yet to come.
func (c Config) foresees() bool {
	for _, l := range c.Levels {
		if l.Policy == MINPolicy {
			return true
		}
	}
	return false
}

// noFuture is the error where nobody knows it.
func (c Config) noFuture(why string) error {
	return &FieldError{Level: 0, Name: c.Levels[0].Name, Field: "policy", Value: quote(string(MINPolicy)),
		Want: "it knows the future, and " + why}
}

// Foresee prepares a configuration for a recording: the policy MIN evicts the block that is asked for again last, and
// so goes through the recording, which must be finished, once before it is simulated. A recording with a method
// Beginning tells by it that it is not. Other configurations come back as they are. It reports data references.
func (c Config) Foresee(ctx context.Context, rec Recording, report func(done, total int64)) (Config, error) {
	if !c.foresees() || c.future != nil {
		return c, nil
	}
	if err := c.Validate(); err != nil {
		return c, err
	}
	if r, ok := rec.(interface{ Beginning() bool }); ok && r.Beginning() {
		return c, c.noFuture("this recording is still being made; wait until it is done, or use another policy")
	}
	asked := c
	asked.Levels, asked.TLBs = []Level{c.Levels[0]}, nil
	asked.Levels[0].Policy = LRU // what is asked for is the same
	requests, _, err := requestsTo(ctx, rec, asked, 0, report)
	if err != nil {
		return c, fmt.Errorf("the policy %q looks at all requests first: %w", MINPolicy, err)
	}
	c.future = requests.times(uint64(c.Levels[0].Sets() - 1))
	return c, nil
}

// times are the times of the requests, by block.
func (f *future) times(mask uint64) *foreseen {
	out := &foreseen{index: f.index, start: make([]uint32, len(f.lines)+1), times: make([]uint32, len(f.ids))}
	for _, id := range f.ids {
		out.start[id+1]++
	}
	for i := range f.lines {
		out.start[i+1] += out.start[i]
	}
	now := make([]uint32, mask+1) // by set
	next := append([]uint32(nil), out.start...)
	for _, id := range f.ids {
		set := f.lines[id] & mask
		now[set]++
		out.times[next[id]] = now[set]
		next[id]++
	}
	return out
}

// next is when a block is asked for again after a time; never when it is not.
func (f *foreseen) next(line, now uint64) uint64 {
	s := f.index.at(line)
	if !s.used {
		return uint64(never)
	}
	times := f.times[f.start[s.value]:f.start[s.value+1]]
	i := sort.Search(len(times), func(i int) bool { return uint64(times[i]) > now })
	if i == len(times) {
		return uint64(never)
	}
	return uint64(times[i])
}

// pass moves the set's clock, its first mark, when another block is asked for than the one of its second.
func (s set) pass(line uint64) {
	if s.marks[1] != line+1 {
		s.marks[0]++
		s.marks[1] = line + 1
	}
}

// farthest is the way whose block is asked for again last, the first of those that never are.
func (s set) farthest() (way int) {
	last := uint64(0)
	for i, w := range s.words {
		if next := s.level.future.next(s.level.lineOf(w), s.marks[0]); next > last {
			way, last = i, next
		}
	}
	return way
}
