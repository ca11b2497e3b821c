package scene

// Move gives copies of shapes shifted by (dx, dy), so that a small picture can be placed inside a larger one.
func Move(shapes []Shape, dx, dy float64) []Shape {
	out := make([]Shape, len(shapes))
	for i, s := range shapes {
		switch s := s.(type) {
		case Fill:
			s.Path = s.Path.moved(dx, dy)
			out[i] = s
		case Stroke:
			s.Path = s.Path.moved(dx, dy)
			out[i] = s
		case Curves:
			s.Points = movedPoints(s.Points, dx, dy)
			out[i] = s
		case Discs:
			s.Centers = movedPoints(s.Centers, dx, dy)
			out[i] = s
		case Boxes:
			rects := make([]Rect, len(s.Rects))
			for k, r := range s.Rects {
				rects[k] = r.moved(dx, dy)
			}
			s.Rects = rects
			out[i] = s
		case Glow:
			s.Center = Point{s.Center.X + dx, s.Center.Y + dy}
			out[i] = s
		case Image:
			s.At = s.At.moved(dx, dy)
			out[i] = s
		case Mosaic:
			s.At = s.At.moved(dx, dy)
			out[i] = s
		case Text:
			s.At = Point{s.At.X + dx, s.At.Y + dy}
			out[i] = s
		case Group:
			s.Clip = s.Clip.moved(dx, dy)
			s.Shapes = Move(s.Shapes, dx, dy)
			out[i] = s
		default:
			panic("scene: Move does not know this shape")
		}
	}
	return out
}

func (p Path) moved(dx, dy float64) Path {
	return Path{Ops: p.Ops, Points: movedPoints(p.Points, dx, dy)}
}

func (r Rect) moved(dx, dy float64) Rect {
	return Rect{Point{r.Min.X + dx, r.Min.Y + dy}, Point{r.Max.X + dx, r.Max.Y + dy}}
}

func movedPoints(points []Point, dx, dy float64) []Point {
	out := make([]Point, len(points))
	for i, p := range points {
		out[i] = Point{p.X + dx, p.Y + dy}
	}
	return out
}
