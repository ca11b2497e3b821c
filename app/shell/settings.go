package shell

import (
	"os"

	"orrery/traceio/cachedir"
)

// findSettings makes sure that there is a folder for settings. Without HOME there is none, and Fyne would write its own
// into the working directory: then they go where else the user can keep something, or nowhere.
func findSettings() {
	if _, err := os.UserConfigDir(); err == nil {
		return
	}
	dir, err := cachedir.Dir("settings", cachedir.Need{})
	if err != nil {
		dir = os.DevNull
	}
	_ = os.Setenv("XDG_CONFIG_HOME", dir) // which fails for no name as plain as this
}
