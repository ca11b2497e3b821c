package store

import (
	"errors"
	"sync"

	"orrery/traceio"
)

// cached is how many decoded blocks are kept, some 1.4 MB each.
const cached = 32

// cache keeps the most recently used blocks. Goroutines that want the same block decode it once.
type cache struct {
	mu    sync.Mutex
	slots map[int]*slot
	clock uint64
}

// slot is one block, ready when done is closed.
type slot struct {
	used  uint64
	done  chan struct{}
	block *traceio.Block
	err   error
}

func newCache() *cache { return &cache{slots: map[int]*slot{}} }

// errPanicked is the error of those who wait for a load that panics.
var errPanicked = errors.New("decoding the block failed; the goroutine that decoded it has the reason")

// get is block i, which load decodes if it is not in the cache. Failures are not cached.
func (c *cache) get(i int, load func(*traceio.Block) error) (*traceio.Block, error) {
	c.mu.Lock()
	c.clock++
	if s := c.slots[i]; s != nil {
		s.used = c.clock
		c.mu.Unlock()
		<-s.done
		return s.block, s.err
	}
	s := &slot{used: c.clock, done: make(chan struct{}), err: errPanicked}
	c.slots[i] = s
	c.evict()
	c.mu.Unlock()

	defer c.finish(i, s)
	b := &traceio.Block{}
	if s.err = load(b); s.err != nil {
		return nil, s.err
	}
	s.block = b
	return b, nil
}

// finish wakes those who wait for block i, in slot s, and removes the slot if it has no block.
func (c *cache) finish(i int, s *slot) {
	if s.err != nil {
		c.mu.Lock()
		if c.slots[i] == s {
			delete(c.slots, i)
		}
		c.mu.Unlock()
	}
	close(s.done)
}

// peek is block i if it is in the cache and ready, otherwise nil.
func (c *cache) peek(i int) *traceio.Block {
	c.mu.Lock()
	s := c.slots[i]
	c.mu.Unlock()
	if s == nil {
		return nil
	}
	select {
	case <-s.done:
		return s.block
	default:
		return nil
	}
}

// evict drops the least recently used blocks. Who reads one keeps it alive.
func (c *cache) evict() {
	for len(c.slots) > cached {
		oldest, at := uint64(1<<64-1), 0
		for i, s := range c.slots {
			if s.used < oldest {
				oldest, at = s.used, i
			}
		}
		delete(c.slots, at)
	}
}
