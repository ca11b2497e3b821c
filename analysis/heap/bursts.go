package heap

import (
	"cmp"
	"slices"
)

// Burst is a run of allocations in one bin by one thread without a free in the bin between them: a list or an array of
// objects being built. The paper's question 1 asks of it whether addresses are handed out from low to high.
type Burst struct {
	Bin         int
	First, Last int // blocks
	From, To    Time
	Blocks      int
	Up          int // steps to a higher address, of Blocks-1
}

// Direction says how a burst's addresses went.
type Direction uint8

// The directions: at least four steps of five go up, or down, or neither. Of sixteen blocks in random order one burst
// of three thousand goes so far one way; and a list in memory that is used again need not go further, since free lists
// have pieces of others among its own.
const (
	Mixed Direction = iota
	Upward
	Downward
)

// String gives "mixed", "up" or "down".
func (d Direction) String() string { return [...]string{"mixed", "up", "down"}[min(d, 2)] }

// Direction tells how the addresses of the burst went.
func (b *Burst) Direction() Direction {
	switch steps := b.Blocks - 1; {
	case 5*b.Up >= 4*steps:
		return Upward
	case 5*b.Down() >= 4*steps:
		return Downward
	}
	return Mixed
}

// Down is how many steps of the burst go to a lower address.
func (b *Burst) Down() int { return b.Blocks - 1 - b.Up }

// Longest is the n bursts with the most blocks, in the order in which they began.
func Longest(bursts []Burst, n int) []Burst {
	out := slices.Clone(bursts)
	slices.SortStableFunc(out, func(a, b Burst) int { return cmp.Compare(b.Blocks, a.Blocks) })
	out = out[:min(n, len(out))]
	slices.SortStableFunc(out, func(a, b Burst) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.First, b.First))
	})
	return out
}

// MinBurst is how many allocations make a burst.
const MinBurst = 16

// Bursts lists the bursts of at least MinBurst blocks in the order in which they ended.
func (h *Heap) Bursts() []Burst {
	type key struct {
		bin    int16
		thread uint16
	}
	var out []Burst
	open := map[key]*Burst{}
	threads := make([][]key, len(h.Bins)) // of each bin, those with an open burst
	close := func(bin int16) {
		for _, k := range threads[bin] {
			if b := open[k]; b.Blocks >= MinBurst {
				out = append(out, *b)
			}
			delete(open, k)
		}
		threads[bin] = threads[bin][:0]
	}
	for s := (state{}); s.event < h.history.n; {
		died, born := s.step(h)
		if died >= 0 {
			close(h.bin(died))
		}
		if born < 0 {
			continue
		}
		n := h.Block(int(born))
		k := key{h.bin(born), uint16(n.Thread)}
		b := open[k]
		if b == nil {
			b = &Burst{Bin: int(k.bin), First: int(born), Last: int(born), From: n.From}
			open[k] = b
			threads[k.bin] = append(threads[k.bin], k)
		} else if n.Low > h.blocks.low[b.Last] {
			b.Up++
		}
		b.Last, b.To = int(born), n.From
		b.Blocks++
	}
	for bin := range threads {
		close(int16(bin))
	}
	return out
}

// Order is a bin's answer to the question whether addresses are handed out from low to high.
type Order struct {
	Bin    int
	Bursts [3]int // by Direction
	Blocks int    // in bursts
	Up     int    // steps up
	Steps  int
}

// Orders sums bursts up by bin.
func (h *Heap) Orders(bursts []Burst) []Order {
	out := make([]Order, len(h.Bins))
	for i := range out {
		out[i].Bin = i
	}
	for i := range bursts {
		b := &bursts[i]
		o := &out[b.Bin]
		o.Bursts[b.Direction()]++
		o.Blocks += b.Blocks
		o.Up += b.Up
		o.Steps += b.Blocks - 1
	}
	return out
}
