package vector

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"orrery/views/scene"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestEveryShapeAsSVG(t *testing.T) {
	const golden = "testdata/every.svg"
	got := SVG(every())
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	if err := os.WriteFile("testdata/every.got.svg", got, 0o644); err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := 0; i < min(len(g), len(w)); i++ {
		if g[i] != w[i] {
			t.Fatalf("line %d:\n got %.200s\nwant %.200s\nall of it: diff views/vector/testdata/every{,.got}.svg\nif the new "+
				"one is right: go test ./views/vector -update", i+1, g[i], w[i])
		}
	}
	t.Fatalf("got %d lines, want %d; if the new ones are right: go test ./views/vector -update", len(g), len(w))
}

// element is a start tag.
type element struct {
	name string
	attr map[string]string
	text string
	path []string // names of the elements around it
}

// parse reads a document strictly and fails on an id that is referred to but not defined before.
func parse(t *testing.T, doc []byte) []element {
	t.Helper()
	var out []element
	var stack []int
	ids := map[string]bool{}
	dec := xml.NewDecoder(bytes.NewReader(doc))
	reference := regexp.MustCompile(`^url\(#(.*)\)$`)
	for {
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attr: map[string]string{}}
			for _, i := range stack {
				e.path = append(e.path, out[i].name)
			}
			for _, a := range token.Attr {
				if _, twice := e.attr[a.Name.Local]; twice {
					t.Errorf("<%s> has %s twice", e.name, a.Name.Local)
				}
				e.attr[a.Name.Local] = a.Value
				if m := reference.FindStringSubmatch(a.Value); m != nil && !ids[m[1]] {
					t.Errorf("<%s %s=%q>: no such id", e.name, a.Name.Local, a.Value)
				}
			}
			if id := e.attr["id"]; id != "" {
				if ids[id] {
					t.Errorf("id %q is defined twice", id)
				}
				ids[id] = true
			}
			stack = append(stack, len(out))
			out = append(out, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if len(stack) > 0 {
				out[stack[len(stack)-1]].text += string(token)
			}
		}
	}
	return out
}

func TestSVGIsWellFormed(t *testing.T) {
	for _, d := range []scene.Drawing{every(), crowd(1, 600), {}} {
		parse(t, SVG(d))
	}
}

func TestTextIsEscaped(t *testing.T) {
	const s = "<&>\"' \x00\x1b\x7f\u0085\xff\ufffe\t\n"
	d := scene.Drawing{Size: scene.Size{W: 500, H: 50}}
	d.Add(scene.Text{At: scene.Point{X: 5, Y: 20}, Size: 10, Color: color.NRGBA{A: 255}, S: s},
		scene.Image{At: scene.R(0, 0, 2, 2), Pixels: image.NewRGBA(image.Rect(0, 0, 2, 2)), Name: s})
	n := 0
	for _, e := range parse(t, SVG(d)) {
		if e.name == "text" || e.name == "title" {
			n++
			if want := "<&>\"'     \ufffd\ufffd  "; e.text != want {
				t.Errorf("<%s>: got %q, want %q", e.name, e.text, want)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d texts, want 2", n)
	}
}

func TestSameBytesTwice(t *testing.T) {
	for seed := range uint64(2) {
		d := crowd(seed, 500)
		for i := range 5 { // several pictures of one width
			im := image.NewRGBA(image.Rect(0, 0, 8, 8))
			im.Pix[4*i+3] = 255
			d.Add(scene.Image{At: scene.R(float64(i)*9, 0, 8, 8), Pixels: im}, scene.Glow{Center: scene.Point{X: 50, Y: 50},
				Outer: 30, Color: color.NRGBA{uint8(i), 0, 0, 255}})
		}
		first, err := PDF(d)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			if again, _ := PDF(d); !bytes.Equal(first, again) {
				t.Fatal("PDF: the same drawing gives different bytes")
			}
			if !bytes.Equal(SVG(d), SVG(d)) {
				t.Fatal("SVG: the same drawing gives different bytes")
			}
		}
	}
}

// stretchOf is a segment with its colour as both formats can be asked for it.
type stretchOf struct {
	x0, y0, x1, y1 float64
	color          string
}

// segments is the slow twin of the batches: every visible segment of a Curves in painting order. A crowd has no line
// of several opacities, whose free ends are longer than drawn.
func segments(c scene.Curves) (out []stretchOf) {
	for k, from := range c.Starts {
		to := len(c.Points)
		if k+1 < len(c.Starts) {
			to = c.Starts[k+1]
		}
		for i := from + 1; i < to; i++ {
			ink := c.Colors[i]
			if ink.A != 0 {
				out = append(out, stretchOf{at2(c.Points[i-1].X), at2(c.Points[i-1].Y), at2(c.Points[i].X), at2(c.Points[i].Y),
					fmt.Sprintf("#%02x%02x%02x", ink.R, ink.G, ink.B)})
			}
		}
	}
	return out
}

// numbers reads "x,y x,y"; letters separate too.
func numbers(t *testing.T, s string) (out []float64) {
	t.Helper()
	for f := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(" ,MLCZ", r) }) {
		var v float64
		if _, err := fmt.Sscan(f, &v); err != nil {
			t.Fatalf("%q in %q is not a number", f, s)
		}
		out = append(out, v)
	}
	return out
}

func TestSVGHasTheDrawingsNumbers(t *testing.T) {
	for seed := range uint64(4) {
		d := crowd(seed, 1200)
		curves, discs := d.Shapes[0].(scene.Curves), d.Shapes[1].(scene.Discs)
		var lines []stretchOf
		var circles, wantCircles [][3]float64
		for _, e := range parse(t, SVG(d)) {
			switch {
			case e.name == "path" && len(e.path) > 1:
				for part := range strings.SplitSeq(e.attr["d"][1:], "M") {
					v := numbers(t, part)
					for i := 2; i+1 < len(v); i += 2 {
						lines = append(lines, stretchOf{v[i-2], v[i-1], v[i], v[i+1], e.attr["stroke"]})
					}
				}
			case e.name == "circle":
				v := numbers(t, e.attr["cx"]+" "+e.attr["cy"]+" "+e.attr["r"])
				circles = append(circles, [3]float64(v))
			}
		}
		compare(t, "segment", lines, segments(curves))
		for i, p := range discs.Centers {
			if discs.Colors[i].A != 0 {
				wantCircles = append(wantCircles, [3]float64{at2(p.X), at2(p.Y), at2(discs.Radii[i])})
			}
		}
		compare(t, "circle", circles, wantCircles)
		paths := parse(t, SVG(d))
		i := 0
		for _, s := range d.Shapes[2:] {
			var want []scene.Point
			switch s := s.(type) {
			case scene.Fill:
				if want = s.Path.Points; s.Color.A == 0 {
					continue
				}
			case scene.Stroke:
				if want = s.Path.Points; s.Color.A == 0 || s.Width < 0.0005 {
					continue
				}
			default:
				continue
			}
			for paths[i].name != "path" || len(paths[i].path) > 1 {
				i++
			}
			got := numbers(t, paths[i].attr["d"])
			i++
			var flat []float64
			for _, p := range want {
				flat = append(flat, at2(p.X), at2(p.Y))
			}
			compare(t, "number of a path", got, flat)
		}
	}
}

func compare[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s %d: got %v, want %v", what, i, got[i], want[i])
		}
	}
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d of %s, want %d", len(got), what, len(want))
	}
}

// However a text is aligned, where it begins is computed from scene.Measure.
func TestTextBeginsWhereItIsMeasured(t *testing.T) {
	for _, align := range []float64{0, 0.25, 0.5, 0.9, 1} {
		text := scene.Text{At: scene.Point{X: 100, Y: 20}, Face: scene.Bold, Size: 13, Color: color.NRGBA{A: 255},
			Align: align, S: "AVATAR 12"}
		d := scene.Drawing{Size: scene.Size{W: 200, H: 40}, Shapes: []scene.Shape{text}}
		e := parse(t, SVG(d))[1]
		var x, width float64
		fmt.Sscan(e.attr["x"], &x)
		fmt.Sscan(e.attr["textLength"], &width)
		x -= map[string]float64{"": 0, "middle": 0.5, "end": 1}[e.attr["text-anchor"]] * width
		if want := 100 - align*scene.Measure(scene.Bold, 13, text.S); math.Abs(x-want) > 0.011 {
			t.Errorf("align %v: begins at %v, want %v", align, x, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{{0, "0"}, {-0.001, "0"}, {1.005, "1"}, {1.5, "1.5"}, {-2.25, "-2.25"}, {0.04, "0.04"}, {123456, "123456"},
		{99.999, "100"}, {1e300, "4000000"}, {-0.5, "-0.5"}} {
		if got := string(appendNumber(nil, c.v, 2)); got != c.want {
			t.Errorf("%v: got %s, want %s", c.v, got, c.want)
		}
	}
}
