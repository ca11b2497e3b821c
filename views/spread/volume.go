package spread

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// growth is the plot of the hypervolume over generations.
type growth struct {
	plot      scene.Rect
	low, high float64
	n         int
}

func placeGrowth(s *State, size scene.Size) growth {
	g := growth{n: len(s.Growth), low: math.Inf(1), high: math.Inf(-1)}
	for _, v := range s.Growth {
		g.low, g.high = min(g.low, v), max(g.high, v)
	}
	step := roundStep(max(1e-9, g.high-g.low) / 4)
	g.low, g.high = max(0, math.Floor(g.low/step)*step), math.Ceil(g.high/step+1e-9)*step
	g.plot = scene.Rect{Min: scene.Point{X: 58, Y: s.Top + 26}, Max: scene.Point{X: max(70, size.W-18),
		Y: max(s.Top+40, size.H-46)}}
	return g
}

func (g *growth) x(generation float64) float64 {
	return g.plot.Min.X + generation/float64(max(1, g.n-1))*g.plot.W()
}

func (g *growth) y(v float64) float64 { return g.plot.Max.Y - (v-g.low)/(g.high-g.low)*g.plot.H() }

// at is the generation at a place.
func (g *growth) at(x float64) int {
	return max(0, min(g.n-1, int(math.Round((x-g.plot.Min.X)/g.plot.W()*float64(max(1, g.n-1))))))
}

func drawVolume(d *scene.Drawing, s *State) {
	if len(s.Growth) == 0 {
		d.Say("The table tells no generations, so nobody can say how the front grew. Give the column of generations in the "+
			"columns dialog, or how many rows a generation has.", s.Theme.Dim)
		return
	}
	g := placeGrowth(s, d.Size)
	d.Add(scene.Text{At: scene.Point{X: 10, Y: s.Top + 14}, Size: 10.5, Color: s.Theme.Dim,
		S: "hypervolume of the front so far, share of the normalised objective space", Max: d.Size.W - 20})
	step := (g.high - g.low) / 4
	for k := range 5 {
		v := g.low + float64(k)*step
		y := math.Round(g.y(v)) + 0.5
		d.Add(scene.Stroke{Path: scene.Segment(g.plot.Min.X, y, g.plot.Max.X, y), Width: 0.5, Color: s.Theme.Faint},
			scene.Text{At: scene.Point{X: g.plot.Min.X - 7, Y: y + scene.Middle(scene.Mono, 10)}, Face: scene.Mono, Size: 10,
				Color: s.Theme.Dim, Align: 1, S: strconv.FormatFloat(v, 'g', 4, 64)})
	}
	every := max(1, int(roundStep(max(1, float64(g.n-1)/max(2, g.plot.W()/70)))))
	for k := 0; k < g.n; k += every {
		x := math.Round(g.x(float64(k))) + 0.5
		d.Add(scene.Stroke{Path: scene.Segment(x, g.plot.Max.Y, x, g.plot.Max.Y+4), Width: 1, Color: s.Theme.Faint},
			scene.Text{At: scene.Point{X: x, Y: g.plot.Max.Y + 16}, Face: scene.Mono, Size: 10, Color: s.Theme.Dim, Align: 0.5,
				S: words.Count(k)})
	}
	d.Add(scene.Text{At: scene.Point{X: g.plot.Max.X, Y: d.Size.H - 10}, Size: 10.5, Color: s.Theme.Dim,
		Align: 1, S: "generation"})
	var under scene.Path
	under.Move(g.x(0), g.plot.Max.Y)
	line := scene.Curves{Starts: []int{0}, Colors: []color.NRGBA{s.Theme.Text}, Width: 1.6}
	for k, v := range s.Growth {
		p := scene.Point{X: g.x(float64(k)), Y: g.y(v)}
		if k > 0 { // what a generation found is there from it on
			line.Points = append(line.Points, scene.Point{X: p.X, Y: line.Points[len(line.Points)-1].Y})
			under.Line(p.X, line.Points[len(line.Points)-1].Y)
		}
		line.Points = append(line.Points, p)
		under.Line(p.X, p.Y)
	}
	under.Line(g.x(float64(g.n-1)), g.plot.Max.Y)
	under.Close()
	d.Add(scene.Fill{Path: under, Color: palette.Alpha(palette.Qualitative(s.Theme, 0), 0.22)})
	if g.n > 1 {
		d.Add(line)
	}
	now := max(0, min(g.n-1, s.Now))
	x, y := math.Round(g.x(float64(now)))+0.5, g.y(s.Growth[now])
	d.Add(scene.Stroke{Path: scene.Segment(x, g.plot.Min.Y, x, g.plot.Max.Y), Width: 1, Color: s.Theme.Accent},
		scene.Discs{Centers: []scene.Point{{X: x, Y: y}, {X: x, Y: y}}, Radii: []float64{5.5, 4},
			Colors: []color.NRGBA{s.Theme.Panel, s.Theme.Accent}})
	label := fmt.Sprintf("generation %s · %.4f", words.Count(now), s.Growth[now])
	wide := scene.Measure(scene.Sans, 11, label)
	left := min(x+8, g.plot.Max.X-wide)
	d.Add(scene.Fill{Path: scene.RoundBox(scene.R(left-4, g.plot.Min.Y-3, wide+8, 16), 3),
		Color: palette.Alpha(s.Theme.Panel, 0.85)},
		scene.Text{At: scene.Point{X: left, Y: g.plot.Min.Y + 9}, Size: 11, Color: s.Theme.Accent, S: label})
}
