package topology

import (
	"context"
	"math/bits"
)

// lanes is how many patterns of w symbols are compared with one text at once. A pattern takes w bits and a guard bit,
// which swallows the carry of its addition; a pattern of 64 has the word to itself and loses its carry at the top.
//
//	63                                                  0
//	  ....|g|pattern 4|g|pattern 3| ... |g|pattern 0|
func lanes(w int) int { return max(1, 64/(w+1)) }

// patterns compares several windows with others by Myers' bit-parallel algorithm (G. Myers, "A fast bit-vector
// algorithm for approximate string matching based on dynamic programming", J. ACM 46, 1999) in the form for global
// distance (H. Hyyro 2003): column j of the table of edit distances is coded as its vertical differences, VP where they
// are +1 and VN where they are -1. Instead of following the score along the last row, the distance is read at the end:
// the table's entry below the last column is its top, the length of the text, plus all vertical differences of that
// column.
type patterns struct {
	w     int
	eq    []uint64 // symbol -> bits where a pattern has it
	low   uint64   // first bit of each lane
	all   uint64   // every pattern bit
	lane  []uint64 // pattern bits of each lane
	dirty []uint32 // symbols with bits in eq
}

func newPatterns(w, kinds int) *patterns {
	p := &patterns{w: w, eq: make([]uint64, kinds)}
	one := ^uint64(0) >> (64 - w)
	for l := range lanes(w) {
		shift := l * (w + 1)
		p.low |= 1 << shift
		p.lane = append(p.lane, one<<shift)
		p.all |= one << shift
	}
	return p
}

// load sets the patterns; at most one for each lane.
func (p *patterns) load(windows ...[]uint32) {
	for _, s := range p.dirty {
		p.eq[s] = 0
	}
	p.dirty = p.dirty[:0]
	for l, win := range windows {
		for i, s := range win {
			p.eq[s] |= 1 << (l*(p.w+1) + i)
			p.dirty = append(p.dirty, s)
		}
	}
}

// compare runs the text through all lanes and returns the last column.
func (p *patterns) compare(text []uint32) (vp, vn uint64) {
	vp = p.all
	for _, s := range text {
		x := p.eq[s]
		d := ((x & vp) + vp) ^ vp | x | vn
		hp := (vn|^(d|vp))<<1 | p.low // row 0 of the table grows by one for each symbol of the text
		hn := d & vp << 1
		vp = (hn | ^(d | hp)) & p.all
		vn = hp & d & p.all
	}
	return vp, vn
}

// distance is the edit distance of lane l and the text of the last compare.
func (p *patterns) distance(l int, vp, vn uint64) uint8 {
	return uint8(p.w + bits.OnesCount64(vp&p.lane[l]) - bits.OnesCount64(vn&p.lane[l]))
}

// distances fills the lower triangle of the distance matrix of a cloud, rows over goroutines. pairs gets how many
// distances are done, from several goroutines.
func (c *cloud) distances(ctx context.Context, pairs func(int64)) ([]uint8, error) {
	n, k := len(c.start), lanes(c.w)
	out := make([]uint8, n*(n-1)/2)
	groups := (n + k - 1) / k
	err := parallel(ctx, groups, func() func(int) {
		p := newPatterns(c.w, c.kinds)
		rows := make([][]uint32, 0, k)
		return func(g int) {
			first := (groups - 1 - g) * k // long rows first, so that the last ones to finish are short
			rows = rows[:0]
			for i := first; i < min(first+k, n); i++ {
				rows = append(rows, c.window(int32(i)))
			}
			p.load(rows...)
			pairs(c.rowGroup(p, out, first, len(rows)))
		}
	})
	return out, err
}

// rowGroup fills rows first..first+rows-1 of the triangle and returns how many distances that were.
func (c *cloud) rowGroup(p *patterns, out []uint8, first, rows int) int64 {
	for j := range first + rows - 1 {
		vp, vn := p.compare(c.window(int32(j)))
		for l := range rows {
			if i := first + l; j < i {
				out[i*(i-1)/2+j] = p.distance(l, vp, vn)
			}
		}
	}
	return int64(rows)*int64(first) + int64(rows)*int64(rows-1)/2
}
