package store

import (
	"errors"
	"sync"

	"orrery/traceio"
)

// cached is how many decoded blocks are kept, some 1.4 MB each.
const cached = 32

// cache keeps the blocks used last. Two goroutines that want the same block decode it once.
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

// errPanicked is what those get who wait for a load that panics.
var errPanicked = errors.New("decoding the block failed; what failed is told where it was decoded")

// get gives block i, by load if it is not there. A failure is not kept.
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

	defer c.settle(i, s)
	b := &traceio.Block{}
	if s.err = load(b); s.err != nil {
		return nil, s.err
	}
	s.block = b
	return b, nil
}

// settle lets those have slot s who wait for block i, and does not keep it if there is no block.
func (c *cache) settle(i int, s *slot) {
	if s.err != nil {
		c.mu.Lock()
		if c.slots[i] == s {
			delete(c.slots, i)
		}
		c.mu.Unlock()
	}
	close(s.done)
}

// peek gives block i if it is there and ready.
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

// evict drops the blocks not used for longest. Their readers keep them alive.
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
