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

// lift turns a class modulo p into an integer cocycle of the cut complex, by edge. Coefficients go to their representatives
// nearest to 0. If that does not close up, multiples of the class are tried: a class that is 1/m of an integer class lifts
// as its m-fold. If none does, the multiples of p that are missing are solved for. triangles is how many were verified.
func (x cutComplex) lift(c class, p int) (value []int32, triangles int, err error) {
	for m := 1; m <= (p-1)/2; m++ {
		value = x.centred(c, m, p)
		bad, n := x.defect(value)
		if len(bad) == 0 {
			return value, n, nil
		}
		if m == 1 {
			err = x.explain(bad[0], p)
		}
		if m == 64 {
			break
		}
	}
	value = x.centred(c, 1, p)
	if value = x.repair(value, p); value != nil {
		if bad, n := x.defect(value); len(bad) == 0 {
			return value, n, nil
		}
	}
	return nil, 0, err
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

// gap is a triangle around which an integer cochain does not sum to 0.
type gap struct {
	edges [3]int32
	signs [3]int
	sum   int
}

// defect finds the triangles that do not close, and counts those looked at: all with a value on one of their edges.
// Each triangle is seen from its latest edge only.
func (x cutComplex) defect(value []int32) (bad []gap, triangles int) {
	f := x.f
	for e := range x.edges {
		f.triangles(e, func(third, toLo, toHi int32) bool {
			if toLo >= e || toHi >= e || value[e] == 0 && value[toLo] == 0 && value[toHi] == 0 {
				return true
			}
			triangles++
			g := gap{edges: [3]int32{e, toLo, toHi}, signs: [3]int{f.sign(e, third), f.sign(toLo, f.hi[e]), f.sign(toHi, f.lo[e])}}
			for i, edge := range g.edges {
				g.sum += g.signs[i] * int(value[edge])
			}
			if g.sum != 0 {
				bad = append(bad, g)
			}
			return true
		})
	}
	return bad, triangles
}

func (x cutComplex) explain(g gap, p int) error {
	corners := []int32{x.f.lo[g.edges[0]], x.f.hi[g.edges[0]], x.f.lo[g.edges[1]], x.f.hi[g.edges[1]]}
	slices.Sort(corners)
	corners = slices.Compact(corners)
	return fmt.Errorf("around points %d, %d and %d its cocycle sums to %d: 0 modulo %d, but not 0", corners[0], corners[1], corners[2], g.sum, p)
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
