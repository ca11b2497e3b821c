package pane

import "time"

// retry repeats requests for a repaint that Fyne has not followed. Whatever keeps Fyne from asking for a picture that
// has changed, a pane must not stay as it was for ever: as long as one is dirty, all that are dirty are requested,
// after a second, two, four and so on. A window that cannot be seen draws nothing, so after some attempts it waits for
// the next change. Where everything is drawn nothing ticks.
type retry struct {
	after func(time.Duration, func()) *time.Timer
	timer *time.Timer // nil while nothing is waited for
	tried int
}

const (
	firstRetry  = time.Second
	mostRetries = 6 // attempts: about a minute
)

// expect waits for what has been asked for.
func (s *Stage) expect() {
	if s.retry.timer == nil {
		s.retry.tried = 0
		s.arm()
	}
}

func (s *Stage) arm() {
	s.retry.timer = s.retry.after(firstRetry<<s.retry.tried, func() { s.dispatch(s.retryNow) })
}

// arrived ends the wait when everything is drawn.
func (s *Stage) arrived() {
	if s.retry.timer != nil && len(s.owed()) == 0 {
		s.retry.timer.Stop()
		s.retry.timer = nil
	}
}

// owed are the panes that Fyne should have asked for: it has an older picture, and nothing is under way that will tell
// it of a newer one.
func (s *Stage) owed() (list []*Pane) {
	for _, p := range s.panes {
		if (p.dirty || p.shown != p.pictures) && p.Visible() && p.pixW > 0 && p.pixH > 0 {
			list = append(list, p)
		}
	}
	return list
}

// retryNow asks Fyne for the second time or later for what is not drawn.
func (s *Stage) retryNow() {
	if s.retry.timer == nil { // it was drawn meanwhile
		return
	}
	s.retry.timer = nil
	list := s.owed()
	if len(list) == 0 || s.retry.tried+1 == mostRetries {
		return
	}
	s.retry.tried++
	s.arm()
	if s.flight != nil { // which asks for them when it is done
		return
	}
	for _, p := range list {
		s.refresh(p)
	}
}
