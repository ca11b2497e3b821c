// Package properties draws the property sheet of things that have nothing but named texts: the nodes of a compiler's
// graph. In: things with their properties; out: a display list that scrolls, and for a point the text there, which may
// be cut on screen.
package properties

import (
	"image/color"

	"orrery/views/controls"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Property is one named text.
type Property struct{ Key, Value string }

// Thing is what the properties are of.
type Thing struct {
	Name       string
	Note       string      // behind the name: "3 inputs, 1 use"
	Color      color.NRGBA // of its chip; transparent for none
	Properties []Property
}

// State is everything that the sheet shows.
type State struct {
	Theme  palette.Theme
	Things []Thing
	More   int // things that are not listed
	Scroll float64
	Empty  string // shown when there is nothing
}

const (
	margin = 10.0
	head   = 27.0
	line   = 16.0
	size   = 11.0
	lines  = 6 // of one value at most
)

// row is a line of the sheet: a heading, or a property with its value in several lines.
type row struct {
	thing int
	key   int // -1 for the heading
	value []string
	y, h  float64
}

// rows places the lines without scrolling, and returns how wide keys are.
func rows(s *State, room scene.Size) (out []row, keys float64) {
	for _, t := range s.Things {
		for _, p := range t.Properties {
			keys = max(keys, scene.Measure(scene.Sans, size, p.Key))
		}
	}
	keys = min(keys+14, room.W*0.42)
	y := 2.0
	for i, t := range s.Things {
		out = append(out, row{thing: i, key: -1, y: y, h: head})
		y += head
		for k, p := range t.Properties {
			value := scene.Wrap(scene.Mono, size-0.5, p.Value, max(20, room.W-keys-2*margin))
			if len(value) > lines {
				value = append(value[:lines-1:lines-1], value[lines-1]+" …")
			}
			h := 4 + line*float64(max(1, len(value)))
			out = append(out, row{i, k, value, y, h})
			y += h
		}
		y += 6
	}
	return out, keys
}

// Overflow is how far the sheet can be scrolled.
func Overflow(s State, room scene.Size) float64 {
	all, _ := rows(&s, room)
	if len(all) == 0 {
		return 0
	}
	last := all[len(all)-1]
	return max(0, last.y+last.h+margin-room.H)
}

// Scene draws the state into the room given.
func Scene(s State, room scene.Size) scene.Drawing {
	d := scene.Drawing{Size: room, Background: s.Theme.Panel}
	all, keys := rows(&s, room)
	if len(all) == 0 {
		d.Say(s.Empty, s.Theme.Dim)
		return d
	}
	t := &s.Theme
	for i, r := range all {
		y := r.y - s.Scroll
		if y+r.h < 0 || y > room.H {
			continue
		}
		if r.key < 0 {
			heading(&d, &s, &s.Things[r.thing], y, room)
			continue
		}
		if (i-r.thing)%2 == 0 {
			d.Add(scene.Fill{Path: scene.Box(scene.R(margin-4, y, room.W-2*margin+8, r.h)), Color: palette.Alpha(t.Line, 0.35)})
		}
		base := y + 2 + line/2 + scene.Middle(scene.Sans, size)
		d.Add(scene.Text{At: scene.Point{X: margin, Y: base}, Size: size, Color: t.Dim, Max: keys - 10,
			S: s.Things[r.thing].Properties[r.key].Key})
		for k, text := range r.value {
			d.Add(scene.Text{At: scene.Point{X: margin + keys, Y: base + line*float64(k)}, Face: scene.Mono, Size: size - 0.5,
				Color: t.Text, Max: max(1, room.W-keys-2*margin), S: text})
		}
	}
	d.Add(controls.ScrollBar(s.Theme, room, s.Scroll, room.H+Overflow(s, room))...)
	return d
}

func heading(d *scene.Drawing, s *State, of *Thing, y float64, room scene.Size) {
	x, middle := margin, y+head/2+2
	if of.Color.A > 0 {
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x, middle-5, 10, 10), 2.5), Color: of.Color})
		x += 17
	}
	note := scene.Measure(scene.Sans, 10.5, of.Note)
	name := room.W - margin - x
	if wide := scene.Measure(scene.Bold, 12, of.Name); wide+note+12 < name {
		d.Add(scene.Text{At: scene.Point{X: room.W - margin, Y: middle + scene.Middle(scene.Sans, 10.5)}, Size: 10.5,
			Color: s.Theme.Dim, Align: 1, S: of.Note})
	}
	d.Add(scene.Text{At: scene.Point{X: x, Y: middle + scene.Middle(scene.Bold, 12)}, Face: scene.Bold, Size: 12,
		Color: s.Theme.Text, Max: max(1, name), S: of.Name})
}

// Hit is the property at a point, nil where there is none.
func Hit(s State, room scene.Size, p scene.Point) *Property {
	all, _ := rows(&s, room)
	for _, r := range all {
		if y := r.y - s.Scroll; r.key >= 0 && p.Y >= y && p.Y < y+r.h {
			return &s.Things[r.thing].Properties[r.key]
		}
	}
	return nil
}
