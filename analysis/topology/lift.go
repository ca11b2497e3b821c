package topology

import (
	"fmt"
	"slices"
)

// cutComplex is the thinned flag complex of one level: the part of a filtration with levels up to it. Cocycles are
// lifted here, where there are few triangles.
type cutComplex struct {
	f     *filtration
	level int32
	edges int32 // edges 0..edges-1 belong to it
}

func (f *filtration) cut(level int32) cutComplex {
	e, _ := slices.BinarySearch(f.level, level+1)
	return cutComplex{f, level, int32(e)}
}

// maxMultiple is how many multiples of a class are tried: fractions in cocycles have small denominators.
const maxMultiple = 32

// lift turns a class modulo p into an integer cocycle of the cut complex, by edge. Coefficients go to their
// representatives nearest to 0. If that does not close up, multiples of the class are tried: a class that is 1/m of an
// integer class lifts as its m-fold. If none does, the multiples of p that are missing are solved for.
func (x cutComplex) lift(c class, p int) (value []int32, err error) {
	for m := 1; m <= min(maxMultiple, max(1, p/2)); m++ {
		value = x.centred(c, m, p)
		bad := x.defect(value)
		if bad == nil {
			return primitive(value), nil
		}
		if m == 1 {
			err = bad.explain(p)
		}
	}
	value = x.centred(c, 1, p)
	if value = x.repair(value, p); value != nil {
		if x.defect(value) == nil {
			return primitive(value), nil
		}
	}
	return nil, err
}

// centred gives the coefficients of m times the class, as the integers nearest to 0.
func (x cutComplex) centred(c class, m, p int) []int32 {
	value := make([]int32, x.edges)
	for _, t := range c.cochain {
		if t.edge() >= x.edges {
			break
		}
		v := int(t.coef()) * m % p
		if v > p/2 {
			v -= p
		}
		value[t.edge()] = int32(v)
	}
	return value
}

// primitive divides out a common factor, so that one turn is one turn.
func primitive(value []int32) []int32 {
	factor := int32(0)
	for _, v := range value {
		for a, b := factor, max(v, -v); ; a, b = b%a, a { // Euclid
			if a == 0 {
				factor = b
				break
			}
		}
	}
	if factor > 1 {
		for e := range value {
			value[e] /= factor
		}
	}
	return value
}

// gap is a triangle around which an integer cochain does not sum to 0.
type gap struct {
	corners [3]int32
	sum     int
}

// defect gives the first triangle that does not close, nil if all do. Each triangle is seen from its latest edge only.
func (x cutComplex) defect(value []int32) (bad *gap) {
	f := x.f
	for e := int32(0); e < x.edges && bad == nil; e++ {
		f.triangles(e, func(third, toLo, toHi int32) bool {
			if toLo < e && toHi < e {
				g := gap{corners: [3]int32{f.lo[e], f.hi[e], third}}
				g.sum = f.sign(e, third)*int(value[e]) + f.sign(toLo, f.hi[e])*int(value[toLo]) + f.sign(toHi,
					f.lo[e])*int(value[toHi])
				if g.sum != 0 {
					bad = &g
				}
			}
			return bad == nil
		})
	}
	return bad
}

func (g *gap) explain(p int) error {
	slices.Sort(g.corners[:])
	return fmt.Errorf("around points %d, %d and %d its cocycle sums to %d, which is 0 modulo %d only", g.corners[0],
		g.corners[1], g.corners[2], g.sum, p)
}

// maxRepair bounds the equations that repair solves: elimination over the integers fills in.
const maxRepair = 5000

// repair looks for an integer cochain b with coboundary(value + p b) = 0, that is coboundary(b) = -coboundary(value)/p,
// by elimination with pivots 1 and -1 only: then no fraction ever appears, and what it finds is a solution. It gives
// nil where it meets a row without such a pivot (torsion does that), an equation 0 = 1, or too many equations.
func (x cutComplex) repair(value []int32, p int) []int32 {
	var rows []equation
	f := x.f
	for e := range x.edges {
		f.triangles(e, func(third, toLo, toHi int32) bool {
			if toLo < e && toHi < e {
				r := equation{}
				sum := 0
				for i, edge := range [3]int32{e, toLo, toHi} {
					s := f.sign(edge, [3]int32{third, f.hi[e], f.lo[e]}[i])
					r.term = append(r.term, coefficient{edge, s})
					sum += s * int(value[edge])
				}
				r.right = -sum / p
				rows = append(rows, r)
			}
			return len(rows) <= maxRepair
		})
		if len(rows) > maxRepair {
			return nil
		}
	}
	b := solveUnits(rows, int(x.edges))
	if b == nil {
		return nil
	}
	out := slices.Clone(value)
	for e := range out {
		out[e] += int32(p * b[e])
	}
	return out
}
