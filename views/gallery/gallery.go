// Package gallery draws the parameterizations of a recording as small multiples, ranked, with the slider that morphs
// between two of them.
package gallery

import (
	"fmt"

	"orrery/views/controls"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/spiral"
)

// Card is one parameterization.
type Card struct {
	Name  string // "#1"
	Turns float64
	Score float64 // 0..1
	Tip   []string
	State spiral.State // From is the parameterization; drawn small
}

// State is everything that the gallery shows. From and To index Cards.
type State struct {
	Theme    palette.Theme
	Cards    []Card
	From, To int
	Morph    float64 // 0 shows From, 1 shows To
	Hover    int     // index of a card, -1 for none
	Scroll   float64 // how far the cards are moved up
	Empty    string  // said when there is no card
}

const (
	margin = 10.0
	gap    = 8.0
	label  = 20.0 // below a thumbnail
	bottom = 46.0 // the morph's part, at the bottom
	least  = 70.0 // a card is at least this wide
)

// layout is where cards lie.
type layout struct {
	columns int
	side    float64
	cards   scene.Rect // the part that scrolls
}

func place(size scene.Size) layout {
	l := layout{cards: scene.R(0, 0, size.W, max(0, size.H-bottom))}
	l.columns = max(1, int((size.W-2*margin+gap)/(least+gap)))
	l.side = max(20, (size.W-2*margin-gap*float64(l.columns-1))/float64(l.columns))
	return l
}

func (l layout) card(i int, scroll float64) scene.Rect {
	x := margin + float64(i%l.columns)*(l.side+gap)
	y := 4 + float64(i/l.columns)*(l.side+label+gap) - scroll
	return scene.R(x, y, l.side, l.side+label)
}

// Overflow is how far the cards can be scrolled in the room given.
func Overflow(s State, size scene.Size) float64 {
	if len(s.Cards) == 0 {
		return 0
	}
	l := place(size)
	return max(0, l.card(len(s.Cards)-1, 0).Max.Y+gap-l.cards.H())
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if len(s.Cards) == 0 {
		d.Paragraph(scene.Text{At: scene.Point{X: margin, Y: margin + 14}, Size: 12, Color: s.Theme.Dim, S: s.Empty,
			Max: size.W - 2*margin}, 18)
		return d
	}
	l := place(size)
	var shapes []scene.Shape
	for i := range s.Cards {
		if r := l.card(i, s.Scroll); r.Max.Y > 0 && r.Min.Y < l.cards.Max.Y {
			shapes = append(shapes, drawCard(s, i, r, size.Scale)...)
		}
	}
	d.Add(scene.Group{Clip: l.cards, Shapes: shapes})
	drawSlider(&d, s, size)
	return d
}

func drawCard(s State, i int, r scene.Rect, scale float64) []scene.Shape {
	c := &s.Cards[i]
	frame := s.Theme.Line
	switch i {
	case s.To:
		frame = s.Theme.Accent
	case s.From:
		frame = palette.Mix(s.Theme.Line, s.Theme.Accent, 0.55)
	}
	back := s.Theme.Background
	if i == s.Hover {
		back = palette.Mix(back, s.Theme.Line, 0.5)
	}
	inside := scene.R(r.Min.X+3, r.Min.Y+3, r.W()-6, r.W()-6)
	picture := spiral.Scene(c.State, scene.Size{W: inside.W(), H: inside.H(), Scale: scale})
	base := r.Max.Y - 6
	score := fmt.Sprintf("%.2f", c.Score)
	taken := scene.Measure(scene.Mono, 9.5, score)
	return []scene.Shape{
		scene.Fill{Path: scene.RoundBox(r, 5), Color: back},
		scene.Stroke{Path: scene.RoundBox(r, 5), Width: 1.2, Color: frame},
		scene.Group{Clip: inside, Shapes: scene.Move(picture.Shapes, inside.Min.X, inside.Min.Y)},
		scene.Text{At: scene.Point{X: r.Min.X + 5, Y: base}, Size: 10.5, Color: s.Theme.Text,
			S: fmt.Sprintf("%s %.1f", c.Name, c.Turns), Max: r.W() - taken - 14},
		scene.Text{At: scene.Point{X: r.Max.X - 5, Y: base}, Face: scene.Mono, Size: 9.5, Color: s.Theme.Dim,
			Align: 1, S: score},
	}
}

// morph is the slider and where it lies.
func (s *State) morph(size scene.Size) (controls.Slider, scene.Rect) {
	return controls.Slider{Theme: s.Theme, High: 1, Value: s.Morph}, scene.R(margin-2, size.H-14-controls.RowHeight/2,
		size.W-2*margin+4, controls.RowHeight)
}

func drawSlider(d *scene.Drawing, s State, size scene.Size) {
	title := "MORPH"
	if s.From != s.To {
		title = fmt.Sprintf("MORPH  %s to %s", s.Cards[s.From].Name, s.Cards[s.To].Name)
	}
	d.Add(scene.Text{At: scene.Point{X: margin, Y: size.H - 30}, Face: scene.Bold, Size: 10, Color: s.Theme.Dim, S: title,
		Max: size.W - 2*margin})
	knob, room := s.morph(size)
	d.Add(knob.Shapes(room)...)
}

// Target is what lies at a point: a card (-1 for none) or the slider with the morph that a press there means.
type Target struct {
	Card   int
	Slider bool
	Morph  float64
}

// Hit returns what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target {
	t := Target{Card: -1}
	if len(s.Cards) == 0 {
		return t
	}
	l := place(size)
	if p.Y >= l.cards.Max.Y {
		knob, room := s.morph(size)
		t.Slider, t.Morph = true, knob.ValueAt(room, p.X)
		return t
	}
	for i := range s.Cards {
		if l.card(i, s.Scroll).Contains(p) {
			t.Card = i
		}
	}
	return t
}
