// Package timeline draws the strip along the bottom of the window: what the recording does over logical time, lane by
// lane, with the time cursor, the selected range and a ruler in references, or in the events of a recording without
// any. In: lanes of values that are already sampled at even steps. Out: a display list, reduced to what the pixels can
// show.
package timeline

import (
	"image/color"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// State is everything that the strip shows.
type State struct {
	Theme  palette.Theme
	Len    traceio.Seq // references in the recording, or what else its time counts
	Unit   string      // which is this: "events"; "" is "references"
	View   link.Range  // the stretch that fills the width; empty is all of it
	Window link.Range  // the stretch that the other views show; empty (or all) is not drawn
	Cursor traceio.Seq
	Chosen link.Range   // the time of what is selected, a block's life or a phase; may be empty
	Runs   []link.Range // the times of what is selected where it has many, as code has: in order, apart
	Hover  *traceio.Seq // where the pointer is, nil when it is elsewhere
	Lanes  []Lane
	Marks  []Mark
	Note   string // beside the readout: "indexing 41 %"
	Bare   bool   // the window says the cursor's position and the notes itself
}

// Lane is one quantity over time. Value i stands for the references [First + i*Step, First + (i+1)*Step).
type Lane struct {
	Name   string // "L1 misses"
	Unit   string // of one value, after the number: "per 64 references", "bytes"
	First  traceio.Seq
	Step   traceio.Seq // at least 1
	Values []float64   // not negative; NaN is a gap
	Max    float64     // the value at full height; 0 takes the largest of Values
	Color  color.NRGBA
	Bands  []Band // categories instead of Values: program phases
}

// Band is one stretch of a lane of categories.
type Band struct {
	Span  link.Range
	Name  string
	Color color.NRGBA
}

// Mark is a moment worth a tick above the lanes: a bookmark, a gap, a mark of the program's own.
type Mark struct {
	Seq   traceio.Seq
	Text  string
	Color color.NRGBA
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	g := place(&s, size)
	if s.Len == 0 {
		drawEmpty(&d, &s, g)
		return d
	}
	drawWindow(&d, &s, g)
	drawLanes(&d, &s, g)
	drawChosen(&d, &s, g)
	drawRuler(&d, &s, g)
	drawMarks(&d, &s, g)
	drawCursor(&d, &s, g)
	return d
}
