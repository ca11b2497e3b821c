// Package filterpanel draws the criteria of a filter one below the other: a range slider over the distribution of a
// number, the values of a parameter to be switched on and off, conditions that can be taken away, and buttons. In: rows
// with what they are set to. Out: a display list; Hit says which handle or which word of which row is at a point.
//
//	TIME, ms                    12.3 to 80.5
//	  .:||:..    .
//	 ======O-------------O=====
//	CORES
//	 [1] [2] [4] 8
//	V-Out, VLE together              x
package filterpanel

import (
	"image/color"

	"orrery/views/palette"
	"orrery/views/scene"
)

// Kind says what a row is.
type Kind uint8

// The kinds of row.
const (
	Head   Kind = iota // Title, dim, capital letters
	Range              // Title, Value; a slider from Low to High over Bins
	Values             // Title; Words, On
	Note               // Title may take several lines
	Item               // Title, with a cross that takes it away
	Button             // Title
)

// Row is one criterion.
type Row struct {
	Kind      Kind
	ID        string // what the owner knows it by
	Title     string
	Value     string
	Low, High float64 // of the slider, 0 to 1
	Bins      []float64
	Color     func(float64) color.NRGBA // of the slider; nil for none
	Words     []string
	On        []bool
	One       bool // of the words one is chosen; otherwise those that are not on are hidden
	Off       bool // a button that does nothing now
}

// State is the list.
type State struct {
	Theme  palette.Theme
	Rows   []Row
	Scroll float64
	Hover  Target
	Empty  string
}

// Part says what of a row is meant.
type Part uint8

// The parts.
const (
	Nothing Part = iota
	LowHandle
	HighHandle
	Word // At is which
	Cross
	Press
)

// Target is what is at a point.
type Target struct {
	Row  int // index into Rows; meaningless with Nothing
	Part Part
	At   int
}

const (
	side   = 12.0
	text   = 10.5
	line   = 15.0
	hist   = 20.0
	handle = 5.0
	word   = 19.0
)

// place is where a row lies; words are the fields of its words.
type place struct {
	at    scene.Rect
	lines []string
	words []scene.Rect
}

// places lays the rows out and gives the height of all.
func places(s *State, size scene.Size) ([]place, float64) {
	y := 6 - s.Scroll
	out := make([]place, len(s.Rows))
	wide := size.W - 2*side
	for i, r := range s.Rows {
		p := place{}
		tall := line
		switch r.Kind {
		case Head:
			tall = 24
		case Range:
			tall = line + hist + 16
		case Values:
			x, down := side, y+line+1
			for _, w := range r.Words {
				wordWide := min(wide, scene.Measure(scene.Sans, text, w)+12)
				if x+wordWide > size.W-side && x > side {
					x, down = side, down+word+3
				}
				p.words = append(p.words, scene.R(x, down, wordWide, word))
				x += wordWide + 4
			}
			tall = down + word + 7 - y
		case Note:
			p.lines = scene.Wrap(scene.Sans, text, r.Title, wide)
			tall = line*float64(len(p.lines)) + 4
		case Item:
			tall = 21
		case Button:
			tall = 25
		}
		p.at = scene.R(side, y, wide, tall)
		y += tall
		out[i] = p
	}
	return out, y + s.Scroll + 8
}

// Tall is how tall all rows are.
func Tall(s State, size scene.Size) float64 {
	_, tall := places(&s, size)
	return tall
}

// track is the slider of a row.
func (p *place) track() (y, from, to float64) {
	return p.at.Min.Y + line + hist + 5, p.at.Min.X + handle, p.at.Max.X - handle
}

// Share is where a point lies on the slider of a row, 0 to 1.
func Share(s State, size scene.Size, row int, x float64) float64 {
	all, _ := places(&s, size)
	_, from, to := all[row].track()
	return max(0, min(1, (x-from)/max(1, to-from)))
}

// Hit returns what is at a point.
func Hit(s State, size scene.Size, at scene.Point) Target {
	all, _ := places(&s, size)
	for i, p := range all {
		if at.Y < p.at.Min.Y || at.Y >= p.at.Max.Y {
			continue
		}
		switch r := s.Rows[i]; r.Kind {
		case Range:
			_, from, to := p.track()
			if at.Y < p.at.Min.Y+line || at.X < from-2*handle || at.X > to+2*handle {
				return Target{Row: i}
			}
			x := (at.X - from) / max(1, to-from)
			if r.High-x < x-r.Low || x > r.High {
				return Target{i, HighHandle, 0}
			}
			return Target{i, LowHandle, 0}
		case Values:
			for k, w := range p.words {
				if w.Contains(at) {
					return Target{i, Word, k}
				}
			}
		case Item:
			if at.X > p.at.Max.X-18 {
				return Target{i, Cross, 0}
			}
		case Button:
			if !r.Off && at.X < p.at.Min.X+scene.Measure(scene.Sans, text, r.Title)+16 {
				return Target{i, Press, 0}
			}
		}
		return Target{Row: i}
	}
	return Target{Row: -1}
}

// Scene draws the rows.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if len(s.Rows) == 0 {
		d.Say(s.Empty, s.Theme.Dim)
		return d
	}
	all, _ := places(&s, size)
	for i := range s.Rows {
		if all[i].at.Max.Y < 0 || all[i].at.Min.Y > size.H {
			continue
		}
		s.row(&d, i, &all[i])
	}
	return d
}

func (s *State) row(d *scene.Drawing, i int, p *place) {
	r := &s.Rows[i]
	t := s.Theme
	base := p.at.Min.Y + 11
	room := p.at.W()
	switch r.Kind {
	case Head:
		d.Add(scene.Text{At: scene.Point{X: p.at.Min.X, Y: p.at.Min.Y + 17}, Face: scene.Bold, Size: 9.5, Color: t.Dim,
			Max: room, S: r.Title})
	case Range:
		value := min(room*0.62, scene.Measure(scene.Mono, 9.5, r.Value))
		d.Add(scene.Text{At: scene.Point{X: p.at.Min.X, Y: base}, Size: text, Color: t.Text,
			Max: room - value - 6, S: r.Title},
			scene.Text{At: scene.Point{X: p.at.Max.X, Y: base}, Face: scene.Mono, Size: 9.5, Color: t.Dim, Align: 1,
				Max: room * 0.62, S: r.Value})
		s.slider(d, i, p)
	case Values:
		d.Add(scene.Text{At: scene.Point{X: p.at.Min.X, Y: base}, Size: text, Color: t.Text, Max: room, S: r.Title})
		s.values(d, i, p)
	case Note:
		for k, l := range p.lines {
			d.Add(scene.Text{At: scene.Point{X: p.at.Min.X, Y: base + line*float64(k)}, Size: text, Color: t.Dim, S: l})
		}
	case Item:
		ink := t.Dim
		if s.Hover == (Target{i, Cross, 0}) {
			ink = t.Text
		}
		var cross scene.Path
		x, y := p.at.Max.X-9, p.at.Min.Y+9
		cross.Move(x-3.5, y-3.5)
		cross.Line(x+3.5, y+3.5)
		cross.Move(x-3.5, y+3.5)
		cross.Line(x+3.5, y-3.5)
		d.Add(scene.Text{At: scene.Point{X: p.at.Min.X, Y: p.at.Min.Y + 13}, Size: text, Color: t.Text, Max: room - 22,
			S: r.Title}, scene.Stroke{Path: cross, Width: 1.3, Color: ink})
	case Button:
		s.button(d, i, p)
	}
}

func (s *State) button(d *scene.Drawing, i int, p *place) {
	r, t := &s.Rows[i], s.Theme
	box := scene.R(p.at.Min.X, p.at.Min.Y+2, min(p.at.W(), scene.Measure(scene.Sans, text, r.Title)+16), 20)
	fill, ink := palette.Mix(t.Panel, t.Line, 0.55), t.Dim
	switch {
	case r.Off:
		ink = t.Faint
	case s.Hover == (Target{i, Press, 0}):
		fill, ink = palette.Mix(t.Line, t.Faint, 0.35), t.Text
	}
	d.Add(scene.Fill{Path: scene.RoundBox(box, 4), Color: fill}, scene.Text{At: scene.Point{X: box.Min.X + 8,
		Y: box.Center().Y + scene.Middle(scene.Sans, text)}, Size: text, Color: ink, Max: box.W() - 12, S: r.Title})
}

// slider draws the distribution, and the range below it.
func (s *State) slider(d *scene.Drawing, i int, p *place) {
	r, t := &s.Rows[i], s.Theme
	y, from, to := p.track()
	most := 1e-12
	for _, b := range r.Bins {
		most = max(most, b)
	}
	n := float64(len(r.Bins))
	for k, b := range r.Bins {
		middle := (float64(k) + 0.5) / n
		ink := t.Dim
		if r.Color != nil {
			ink = r.Color(middle)
		}
		if middle < r.Low || middle > r.High {
			ink = palette.Mix(t.Panel, t.Faint, 0.6)
		}
		if tall := hist * b / most; tall > 0 {
			tall = max(tall, 1)
			d.Add(scene.Fill{Path: scene.Box(scene.R(from+(to-from)*float64(k)/n, y-3-tall, (to-from)/n-0.6, tall)), Color: ink})
		}
	}
	x0, x1 := from+(to-from)*r.Low, from+(to-from)*r.High
	d.Add(scene.Stroke{Path: scene.Segment(from, y, to, y), Width: 2, Color: t.Line},
		scene.Stroke{Path: scene.Segment(x0, y, x1, y), Width: 2.5, Color: t.Dim})
	for k, x := range []float64{x0, x1} {
		ink := t.Dim
		if s.Hover.Row == i && s.Hover.Part == LowHandle+Part(k) {
			ink = t.Accent
		}
		d.Add(scene.Fill{Path: scene.Circle(x, y, handle), Color: ink}, scene.Stroke{Path: scene.Circle(x, y, handle),
			Width: 1, Color: t.Panel})
	}
}

func (s *State) values(d *scene.Drawing, i int, p *place) {
	r, t := &s.Rows[i], s.Theme
	for k, w := range p.words {
		fill, ink := palette.Mix(t.Line, t.Faint, 0.45), t.Text
		if !r.On[k] {
			fill, ink = t.Panel, t.Dim
		}
		d.Add(scene.Fill{Path: scene.RoundBox(w, 4), Color: fill}, scene.Stroke{Path: scene.RoundBox(w, 4),
			Width: 1, Color: t.Line})
		if s.Hover == (Target{i, Word, k}) {
			d.Add(scene.Stroke{Path: scene.RoundBox(w, 4), Width: 1, Color: t.Dim})
		}
		d.Add(scene.Text{At: scene.Point{X: w.Center().X, Y: w.Center().Y + scene.Middle(scene.Sans, text)}, Size: text,
			Color: ink, Align: 0.5, Max: w.W() - 4, S: r.Words[k]})
		if !r.On[k] && !r.One {
			d.Add(scene.Stroke{Path: scene.Segment(w.Min.X+4, w.Center().Y, w.Max.X-4, w.Center().Y),
				Width: 0.8, Color: t.Faint})
		}
	}
}
