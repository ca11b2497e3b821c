package pane

import (
	"time"

	"orrery/views/scene"

	"fyne.io/fyne/v2"
)

// pendingMotion coalesces events of the pointer. A mouse reports its motion up to a thousand times a second, and only
// the last position before a frame is drawn can be seen; so only that is handled.
//
//	events   |||||||||||||||||||||||||||||
//	handled  |       |       |       |       one before each frame
type pendingMotion struct {
	owner   any
	do      func()
	ticking bool                          // the frame clock runs, since the pointer has moved within tickFor
	begin   func(tick func(done float32)) // starts the frame clock, for tickFor
}

// tickFor is how long the frame clock runs after the motion that started it.
const tickFor = time.Second

// BeforeNextFrame runs do before the next frame is drawn. It replaces what the same owner has had pending since the
// last frame; what another owner has pending is run at once, so that everything happens in the order in which the user
// did it.
func (s *Stage) BeforeNextFrame(owner any, do func()) {
	s.runOthers(owner)
	s.pending.owner, s.pending.do = owner, do
	if s.pending.ticking {
		return
	}
	// the first motion after a rest is handled in the same frame, whatever else Fyne animates
	s.runPending()
	s.pending.ticking = true
	s.pending.begin(func(done float32) {
		s.runPending()
		if done >= 1 {
			s.pending.ticking = false
		}
	})
}

// frameClock calls tick before every frame.
func frameClock(tick func(done float32)) {
	a := fyne.NewAnimation(tickFor, tick)
	a.Curve = fyne.AnimationLinear
	a.Start()
}

// runOthers runs what another owner has pending.
func (s *Stage) runOthers(owner any) {
	if s.pending.owner != owner {
		s.runPending()
	}
}

// runPending runs what is pending.
func (s *Stage) runPending() {
	do := s.pending.do
	s.pending.owner, s.pending.do = nil, nil
	if do != nil {
		do()
	}
}

// motion is the owner of pending events of one kind over one pane, so that one kind does not replace another.
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

// onMotion notes where the pointer is, and has it handled before the next frame.
func (p *Pane) onMotion(kind motionKind, at fyne.Position, answer func()) {
	m := motion{p, kind}
	p.stage.runOthers(m) // what was done elsewhere in the pane is handled with its own position
	p.at = point(at)
	p.stage.BeforeNextFrame(m, answer)
}

// forget drops what a pane that is no longer seen has pending.
func (s *Stage) forget(p *Pane) {
	p.wheel = scene.Point{}
	if m, ok := s.pending.owner.(motion); ok && m.pane == p {
		s.pending.owner, s.pending.do = nil, nil
	}
}
