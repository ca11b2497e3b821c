// Package scene is the display list that all views draw into: a view turns its State into a Drawing, package raster
// turns a Drawing into pixels, package vector into SVG or PDF. Lengths are device-independent pixels, y grows downward,
// angles grow clockwise from the x axis as y does. A Drawing is immutable once returned.
package scene

import (
	"image"
	"image/color"
	"math"
)

// Point is a position.
type Point struct{ X, Y float64 }

// Rect is an axis-parallel rectangle, Min inclusive.
type Rect struct{ Min, Max Point }

// Size is the room that a view may fill. Scale is device pixels per unit (1 on an ordinary screen, 2 on a dense one):
// views that compute images make them at device pixels. Paper says that the picture is to be kept: it has no chips and
// switches, since they cannot be pressed.
type Size struct {
	W, H  float64
	Scale float64
	Paper bool
}

// Drawing is a finished picture: shapes in painting order over a background.
type Drawing struct {
	Size       Size
	Background color.NRGBA
	Shapes     []Shape
}

// Shape is one of Fill, Stroke, Curves, Discs, Boxes, Glow, Image, Mosaic, Text and Group.
type Shape interface{ shape() }

// Fill paints the inside of a path (non-zero winding).
type Fill struct {
	Path  Path
	Color color.NRGBA
}

// Stroke draws a path's outline with round joins and butt ends.
type Stroke struct {
	Path  Path
	Width float64
	Color color.NRGBA
	Dash  []float64 // lengths on, off, ...; nil is solid
}

// Curves are many polylines of one width in one shape, for pictures with up to hundreds of thousands of segments. Joins
// and ends are round; a half-transparent polyline is not darker at its joints, two polylines that cross are.
// Polyline k runs over Points[Starts[k]:Starts[k+1]] (the last to the end). The segment that ends at point i has
// Colors[i]; len(Colors) == len(Points), or 1 for a single colour.
type Curves struct {
	Points []Point
	Starts []int
	Colors []color.NRGBA
	Width  float64
}

// Discs are many filled circles in painting order. Radii and Colors have one entry for each centre, or a single one.
type Discs struct {
	Centers []Point
	Radii   []float64
	Colors  []color.NRGBA
}

// Boxes are many filled axis-parallel rectangles in painting order. Colors has one entry for each, or a single one.
type Boxes struct {
	Rects  []Rect
	Colors []color.NRGBA
}

// Glow is a soft patch of light. With Inner 0 it has its full colour at the centre and fades smoothly to nothing at
// Outer. With Inner > 0 it is a ring: full half-way between Inner and Outer, fading to nothing at both.
type Glow struct {
	Center       Point
	Inner, Outer float64
	Color        color.NRGBA
}

// Strength is the share of the glow's colour at distance r from its centre, 0..1.
func (g Glow) Strength(r float64) float64 {
	t := 1 - r/g.Outer
	if g.Inner > 0 {
		t = 1 - math.Abs(2*r-g.Inner-g.Outer)/(g.Outer-g.Inner)
	}
	if !(t > 0) || !(g.Outer > g.Inner) {
		return 0
	}
	t = min(1, t)
	return t * t * (3 - 2*t)
}

// Image places pixels on a rectangle. When the rectangle at the drawing's scale is as large as the pixels (the rule),
// they are copied; otherwise they are resampled.
type Image struct {
	At     Rect
	Pixels *image.RGBA
	Name   string // what the image shows; a vector file keeps it as the title
}

// Face chooses one of the shipped typefaces.
type Face uint8

// The typefaces.
const (
	Sans Face = iota
	Bold      // semibold
	Mono
)

// Text is one line of text. At is on the baseline; Align is the share of the text's width that lies left of At: 0
// starts there, 0.5 is centred, 1 ends there. Text wider than Max (if > 0) is cut with an ellipsis.
type Text struct {
	At    Point
	Face  Face
	Size  float64 // pixels per em
	Color color.NRGBA
	Align float64
	Max   float64
	S     string
}

// Group draws shapes inside a clip rectangle.
type Group struct {
	Clip   Rect
	Shapes []Shape
}

func (Fill) shape()   {}
func (Stroke) shape() {}
func (Curves) shape() {}
func (Discs) shape()  {}
func (Boxes) shape()  {}
func (Glow) shape()   {}
func (Image) shape()  {}
func (Mosaic) shape() {}
func (Text) shape()   {}
func (Group) shape()  {}

// Add appends shapes in painting order.
func (d *Drawing) Add(s ...Shape) { d.Shapes = append(d.Shapes, s...) }
