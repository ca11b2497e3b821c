package controls

import (
	"orrery/views/palette"
	"orrery/views/scene"
)

// ScrollBar shows at the right edge of a picture which part of its content is seen: scrolled of all units are above it.
// It is nothing where all is seen.
func ScrollBar(theme palette.Theme, size scene.Size, scrolled, all float64) []scene.Shape {
	over := all - size.H
	if over <= 0 {
		return nil
	}
	tall := max(20, size.H*size.H/all)
	bar := scene.R(size.W-4, (size.H-tall)*scrolled/over, 3, tall)
	return []scene.Shape{scene.Fill{Path: scene.RoundBox(bar, 1.5), Color: palette.Alpha(theme.Faint, 0.7)}}
}
