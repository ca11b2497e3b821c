package vector

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"orrery/views/scene"
)

// document is a PDF taken apart: objects by number, found through the file's own table of positions.
type document struct {
	objects map[int][]byte
	page    string // the page's operators
}

func open(t *testing.T, file []byte) document {
	t.Helper()
	if !bytes.HasPrefix(file, []byte("%PDF-1.")) || !bytes.HasSuffix(file, []byte("%%EOF\n")) {
		t.Fatalf("begins %q and ends %q", file[:8], file[len(file)-8:])
	}
	m := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(file)
	if m == nil {
		t.Fatal("no startxref")
	}
	at, _ := strconv.Atoi(string(m[1]))
	table := strings.Split(string(file[at:]), "\n")
	var first, n int
	if fmt.Sscanf(table[1], "%d %d", &first, &n); table[0] != "xref" || first != 0 || n < 2 {
		t.Fatalf("startxref leads to %q, %q", table[0], table[1])
	}
	d := document{objects: map[int][]byte{}}
	for i := 1; i < n; i++ {
		pos, _ := strconv.Atoi(table[2+i][:10])
		body, ok := bytes.CutPrefix(file[pos:], fmt.Appendf(nil, "%d 0 obj\n", i))
		if !ok {
			t.Fatalf("object %d is not at its position %d", i, pos)
		}
		length := regexp.MustCompile(`/Length (\d+)>>\nstream\n`).FindSubmatchIndex(body)
		end := bytes.Index(body, []byte("endobj"))
		if length != nil && length[0] < end {
			size, _ := strconv.Atoi(string(body[length[2]:length[3]]))
			rest, ok := bytes.CutPrefix(body[length[1]+size:], []byte("\nendstream\nendobj"))
			if !ok {
				t.Fatalf("object %d: the stream does not end after its length %d", i, size)
			}
			end = len(body) - len(rest) - len("endobj")
		}
		d.objects[i] = body[:end]
	}
	d.page = d.contents(t)
	return d
}

func (d document) contents(t *testing.T) string {
	t.Helper()
	var contents []byte
	pages := 0
	for _, o := range d.objects {
		if bytes.Contains(o, []byte("/Type /Page\n")) {
			m := regexp.MustCompile(`/Contents (\d+) 0 R`).FindSubmatch(o)
			n, _ := strconv.Atoi(string(m[1]))
			contents = d.objects[n]
			pages++
		}
	}
	if pages != 1 {
		t.Fatalf("%d pages, want 1", pages)
	}
	r, err := zlib.NewReader(bytes.NewReader(contents[bytes.Index(contents, []byte("stream\n"))+7:]))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// operands is how many numbers each operator takes, in the subset that we write.
var operands = map[string]int{"q": 0, "Q": 0, "cm": 6, "w": 1, "J": 1, "j": 1, "G": 1, "g": 1, "RG": 3, "rg": 3, "m": 2,
	"l": 2, "c": 6, "h": 0, "re": 4,
	"f": 0, "S": 0, "W": 0, "n": 0, "gs": 0, "Do": 0, "d": 1}

// walk runs through the page's operators, checking each, and that nothing is used that the page does not have.
func (d document) walk(t *testing.T, each func(op string, v []float64)) {
	t.Helper()
	all := bytes.Buffer{}
	for _, o := range d.objects {
		all.Write(o)
	}
	var v []float64
	deep := 0
	page := regexp.MustCompile(`\[[^]]*\]`).ReplaceAllString(d.page, "")
	for word := range strings.FieldsSeq(page) {
		if n, err := strconv.ParseFloat(word, 64); err == nil {
			v = append(v, n)
			continue
		}
		if name, ok := strings.CutPrefix(word, "/"); ok {
			if !bytes.Contains(all.Bytes(), []byte("/"+name+" ")) {
				t.Fatalf("the page uses %s, which no object defines", word)
			}
			continue
		}
		n, known := operands[word]
		if !known || n != len(v) {
			t.Fatalf("operator %q with %d numbers %v", word, len(v), v)
		}
		switch word {
		case "q":
			deep++
		case "Q":
			deep--
		}
		if deep < 0 {
			t.Fatal("Q without q")
		}
		each(word, v)
		v = v[:0]
	}
	if deep != 0 {
		t.Fatalf("%d q without Q", deep)
	}
}

func TestPDFIsSound(t *testing.T) {
	same := func(n int) (im *image.RGBA) {
		im = image.NewRGBA(image.Rect(0, 0, 3, 2))
		im.Pix[n] = 255
		return im
	}
	several := every()
	several.Add(scene.Image{At: scene.R(100, 70, 30, 20), Pixels: same(3)}, scene.Image{At: scene.R(100, 90, 30, 20),
		Pixels: same(7)}, scene.Image{At: scene.R(0, 0, 9, 9), Pixels: same(7)})
	for name, d := range map[string]scene.Drawing{"every": every(), "pictures of one width": several,
		"crowd": crowd(1, 600), "empty": {}} {
		file, err := PDF(d)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		doc := open(t, file)
		doc.walk(t, func(string, []float64) {})
		box := fmt.Sprintf("/MediaBox [0 0 %.2f %.2f]", max(1, d.Size.W), max(1, d.Size.H))
		if !bytes.Contains(file, []byte(box)) {
			t.Errorf("%s: no %s", name, box)
		}
	}
}

func TestPDFHasTheDrawingsNumbers(t *testing.T) {
	at3 := func(v float64) float64 { return math.Round(v*1000) / 1000 }
	for seed := range uint64(4) {
		d := crowd(seed, 1200)
		d.Shapes = d.Shapes[:2]
		file, err := PDF(d)
		if err != nil {
			t.Fatal(err)
		}
		var lines, want []stretchOf
		var circles, wantCircles [][3]float64
		var x, y float64
		stroke, curved := "", 0
		open(t, file).walk(t, func(op string, v []float64) {
			switch op {
			case "RG":
				stroke = fmt.Sprintf("#%02x%02x%02x", int(math.Round(v[0]*255)), int(math.Round(v[1]*255)),
					int(math.Round(v[2]*255)))
			case "m":
				x, y = v[0], v[1]
			case "l":
				lines = append(lines, stretchOf{x, y, v[0], v[1], stroke})
				x, y = v[0], v[1]
			case "c": // the second of a circle's four curves ends opposite its beginning
				if curved++; curved%4 == 2 {
					circles = append(circles, [3]float64{(x + v[4]) / 2, y, (x - v[4]) / 2})
				}
			}
		})
		// Lines whose colour changes while something shines through end a little further out; look at the others'
		// numbers.
		curves, discs := d.Shapes[0].(scene.Curves), d.Shapes[1].(scene.Discs)
		for i, s := range exact(curves) {
			s.y0, s.y1 = d.Size.H-s.y0, d.Size.H-s.y1
			s.x0, s.y0, s.x1, s.y1 = at3(s.x0), at3(s.y0), at3(s.x1), at3(s.y1)
			want = append(want, s)
			if g := lines[i]; math.Abs(g.x0-s.x0) > 0.7 || math.Abs(g.y0-s.y0) > 0.7 || math.Abs(g.x1-s.x1) > 0.7 ||
				math.Abs(g.y1-s.y1) > 0.7 || g.color != s.color {
				t.Fatalf("segment %d: got %v, want about %v", i, g, s)
			}
		}
		equal := 0
		for i := range lines {
			if lines[i] == want[i] {
				equal++
			}
		}
		if len(lines) != len(want) || equal < len(want)*8/10 {
			t.Errorf("%d of %d segments are exactly the drawing's %d", equal, len(lines), len(want))
		}
		for i, p := range discs.Centers {
			if discs.Colors[i].A != 0 {
				wantCircles = append(wantCircles, [3]float64{p.X, d.Size.H - p.Y, discs.Radii[i]})
			}
		}
		if len(circles) != len(wantCircles) {
			t.Fatalf("%d circles, want %d", len(circles), len(wantCircles))
		}
		for i, c := range circles {
			for k := range c {
				if math.Abs(c[k]-wantCircles[i][k]) > 0.0011 {
					t.Fatalf("circle %d: got %v, want %v", i, c, wantCircles[i])
				}
			}
		}
	}
}

// exact is segments without its rounding.
func exact(c scene.Curves) (out []stretchOf) {
	starts := map[int]bool{}
	for _, s := range c.Starts {
		starts[s] = true
	}
	for i := 1; i < len(c.Points); i++ {
		if k := c.Colors[i]; !starts[i] && k.A != 0 {
			out = append(out, stretchOf{c.Points[i-1].X, c.Points[i-1].Y, c.Points[i].X, c.Points[i].Y,
				fmt.Sprintf("#%02x%02x%02x", k.R, k.G, k.B)})
		}
	}
	return out
}

func TestPDFPageLimit(t *testing.T) {
	if _, err := PDF(scene.Drawing{Size: scene.Size{W: 20000, H: 10}}); err == nil ||
		!strings.Contains(err.Error(), "export a smaller picture") {
		t.Errorf("a page of 20000 points: %v", err)
	}
}

// A gradient's straight pieces and a disc's pixels stay within a step or so of opacity of the glow itself.
func TestGlowsFollowTheirStrength(t *testing.T) {
	for _, g := range []scene.Glow{{Outer: 30, Color: color.NRGBA{A: 255}},
		{Inner: 20, Outer: 40, Color: color.NRGBA{A: 255}}, {Inner: 1, Outer: 500, Color: color.NRGBA{A: 255}}} {
		s := stops(g)
		for i := range 1000 {
			r := g.Outer * (float64(i) + 0.5) / 1000
			at, got := r/g.Outer, 0.0
			for k := 1; k < len(s); k++ {
				if at >= s[k-1].at && at <= s[k].at {
					got = s[k-1].strength + (s[k].strength-s[k-1].strength)*(at-s[k-1].at)/(s[k].at-s[k-1].at)
				}
			}
			if math.Abs(got-g.Strength(r)) > 1.0/255 {
				t.Errorf("%+v: the gradient is %.4f at %.2f, want %.4f", g, got, r, g.Strength(r))
			}
		}
		n := grain(g)
		im := disc(g, n)
		for x := range n {
			r := math.Abs(float64(x)+0.5-float64(n)/2) * 2 * g.Outer / float64(n) // along the middle, half a pixel off
			if got := float64(im.NRGBAAt(x, n/2).A) / 255; math.Abs(got-g.Strength(r)) > 0.03 {
				t.Errorf("%+v: pixel %d of %d is %.3f, want %.3f", g, x, n, got, g.Strength(r))
			}
		}
	}
}

// Opacity, ends and joints of lines are states of the page; each shape must find its own, also after a group.
func TestPDFSetsEachShapesState(t *testing.T) {
	ink := func(a uint8) color.NRGBA { return color.NRGBA{10, 20, 30, a} }
	box := scene.Box(scene.R(1, 1, 5, 5))
	line := scene.Curves{Points: []scene.Point{{X: 1, Y: 1}, {X: 9, Y: 9}}, Starts: []int{0},
		Colors: []color.NRGBA{ink(255)}, Width: 2}
	d := scene.Drawing{Size: scene.Size{W: 10, H: 10}}
	d.Add(scene.Fill{Path: box, Color: ink(128)}, scene.Fill{Path: box, Color: ink(255)},
		scene.Group{Clip: scene.R(0, 0, 9, 9), Shapes: []scene.Shape{scene.Fill{Path: box, Color: ink(51)}, line}},
		scene.Fill{Path: box, Color: ink(255)}, line, scene.Stroke{Path: scene.Segment(0, 0, 9, 3),
			Width: 2, Color: ink(204)})
	file, err := PDF(d)
	if err != nil {
		t.Fatal(err)
	}
	doc := open(t, file)
	opacities := map[string]string{"": "1.000"} // by the name of the state
	for _, o := range doc.objects {
		for _, m := range regexp.MustCompile(`/(GS\d+) (\d+) 0 R`).FindAllSubmatch(o, -1) {
			n, _ := strconv.Atoi(string(m[2]))
			opacities[string(m[1])] = string(regexp.MustCompile(`/ca (\S+)`).FindSubmatch(doc.objects[n])[1])
		}
	}
	type state struct{ gs, ends, joints string }
	var now state
	var saved []state
	var got []string
	words := strings.Fields(doc.page)
	for i, w := range words {
		switch w {
		case "gs":
			now.gs = words[i-1][1:]
		case "J":
			now.ends = words[i-1]
		case "j":
			now.joints = words[i-1]
		case "q":
			saved = append(saved, now)
		case "Q":
			now, saved = saved[len(saved)-1], saved[:len(saved)-1]
		case "f":
			got = append(got, "fill "+opacities[now.gs])
		case "S":
			got = append(got, "stroke "+opacities[now.gs]+" ends "+now.ends+" joints "+now.joints)
		}
	}
	compare(t, "shape", got, []string{"fill 0.502", "fill 1.000", "fill 0.200", "stroke 1.000 ends 1 joints 1",
		"fill 1.000", "stroke 1.000 ends 1 joints 1", "stroke 0.800 ends 0 joints 1"})
}
