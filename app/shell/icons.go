package shell

import (
	"fmt"
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
)

// Icons of the window's chrome, drawn on a grid of 16 in one colour.
var (
	iconPlay     = icon("play", `<path d="M4 2.5v11l9.5-5.5z" fill="#c"/>`)
	iconPause    = icon("pause", `<path d="M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z" fill="#c"/>`)
	iconNext     = icon("next", `<path d="M3 3v10l7-5zM10.8 3h2v10h-2z" fill="#c"/>`)
	iconPrevious = icon("previous", `<path d="M13 3v10L6 8zM3.2 3h2v10h-2z" fill="#c"/>`)
	iconMaximise = icon("maximise",
		`<path d="M3 6.5V3h3.5M9.5 3H13v3.5M13 9.5V13H9.5M6.5 13H3V9.5" fill="none" stroke="#c" stroke-width="1.3"/>`)
	iconRestore = icon("restore",
		`<path d="M6.5 3v3.5H3M13 6.5H9.5V3M9.5 13V9.5H13M3 9.5h3.5V13" fill="none" stroke="#c" stroke-width="1.3"/>`)
	iconClose  = icon("close", `<path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="#c" stroke-width="1.4"/>`)
	iconFold   = icon("fold", `<path d="M10 4L6 8l4 4" fill="none" stroke="#c" stroke-width="1.4"/>`)
	iconUnfold = icon("unfold", `<path d="M6 4l4 4-4 4" fill="none" stroke="#c" stroke-width="1.4"/>`)
	iconOrbit  = icon("orbit",
		`<circle cx="8" cy="8" r="6" fill="none" stroke="#c" stroke-width="1.2"/><circle cx="8" cy="8" r="3" fill="none" stroke="#c" stroke-width="1.2"/><circle cx="12.8" cy="4.6" r="1.7" fill="#c"/>`)
)

// icon is an SVG whose colour is left open.
func icon(name, body string) fyne.Resource {
	return fyne.NewStaticResource(name+".svg",
		[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">`+body+`</svg>`))
}

// tinted is an icon in a colour.
type tinted struct {
	of fyne.Resource
	c  color.NRGBA
}

func (t tinted) hex() string { return fmt.Sprintf("#%02x%02x%02x", t.c.R, t.c.G, t.c.B) }

// Name implements fyne.Resource; Fyne caches by it.
func (t tinted) Name() string { return t.hex()[1:] + "-" + t.of.Name() }

// Content implements fyne.Resource.
func (t tinted) Content() []byte {
	return []byte(strings.ReplaceAll(string(t.of.Content()), "#c", t.hex()))
}
