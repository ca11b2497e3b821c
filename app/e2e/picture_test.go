package e2e

import (
	"image"
	"math"
)

// rect is a pane as a rectangle of whole pixels inside it.
func (p pane) rect() image.Rectangle {
	return image.Rect(int(math.Ceil(p.X)), int(math.Ceil(p.Y)), int(p.X+p.W), int(p.Y+p.H))
}

// at is a point of the pane, by its share of the width and the height.
func (p pane) at(fx, fy float64) (x, y float64) { return p.X + p.W*fx, p.Y + p.H*fy }

// colours counts how many colours a part of a picture has, each channel taken in 16 steps: a blank region has one, a
// word of text on it several.
func colours(m image.Image, r image.Rectangle) int {
	seen := map[[3]uint32]bool{}
	r = r.Intersect(m.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			red, green, blue, _ := m.At(x, y).RGBA()
			seen[[3]uint32{red >> 12, green >> 12, blue >> 12}] = true
		}
	}
	return len(seen)
}

// brightness is the mean of a part of a picture, 0 black, 1 white.
func brightness(m image.Image, r image.Rectangle) float64 {
	r = r.Intersect(m.Bounds())
	if r.Empty() {
		return 0
	}
	sum := 0.0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			red, green, blue, _ := m.At(x, y).RGBA()
			sum += float64(red+green+blue) / 3 / 0xffff
		}
	}
	return sum / float64(r.Dx()*r.Dy())
}

// differing counts the pixels of a region that two pictures disagree about.
func differing(a, b image.Image, r image.Rectangle) int {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}

// differingBox is the smallest rectangle that holds all pixels in which two pictures differ.
func differingBox(a, b image.Image) (box image.Rectangle) {
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}
