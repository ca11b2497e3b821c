package simulator

import (
	"context"
	"fmt"
	"orrery/cachesim"
	"sort"
)

// accessTimes is when every block of a recording is asked for in a level with the policy MIN. Times count the requests
// of a set; those for the block that it was asked for last change nothing and do not count.
type accessTimes struct {
	index map64 // of block numbers, read only
	start []uint32
	times []uint32 // of block i those from start[i] to start[i+1], growing
}

// Foresee prepares a configuration for a recording: the policy MIN evicts the block that is asked for again last, and
// so goes through the recording, which must be finished, once before it is simulated. A recording with a method
// Beginning tells by it that it is not. Other configurations come back as they are. It reports data references.
func Foresee(ctx context.Context, rec Recording, c cachesim.Config,
	report func(done, total int64)) (cachesim.Config, error) {
	if !c.NeedsFuture() || c.Future() != nil {
		return c, nil
	}
	if err := c.Validate(); err != nil {
		return c, err
	}
	if r, ok := rec.(interface{ Beginning() bool }); ok && r.Beginning() {
		return c, c.NoFuture("this recording is still being made; wait until it is done, or use another policy")
	}
	asked := c
	asked.Levels, asked.TLBs = []cachesim.Level{c.Levels[0]}, nil
	asked.Levels[0].Policy = cachesim.LRU // what is asked for is the same
	requests, _, err := requestsTo(ctx, rec, asked, 0, report)
	if err != nil {
		return c, fmt.Errorf("the policy %q looks at all requests first: %w", cachesim.MINPolicy, err)
	}
	return c.WithFuture(requests.times(uint64(c.Levels[0].Sets() - 1))), nil
}

// times are the times of the requests, by block.
func (f *future) times(mask uint64) *accessTimes {
	out := &accessTimes{index: f.index, start: make([]uint32, len(f.lines)+1), times: make([]uint32, len(f.ids))}
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

// Next is when a block is asked for again after a time; cachesim.Never when it is not.
func (f *accessTimes) Next(line, now uint64) uint64 {
	s := f.index.at(line)
	if !s.used {
		return cachesim.Never
	}
	times := f.times[f.start[s.value]:f.start[s.value+1]]
	i := sort.Search(len(times), func(i int) bool { return uint64(times[i]) > now })
	if i == len(times) {
		return cachesim.Never
	}
	return uint64(times[i])
}
