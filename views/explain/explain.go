// Package explain says in words what is selected: sections of short sentences, wrapped to the room there is.
package explain

import (
	"image/color"

	"orrery/views/palette"
	"orrery/views/scene"
)

// Section is a heading with sentences. Chip, where it is not transparent, is the colour of what the section is about.
type Section struct {
	Title string
	Chip  color.NRGBA
	Lines []string
}

// State is everything that is said. Scroll is how far the text is moved up, in units.
type State struct {
	Theme    palette.Theme
	Sections []Section
	Scroll   float64
	Empty    string // said when there is no section
}

const (
	margin  = 10.0
	heading = 12.5
	body    = 12.0
	leading = 18.0
	beside  = 18.0 // from a chip to its heading
)

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	lay(s, size, func(at scene.Point, t scene.Text, chip color.NRGBA) {
		if at.Y < -leading || at.Y > size.H+leading {
			return
		}
		t.At = at
		if chip.A > 0 {
			d.Add(scene.Fill{Path: scene.RoundBox(scene.R(margin, at.Y-9.5, 10, 10), 2.5), Color: chip})
			t.At.X += beside
		}
		d.Add(t)
	})
	return d
}

// Height is how tall the text is at the width of size, in units.
func Height(s State, size scene.Size) float64 {
	bottom := 0.0
	lay(s, size, func(at scene.Point, _ scene.Text, _ color.NRGBA) { bottom = at.Y + s.Scroll })
	return bottom + margin
}

// lay places every line.
func lay(s State, size scene.Size, f func(at scene.Point, t scene.Text, chip color.NRGBA)) {
	y := margin + heading - s.Scroll
	write := func(text string, c color.NRGBA) {
		for _, line := range scene.Break(scene.Sans, body, text, size.W-2*margin) {
			f(scene.Point{X: margin, Y: y}, scene.Text{Size: body, Color: c, S: line}, color.NRGBA{})
			y += leading
		}
	}
	if len(s.Sections) == 0 {
		write(s.Empty, s.Theme.Dim)
	}
	for i, section := range s.Sections {
		if i > 0 {
			y += leading / 2
		}
		chip, room := section.Chip, size.W-2*margin
		if chip.A > 0 {
			room -= beside
		}
		for _, line := range scene.Break(scene.Bold, heading, section.Title, room) {
			f(scene.Point{X: margin, Y: y}, scene.Text{Face: scene.Bold, Size: heading, Color: s.Theme.Text, S: line}, chip)
			chip = color.NRGBA{}
			y += leading
		}
		y += 2
		for _, line := range section.Lines {
			write(line, s.Theme.Dim)
		}
	}
}
