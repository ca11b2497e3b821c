package orr

import "encoding/binary"

// follow finds the address and the site of each row, and writes where it was not the one that followed last time. It
// gives how many rows those are, for it stops where a loop goes on for many rounds, and how many of them are stores
// when none is a fetch.
func (c *coder) follow(l *lane, in fresh) (n, stores int) {
	x := &c.succession
	x.rows, x.tag, x.shift = in.rows, in.tag, in.shift&63
	x.refs, x.addrs = c.refs[:], c.addrs[margin+c.places:][:len(in.rows)]
	x.ref, x.n, x.kinds = l.prev, 0, 0
	x.stop = l.lap.stop(l.lap.round, in)
	since := 0
	for {
		x.ways = l.ahead
		if succeedRows(x); x.n < x.stop {
			key, addr := in.rows[x.n].Key^in.tag, in.addr(x.n)
			next := c.straight(l, x.ref, key, addr)
			if next == 0 {
				next = c.surprise(l, x.ref, key, addr, c.run+uint64(x.n-since))
				c.run, since = 0, x.n+1
				c.refs[x.n] = next
				l.lap = lap{round: back(c.refs[:x.n+1])}
				x.stop = l.lap.stop(x.n, in)
			}
			x.take(next, key, addr)
			continue
		}
		if x.n == len(in.rows) || l.lap.look(in.rows, x.n) {
			break
		}
		x.stop = len(in.rows)
	}
	c.run += uint64(x.n - since)
	l.prev = x.ref
	return x.n, int(x.kinds/2) - x.n // a load counts as 2 and a store as 4
}

// succession are rows whose sites are asked for.
type succession struct {
	ways  []ahead
	rows  []Row
	refs  []uint32 // of the rows, as those after
	addrs []uint64
	tag   Key
	shift uint
	stop  int // the row in front of which to stop

	n     int    // rows so far
	ref   uint32 // site of the last
	kinds uint64 // of them, added up
}

// succeedAny goes on to the stop or the first row that does not follow as predicted. Sites have their numbers in the
// order of their appearance, so most often the next one follows: going on there does not wait for what the hop says.
func succeedAny(x *succession) {
	for x.n < x.stop {
		r := &x.rows[x.n]
		key, next := r.Key^x.tag, x.ref+1
		way := &x.ways[x.ref]
		if way.key != key {
			break
		}
		if way.next != next {
			next = way.next
		}
		x.take(next, key, uint64(int64(r.Where)>>x.shift))
	}
}

// take takes the next row.
func (x *succession) take(ref uint32, key Key, addr uint64) {
	x.refs[x.n], x.addrs[x.n], x.ref = ref, addr, ref
	x.kinds += uint64(key) & 6
	x.n++
}

// straight gives the site of a row behind one of site prev, of which nobody knows yet what follows, where that is the
// next by number; otherwise 0.
func (c *coder) straight(l *lane, prev uint32, key Key, addr uint64) (ref uint32) {
	if ref = l.ahead[prev].next; l.ahead[prev].key != keyNone {
		return 0
	}
	if int(ref) == len(c.keys) {
		c.number(key, addr)
	}
	if int(ref) == len(c.keys) || c.keys[ref] != key {
		return 0
	}
	c.grow(l)
	l.ahead[prev].key = key
	return ref
}

// surprise is for a row that does not follow as predicted: it writes the run of right predictions and which site came
// instead, and gives that.
func (c *coder) surprise(l *lane, prev uint32, key Key, addr, run uint64) (ref uint32) {
	symbol := uint64(0)
	if ref = l.ahead[prev].other; int(ref) == len(c.keys) || c.keys[ref] != key {
		fresh := false
		ref, fresh = c.number(key, addr)
		symbol = symbolOf(ref, c.fresh, fresh)
		if fresh {
			c.fresh = ref
		}
	}
	c.grow(l) // the other may be new to this lane, too
	c.cols[colRun] = appendNumber(c.cols[colRun], run)
	c.cols[colSymbol] = appendNumber(c.cols[colSymbol], symbol)
	l.ahead[prev].follow(ref, key)
	return ref
}

// symbolOf is how a turn tells its site: 0 is the other follower, an even symbol is twice the site, and an odd one
// tells how far a new site is from the last that was told so; those between went straight on.
func symbolOf(ref, last uint32, fresh bool) uint64 {
	if fresh {
		return uint64(2*(ref-last) - 1)
	}
	return uint64(2 * ref)
}

// grow lets the lane know all sites. What follows one is the next until it is seen; its first address is that of its
// first row.
func (c *coder) grow(l *lane) {
	at, n := len(l.recs), len(c.keys)
	l.ahead, l.recs = lengthen(l.ahead, n), lengthen(l.recs, n)
	for i := at; i < n; i++ {
		l.ahead[i] = ahead{key: keyNone, next: uint32(i + 1)}
		l.recs[i].next = c.first[i]
	}
}

// appendNumber is binary.AppendUvarint where most are small.
func appendNumber(dst []byte, x uint64) []byte {
	if x < 0x80 {
		return append(dst, byte(x))
	}
	return binary.AppendUvarint(dst, x)
}

// number finds or makes the number of a site.
func (c *coder) number(key Key, addr uint64) (ref uint32, fresh bool) {
	i := c.place(key)
	if ref = c.table[i]; ref != 0 {
		return ref, false
	}
	ref = uint32(len(c.keys))
	c.keys, c.first = append(c.keys, key), append(c.first, addr)
	if c.table[i] = ref; 2*len(c.keys) > len(c.table) {
		c.table = make([]uint32, 2*len(c.table))
		for n, k := range c.keys[1:] {
			c.table[c.place(k)] = uint32(n + 1)
		}
	}
	return ref, true
}

// place is where a key is in the table, or belongs.
func (c *coder) place(key Key) uint64 {
	mask := uint64(len(c.table) - 1)
	i := uint64(key) * 0x9e3779b97f4a7c15 >> 32 & mask
	for ; c.table[i] != 0 && c.keys[c.table[i]] != key; i = (i + 1) & mask {
	}
	return i
}
