package output

import (
	"bytes"
	"fmt"
	"image/png"
	"path/filepath"
	"strings"

	"orrery/views/raster"
	"orrery/views/scene"
	"orrery/views/vector"
)

// Formats are the endings of the names of pictures.
func Formats() []string { return []string{".png", ".svg", ".pdf"} }

// Encoder gives what turns a drawing into a file of the format that the name's ending asks for; scale is pixels a unit,
// for PNG.
func Encoder(name string, scale float64) (func(scene.Drawing) ([]byte, error), error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png":
		return func(d scene.Drawing) ([]byte, error) { return PNG(d, scale) }, nil
	case ".svg":
		return func(d scene.Drawing) ([]byte, error) { return vector.SVG(d), nil }, nil
	case ".pdf":
		return vector.PDF, nil
	}
	return nil, fmt.Errorf("%s: the name must end in .png, .svg or .pdf", name)
}

// PNG is a drawing as pixels, scale to a unit.
func PNG(d scene.Drawing, scale float64) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, raster.Render(d, scale, nil))
	return b.Bytes(), err
}
