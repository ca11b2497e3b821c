package topology

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// assembly turns classes into ranked bars and parameterizations.
type assembly struct {
	s      *space
	opt    Options
	res    *Result
	levels int32   // levels of the filtration
	end    float64 // where whatever survives them dies
	f      *filtration
	log    collapses
	ranked []ranked
	others []otherField
	same   map[[2]int32]bool // pairs of classes, by the edges of their birth, with the same smoothed cocycle
}

// ranked is a class with what decides its rank.
type ranked struct {
	class
	bar   Bar
	first int32 // the earliest point in its cocycle; points are numbered by first visit
	p     *Parameterization
	mix   []part // the classes that add up to the one whose coordinate p is
	level int32  // where it was smoothed; meaningful with p
}

// part is a multiple of a class.
type part struct {
	ranked
	times int32
}

// otherField is the classes over another prime, by the edge of their birth.
type otherField struct {
	prime   int
	classes map[int32]class
}

// order sorts the classes by persistence, ties by birth, then by the earliest point in the cocycle at its birth.
func (a *assembly) order(classes []class) {
	for _, c := range classes {
		r := ranked{class: c, bar: Bar{Birth: a.s.value[c.birth], Death: a.end}, first: math.MaxInt32}
		if c.death >= 0 {
			r.bar.Death = a.s.value[c.death]
		}
		r.bar.Infinite = math.IsInf(r.bar.Death, 1)
		for _, t := range c.cochain {
			if e := t.edge(); a.f.level[e] <= c.birth {
				r.first = min(r.first, a.f.lo[e])
			}
		}
		a.ranked = append(a.ranked, r)
	}
	slices.SortFunc(a.ranked, func(x, y ranked) int {
		return cmp.Or(-cmp.Compare(x.bar.Persistence(), y.bar.Persistence()), cmp.Compare(x.bar.Birth, y.bar.Birth),
			cmp.Compare(x.first, y.first), cmp.Compare(x.edge, y.edge))
	})
}

// parameterize gives coordinates to the first classes, in the order of order.
func (a *assembly) parameterize(ctx context.Context) error {
	count := min(max(a.opt.Top, 0), len(a.ranked))
	if err := a.coordinates(ctx, a.ranked[:count]); err != nil {
		return err
	}
	for i, r := range a.ranked {
		a.res.Barcode = append(a.res.Barcode, r.bar)
		if r.p != nil {
			r.p.Rank, r.p.Birth, r.p.Death, r.p.Infinite = i+1, r.bar.Birth, r.bar.Death, r.bar.Infinite
			a.res.Parameterizations = append(a.res.Parameterizations, *r.p)
		}
	}
	a.fold()
	return nil
}

// sameMotion is the correlation from which two parameterizations count as one: below 0.95 they can be distinguished in
// a picture.
const sameMotion = 0.95

// fold marks parameterizations that repeat an earlier one, as symmetric spaces produce them.
func (a *assembly) fold() {
	ps := a.res.Parameterizations
	for i := range ps {
		for j := range i {
			same := math.Abs(motion(&ps[i], &ps[j])) >= sameMotion ||
				a.same[[2]int32{a.ranked[ps[i].Rank-1].edge, a.ranked[ps[j].Rank-1].edge}]
			if ps[j].DuplicateOf == 0 && same {
				ps[i].DuplicateOf = ps[j].Rank
				a.ranked[ps[i].Rank-1].p.DuplicateOf = ps[j].Rank // At repeats it
				break
			}
		}
	}
}

// compare notes which classes own have the same smoothed cocycle up to sign, by their Gram matrix on the network they
// share.
func (a *assembly) compare(list []ranked, own []int, gram [][]float64) {
	for x, i := range own {
		for y, j := range own {
			if x != y && gram[x][x] > 0 && math.Abs(gram[x][y]) >= sameMotion*math.Sqrt(gram[x][x]*gram[y][y]) {
				a.same[[2]int32{list[i].edge, list[j].edge}] = true
			}
		}
	}
}

// coordinates computes the smoothed cocycles of the candidates, each shortened by those that live whenever it does.
func (a *assembly) coordinates(ctx context.Context, list []ranked) error {
	byLevel := map[int32][]int{}
	var levels []int32
	for i := range list {
		k := a.scale(list[i].class)
		if byLevel[k] == nil {
			levels = append(levels, k)
		}
		byLevel[k] = append(byLevel[k], i)
	}
	slices.Sort(levels)
	for _, k := range levels {
		if err := a.coordinatesAt(ctx, list, k, byLevel[k]); err != nil {
			return err
		}
	}
	return nil
}

// scale is the level at which a class is smoothed: the last one up to the wanted scale, within the class's life.
func (a *assembly) scale(c class) int32 {
	birth := a.s.value[c.birth]
	return a.levelAt(c, birth+max(0, a.opt.Scale)*(a.s.value[a.last(c)]-birth))
}

// last is the last level of a class's life.
func (a *assembly) last(c class) int32 {
	if c.death >= 0 {
		return c.death - 1
	}
	return a.levels - 1
}

// levelAt is the last level of a class's life up to a scale, or the first one.
func (a *assembly) levelAt(c class, scale float64) int32 {
	k, _ := slices.BinarySearchFunc(a.s.value, scale, func(v, w float64) int {
		if v <= w {
			return -1
		}
		return 1
	})
	return min(max(int32(k)-1, c.birth), a.last(c))
}

// coordinatesAt does the candidates own, all smoothed on the network of level k. The others alive there take part, for
// the shortening only.
func (a *assembly) coordinatesAt(ctx context.Context, list []ranked, k int32, own []int) error {
	g := a.s.network(k, a.log)
	weight := g.edgeWeights(a.opt.Weights, a.s.times())
	values, primes := make([][]int32, len(list)), make([]int, len(list))
	for i, r := range list {
		mine := slices.Contains(own, i)
		if !mine && !slices.ContainsFunc(own, func(o int) bool { return outlives(r.bar, list[o].bar) }) {
			continue
		}
		var err error
		if values[i], primes[i], err = a.lift(ctx, r, k, mine); err != nil {
			return err
		}
	}
	wanted := 0
	for _, v := range values {
		if v != nil {
			wanted++
		}
	}
	solve, err := g.solver(ctx, weight, wanted)
	if err != nil {
		return err
	}
	smooth := make([]*harmonic, len(list))
	if err := each(ctx, len(list), func(i int) (err error) {
		if values[i] != nil {
			smooth[i], err = a.smooth(ctx, solve, values[i])
		}
		return err
	}); err != nil {
		return err
	}
	products := gram(smooth, weight)
	times := shorten(list, products, own)
	steps := make([][]float64, len(list))
	for i, h := range smooth {
		if h != nil {
			steps[i] = a.s.steps(h)
		}
	}
	own = slices.DeleteFunc(slices.Clone(own), func(i int) bool { return smooth[i] == nil })
	steady(list, products, steps, own, times)
	final, cochains := make([]*harmonic, len(own)), make([][]int32, len(own))
	for o, i := range own {
		final[o] = combine(g, smooth, times[i])
		cochains[o] = final[o].c
	}
	triangles, which, bad := g.verify(cochains...)
	if bad != nil { // our own mistake, not the input's
		bar := list[own[which]].bar
		return fmt.Errorf("the cocycle of class [%g, %g) does not close around points %v", bar.Birth, bar.Death, *bad)
	}
	a.compare(list, own, gram(final, weight))
	for _, i := range own {
		for j, k := range times[i] {
			if k != 0 {
				list[i].mix = append(list[i].mix, part{ranked{class: list[j].class, bar: list[j].bar}, k})
			}
		}
		list[i].level = k
	}
	return each(ctx, len(own), func(o int) error {
		p := a.s.unwind(final[o], a.opt.Amble)
		p.Scale, p.Triangles, p.Prime = a.s.value[k], triangles, primes[own[o]]
		list[own[o]].p = &p
		return nil
	})
}

// outlives reports whether a class with bar b lives whenever one with bar o does.
func outlives(b, o Bar) bool { return b.Birth <= o.Birth && b.Death >= o.Death }

// smooth carries a lifted cocycle to the network and smooths it.
func (a *assembly) smooth(ctx context.Context, s *solver, value []int32) (*harmonic, error) {
	g := s.g
	h := &harmonic{g: g, c: make([]int32, len(g.lo))}
	a.place(h, value, 1)
	g.extend(h.c)
	var err error
	if h.f, err = s.potential(ctx, h.c, a.opt.digits()); err != nil {
		return nil, err
	}
	return h, nil
}

// otherPrimes is how many more primes are tried for a class that does not lift.
const otherPrimes = 2

// lift gives the integer cocycle of a class on the thinned complex of level k and the prime that served. A nil value
// means that there is none, which goes into the notes if the class is wanted for itself.
func (a *assembly) lift(ctx context.Context, r ranked, k int32, tell bool) ([]int32, int, error) {
	cut := a.f.cut(k)
	value, first := cut.lift(r.class, a.opt.Prime)
	if first == nil {
		return value, a.opt.Prime, nil
	}
	if a.opt.quick {
		if tell {
			a.res.Notes = append(a.res.Notes,
				fmt.Sprintf("the class [%g, %g) did not lift at once (%v); the full analysis tries other primes", r.bar.Birth,
					r.bar.Death, first))
		}
		return nil, 0, nil
	}
	for i := range otherPrimes {
		field, err := a.field(ctx, i)
		if err != nil {
			return nil, 0, err
		}
		c, ok := field.classes[r.edge]
		if !ok || c.birth != r.birth || c.death != r.death {
			continue
		}
		if value, err := cut.lift(c, field.prime); err == nil {
			return value, field.prime, nil
		}
	}
	if tell {
		last := a.others[len(a.others)-1].prime
		a.res.Notes = append(a.res.Notes,
			fmt.Sprintf("the class [%g, %g) has no angle: modulo %d it exists, but no integer cocycle was found for it "+
				"(%v; primes up to %d tried): it may be a twist of order %d rather than a cycle", r.bar.Birth, r.bar.Death,
				a.opt.Prime, first, last, a.opt.Prime))
	}
	return nil, 0, nil
}

// field computes the classes over the i-th next odd prime, once.
func (a *assembly) field(ctx context.Context, i int) (otherField, error) {
	for len(a.others) <= i {
		p := nextPrime(a.opt.Prime)
		if n := len(a.others); n > 0 {
			p = nextPrime(a.others[n-1].prime)
		}
		classes, err := reduce(ctx, a.f, p, a.opt.Memory)
		if err != nil {
			return otherField{}, err
		}
		o := otherField{p, map[int32]class{}}
		for _, c := range classes {
			o.classes[c.edge] = c
		}
		a.others = append(a.others, o)
	}
	return a.others[i], nil
}
