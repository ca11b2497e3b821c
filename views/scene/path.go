package scene

import "math"

// Op is one step of a Path.
type Op uint8

// The steps of a path and the number of points that each takes.
const (
	MoveTo  Op = iota // 1
	LineTo            // 1
	CubicTo           // 3: two control points and the end
	Close             // 0
)

// Path is an outline of lines and cubic curves.
type Path struct {
	Ops    []Op
	Points []Point
}

// Move begins a new piece at p.
func (p *Path) Move(x, y float64) {
	p.Ops = append(p.Ops, MoveTo)
	p.Points = append(p.Points, Point{x, y})
}

// Line goes straight on.
func (p *Path) Line(x, y float64) {
	p.Ops = append(p.Ops, LineTo)
	p.Points = append(p.Points, Point{x, y})
}

// Cubic goes on along a Bezier curve with control points 1 and 2.
func (p *Path) Cubic(x1, y1, x2, y2, x, y float64) {
	p.Ops = append(p.Ops, CubicTo)
	p.Points = append(p.Points, Point{x1, y1}, Point{x2, y2}, Point{x, y})
}

// Close joins the piece's end to its beginning.
func (p *Path) Close() { p.Ops = append(p.Ops, Close) }

// Arc goes on along a circle from angle a0 to a1 (radians); as the first step it begins the piece.
func (p *Path) Arc(cx, cy, r, a0, a1 float64) {
	at := func(a float64) (float64, float64) { return cx + r*math.Cos(a), cy + r*math.Sin(a) }
	x, y := at(a0)
	if len(p.Ops) == 0 || p.Ops[len(p.Ops)-1] == Close {
		p.Move(x, y)
	} else {
		p.Line(x, y)
	}
	n := max(1, int(math.Ceil(math.Abs(a1-a0)/(math.Pi/2)-1e-9)))
	step := (a1 - a0) / float64(n)
	k := 4.0 / 3 * math.Tan(step/4) * r
	for i := range n {
		b0 := a0 + float64(i)*step
		b1 := b0 + step
		x0, y0 := at(b0)
		x1, y1 := at(b1)
		p.Cubic(x0-k*math.Sin(b0), y0+k*math.Cos(b0), x1+k*math.Sin(b1), y1-k*math.Cos(b1), x1, y1)
	}
}

// Circle is a full circle.
func Circle(cx, cy, r float64) Path {
	var p Path
	p.Arc(cx, cy, r, 0, 2*math.Pi)
	p.Close()
	return p
}

// Box is a rectangle.
func Box(r Rect) Path {
	var p Path
	p.Move(r.Min.X, r.Min.Y)
	p.Line(r.Max.X, r.Min.Y)
	p.Line(r.Max.X, r.Max.Y)
	p.Line(r.Min.X, r.Max.Y)
	p.Close()
	return p
}

// RoundBox is a rectangle with corners of the given radius.
func RoundBox(r Rect, radius float64) Path {
	radius = min(radius, (r.Max.X-r.Min.X)/2, (r.Max.Y-r.Min.Y)/2)
	if radius <= 0 {
		return Box(r)
	}
	var p Path
	p.Arc(r.Min.X+radius, r.Min.Y+radius, radius, math.Pi, 1.5*math.Pi)
	p.Arc(r.Max.X-radius, r.Min.Y+radius, radius, 1.5*math.Pi, 2*math.Pi)
	p.Arc(r.Max.X-radius, r.Max.Y-radius, radius, 0, 0.5*math.Pi)
	p.Arc(r.Min.X+radius, r.Max.Y-radius, radius, 0.5*math.Pi, math.Pi)
	p.Close()
	return p
}

// Segment is a straight line.
func Segment(x0, y0, x1, y1 float64) Path {
	var p Path
	p.Move(x0, y0)
	p.Line(x1, y1)
	return p
}

// R makes a rectangle from its position and extent.
func R(x, y, w, h float64) Rect { return Rect{Point{x, y}, Point{x + w, y + h}} }

// W is the width.
func (r Rect) W() float64 { return r.Max.X - r.Min.X }

// H is the height.
func (r Rect) H() float64 { return r.Max.Y - r.Min.Y }

// Center is the middle.
func (r Rect) Center() Point { return Point{(r.Min.X + r.Max.X) / 2, (r.Min.Y + r.Max.Y) / 2} }

// Contains reports whether p lies in r.
func (r Rect) Contains(p Point) bool {
	return p.X >= r.Min.X && p.X < r.Max.X && p.Y >= r.Min.Y && p.Y < r.Max.Y
}
