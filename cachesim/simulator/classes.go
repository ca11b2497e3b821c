package simulator

import (
	"orrery/cachesim"
	"orrery/traceio"
)

// classifier sorts the misses of one level into compulsory, capacity and conflict (Hill and Smith 1989): it runs a
// fully associative cache of the same number of blocks beside the level, and remembers every block ever asked for. That
// cache has the level's policy where it is LRU or FIFO, as Dinero IV counts, and LRU for all others, which is Hill and
// Smith's own definition; it allocates, gives up and takes blocks as the level does. A miss on a block that another
// core's write took away, here and there, is none of the three but coherence. All answers come from one look-up: a
// block's node stays in the table for good and is in the list while it is resident.
type classifier struct {
	counts [cachesim.NumClasses]uint64

	table                 []int32 // open addressing over nodes; 0 is empty
	nodes                 []node  // nodes[0] is the list's anchor: next entered or was used last, prev leaves next
	resident              int
	limit                 int  // blocks of the level
	bits                  uint // log2 of a block
	exclusive, noAllocate bool
	fifo                  bool
	last                  uint64
	class                 cachesim.Class // of the last miss
}

type node struct {
	line       uint64
	prev, next int32 // prev < 0: not resident
}

// The values of prev in a node that is not resident.
const (
	gone = -1
	lost = -2 // to another core, and not asked for since
)

func newClassifier(limit int, fifo bool) *classifier {
	return &classifier{fifo: fifo, table: make([]int32, 1<<10), nodes: make([]node, 1, 1<<9),
		limit: limit, last: ^uint64(0)}
}

// touch takes a request for a block into account and classes it if the level missed.
func (c *classifier) touch(line uint64, missed bool) {
	if line == c.last && !missed {
		return // it is resident and the most recent
	}
	c.last = line
	i, hit := c.judge(line, missed)
	c.enter(i, hit)
}

// judge finds the node of a block, tells whether it is resident, and classes a miss.
func (c *classifier) judge(line uint64, missed bool) (i int32, hit bool) {
	i, seen := c.find(line)
	n := &c.nodes[i]
	hit = seen && n.prev >= 0
	if missed {
		switch {
		case n.prev == lost:
			c.class = cachesim.Coherence
		case !seen:
			c.class = cachesim.Compulsory
		case !hit:
			c.class = cachesim.Capacity
		default:
			c.class = cachesim.Conflict
		}
		c.counts[c.class]++
	}
	if n.prev == lost {
		n.prev = gone
	}
	return i, hit
}

// enter makes a node resident and the first of the list.
func (c *classifier) enter(i int32, hit bool) {
	switch {
	case hit && c.fifo:
		return
	case hit:
		c.unlink(i)
	default:
		if c.resident++; c.resident > c.limit {
			c.dropLast()
		}
	}
	c.push(i)
}

// request is a request to the level.
func (c *classifier) request(line uint64, store, missed bool) {
	if !c.exclusive && !(store && c.noAllocate) {
		c.touch(line, missed)
		return
	}
	c.last = ^uint64(0)
	i, hit := c.judge(line, missed)
	switch {
	case hit && store:
		c.enter(i, hit)
	case hit: // an exclusive level gives it up
		c.drop(i)
	}
}

// newClassifiers is one for each level.
func newClassifiers(c cachesim.Config) []*classifier {
	out := make([]*classifier, len(c.Levels))
	for i, l := range c.Levels {
		out[i] = newClassifier(l.Sets()*l.Ways, l.Policy == cachesim.FIFO)
		out[i].bits, out[i].exclusive, out[i].noAllocate = l.Block.Log2(), l.Inclusion == cachesim.Exclusive, l.NoAllocate
	}
	return out
}

// classify brings the events of rows [from, to) to the classifiers and puts the classes into them.
func (s *side) classify(b *traceio.Block, from, to int, events []cachesim.Event) {
	if s.classes == nil {
		return
	}
	for row := from; row < to; {
		quiet, rowEvents, rest := split(to, events)
		for ; row < quiet; row++ {
			entry := s.entry(b, row)
			if entry < 0 {
				continue
			}
			c := s.classes[entry]
			if line := uint64(b.Addr[row]) >> (c.bits & 63); line != c.last {
				c.touch(line, false)
			}
		}
		for i := range rowEvents {
			s.classes[rowEvents[i].Level].event(&rowEvents[i])
		}
		events, row = rest, row+1
	}
}

// event is one of the level; a miss gets its class.
func (c *classifier) event(e *cachesim.Event) {
	line := uint64(e.Line) >> (c.bits & 63)
	switch e.Op {
	case cachesim.Hit, cachesim.VictimHit, cachesim.Promote:
		c.request(line, e.Kind == traceio.Store, false)
	case cachesim.Miss, cachesim.Allocate:
		c.request(line, e.Kind == traceio.Store, true)
		e.Class = c.class
	case cachesim.Fill:
		if c.exclusive { // from above
			c.put(line)
		}
	case cachesim.Invalidate:
		if e.Class == cachesim.Coherence {
			c.lose(line)
		}
	}
}

// put takes a block in that was not asked for: one that an exclusive level gets from above.
func (c *classifier) put(line uint64) {
	i, _ := c.find(line)
	c.enter(i, c.nodes[i].prev >= 0)
}

// lose takes a block away that another core writes to.
func (c *classifier) lose(line uint64) {
	c.last = ^uint64(0)
	i, _ := c.find(line)
	if c.nodes[i].prev >= 0 {
		c.drop(i)
	}
	c.nodes[i].prev = lost
}

func (c *classifier) unlink(i int32) {
	n := c.nodes[i]
	c.nodes[n.prev].next, c.nodes[n.next].prev = n.next, n.prev
}

// drop makes a resident node one that is not.
func (c *classifier) drop(i int32) {
	c.unlink(i)
	c.nodes[i].prev = gone
	c.resident--
}

func (c *classifier) push(i int32) {
	first := c.nodes[0].next
	c.nodes[i].prev, c.nodes[i].next = 0, first
	c.nodes[first].prev = i
	c.nodes[0].next = i
}

func (c *classifier) dropLast() {
	c.drop(c.nodes[0].prev)
}

// find is the node of a block, made if the block is new.
func (c *classifier) find(line uint64) (i int32, seen bool) {
	mask := uint64(len(c.table) - 1)
	for slot := hash(line) & mask; ; slot = (slot + 1) & mask {
		i := c.table[slot]
		if i == 0 {
			i = int32(len(c.nodes))
			c.table[slot] = i
			c.nodes = append(c.nodes, node{line: line, prev: gone})
			if len(c.nodes)*2 > len(c.table) {
				c.grow()
			}
			return i, false
		}
		if c.nodes[i].line == line {
			return i, true
		}
	}
}

func (c *classifier) grow() {
	c.table = make([]int32, len(c.table)*2)
	mask := uint64(len(c.table) - 1)
	for i := 1; i < len(c.nodes); i++ {
		slot := hash(c.nodes[i].line) & mask
		for c.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		c.table[slot] = int32(i)
	}
}

// golden is 2^64 over the golden ratio.
const golden = 0x9e3779b97f4a7c15

// hash is the multiplicative hash with it, its high half folded down.
func hash(line uint64) uint64 {
	h := line * golden
	return h ^ h>>32
}
