package shell

import (
	"sync/atomic"

	"fyne.io/fyne/v2"
)

// motionApp is the Fyne application with the preference for reduced motion in its settings. Fyne's fields read it
// before they blink, the views before they animate.
type motionApp struct {
	fyne.App
	settings *motionSettings
}

// motionSettings are Fyne's settings with ShowAnimations false where motion is reduced.
type motionSettings struct {
	fyne.Settings
	reduced atomic.Bool
}

// newMotionApp wraps an application and makes it the current one.
func newMotionApp(a fyne.App) *motionApp {
	c := &motionApp{a, &motionSettings{Settings: a.Settings()}}
	fyne.SetCurrentApp(c)
	return c
}

// Settings implements fyne.App.
func (c *motionApp) Settings() fyne.Settings { return c.settings }

// ShowAnimations implements fyne.Settings.
func (s *motionSettings) ShowAnimations() bool {
	return !s.reduced.Load() && s.Settings.ShowAnimations()
}
