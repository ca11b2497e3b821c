package pane

import (
	"time"

	"fyne.io/fyne/v2"
)

// Glide moves something from 0 to 1 and starts at once; where the user wants no motion it is at 1 at once.
func Glide(long time.Duration, tick func(done float32)) *fyne.Animation {
	a := fyne.NewAnimation(long, tick)
	a.Curve = fyne.AnimationEaseOut
	if fyne.CurrentApp().Settings().ShowAnimations() {
		a.Start()
	} else {
		tick(1)
	}
	return a
}
