package layout

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What is found in one walk over the layers is what sorting each vertex's segments finds.
func TestVerticesStandUnderTheMiddleOfWhatTheyAreJoinedTo(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 5))
	kept, lost := 0, 0
	for range 60 {
		l := randomLevels(r, 5+r.IntN(80))
		f := l.newAligner(Options{}.defaults())
		f.findMedians()
		for _, below := range []bool{false, true} {
			for v := range l.rank {
				want := slowMiddles(f, int32(v), below)
				got := f.medians[which(below)][f.spot[v]]
				for i := range got.spot {
					if got.spot[i] != want.spot[i] || got.spot[i] >= 0 && got.off[i] != want.off[i] {
						t.Fatalf("vertex %d, below %v: %+v, want %+v", v, below, got, want)
					}
					if got.spot[i] >= 0 {
						kept++
					} else {
						lost++
					}
				}
			}
		}
	}
	if kept == 0 || lost == 0 {
		t.Errorf("%d are found and %d are not: the test tests little", kept, lost)
	}
}

func slowMiddles(f *aligner, v int32, below bool) medianPair {
	type end struct {
		spot, seg int32
		port, off float64
	}
	var row []end
	for i, s := range f.segments {
		switch {
		case !below && s.bottom == v:
			row = append(row, end{f.spot[s.top], int32(i), s.topX, s.topX - s.bottomX})
		case below && s.top == v:
			row = append(row, end{f.spot[s.bottom], int32(i), s.bottomX, s.bottomX - s.topX})
		}
	}
	slices.SortStableFunc(row, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.spot, b.spot), cmp.Compare(a.port, b.port))
	})
	m := medianPair{spot: [2]int32{-1, -1}}
	for i, k := range [2]int{(len(row) - 1) / 2, len(row) / 2} {
		if len(row) > 0 && f.mark[row[k].seg] == 0 {
			m.spot[i], m.off[i] = row[k].spot, row[k].off
		}
	}
	return m
}

// Marked is what crosses a segment between two bends, and nothing else.
func TestSegmentsThatCrossInnerOnesAreMarked(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 5))
	marked, layers := 0, 0
	for range 60 {
		l := randomLevels(r, 5+r.IntN(80))
		f := l.newAligner(Options{}.defaults())
		f.findMedians()
		inner := func(s *segment) bool { return int(min(s.top, s.bottom)) >= l.nodes }
		crossed, tangled, held := make([]bool, len(l.segments)), make([]bool, len(l.order)), make([]bool, len(l.rank))
		for i := range l.segments {
			held[l.segments[i].bottom] = held[l.segments[i].bottom] || inner(&l.segments[i])
			for j := range l.segments {
				a, b := &l.segments[i], &l.segments[j]
				if l.rank[a.top] != l.rank[b.top] || !inner(b) ||
					int64(l.pos[a.top]-l.pos[b.top])*int64(l.pos[a.bottom]-l.pos[b.bottom]) >= 0 {
					continue
				}
				if inner(a) {
					tangled[l.rank[a.top]] = true // inner ones cross one another: which counts is open
				}
				crossed[i] = true
			}
		}
		for i := range l.segments {
			s := &l.segments[i]
			if tangled[l.rank[s.top]] || held[s.bottom] && !inner(s) {
				continue // the other segment of a hook has no straight place of its own
			}
			if f.mark[i] != -int32(which(crossed[i])) {
				t.Fatalf("the segment from %d to %d is marked: %d, want %v", s.top, s.bottom, f.mark[i], crossed[i])
			}
			layers++
			if crossed[i] {
				marked++
			}
		}
	}
	if marked == 0 || marked == layers {
		t.Errorf("%d of %d segments are marked: the test tests little", marked, layers)
	}
}

// Blocks stand where the longest ways from the left, and then from the right, put them.
func TestBlocksAreCompactedAlongLongestWays(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 5))
	tall, moved := 0, 0
	for range 40 {
		l := randomLevels(r, 5+r.IntN(80))
		for v := range l.nodes {
			l.width[v] = float64(20 + r.IntN(200))
		}
		f := l.newAligner(Options{}.defaults())
		f.findMedians()
		for i := range 4 {
			below, right := i&1 != 0, i&2 != 0
			got := f.assign(below, right)
			far, want := slowCompact(f, right)
			for _, s := range f.spot {
				root := f.aligned[s].root
				if int32(root) != s {
					tall++
				}
				if far[root] != want[root] {
					moved++
				}
				x := want[root] + f.aligned[s].shift
				if right {
					x = -x - f.wide[s]
				}
				if got[s] != x {
					t.Fatalf("below %v, right %v: spot %d is at %v, want %v", below, right, s, got[s], x)
				}
			}
		}
	}
	if tall == 0 || moved == 0 {
		t.Errorf("%d vertices stand under others and %d move back: the test tests little", tall, moved)
	}
}

// slowCompact gives, for roots, how far left they can stand and where they stand in the end.
func slowCompact(f *aligner, right bool) (far, final map[uint32]float64) {
	side, apart := int32(-1), f.apart[0]
	if right {
		side, apart = 1, f.apart[1]
	}
	far, final = map[uint32]float64{}, map[uint32]float64{}
	members := map[uint32][]int32{}
	for _, s := range f.spot {
		members[f.aligned[s].root] = append(members[f.aligned[s].root], s)
	}
	var place, settle func(root uint32) float64
	place = func(root uint32) float64 {
		if x, known := far[root]; known {
			return x
		}
		x := 0.0
		for _, s := range members[root] {
			if q := f.aligned[s+side]; f.line[s+side] >= 0 {
				x = max(x, place(q.root)+q.shift+apart[s]-f.aligned[s].shift)
			}
		}
		far[root] = x
		return x
	}
	settle = func(root uint32) float64 {
		if x, known := final[root]; known {
			return x
		}
		x, room := place(root), math.Inf(1)
		for _, s := range members[root] {
			if q := f.aligned[s-side]; f.line[s-side] >= 0 {
				room = min(room, settle(q.root)+q.shift-apart[s-side]-f.aligned[s].shift)
			}
		}
		if room > x && !math.IsInf(room, 1) {
			x = room
		}
		final[root] = x
		return x
	}
	for root := range members {
		settle(root)
	}
	return far, final
}
