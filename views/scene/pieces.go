package scene

// Pieces calls each with the connected parts of a path: each begins with MoveTo and has at least two points. to maps a
// point to where it is drawn, and is false for one that cannot be, as a coordinate that is not finite; a part with such
// a point is left out, and so is one that lacks points. What follows a Close without a Move goes on from where the
// closed part began. The part belongs to Pieces: it is valid until each returns.
func (p Path) Pieces(to func(Point) (Point, bool), each func(part Path)) {
	var part Path
	broken, closed, begun := false, false, true // begun: the part's first point can be drawn
	end := func() {
		if len(part.Points) > 1 && !broken {
			if closed {
				part.Close()
			}
			each(part)
		}
		part.Ops, part.Points, broken, closed = part.Ops[:0], part.Points[:0], false, false
	}
	next := 0
	take := func() Point {
		if next >= len(p.Points) {
			broken = true
			return Point{}
		}
		q, ok := to(p.Points[next])
		next++
		broken = broken || !ok
		if len(part.Points) == 0 {
			begun = ok
		}
		return q
	}
	for _, op := range p.Ops {
		switch op {
		case MoveTo:
			end()
			q := take()
			part.Move(q.X, q.Y)
		case LineTo:
			q := take()
			if len(part.Points) == 0 {
				part.Move(q.X, q.Y)
				break
			}
			part.Line(q.X, q.Y)
		case CubicTo:
			a, b, c := take(), take(), take()
			if len(part.Points) == 0 {
				part.Move(a.X, a.Y)
			}
			part.Cubic(a.X, a.Y, b.X, b.Y, c.X, c.Y)
		case Close:
			var start Point
			if len(part.Points) > 0 {
				start = part.Points[0]
			}
			closed = true
			end()
			part.Move(start.X, start.Y)
			broken = !begun
		}
	}
	end()
}
