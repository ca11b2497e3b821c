package cachesim

// classifier sorts the misses of one level into compulsory, capacity and conflict (Hill and Smith 1989): it runs a fully
// associative cache of the same number of blocks and the same policy beside the level, and remembers every block ever
// asked for. (Hill and Smith's is LRU whatever the level is; Dinero IV's has the level's policy, and we count as it does.)
// Both answers come from one look-up: a block's node stays in the table for good and is in the list while it is resident.
type classifier struct {
	compulsory, capacity, conflict uint64

	table    []int32 // open addressing over nodes; 0 is empty
	nodes    []node  // nodes[0] is the list's anchor: next entered or was used last, prev leaves next
	resident int
	limit    int // blocks of the level
	fifo     bool
	last     uint64
}

type node struct {
	line       uint64
	prev, next int32 // prev < 0: not resident
}

func newClassifier(limit int, fifo bool) *classifier {
	return &classifier{fifo: fifo, table: make([]int32, 1<<10), nodes: make([]node, 1, 1<<9), limit: limit, last: ^uint64(0)}
}

// touch takes a request for a block into account and classes it if the level missed.
func (c *classifier) touch(line uint64, missed bool) {
	if line == c.last && !missed {
		return // it is resident and the most recent
	}
	c.last = line
	i, seen := c.find(line)
	n := &c.nodes[i]
	hit := seen && n.prev >= 0
	if missed {
		switch {
		case !seen:
			c.compulsory++
		case !hit:
			c.capacity++
		default:
			c.conflict++
		}
	}
	switch {
	case hit && c.fifo:
		return
	case hit:
		c.nodes[n.prev].next, c.nodes[n.next].prev = n.next, n.prev
	default:
		if c.resident++; c.resident > c.limit {
			c.dropLast()
		}
	}
	c.push(i)
}

func (c *classifier) push(i int32) {
	first := c.nodes[0].next
	c.nodes[i].prev, c.nodes[i].next = 0, first
	c.nodes[first].prev = i
	c.nodes[0].next = i
}

func (c *classifier) dropLast() {
	i := c.nodes[0].prev
	before := c.nodes[i].prev
	c.nodes[before].next, c.nodes[0].prev = 0, before
	c.nodes[i].prev = -1
	c.resident--
}

// find is the node of a block, made if the block is new.
func (c *classifier) find(line uint64) (i int32, seen bool) {
	mask := uint64(len(c.table) - 1)
	for slot := hash(line) & mask; ; slot = (slot + 1) & mask {
		i := c.table[slot]
		if i == 0 {
			i = int32(len(c.nodes))
			c.table[slot] = i
			c.nodes = append(c.nodes, node{line: line, prev: -1})
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

// hash is the multiplicative hash with 2^64 over the golden ratio, its high half folded down.
func hash(line uint64) uint64 {
	h := line * 0x9e3779b97f4a7c15
	return h ^ h>>32
}
