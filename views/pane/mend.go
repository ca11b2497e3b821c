package pane

import "time"

// mend sees to it that what has been asked for is drawn. Whatever keeps Fyne from asking for a picture that has
// changed, a pane must not stay as it was for ever: as long as one is dirty, all that are are asked for again, after a
// second, two, four and so on. A window that cannot be seen draws nothing, so after some attempts it waits for the next
// change. Where everything is drawn nothing ticks.
type mend struct {
	after func(time.Duration, func()) *time.Timer
	timer *time.Timer // nil while nothing is waited for
	tried int
}

const (
	mendFirst = time.Second
	mendMost  = 6 // attempts: about a minute
)

// expect waits for what has been asked for.
func (s *Stage) expect() {
	if s.mend.timer == nil {
		s.mend.tried = 0
		s.arm()
	}
}

func (s *Stage) arm() {
	s.mend.timer = s.mend.after(mendFirst<<s.mend.tried, func() { s.dispatch(s.again) })
}

// arrived ends the wait when everything is drawn.
func (s *Stage) arrived() {
	if s.mend.timer != nil && len(s.owed()) == 0 {
		s.mend.timer.Stop()
		s.mend.timer = nil
	}
}

// owed are the panes that Fyne should have asked for: it has an older picture, and nothing is under way that will tell
// it of a newer one.
func (s *Stage) owed() (list []*Pane) {
	for _, p := range s.panes {
		if (p.dirty || p.shown != p.made) && p.Visible() && p.pixW > 0 && p.pixH > 0 {
			list = append(list, p)
		}
	}
	return list
}

// again asks once more for what is not drawn.
func (s *Stage) again() {
	if s.mend.timer == nil { // it was drawn meanwhile
		return
	}
	s.mend.timer = nil
	list := s.owed()
	if len(list) == 0 || s.mend.tried+1 == mendMost {
		return
	}
	s.mend.tried++
	s.arm()
	if s.flight != nil { // which asks for them when it is done
		return
	}
	for _, p := range list {
		s.refresh(p)
	}
}
