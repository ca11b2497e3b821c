package shell

import (
	"sync/atomic"

	"fyne.io/fyne/v2"
)

// calm is the application with the user's wish for less motion in its settings, where Fyne's fields look before
// they blink and the views before they glide.
type calm struct {
	fyne.App
	settings *calmSettings
}

// calmSettings are Fyne's settings, but for the motion.
type calmSettings struct {
	fyne.Settings
	still atomic.Bool
}

// newCalm makes an application calm on demand, and the current one.
func newCalm(a fyne.App) *calm {
	c := &calm{a, &calmSettings{Settings: a.Settings()}}
	fyne.SetCurrentApp(c)
	return c
}

// Settings implements fyne.App.
func (c *calm) Settings() fyne.Settings { return c.settings }

// ShowAnimations implements fyne.Settings.
func (s *calmSettings) ShowAnimations() bool { return !s.still.Load() && s.Settings.ShowAnimations() }
