package cachesim

import (
	"sync"

	"orrery/traceio"
)

// The scores of the cache temperature: a hit warms, a miss cools, and a miss where references enter cools most, because
// what is fetched there is there to be used again. A level that is not asked scores 0.
const (
	hitScore       = 1
	missScore      = -1
	entryMissScore = -4
)

// Temperature is the cache temperature of every level just before data reference t (Choudhury and Rosen, section IV D):
// the mean score over the last n data references, clamped to [-1, 1]; below the first reference there is nothing, so
// that early means are over fewer. In a level that takes fetches too, the mean is over the data references and the fetches
// of the same time; in one that takes only fetches over those. The means are exact at every t; n counts from 1.
func (r *Replay) Temperature(t, n traceio.Seq) ([]float64, error) {
	t = min(t, r.rec.Len())
	from := t - min(t, max(n, 1))
	sum, err := r.sum(from, t)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(r.config.Levels))
	for i, l := range r.config.Levels {
		var rows int64
		if l.Kind != Instruction {
			rows += sum.rows[0]
		}
		if l.Kind != Data {
			rows += sum.rows[1]
		}
		if rows == 0 {
			continue
		}
		cold := int64(missScore)
		if i == r.config.Entry(traceio.Load) || i == r.config.Entry(traceio.Fetch) {
			cold = entryMissScore
		}
		out[i] = min(1, max(-1, float64(hitScore*sum.hits[i]+cold*sum.misses[i])/float64(rows)))
	}
	return out, nil
}

// Between is what every level did in the data references [from, to) and their fetches; exact, unlike a Lane's slice.
func (r *Replay) Between(from, to traceio.Seq) ([]Bar, error) {
	to = min(to, r.rec.Len())
	sum, err := r.sum(min(from, to), to)
	if err != nil {
		return nil, err
	}
	out := make([]Bar, len(r.config.Levels))
	for i := range out {
		out[i] = Bar{uint32(sum.hits[i]), uint32(sum.misses[i])}
	}
	return out, nil
}

// Served tells which level had the data of reference s, and Unserved for an s beyond the end.
func (r *Replay) Served(s traceio.Seq) (Served, error) {
	if s >= r.rec.Len() {
		return Unserved, nil
	}
	i := r.rec.Find(s)
	b, err := r.rec.Block(i)
	if err != nil {
		return Unserved, err
	}
	served, err := r.servedBlock(i)
	if err != nil {
		return Unserved, err
	}
	return served[b.Row(s)], nil
}

// sums are totals over a span, by level; rows are data references and fetches.
type sums struct {
	hits, misses [MaxLevels]int64
	rows         [2]int64
}

// sum takes whole bins from the prefix sums, and what hangs over at both ends from the blocks themselves.
func (r *Replay) sum(from, to traceio.Seq) (sums, error) {
	var s sums
	w := r.lanes.width
	first, last := (from+w-1)/w, to/w
	if to == r.rec.Len() {
		last = traceio.Seq(r.lanes.bins())
	}
	if first >= last {
		return s, r.sumRows(&s, from, to)
	}
	for i := range r.config.Levels {
		b := r.lanes.between(i, first, last)
		s.hits[i], s.misses[i] = int64(b.Hits), int64(b.Misses)
	}
	for k := range s.rows {
		s.rows[k] = int64(r.lanes.rows[k][last] - r.lanes.rows[k][first])
	}
	if err := r.sumRows(&s, from, first*w); err != nil {
		return s, err
	}
	return s, r.sumRows(&s, min(last*w, to), to)
}

// sumRows adds the rows of [from, to) one by one.
func (r *Replay) sumRows(s *sums, from, to traceio.Seq) error {
	if from >= to {
		return nil
	}
	block, row, err := r.position(from)
	if err != nil {
		return err
	}
	stop, stopRow, err := r.position(to)
	if err != nil {
		return err
	}
	for ; block <= stop && block < r.rec.Blocks(); block, row = block+1, 0 {
		b, err := r.rec.Block(block)
		if err != nil {
			return err
		}
		last := b.Len()
		if block == stop {
			last = stopRow
		}
		if row >= last {
			continue
		}
		served, err := r.servedBlock(block)
		if err != nil {
			return err
		}
		for i := row; i < last; i++ {
			k := class(b.Kind[i])
			s.rows[k]++
			e := r.lanes.effect[k][served[i]]
			for l := range r.config.Levels {
				s.hits[l] += int64(e.hits >> l & 1)
				s.misses[l] += int64(e.misses >> l & 1)
			}
		}
	}
	return nil
}

// servedCache keeps the Served columns of the blocks asked for last.
type servedCache struct {
	mu     sync.Mutex
	blocks [4]struct {
		index  int
		served []Served
	}
	turn int
}

// servedBlock is the Served column of a block; it must not be written to.
func (r *Replay) servedBlock(i int) ([]Served, error) {
	c := &r.served
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.blocks {
		if b.served != nil && b.index == i {
			return b.served, nil
		}
	}
	b, err := r.rec.Block(i)
	if err != nil {
		return nil, err
	}
	h := r.take()
	defer r.idle.Put(h)
	if err := r.advance(h, i, 0); err != nil {
		return nil, err
	}
	served := make([]Served, b.Len())
	h.RunServed(b, served)
	c.blocks[c.turn].index, c.blocks[c.turn].served = i, served
	c.turn = (c.turn + 1) % len(c.blocks)
	return served, nil
}
