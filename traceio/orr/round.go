package orr

// A loop whose references go on as they went is coded by the round instead of by the row. What comes after three rounds
// by the same sites, each row as far from that of the round before as that was from its own, is predicted like the last
// two rounds if these were predicted whole: every way but the guess table's adds up what goes on by the same amount
// with every round. What many hits would have done is done at once then.

const (
	mostRound = 32 // rows of the longest round; two have a bit each in one word
	// so that two rows before one are of its round or the one before; a row that repeats itself is half of it
	leastRound = 2
	worthRows  = 16 // rows to come that are worth it
	mostLooks  = 3  // how many times one loop is looked at for nothing
)

// lap is where a lane stands in a loop.
type lap struct {
	round  int // rows of the round that may come again, 0 for none
	looks  int // how often it was looked at for nothing
	rounds int // that will come again
}

// back is how many rows before the last of refs the same site was, if lately.
func back(refs []uint32) (rows int) {
	last := len(refs) - 1
	ref, lately := refs[last], refs[max(0, last-mostRound):last]
	for i := len(lately) - 1; i >= 0; i-- {
		if lately[i] == ref {
			return max(len(lately)-i, leastRound)
		}
	}
	return 0
}

// stop is where to look at the loop whose second round begins at row i: behind the third, if it is among the rows.
func (p *lap) stop(i int, in fresh) int {
	if at := i + 2*p.round; at > i && at <= len(in.rows) && p.looks < mostLooks && !in.fetches {
		return at
	}
	return len(in.rows)
}

// look tells whether the loop, of which three rounds end at row n, goes on for longer.
func (p *lap) look(rows []Row, n int) bool {
	if from := n - 3*p.round; from >= 0 {
		p.rounds = again(rows[from:], p.round)/p.round - 1
	}
	if p.rounds*p.round < worthRows {
		p.looks, p.rounds = p.looks+1, 0
	}
	return p.rounds > 0
}

// again is how many rows after the first 2*round go on: by the site of the row a round before, and as far from there as
// that one is from another round before. It is 0 where the first two rounds differ in their sites.
func again(rows []Row, round int) (n int) {
	for i := range round {
		if rows[i].Key != rows[round+i].Key {
			return 0
		}
	}
	return goOn(rows, round)
}

// goOnAny is how many rows after the first 2*round differ as much from the row a round before as that one does from
// another round before. There must be so many.
func goOnAny(rows []Row, round int) (n int) {
	for n < len(rows)-2*round {
		a, b, c := &rows[n], &rows[n+round], &rows[n+2*round]
		if c.Where-b.Where != b.Where-a.Where || c.Key-b.Key != b.Key-a.Key {
			break
		}
		n++
	}
	return n
}

// goRound codes the rounds that will come again at row n, if they are predicted, and gives the number of their rows.
func (c *coder) goRound(l *lane, in fresh, n int) (rows int) {
	round, rounds := l.lap.round, l.lap.rounds
	refs := c.refs[n-round : n]
	in.rows = in.rows[n-round:]
	l.lap.rounds = 0
	if !c.steady(l, refs) || !in.level(round, rounds) {
		l.lap.looks++
		return 0
	}
	l.lap.looks = 0
	c.addRounds(l, in, refs, rounds)
	return round * rounds
}

// steady tells whether the last two rounds by refs were predicted, and not by the guess table.
func (c *coder) steady(l *lane, refs []uint32) bool {
	n := uint(2 * len(refs))
	at := uint(c.places) - n
	missed := c.missed[at/64]>>(at%64) | c.missed[at/64+1]<<(64-at%64)
	if missed&(1<<n-1) != 0 {
		return false
	}
	for _, ref := range refs {
		if l.recs[ref].way == wayGuess {
			return false
		}
	}
	return true
}

// level tells whether the addresses of so many rounds after the first go on without coming to the end of what addresses
// can be.
func (in *fresh) level(round, rounds int) bool {
	for i := range round {
		first, last := in.addr(i), in.addr(i+rounds*round)
		d := in.addr(i+round) - first
		if d+1<<32 > 1<<33 || last-first != d*uint64(rounds) || (last < first) != (int64(d) < 0) {
			return false
		}
	}
	return true
}

// addr is the address of row i.
func (in *fresh) addr(i int) uint64 { return uint64(int64(in.rows[i].Where) >> (in.shift & 63)) }

// addRounds codes rounds that are all predicted behind one, the first of the rows, by the refs.
func (c *coder) addRounds(l *lane, in fresh, refs []uint32, rounds int) {
	round, rows := len(refs), len(refs)*rounds
	low, high, stores := c.low, c.high, 0
	for i, ref := range refs {
		r := &l.recs[ref]
		r.next += uint64(rounds-1) * r.step
		r.hit(c.places + rows - round + i)
		before, from, to := in.addr(i), in.addr(round+i), in.addr(rows+i)
		low, high = min(low, from, to), max(high, from, to)
		c.lines.walk(from, from-before, rounds)
		stores += int((in.rows[i].Key ^ in.tag) >> 2 & 1)
	}
	c.low, c.high = low, high
	c.data += rows
	c.stores += stores * rounds
	addrs := c.addrs[margin+c.places:][:rows] // only the last are ever looked at
	for i := max(0, rows-round-margin); i < rows; i++ {
		addrs[i] = in.addr(round + i)
	}
	l.addr = addrs[rows-1]
	c.places += rows
	c.run += uint64(rows)
}
