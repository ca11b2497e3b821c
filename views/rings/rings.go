// Package rings draws the caches at work: the CPU in the centre, one annulus per cache level, main memory as the
// outermost ring, and one glyph per data item that moves between them as the references go by. It follows Choudhury and
// Rosen, "Abstract Visualization of Runtime Memory Behavior" (2011), generalised from two levels of two and four sets
// to any hierarchy of set-associative levels.
//
// In: a State, that is the caches' contents some references ago and what has happened since. Out: a display list. A
// frame is a function of its State alone, so playing to a moment and jumping to it give the same picture.
package rings

import (
	"image/color"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// State is everything that one frame shows. At is the reference in progress and Frac the share of its step that has
// passed, 0..1; the frame at (At, 1) has every glyph where the frame at (At+1, 0) has it.
//
// Levels hold their contents just before reference From; Events and Refs tell what happened in [From, At] and may reach
// further, what lies after At is not looked at. History says how far back From has to lie; going back further does not
// change the frame.
type State struct {
	Theme   palette.Theme
	At      traceio.Seq
	Frac    float64
	Tail    int                // references that leave pathlines, 0 for none
	Speed   int                // references per animation frame, 1, 2, 4...; 0 is 1
	Mean    int                // references that the temperatures are means over, told in the legend
	Weights []simulator.Weight // of the temperatures, by level of the configuration; nil is the default

	From traceio.Seq
	// of several, whose caches Load shows: 0 the one that makes the reference, k the one with number k-1
	Core    int
	Fetches bool             // Levels are the way of instruction fetches, not that of data
	Levels  []Level          // fastest first, at most MaxLevels
	Events  []cachesim.Event // in order; those of levels that are not among Levels are ignored
	Refs    []traceio.Access
	Regions []Region
	Items   *Items // nil shows the caches' lines without names or homes
	Hidden  []bool // by item: not among what the user wants to see; nil hides nothing
	Aside   []bool // by item: steps back behind what the selected code touches; nil for none
	Names   Namer  // may be nil

	Zoom  float64     // how much larger than the pane the picture is, 1 fits; 0 is 1
	Pan   scene.Point // by how much its middle is shifted
	Tools scene.Rect  // a corner that the application draws its controls in; words keep away from it

	Caption  string // set by the application when it wants another one than the reference in progress
	Hover    link.Thing
	Selected link.Thing
}

// MaxLevels is the largest number of cache levels that the picture has room for.
const MaxLevels = 5

// Level is one cache. Lines has Sets*Ways entries, set by set, each set in the order of eviction: the line that was
// used last first, the next victim last. An entry is a line number (address / Block) plus 1; 0 is an empty way, and the
// empty ways of a set come after its lines.
type Level struct {
	Name        string
	Index       int // in the configuration, as events name it
	First       int // the number of its first set in events: 0, or of a level's victim buffer that after the level's sets
	Sets, Ways  int
	Block       uint64 // bytes, a power of two
	Lines       []uint64
	Temperature float64 // -1 (all misses) .. 1 (all hits)

	// With several cores, the state of each block after the reference in progress, by line number plus 1: 'M' modified,
	// 'E' exclusive, 'S' shared. nil where there are no such states.
	Coherence map[uint64]byte
}

// Region is a named part of memory with the colour that it has in every view. Where other regions stand on its arc, the
// variables of a stack for instance, its Count is meant to include theirs and Hidden holds for them too; Label is what
// all of them are called.
type Region struct {
	Name   string
	Label  string // of its arc; "" is Name
	Color  color.NRGBA
	Count  uint64 // references in the whole recording
	Low    traceio.Addr
	High   traceio.Addr
	Hidden bool
}

// Namer gives the names that people know: of a byte of data ("a[2]") and of an instruction ("bubble.c:12"). Both may
// return "" for what has no name.
type Namer interface {
	Data(a traceio.Addr) string
	Code(pc traceio.Addr) string
}

// flashSteps is how many move durations the red of a miss takes to decay (from the authors' implementation).
const flashSteps = 5

// History is the number of references before At that a frame with this tail and speed depends on: State.From must not
// lie after At - History (or be 0).
func History(tail, speed int) int {
	speed = max(1, speed)
	return max(max(0, tail)+speed, flashSteps*speed) + 1
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if len(s.Levels) == 0 {
		drawEmpty(&d, s, size)
		return d
	}
	l := newLayout(&s, size)
	f := newFrame(&s, l)
	drawBackdrop(&d, &s, l)
	drawGlyphs(&d, f)
	drawLabels(&d, &s, f)
	return d
}
