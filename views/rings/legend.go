package rings

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

const (
	legendWidth = 150.0
	legendRow   = 16.0
)

// legendBox is the room for the legend at the left, empty in a pane that has none to spare.
func legendBox(s *State, l *layout) scene.Rect {
	if s.Items == nil || len(s.Regions) == 0 || l.zoom > 1 || l.c.X-l.mem.r < legendWidth+110 {
		return scene.Rect{}
	}
	rows := min(len(l.mem.arcs), int((l.size.H-topRoom-110)/legendRow))
	return scene.R(12, topRoom+18, legendWidth, float64(max(0, rows))*legendRow)
}

// label is what the arc of a region is called.
func (r *Region) label() string { return cmp.Or(r.Label, r.Name) }

// arc is what an arc of the memory ring stands for, as one region.
func (s *State) arc(k int) Region {
	a := &s.Items.arcs[k]
	if a.region >= 0 && a.region < len(s.Regions) {
		return s.Regions[a.region]
	}
	r := Region{Name: "no region", Color: s.Theme.Dim}
	if a.region == gathered {
		r.Name, r.Hidden = words.Plural(len(a.small), "small region"), true
		for _, i := range a.small {
			if i >= 0 && i < len(s.Regions) {
				r.Count += s.Regions[i].Count
			}
			r.Hidden = r.Hidden && s.hidden(i)
		}
	}
	return r
}

// members are the numbers of the regions that an arc stands for.
func (s *State) members(k int) []int {
	a := &s.Items.arcs[k]
	switch {
	case a.region == gathered:
		return a.small
	case a.region >= 0 && a.region < len(s.Regions):
		return []int{a.region}
	}
	return nil
}

func drawLegend(d *scene.Drawing, s *State, l *layout, box scene.Rect) {
	if box.H() == 0 {
		return
	}
	order := byCount(s, l)
	rows := int(box.H() / legendRow)
	for i, k := range order[:rows] {
		r := s.arc(k)
		y := box.Min.Y + float64(i)*legendRow
		c, text := r.Color, s.Theme.Text
		if r.Hidden {
			c, text = s.Theme.Faint, s.Theme.Dim
		}
		count := words.Count(r.Count)
		w := scene.Measure(scene.Mono, 10, count)
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(box.Min.X, y+3, 9, 9), 2), Color: c},
			scene.Text{At: scene.Point{X: box.Min.X + 16, Y: y + 11.5}, Size: 11, Color: text,
				Max: box.W() - 24 - w, S: r.label()},
			scene.Text{At: scene.Point{X: box.Max.X, Y: y + 11.5}, Face: scene.Mono, Size: 10, Align: 1,
				Color: s.Theme.Dim, S: count})
	}
	if more := len(order) - rows; more > 0 {
		d.Add(scene.Text{At: scene.Point{X: box.Min.X + 16, Y: box.Max.Y + 11.5}, Size: 11, Color: s.Theme.Dim,
			S: fmt.Sprintf("and %d more", more)})
	}
}

// keys say what the marks mean.
var keys = []string{"in its fastest cache, or only in memory", "copy in a slower level",
	"came in on a miss", "used now"}

// coherenceKeys are the keys of a picture of one of several cores.
var coherenceKeys = []string{"modified by this core", "shared with other cores"}

// keysOf are the keys of a picture.
func keysOf(s *State) []string {
	if s.coherent() {
		return slices.Concat(keys, coherenceKeys)
	}
	return keys
}

// keysBox is the room for the legend of the marks, below that of the regions; empty where there is none.
func keysBox(s *State, l *layout, legend scene.Rect) scene.Rect {
	keys := keysOf(s)
	box := scene.R(legend.Min.X, legend.Max.Y+2*legendRow, 0, float64(len(keys))*legendRow)
	if legend.H() == 0 || box.Max.Y > chipBox(s, l).Min.Y-legendRow {
		return scene.Rect{}
	}
	for _, text := range keys {
		box.Max.X = max(box.Max.X, box.Min.X+16+scene.Measure(scene.Sans, 11, text))
	}
	box.Max.X = min(box.Max.X, l.c.X-l.mem.r-24)
	return box
}

// drawKeys is the legend of the marks.
func drawKeys(d *scene.Drawing, s *State, box scene.Rect) {
	if box.H() == 0 {
		return
	}
	y, keys, room := box.Min.Y, keysOf(s), box.W()-16
	for i, text := range keys {
		at := scene.Point{X: box.Min.X + 4.5, Y: y + float64(i)*legendRow + 7.5}
		c := s.Theme.Text
		switch i {
		case 1:
			c = palette.Alpha(c, ghostly)
		case 2:
			c = s.Theme.Miss
		case 4, 5:
			c = s.Theme.Dim
		case 3:
			d.Add(scene.Stroke{Path: scene.Circle(at.X, at.Y, 6), Width: 1.4, Color: s.Theme.Accent})
		}
		d.Add(scene.Discs{Centers: []scene.Point{at}, Radii: []float64{4}, Colors: []color.NRGBA{c}},
			scene.Text{At: scene.Point{X: box.Min.X + 16, Y: at.Y + 4}, Size: 11, Color: s.Theme.Dim, Max: room, S: text})
		switch i {
		case 4:
			d.Add(scene.Discs{Centers: []scene.Point{at}, Radii: []float64{1.8}, Colors: []color.NRGBA{s.coherenceColor('M')}})
		case 5:
			d.Add(scene.Discs{Centers: []scene.Point{at}, Radii: []float64{1.8}, Colors: []color.NRGBA{s.coherenceColor('S')}})
		}
	}
}

const (
	chipW   = 82.0
	chipH   = 22.0
	chipGap = 5.0
)

// heated are the levels that have a temperature of their own: all but victim buffers.
func (s *State) heated() []int {
	var out []int
	for i := range s.Levels {
		if s.Levels[i].First == 0 {
			out = append(out, i)
		}
	}
	return out
}

// chipBox is the corner where the temperatures stand.
func chipBox(s *State, l *layout) scene.Rect {
	h, name := float64(len(s.heated()))*(chipH+chipGap)-chipGap, 0.0
	for _, i := range s.heated() {
		name = max(name, scene.Measure(scene.Bold, 11, s.Levels[i].Name))
	}
	figure := scene.Measure(scene.Mono, 11, signed(1))
	w := min(max(chipW, name+figure+3*8), max(chipW, l.size.W/3)) // names of several cores' caches are long
	return scene.R(12, l.size.H-12-h, w, h)
}

// drawChips writes each level's temperature in figures.
func drawChips(d *scene.Drawing, s *State, l *layout) {
	box := chipBox(s, l)
	for row, i := range s.heated() {
		y := box.Min.Y + float64(row)*(chipH+chipGap)
		t := s.Levels[i].Temperature
		c := s.Theme.Dim
		if math.Abs(t) >= 0.005 {
			w := warmth(s.Theme, t)
			w.A = 255
			c = palette.Mix(w, s.Theme.Text, 0.3)
		}
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(box.Min.X, y, box.W(), chipH), 5), Color: s.Theme.Background},
			scene.Text{At: scene.Point{X: box.Min.X + 8, Y: y + 15}, Face: scene.Bold, Size: 11, Color: s.Theme.Text,
				Max: box.W() - 3*8 - scene.Measure(scene.Mono, 11, signed(t)), S: s.Levels[i].Name},
			scene.Text{At: scene.Point{X: box.Max.X - 8, Y: y + 15}, Face: scene.Mono, Size: 11, Color: c,
				Align: 1, S: signed(t)})
	}
}

// signed writes a temperature with its sign and two digits, so that figures stand below each other.
func signed(t float64) string {
	if math.Abs(t) < 0.005 {
		return " 0.00"
	}
	return fmt.Sprintf("%+.2f", t)
}

const scaleW = 96.0

// scaleBox is the corner of the scale, empty in a picture too narrow for it.
func scaleBox(l *layout) scene.Rect {
	if l.size.W < chipW+scaleW+90 {
		return scene.Rect{}
	}
	return scene.R(l.size.W-12-scaleW-50, l.size.H-38, scaleW+50, 30)
}

// drawScale is the legend of the disks: the colours from all misses to all hits, and over how many references.
func drawScale(d *scene.Drawing, s *State, l *layout) {
	if scaleBox(l).W() == 0 {
		return
	}
	right, y := l.size.W-12, l.size.H-14
	if l.zoom > 1 { // glyphs pass below
		d.Add(scene.Fill{Path: scene.RoundBox(scaleBox(l), 5), Color: palette.Alpha(s.Theme.Panel, 0.86)})
	}
	const n = 32
	for i := range n {
		t := 2*(float64(i)+0.5)/n - 1
		d.Add(scene.Fill{Path: scene.Box(scene.R(right-scaleW+float64(i)*scaleW/n, y-7, scaleW/n, 4)),
			Color: warmth(s.Theme, t)})
	}
	small := func(x, y, align float64, text string) {
		d.Add(scene.Text{At: scene.Point{X: x, Y: y}, Size: 10, Color: s.Theme.Dim, Align: align, S: text})
	}
	small(right-scaleW, y+6.5, 0, "miss")
	small(right, y+6.5, 1, "hit")
	title := "temperature"
	if s.Mean > 0 {
		title = "temperature, last " + words.Count(uint64(s.Mean))
	}
	small(right, y-13, 1, title)
}
