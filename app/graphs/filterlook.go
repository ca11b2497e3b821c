package graphs

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// rowLook is the window's theme for the list of filters, in which boxes without a check mark can be seen.
type rowLook struct{ fyne.Theme }

// Color implements fyne.Theme.
func (l rowLook) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if name == theme.ColorNameInputBorder {
		name = theme.ColorNamePlaceHolder
	}
	return l.Theme.Color(name, v)
}
