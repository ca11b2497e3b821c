package pane

import (
	"time"

	"orrery/views/scene"

	"fyne.io/fyne/v2"
)

// soon is what waits for the next frame. A mouse tells of its motion up to a thousand times a second, and a frame that
// comes late finds all of it at once; only the last word of it can be seen.
//
//	motion  |||||||||||||||||||||||||||||
//	answer  |       |       |       |       before a frame is drawn, from what the pointer did last
type soon struct {
	owner   any
	do      func()
	beating bool                          // it is asked before every frame, since the pointer has moved lately
	begin   func(tick func(done float32)) // has Fyne ask for as long as lately is
}

// lately is how long the beat goes on after the motion that began it.
const lately = time.Second

// Soon runs do before the next frame is drawn. What the same owner has asked for since the last frame gives way to it;
// what another one has is done at once, so that everything happens in the order in which the user did it.
func (s *Stage) Soon(owner any, do func()) {
	s.giveWay(owner)
	s.soon.owner, s.soon.do = owner, do
	if s.soon.beating {
		return
	}
	// the first motion after a rest is answered in the frame that hears of it, whatever else Fyne animates
	s.catchUp()
	s.soon.beating = true
	s.soon.begin(func(done float32) {
		s.catchUp()
		if done >= 1 {
			s.soon.beating = false
		}
	})
}

// beat is Fyne's clock of frames.
func beat(tick func(done float32)) {
	a := fyne.NewAnimation(lately, tick)
	a.Curve = fyne.AnimationLinear
	a.Start()
}

// giveWay does what another owner has waiting.
func (s *Stage) giveWay(owner any) {
	if s.soon.owner != owner {
		s.catchUp()
	}
}

// catchUp does what waits.
func (s *Stage) catchUp() {
	do := s.soon.do
	s.soon.owner, s.soon.do = nil, nil
	if do != nil {
		do()
	}
}

// Motions of the pointer over a pane: each is an owner of what waits, so that one does not take another's place.
type motion struct {
	pane *Pane
	kind motionKind
}

type motionKind uint8

const (
	moving motionKind = iota
	dragging
	turning // of the wheel
)

// heed notes where the pointer is and answers before the next frame.
func (p *Pane) heed(kind motionKind, at fyne.Position, answer func()) {
	m := motion{p, kind}
	p.stage.giveWay(m) // what was done elsewhere in the pane is answered there
	p.at = point(at)
	p.stage.Soon(m, answer)
}

// forget drops what a pane that is no longer seen has waiting.
func (s *Stage) forget(p *Pane) {
	p.wheel = scene.Point{}
	if m, ok := s.soon.owner.(motion); ok && m.pane == p {
		s.soon.owner, s.soon.do = nil, nil
	}
}
