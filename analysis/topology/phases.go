package topology

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"

	"orrery/traceio"
)

// counts is how often things of small number occur, in order of their numbers.
type counts []count

type count struct {
	id    uint32
	times int64
}

func (c counts) of(id uint32) int64 {
	i, ok := slices.BinarySearchFunc(c, id, func(a count, id uint32) int { return int(a.id) - int(id) })
	if !ok {
		return 0
	}
	return c[i].times
}

func (c counts) total() (n int64) {
	for _, x := range c {
		n += x.times
	}
	return n
}

// plus adds up two counts.
func (c counts) plus(d counts) counts {
	out := make(counts, 0, max(len(c), len(d)))
	for len(c) > 0 && len(d) > 0 {
		switch {
		case c[0].id < d[0].id:
			out, c = append(out, c[0]), c[1:]
		case d[0].id < c[0].id:
			out, d = append(out, d[0]), d[1:]
		default:
			out, c, d = append(out, count{c[0].id, c[0].times + d[0].times}), c[1:], d[1:]
		}
	}
	return append(append(out, c...), d...)
}

// xlogx is x log2 x.
func xlogx(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log2(x)
}

// price is how many bits a code with one table of frequencies for all needs: n times the entropy.
func (c counts) price() float64 {
	sum := xlogx(float64(c.total()))
	for _, x := range c {
		sum -= xlogx(float64(x.times))
	}
	return sum
}

// divergence of two tables of frequencies, as Jensen and Shannon define it with equal weights: 0 for the same, 1 for
// disjoint ones.
func divergence(c, d counts) float64 {
	n, m := float64(c.total()), float64(d.total())
	sum := 0.0
	for len(c) > 0 || len(d) > 0 {
		var p, q float64
		switch {
		case len(d) == 0 || len(c) > 0 && c[0].id < d[0].id:
			p, c = float64(c[0].times)/n, c[1:]
		case len(c) == 0 || d[0].id < c[0].id:
			q, d = float64(d[0].times)/m, d[1:]
		default:
			p, q, c, d = float64(c[0].times)/n, float64(d[0].times)/m, c[1:], d[1:]
		}
		sum += (xlogx(p)+xlogx(q))/2 - xlogx((p+q)/2)
	}
	return sum
}

// tallied is what runs in each bin of a recording.
type tallied struct {
	from, end traceio.Seq
	keep      func(addr, pc traceio.Addr) bool
	step      traceio.Seq // references in a bin
	bins      []counts
	byPC      bool // by instruction; otherwise by block of 4096 bytes of data
	ids       map[traceio.Addr]uint32
	names     []traceio.Addr
	last      [256]struct { // a cache before ids, by low bits
		key traceio.Addr
		id  uint32
		set bool
	}
}

// Bins of a tally: as many as a wide screen has columns, none so short that its counts mean nothing.
const (
	mostBins  = 2048
	finestBin = 64
)

// tally counts what runs. Of data blocks there may be very many: those beyond mostCodes count as one.
const mostCodes = 1 << 16

func tally(ctx context.Context, rec Recording, sel Selection, end traceio.Seq,
	report func(done, total int64)) (*tallied, error) {
	t := &tallied{from: sel.From, end: end, keep: sel.Keep, ids: map[traceio.Addr]uint32{}}
	t.step = max(finestBin, (end-sel.From+mostBins-1)/mostBins)
	b, err := rec.Block(rec.Find(sel.From))
	if err != nil {
		return nil, fmt.Errorf("reading reference %d: %w", sel.From, err)
	}
	t.byPC = slices.ContainsFunc(b.PC, func(pc traceio.Addr) bool { return pc != 0 })
	var times []int64 // of the open bin, by number
	var used []uint32
	flush := func() {
		slices.Sort(used)
		bin := make(counts, len(used))
		for i, id := range used {
			bin[i] = count{id, times[id]}
			times[id] = 0
		}
		t.bins, used = append(t.bins, bin), used[:0]
	}
	err = t.walk(ctx, rec, sel.From, end, func(at traceio.Seq, id uint32) {
		for at >= t.from+t.step*traceio.Seq(len(t.bins)+1) {
			flush()
		}
		for int(id) >= len(times) {
			times = append(times, 0)
		}
		if times[id]++; times[id] == 1 {
			used = append(used, id)
		}
	}, report)
	flush()
	return t, err
}

// walk calls do for every kept reference of [from, end) with the number of what runs there.
func (t *tallied) walk(ctx context.Context, rec Recording, from, end traceio.Seq, do func(at traceio.Seq, id uint32),
	report func(done, total int64)) error {
	for i := rec.Find(from); i < rec.Blocks(); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := rec.Block(i)
		if err != nil {
			return fmt.Errorf("reading references %d to %d: %w", from, end, err)
		}
		if b.First >= end {
			break
		}
		at := b.First
		for row, kind := range b.Kind {
			if kind == traceio.Fetch {
				continue
			}
			if at >= end {
				break
			}
			if at >= from && (t.keep == nil || t.keep(b.Addr[row], b.PC[row])) {
				key := b.PC[row]
				if !t.byPC {
					key = b.Addr[row] >> 12
				}
				do(at, t.number(key))
			}
			at++
		}
		if report != nil {
			report(int64(min(at, end)-from), int64(end-from))
		}
	}
	return nil
}

// number gives the number of an instruction (block), a new one if need be.
func (t *tallied) number(key traceio.Addr) uint32 {
	slot := &t.last[uint8(key^key>>8)]
	if slot.set && slot.key == key {
		return slot.id
	}
	id, ok := t.ids[key]
	if !ok {
		if id = uint32(len(t.names)); id >= mostCodes {
			return mostCodes - 1
		}
		t.ids[key] = id
		t.names = append(t.names, key)
	}
	slot.key, slot.id, slot.set = key, id, true
	return id
}

// id is the number of an instruction that has been seen.
func (t *tallied) id(pc traceio.Addr) uint32 { return t.ids[pc] }

// segment is a run of bins [from, to) and what runs in it.
type segment struct {
	from, to int
	sum      counts
	price    float64
}

// joint is the border between two neighbouring segments, by their first bins; cost is that of merging them.
type joint struct {
	left, right int
	versions    [2]int // of both when it was offered: stale joints stay in the heap
	sum         counts
	cost, price float64
}

type joints []joint

func (h joints) Len() int { return len(h) }
func (h joints) Less(i, j int) bool {
	if h[i].cost != h[j].cost {
		return h[i].cost < h[j].cost
	}
	return h[i].left < h[j].left
}
func (h joints) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *joints) Push(x any)   { *h = append(*h, x.(joint)) }
func (h *joints) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// loose is the cost, in bits per reference of the shorter side, up to which two segments are merged in any case: loops
// do not fill a bin evenly.
const loose = 0.05

// equallyGood: when borders have to go because there are too many, those that cost little more go with them, or of many
// similar borders a few would stay by accident.
const equallyGood = 1.5

// join merges neighbouring bins.
func (t *tallied) join(most int) []segment {
	n := len(t.bins)
	all := make([]segment, n) // by first bin; gone ones have to == 0
	before := make([]int, n)  // first bin of the segment before
	version := make([]int, n)
	for i, b := range t.bins {
		all[i], before[i] = segment{i, i + 1, b, b.price()}, i-1
	}
	var h joints
	offer := func(left, right int) {
		a, b := all[left], all[right]
		j := joint{left: left, right: right, versions: [2]int{version[left], version[right]}, sum: a.sum.plus(b.sum)}
		j.price = j.sum.price()
		// A table of frequencies costs half a bit for each bit of its counts' size (J. Rissanen, "Modeling by shortest
		// data description", 1978), and one bit more says where it begins.
		size := float64(min(a.sum.total(), b.sum.total()))
		saved := float64(min(len(a.sum), len(b.sum)))/2*math.Log2(size+2) + math.Log2(float64(n)) + loose*size
		j.cost = j.price - a.price - b.price - saved
		heap.Push(&h, j)
	}
	for i := 1; i < n; i++ {
		offer(i-1, i)
	}
	left, limit := n, 0.0
	for h.Len() > 0 {
		j := heap.Pop(&h).(joint)
		if all[j.left].to == 0 || all[j.right].to == 0 || j.versions != [2]int{version[j.left], version[j.right]} {
			continue
		}
		if j.cost > limit && left <= most {
			break
		}
		limit = max(limit, equallyGood*j.cost)
		end := all[j.right].to
		all[j.left] = segment{j.left, end, j.sum, j.price}
		all[j.right].to = 0
		version[j.left]++
		left--
		if end < n {
			before[end] = j.left
			offer(j.left, end)
		}
		if before[j.left] >= 0 {
			offer(before[j.left], j.left)
		}
	}
	return slices.DeleteFunc(all, func(s segment) bool { return s.to == 0 })
}

// phases merges the bins to segments and finds their borders. A segment may become nearly empty when its borders have
// moved: a bin with a border in it that resembled neither side. Such segments are dropped.
func (t *tallied) phases(ctx context.Context, rec Recording, most int) ([]segment, []traceio.Seq, error) {
	segments := t.join(most)
	for {
		borders, err := t.borders(ctx, rec, segments)
		if err != nil {
			return nil, nil, err
		}
		gone := 0
		for i := len(segments) - 1; i >= 0 && len(segments) > 1; i-- {
			if borders[i+1]-borders[i] >= t.step/2 {
				continue
			}
			into := max(i-1, 0)
			segments[into].to = segments[into+1].to
			segments[into].sum = segments[into].sum.plus(segments[into+1].sum)
			segments = slices.Delete(segments, into+1, into+2)
			gone++
			i-- // the neighbour has changed: it waits for its borders
		}
		if gone == 0 {
			return segments, borders, nil
		}
	}
}

// borders finds the references at which the segments begin, and the end: each border moves, within the bins at it, to
// where the other side's table becomes the better one.
func (t *tallied) borders(ctx context.Context, rec Recording, segments []segment) ([]traceio.Seq, error) {
	out := []traceio.Seq{t.from}
	for i := 1; i < len(segments); i++ {
		a, b := segments[i-1].sum, segments[i].sum
		n, m := float64(a.total())+1, float64(b.total())+1
		from := max(out[i-1]+1, t.from+traceio.Seq(segments[i].from-1)*t.step)
		to := min(t.end, t.from+traceio.Seq(segments[i].from+1)*t.step)
		gain, best, where := 0.0, math.Inf(-1), from
		at := from
		if err := t.walk(ctx, rec, from, to, func(s traceio.Seq, id uint32) {
			if gain > best {
				best, where = gain, s
			}
			gain += math.Log2((float64(a.of(id))+0.01)/n) - math.Log2((float64(b.of(id))+0.01)/m)
			at = s + 1
		}, nil); err != nil {
			return nil, err
		}
		if gain > best {
			where = at
		}
		out = append(out, min(where, t.end-1))
	}
	return append(out, t.end), nil
}

// within is what runs from a border to the next: that of the segment, corrected for the moves of its borders.
func (t *tallied) within(ctx context.Context, rec Recording, s segment, from, to traceio.Seq) (counts, error) {
	change := map[uint32]int64{}
	for _, part := range []struct {
		from, to traceio.Seq
		sign     int64
	}{
		{from, t.border(s.from), 1}, {t.border(s.from), from, -1},
		{t.border(s.to), to, 1}, {to, t.border(s.to), -1},
	} {
		if part.from >= part.to {
			continue
		}
		if err := t.walk(ctx, rec, part.from, part.to, func(_ traceio.Seq, id uint32) { change[id] += part.sign },
			nil); err != nil {
			return nil, err
		}
	}
	var delta counts
	for id, n := range change {
		delta = append(delta, count{id, n})
	}
	slices.SortFunc(delta, func(a, b count) int { return cmp.Compare(a.id, b.id) })
	return slices.DeleteFunc(s.sum.plus(delta), func(c count) bool { return c.times == 0 }), nil
}

// border is where a bin begins.
func (t *tallied) border(bin int) traceio.Seq { return min(t.end, t.from+traceio.Seq(bin)*t.step) }

// typical gives the stretch of a phase, of the given length or all of it, in which most nearly the same runs as in the
// whole.
func (t *tallied) typical(s segment, from, to, length traceio.Seq) (traceio.Seq, traceio.Seq) {
	if to-from <= length {
		return from, to
	}
	bins := int((length + t.step - 1) / t.step)
	best, where := math.Inf(1), from
	for i := s.from; i+bins <= s.to; i++ {
		at := t.from + traceio.Seq(i)*t.step
		if at < from || at+length > to {
			continue
		}
		var sum counts
		for _, b := range t.bins[i : i+bins] {
			sum = sum.plus(b)
		}
		if d := divergence(sum, s.sum); d < best-1e-9 { // NaN, where nothing was kept, is not
			best, where = d, at
		}
	}
	return where, min(where+length, to)
}

// busiest gives what runs most, at most 16.
func (t *tallied) busiest(c counts) []PhaseCode {
	c = slices.Clone(c)
	n := float64(c.total())
	slices.SortStableFunc(c, func(a, b count) int { return cmp.Compare(b.times, a.times) })
	var out []PhaseCode
	for _, x := range c[:min(16, len(c))] {
		name := t.names[x.id]
		if !t.byPC {
			name <<= 12
		}
		out = append(out, PhaseCode{name, float64(x.times) / n})
	}
	return out
}
