package model

import "orrery/cachesim"

func init() {
	policies[cachesim.LRU] = func(cachesim.Config, cachesim.Level) Policy { return lru{} }
	policies[cachesim.FIFO] = func(cachesim.Config, cachesim.Level) Policy { return fifo{} }
}

// lru evicts the least recently used block: the order of age is that of the last requests.
type lru struct{ byAge }

func (lru) Touch(s Set, way int) { toFront(s.Blocks, way) }

func (lru) Victim(s Set) int { return len(s.Blocks) - 1 }

// fifo evicts the block that entered first: requests leave the order of age as it is.
type fifo struct{ byAge }

func (fifo) Victim(s Set) int { return len(s.Blocks) - 1 }
