package gallery

import (
	"math"
	"testing"

	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/spiral"
)

func state(cards int) State {
	s := State{Theme: palette.Dark(), Hover: -1, Morph: 1}
	for i := range cards {
		p := spiral.State{Theme: s.Theme}
		for k := range 60 {
			p.Seq = append(p.Seq, traceio.Seq(k))
			p.From.Turns = append(p.From.Turns, float64(k*(i+1))/60)
		}
		s.Cards = append(s.Cards, Card{Name: "#1", Turns: float64(i + 1), Score: 0.5, State: p})
	}
	return s
}

// TestCardsTileTheRoom wants cards inside the width, apart from each other, and hit where they are drawn.
func TestCardsTileTheRoom(t *testing.T) {
	for _, width := range []float64{90, 178, 300, 700} {
		s, size := state(7), scene.Size{W: width, H: 900, Scale: 1}
		l := place(size)
		for i := range s.Cards {
			r := l.card(i, 0)
			if r.Min.X < 0 || r.Max.X > width {
				t.Errorf("width %g: card %d spans %.1f to %.1f", width, i, r.Min.X, r.Max.X)
			}
			if got := Hit(s, size, r.Center()).Card; r.Max.Y < l.cards.Max.Y && got != i {
				t.Errorf("width %g: the middle of card %d hits %d", width, i, got)
			}
			for k := range i {
				q := l.card(k, 0)
				if r.Min.X < q.Max.X && q.Min.X < r.Max.X && r.Min.Y < q.Max.Y && q.Min.Y < r.Max.Y {
					t.Errorf("width %g: cards %d and %d overlap", width, k, i)
				}
			}
		}
	}
	if place(scene.Size{W: 178, H: 400}).columns != 2 {
		t.Error("a dock of 178 units has room for two cards side by side")
	}
}

// TestSliderRoundTrip sets the knob and asks what a press on it means.
func TestSliderRoundTrip(t *testing.T) {
	s, size := state(2), scene.Size{W: 178, H: 300, Scale: 1}
	knob, room := s.morph(size)
	y := room.Center().Y
	for _, m := range []float64{0, 0.25, 0.5, 1} {
		if got := Hit(s, size, scene.Point{X: knob.X(room, m), Y: y}); !got.Slider || math.Abs(got.Morph-m) > 1e-9 {
			t.Errorf("a press at %.2f of the track gives %+v", m, got)
		}
	}
	if got := Hit(s, size, scene.Point{X: -50, Y: y}).Morph; got != 0 {
		t.Errorf("left of the track gives %g, want 0", got)
	}
}

func TestOverflow(t *testing.T) {
	size := scene.Size{W: 178, H: 300, Scale: 1}
	if got := Overflow(state(2), size); got != 0 {
		t.Errorf("two cards overflow by %g", got)
	}
	s := state(12)
	s.Scroll = Overflow(s, size)
	l := place(size)
	if bottom := l.card(11, s.Scroll).Max.Y; math.Abs(bottom+gap-l.cards.Max.Y) > 1e-9 {
		t.Errorf("scrolled to the end the last card ends at %.1f, the room at %.1f", bottom, l.cards.Max.Y)
	}
}

func TestEmptyGallerySaysSo(t *testing.T) {
	s := State{Theme: palette.Light(), Empty: "Cycles will be here."}
	if d := Scene(s, scene.Size{W: 178, H: 300, Scale: 1}); len(d.Shapes) == 0 {
		t.Error("an empty gallery says nothing")
	}
	if got := Hit(s, scene.Size{W: 178, H: 300, Scale: 1}, scene.Point{X: 50, Y: 290}); got.Slider || got.Card != -1 {
		t.Errorf("an empty gallery is hit: %+v", got)
	}
}
