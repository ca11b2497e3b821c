package shell

import "fyne.io/fyne/v2"

// drawnWidget is a widget that is its own renderer: Fyne keeps renderers apart from widgets, and drops one that was not
// asked for in a while, so all state is the widget's.
type drawnWidget interface {
	fyne.Widget
	layOut(size fyne.Size)      // places the parts
	update()                    // brings them up to date with the widget's state and the theme
	parts() []fyne.CanvasObject // from the lowest to the topmost
}

// renderer is what Fyne draws a drawnWidget with.
type renderer struct{ w drawnWidget }

// Layout implements fyne.WidgetRenderer.
func (r renderer) Layout(size fyne.Size) { r.w.layOut(size) }

// Refresh implements fyne.WidgetRenderer.
func (r renderer) Refresh() { r.w.update() }

// MinSize implements fyne.WidgetRenderer.
func (r renderer) MinSize() fyne.Size { return r.w.MinSize() }

// Objects implements fyne.WidgetRenderer.
func (r renderer) Objects() []fyne.CanvasObject { return r.w.parts() }

// Destroy implements fyne.WidgetRenderer.
func (r renderer) Destroy() {}
