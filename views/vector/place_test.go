package vector

import (
	"image"
	"image/color"
	"math"
	"testing"

	"orrery/views/raster"
	"orrery/views/scene"
)

// Pictures of one width get more columns in the file; what is seen of each must still be its rectangle, and as many of
// its columns as it has.
func TestPDFPlacesPictures(t *testing.T) {
	d := scene.Drawing{Size: scene.Size{W: 200, H: 100}}
	places := []scene.Rect{scene.R(10, 20, 30, 15), scene.R(50, 20, 60, 15), scene.R(120, 40, 15, 45),
		scene.R(0, 0, 30, 15)}
	for i, at := range places {
		im := image.NewRGBA(image.Rect(0, 0, 30, 15))
		im.Pix[4*(i%3)+3] = 255 // the last is the first again
		d.Add(scene.Image{At: at, Pixels: im})
	}
	file, err := PDF(d)
	if err != nil {
		t.Fatal(err)
	}
	var got []scene.Rect
	var clip *scene.Rect
	open(t, file).walk(t, func(op string, v []float64) {
		switch op {
		case "re":
			r := scene.R(v[0], 100-v[1]-v[3], v[2], v[3])
			clip = &r
		case "cm":
			got = append(got, scene.R(v[4], 100-v[5]-v[3], v[0], v[3]))
			if clip != nil {
				seen := got[len(got)-1]
				if seen.Min != clip.Min || seen.H() != clip.H() {
					t.Errorf("picture %d lies on %v but is clipped to %v", len(got), seen, *clip)
				}
				more := (seen.W()/clip.W() - 1) * 30
				if want := float64(len(got) - 1); math.Abs(more-want) > 1e-3 {
					t.Errorf("picture %d shows %v columns too many, want %v behind its clip", len(got), more, want)
				}
				got[len(got)-1] = *clip
			}
			clip = nil
		}
	})
	compare(t, "picture", got, places)
	wide := widened(d.Shapes[0].(scene.Image).Pixels, 2)
	if b := wide.Bounds(); b.Dx() != 32 || b.Dy() != 15 {
		t.Errorf("30 x 15 and two columns more are %v", b)
	}
}

// The outlines of a text in PDF cover the pixels that raster draws it on.
func TestPDFTextLiesWhereItIsDrawn(t *testing.T) {
	for _, align := range []float64{0, 0.3, 0.5, 1} {
		for face := range scene.Face(3) {
			d := scene.Drawing{Size: scene.Size{W: 300, H: 60}}
			d.Add(scene.Text{At: scene.Point{X: 150, Y: 40}, Face: face, Size: 20, Align: align,
				Color: color.NRGBA{255, 255, 255, 255}, S: "Ang 12 (x)"})
			file, err := PDF(d)
			if err != nil {
				t.Fatal(err)
			}
			got := scene.Rect{Min: scene.Point{X: 1e9, Y: 1e9}, Max: scene.Point{X: -1e9, Y: -1e9}}
			open(t, file).walk(t, func(op string, v []float64) {
				if n := len(v); op == "m" || op == "l" || op == "c" {
					x, y := v[n-2], 60-v[n-1]
					got.Min.X, got.Max.X, got.Min.Y, got.Max.Y = min(got.Min.X, x), max(got.Max.X, x), min(got.Min.Y, y),
						max(got.Max.Y, y)
				}
			})
			want := inked(raster.Render(d, 1, nil))
			for _, e := range [4][2]float64{{got.Min.X, want.Min.X}, {got.Min.Y, want.Min.Y}, {got.Max.X, want.Max.X},
				{got.Max.Y, want.Max.Y}} {
				if math.Abs(e[0]-e[1]) > 1.3 {
					t.Errorf("face %d, align %v: outlines lie in %v, pixels in %v", face, align, got, want)
					break
				}
			}
		}
	}
}

// inked is the smallest rectangle around what is not transparent.
func inked(im *image.RGBA) scene.Rect {
	r := image.Rectangle{}
	for y := range im.Rect.Dy() {
		for x := range im.Rect.Dx() {
			if im.RGBAAt(x, y).A > 0 {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return scene.Rect{Min: scene.Point{X: float64(r.Min.X), Y: float64(r.Min.Y)}, Max: scene.Point{X: float64(r.Max.X),
		Y: float64(r.Max.Y)}}
}
