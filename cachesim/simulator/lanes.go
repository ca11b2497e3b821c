package simulator

import (
	"orrery/cachesim"
	"orrery/traceio"
)

// Bar is what one level did in a span of time: the references that it answered and those that it passed down. A
// reference that crosses blocks counts once, as a miss if any part missed; write-backs do not count.
type Bar struct{ Hits, Misses uint32 }

// lanes has prefix sums of hits and misses over bins of equal length, for every level. The sums are modulo 2^32; only
// their differences are used, which are exact while a level has fewer than 2^32 requests between two of them.
type lanes struct {
	config cachesim.Config
	width  traceio.Seq // data references in a bin, a power of two
	hits   [][]uint32  // by level, then by bin; [i] is the sum before bin i
	misses [][]uint32
	rows   [2][]uint32   // data references (0) and fetches (1), as prefix sums
	effect [][256]effect // by class and core, then by Served
	open   [][256]uint32 // rows of the bin in progress, likewise
	used   []openKey
	left   traceio.Seq // data references until the bin is full
}

type openKey struct {
	class  uint8
	served cachesim.Served
}

// effect says, for one class of reference of one core and one Served, which levels hit and which missed, as bits.
type effect struct{ hits, misses uint64 }

func newLanes(c cachesim.Config, n, maxBins traceio.Seq) *lanes {
	l := &lanes{config: c, width: 1, hits: make([][]uint32, len(c.Levels)), misses: make([][]uint32, len(c.Levels))}
	for n/l.width > maxBins {
		l.width *= 2
	}
	bins := int((n+l.width-1)/l.width) + 1
	for i := range c.Levels {
		l.hits[i] = append(make([]uint32, 0, bins+1), 0)
		l.misses[i] = append(make([]uint32, 0, bins+1), 0)
	}
	for i := range l.rows {
		l.rows[i] = append(make([]uint32, 0, bins+1), 0)
	}
	l.effect = effects(c)
	l.open = make([][256]uint32, len(l.effect))
	l.left = l.width
	return l
}

// effects tabulates what a Served means for the levels on the way of data (0) and of fetches (1) of each core.
func effects(c cachesim.Config) (table [][256]effect) {
	for core := range c.CoreCount() {
		table = append(table, effectsOf(c, core, traceio.Load), effectsOf(c, core, traceio.Fetch))
	}
	return table
}

func effectsOf(c cachesim.Config, core int, kind traceio.Kind) (table [256]effect) {
	var missed uint64
	for i := c.EntryOf(core, kind); i >= 0; i = c.Next(i) {
		if i == len(c.Levels) {
			table[2*i] = effect{misses: missed}
			break
		}
		bit := uint64(1) << i
		table[2*i] = effect{hits: bit, misses: missed}
		table[2*i+1] = effect{misses: missed | bit}
		missed |= bit
	}
	return table
}

// class is the index of a row's effects: data (0) or fetch (1), and its core.
func (l *lanes) class(k traceio.Kind, t traceio.Thread) uint8 {
	class := uint8(k >> 1)
	if len(l.effect) > 2 {
		class |= uint8(l.config.Core(t)) << 1
	}
	return class
}

func (l *lanes) add(b *traceio.Block, served []cachesim.Served) {
	for i, s := range served {
		k := l.class(b.Kind[i], b.Thread[i])
		if l.open[k][s]++; l.open[k][s] == 1 {
			l.used = append(l.used, openKey{k, s})
		}
		if k&1 == 0 {
			if l.left--; l.left == 0 {
				l.close()
			}
		}
	}
}

// close ends the bin in progress.
func (l *lanes) close() {
	n := len(l.rows[0])
	for i := range l.hits {
		l.hits[i] = append(l.hits[i], l.hits[i][n-1])
		l.misses[i] = append(l.misses[i], l.misses[i][n-1])
	}
	for i := range l.rows {
		l.rows[i] = append(l.rows[i], l.rows[i][n-1])
	}
	for _, k := range l.used {
		count := l.open[k.class][k.served]
		l.open[k.class][k.served] = 0
		l.rows[k.class&1][n] += count
		e := l.effect[k.class][k.served]
		for i := range l.hits {
			l.hits[i][n] += count * uint32(e.hits>>i&1)
			l.misses[i][n] += count * uint32(e.misses>>i&1)
		}
	}
	l.used = l.used[:0]
	l.left = l.width
}

// finish ends the last bin; fetches behind the last data reference have one of their own.
func (l *lanes) finish() {
	if len(l.used) > 0 {
		l.close()
	}
}

func (l *lanes) bins() int { return len(l.rows[0]) - 1 }

// Resolution is the length of the shortest span that Lane tells apart, in data references.
func (r *Replay) Resolution() traceio.Seq { return r.lanes.width }

// Lane fills out with what a level did in equal slices of [from, to). The time it takes depends on the number of slices
// only. Slices begin and end on multiples of Resolution; where slices are shorter, neighbours share a bin.
func (r *Replay) Lane(level int, from, to traceio.Seq, out []Bar) {
	l := r.lanes
	to = min(to, r.rec.Len())
	from = min(from, to)
	span := to - from
	for i := range out {
		first := (from + mulDiv(span, i, len(out))) / l.width
		last := (from + mulDiv(span, i+1, len(out))) / l.width
		if i == len(out)-1 && to == r.rec.Len() {
			last = traceio.Seq(l.bins())
		}
		out[i] = l.between(level, first, max(last, first+1))
	}
}

// mulDiv is span*i/n without overflow for every span that a recording can have.
func mulDiv(span traceio.Seq, i, n int) traceio.Seq {
	q, rest := span/traceio.Seq(n), span%traceio.Seq(n)
	return q*traceio.Seq(i) + rest*traceio.Seq(i)/traceio.Seq(n)
}

// between is the sum of bins [first, last), clipped to those that exist.
func (l *lanes) between(level int, first, last traceio.Seq) Bar {
	n := traceio.Seq(l.bins())
	first, last = min(first, n), min(last, n)
	return Bar{
		Hits:   l.hits[level][last] - l.hits[level][first],
		Misses: l.misses[level][last] - l.misses[level][first],
	}
}
