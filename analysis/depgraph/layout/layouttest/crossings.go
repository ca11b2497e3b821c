// Package layouttest counts the crossings of a drawing by its geometry alone, and makes graphs to draw. It knows
// layers, orders and bends of no layout, so that one count serves ours and any other's.
package layouttest

import (
	"cmp"
	"slices"

	"orrery/analysis/depgraph/layout"
)

// piece is a straight piece of a line, its upper end first.
type piece struct {
	a, b layout.Point
	line int
}

// Crossings counts how often two different lines cross. Lines that touch, end at the same point or run together do not
// cross.
func Crossings(lines [][]layout.Point) int64 {
	var pieces []piece
	for i, line := range lines {
		for j := 1; j < len(line); j++ {
			p := piece{line[j-1], line[j], i}
			if p.a.Y > p.b.Y {
				p.a, p.b = p.b, p.a
			}
			pieces = append(pieces, p)
		}
	}
	slices.SortFunc(pieces, func(p, q piece) int { return cmp.Compare(p.a.Y, q.a.Y) })
	var open []piece
	count := int64(0)
	for _, p := range pieces {
		live := open[:0]
		for _, q := range open {
			if q.b.Y < p.a.Y {
				continue
			}
			live = append(live, q)
			if q.line != p.line && cross(p, q) {
				count++
			}
		}
		open = append(live, p)
	}
	return count
}

// cross reports whether the inner points of two pieces meet in one point.
func cross(p, q piece) bool {
	if max(p.a.X, p.b.X) < min(q.a.X, q.b.X) || max(q.a.X, q.b.X) < min(p.a.X, p.b.X) {
		return false
	}
	return turn(p.a, p.b, q.a)*turn(p.a, p.b, q.b) < 0 && turn(q.a, q.b, p.a)*turn(q.a, q.b, p.b) < 0
}

// turn is the side of the line from a to b on which c lies: -1, 0 or 1.
func turn(a, b, c layout.Point) int {
	d := (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X)
	// What rounding can make of 0: coordinates are sums of a few numbers with 53 bits.
	scale := max(1, abs(b.X-a.X)+abs(b.Y-a.Y)) * max(1, abs(c.X-a.X)+abs(c.Y-a.Y))
	switch {
	case d > 1e-12*scale:
		return 1
	case d < -1e-12*scale:
		return -1
	}
	return 0
}

func abs(v float64) float64 { return max(v, -v) }

// Lines are the polylines of a layout's edges, those from block to block included, stubs left out.
func Lines(l *layout.Layout) [][]layout.Point {
	var lines [][]layout.Point
	for _, routes := range [][]layout.Route{l.Routes, l.Flow} {
		for _, r := range routes {
			if !r.Cut() {
				lines = append(lines, r.Points)
			}
		}
	}
	return lines
}
