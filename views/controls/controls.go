// Package controls draws what is pressed, dragged and written in inside a picture, small enough to stand in its corner:
// a row of words of which one is chosen, a slider, a field for a text. Each is a value with its state; Shapes draws it,
// and Hit, X and ValueAt relate points of the picture to what is there. Fyne's widgets are not used for these, since a
// picture is one image on screen and is exported with all that it shows.
package controls

// RowHeight is how tall a row of words and a slider are, textSize the size of words in any control.
const (
	RowHeight = 19.0
	textSize  = 10.5
)
