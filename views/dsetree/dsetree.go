// Package dsetree draws the VMODEX tree of a design space (T. Taghavi, A. D. Pimentel, M. Sabeghi, VMODEX, sections 4
// and 5). In goes a dse.Tree with the layout of what is visible of it and how the user wants it to look; out comes a
// picture with a row for each level:
//
//	L1 size         [32K]------------[64K]        parameters: boxes in the colour of what is below; white, dashed where
//	L2 size     [256K]  [1M]      [1M]  [4M]      not searched; edges as wide as they are important
//	area          (o)    (O)       (O)   (O)      objectives of the architecture: circles, trapezoids, pentagons
//	Pareto front  [ ]    R         R              design points: colour, depth, texture, glow
//
// Where nodes stand closer than they can be told apart they are merged, and painted as pixels; that is what makes a
// million points a matter of milliseconds.
package dsetree

import (
	"image/color"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Channel is a way in which a node shows the value of an objective (D2).
type Channel uint8

// The channels, in the order in which objectives get them.
const (
	Face      Channel = iota // colour of the node, yellow to red
	Side                     // size and darkness of its third dimension
	Circle                   // size of a circle
	Texture                  // density of a texture
	Glow                     // size of a glow
	Trapezoid                // size of a trapezoid
	Channels
)

// ChannelNames are the channels in words.
var ChannelNames = [Channels]string{"colour", "depth", "circle", "texture", "glow", "trapezoid"}

// Tone says which of the values below gives a parameter node its colour (D3, D5).
type Tone uint8

// The tones.
const (
	ByMin Tone = iota
	ByMean
	ByMax
	ByCoverage // the first generation in which anything below was met
)

// ToneNames are the tones in words.
var ToneNames = [...]string{"minimum", "average", "maximum", "first generation"}

// Look is how the user wants the tree to be drawn.
type Look struct {
	Of       [Channels]int // objective of each channel, -1 for none
	Tone     Tone
	Edges    dse.Importance
	Hexagons bool // first and last generations beside the nodes (D8)
}

// DefaultLook gives each objective a channel: those that depend on the architecture circle and trapezoid, the others
// the rest.
func DefaultLook(s *dse.Space) Look {
	var l Look
	for c := range l.Of {
		l.Of[c] = -1
	}
	give := func(objective int, order ...Channel) {
		for _, c := range order {
			if l.Of[c] < 0 {
				l.Of[c] = objective
				return
			}
		}
	}
	for i, o := range s.Objectives {
		if o.Architecture {
			give(i, Circle, Trapezoid)
		}
	}
	for i, o := range s.Objectives {
		if !o.Architecture {
			give(i, Face, Side, Texture, Glow, Circle, Trapezoid)
		}
	}
	if l.Of[Face] < 0 { // nothing depends on more than the architecture
		l.Of[Face] = 0
		if len(s.Objectives) == 0 {
			l.Of[Face] = -1
		}
	}
	return l
}

// Give makes a channel show an objective, -1 for none. What depends on the architecture has a level of its own, whose
// marks are circles or trapezoids and not both.
func (l *Look) Give(s *dse.Space, c Channel, objective int) {
	l.Of[c] = objective
	if objective < 0 || !s.Objectives[objective].Architecture {
		return
	}
	for _, other := range []Channel{Circle, Trapezoid} {
		if (c == Circle || c == Trapezoid) && other != c && l.Of[other] == objective {
			l.Of[other] = -1
		}
	}
}

// mark is the outline of an objective of the architecture, the rank-th that has a level: that of its channel, or the
// one of its rank.
func (l *Look) mark(objective, rank int) int {
	switch objective {
	case l.Of[Circle]:
		return 0
	case l.Of[Trapezoid]:
		return 1
	}
	return rank
}

// Drag is the name of a level on its way to another place (D15).
type Drag struct {
	Level int     // 0 for none; the root cannot be dragged
	Y     float64 // where the pointer has it
}

// State is what the picture shows. Node numbers are those of Tree; -1 stands for none.
type State struct {
	Theme   palette.Theme
	Shade   *Shade // the tree, its visible part and its colours; nil while there is none
	Passing []int32
	Look    Look

	Zoom      float64 // 1 shows the whole width
	Origin    float64 // tree coordinate at the left edge
	Bird      bool    // a lens follows Pointer (D9)
	Pointer   scene.Point
	Satellite bool // a small picture of the whole (D9)

	Collapsed map[int32]bool
	Counted   int32   // the collapsed node whose count is told (D10)
	Edge      int32   // the node whose edge upwards tells its value (D4)
	Hover     int32   // under the pointer
	Selected  []int32 // nodes of what is selected, growing
	Focus     int32   // where the keyboard is
	Fresh     []int32 // nodes that blink, growing (D12)
	Blink     float64 // 0 to 1: how bright
	Drag      Drag
	Compared  *dse.Comparison // subspaces with contours (D14); nil for none

	Paper *Paper // memory for pixels; nil takes new

	Words string // what is shown, and how much of it
	Note  string // what must be said of the data
	Empty string // why there is no tree
	Top   float64
}

// Scene draws the tree.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if s.Shade == nil {
		d.Say(s.Empty, s.Theme.Dim)
		return d
	}
	f := newFrame(&s, size)
	f.drawLevels(&d)
	p := newPainter(f)
	p.paper = s.Paper
	inside := f.tree(p)
	if p.used {
		d.Add(p.image())
	}
	d.Add(scene.Group{Clip: f.area, Shapes: inside})
	f.contours(&d)
	f.drawOver(&d)
	f.drawLegend(&d)
	if s.Satellite {
		f.drawSatellite(&d)
	}
	return d
}

// tree draws edges, then nodes; what is too small for shapes goes to the painter, which is below.
func (f *frame) tree(p *painter) []scene.Shape {
	var out []scene.Shape
	for level := 1; level < len(f.rows); level++ {
		out = append(out, f.edges(p, level)...)
	}
	for level := range f.rows {
		out = f.nodes(p, level, out)
	}
	return append(f.triangles(out), f.labels...)
}

// strong is the colour of the most important edges.
func (s *State) strong() color.NRGBA { return palette.Qualitative(s.Theme, 0) }

// blank is the colour of nodes that were not searched.
func (s *State) blank() color.NRGBA {
	if s.Theme.Dark {
		return color.NRGBA{R: 236, G: 240, B: 245, A: 255}
	}
	return color.NRGBA{R: 255, G: 255, B: 255, A: 255}
}
