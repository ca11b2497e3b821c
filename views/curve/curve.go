// Package curve draws how well caches would do: the miss ratio over every cache size (Mattson, Gecsei, Slutz and
// Traiger, "Evaluation techniques for storage hierarchies", 1970), with the levels of the simulated hierarchy marked on
// it, and below it the load of every set of these levels. In: lines of points, levels with what their sets did; out: a
// display list, and for a point the size or the set there.
package curve

import (
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Point is a cache and the share of the requests that it misses, 0 to 1.
type Point struct {
	Bytes uint64
	Ratio float64
}

// Line is the caches of one associativity, in order of size.
type Line struct {
	Ways   int // 0 is fully associative
	Points []Point
}

// Level is one level of the simulated hierarchy on the way of data.
type Level struct {
	Name  string
	Bytes uint64
	Ways  int
	Block uint64
	Ratio float64 // of the references of the processor, how many this level passes on
	Sets  []Set   // nil while they are not counted
}

// Set is what one set had to do.
type Set struct {
	Requests uint64
	Blocks   uint64 // different ones that map to it
	Misses   uint64
	Conflict uint64 // among them; those that a fully associative cache of the level's size would have hit
}

// Measure is one of the numbers of a Set.
type Measure int

// The measures.
const (
	Requests Measure = iota
	Blocks
	Misses
	Conflicts
)

// Measures names them.
var Measures = []string{"requests", "blocks", "misses", "conflict misses"}

func (m Measure) of(s Set) uint64 {
	return [...]uint64{s.Requests, s.Blocks, s.Misses, s.Conflict}[m]
}

// State is everything that the pane shows.
type State struct {
	Theme    palette.Theme
	Lines    []Line // the fully associative caches first
	Block    uint64 // bytes of a block in them
	Preview  bool   // the lines come from a sample
	Levels   []Level
	By       Measure
	Log      bool   // the ratio's axis is logarithmic
	Note     string // what is still being computed
	Pointer  uint64 // the size under the pointer, 0 for none
	Over     int    // the word of the choices under the pointer, see Hit; -1 for none
	Hover    link.Thing
	Selected link.Thing
	Empty    string // said when there is no line
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if len(s.Lines) == 0 {
		d.Paragraph(scene.Text{At: scene.Point{X: size.W / 2, Y: size.H/2 - 10}, Size: 12.5, Color: s.Theme.Dim, Align: 0.5,
			S: s.Empty, Max: size.W - 32}, 18)
		return d
	}
	g := place(&s, size)
	drawAxes(&d, &s, g)
	drawLines(&d, &s, g)
	drawLevels(&d, &s, g)
	drawPointer(&d, &s, g)
	drawLegend(&d, &s, g)
	drawStrips(&d, &s, g)
	return d
}
