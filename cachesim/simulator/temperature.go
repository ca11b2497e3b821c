package simulator

import (
	"orrery/cachesim"
	"orrery/traceio"
)

// Weight is what one request to a level adds to the cache temperature: Hit, usually positive, or Miss, usually
// negative. A level that is not asked adds 0.
type Weight struct{ Hit, Miss float64 }

// DefaultWeights has one element for each level: a hit warms, a miss cools, and a miss where references enter cools
// most, because what is fetched there is there to be used again.
func DefaultWeights(c cachesim.Config) []Weight {
	out := make([]Weight, len(c.Levels))
	for i := range out {
		out[i] = Weight{1, -1}
		if c.Enters(i) {
			out[i].Miss = -4
		}
	}
	return out
}

// Temperature is the cache temperature of every level just before data reference t (Choudhury and Rosen, section IV D):
// the mean score over the last n data references, clamped to [-1, 1]; below the first reference there is nothing, so
// that early means are over fewer. In a level that takes fetches too, the mean is over the data references and the
// fetches of the same time; in one that takes only fetches over those. The means are exact at every t; n counts from 1.
// weights has an element for each level; none are DefaultWeights.
func (r *Replay) Temperature(t, n traceio.Seq, weights ...Weight) ([]float64, error) {
	t = min(t, r.rec.Len())
	from := t - min(t, max(n, 1))
	sum, err := r.sum(from, t)
	if err != nil {
		return nil, err
	}
	if len(weights) != len(r.config.Levels) {
		weights = DefaultWeights(r.config)
	}
	out := make([]float64, len(r.config.Levels))
	for i, l := range r.config.Levels {
		var rows int64
		if l.Kind != cachesim.Instruction {
			rows += sum.rows[0]
		}
		if l.Kind != cachesim.Data {
			rows += sum.rows[1]
		}
		if rows == 0 {
			continue
		}
		score := weights[i].Hit*float64(sum.hits[i]) + weights[i].Miss*float64(sum.misses[i])
		out[i] = min(1, max(-1, score/float64(rows)))
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
func (r *Replay) Served(s traceio.Seq) (cachesim.Served, error) {
	out := cachesim.Unserved
	if s >= r.rec.Len() {
		return out, nil
	}
	err := r.serve(s, s+1, func(k traceio.Kind, _ traceio.Thread, served cachesim.Served) {
		if k != traceio.Fetch {
			out = served
		}
	})
	return out, err
}

// sums are totals over a span, by level; rows are data references and fetches.
type sums struct {
	hits, misses [cachesim.MaxLevels]int64
	rows         [2]int64
}

// sum takes whole bins from the prefix sums, and what hangs over at both ends from the references themselves.
func (r *Replay) sum(from, to traceio.Seq) (sums, error) {
	var s sums
	w := r.lanes.width
	first, last := (from+w-1)/w, to/w
	if to == r.rec.Len() {
		last = traceio.Seq(r.lanes.bins())
	}
	even := first*w == from && (last*w == to || to == r.rec.Len())
	if first >= last || !even && to-from < r.limits.short {
		return s, r.addRows(&s, from, to)
	}
	for i := range r.config.Levels {
		b := r.lanes.between(i, first, last)
		s.hits[i], s.misses[i] = int64(b.Hits), int64(b.Misses)
	}
	for k := range s.rows {
		s.rows[k] = int64(r.lanes.rows[k][last] - r.lanes.rows[k][first])
	}
	if err := r.addRows(&s, from, first*w); err != nil {
		return s, err
	}
	return s, r.addRows(&s, min(last*w, to), to)
}

// addRows adds the rows of [from, to) one by one.
func (r *Replay) addRows(s *sums, from, to traceio.Seq) error {
	return r.serve(from, to, func(kind traceio.Kind, t traceio.Thread, served cachesim.Served) {
		k := r.lanes.class(kind, t)
		s.rows[k&1]++
		e := r.lanes.effect[k][served]
		for l := range r.config.Levels {
			s.hits[l] += int64(e.hits >> l & 1)
			s.misses[l] += int64(e.misses >> l & 1)
		}
	})
}

// serve runs the references of [from, to), with their fetches, and tells of each which level had its data.
func (r *Replay) serve(from, to traceio.Seq, tell func(traceio.Kind, traceio.Thread, cachesim.Served)) error {
	if from >= to {
		return nil
	}
	stop, err := r.position(to)
	if err != nil {
		return err
	}
	h := r.take()
	defer r.idle.Put(h)
	start, err := r.seek(h, from)
	if err != nil {
		return err
	}
	return r.each(start, stop, func(b *traceio.Block, row, last int) {
		served := make([]cachesim.Served, last-row)
		h.run(b, row, last, served)
		for i, s := range served {
			tell(b.Kind[row+i], b.Thread[row+i], s)
		}
	})
}
