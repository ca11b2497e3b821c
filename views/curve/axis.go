package curve

import (
	"math"
	"strconv"

	"orrery/views/scene"
	"orrery/views/words"
)

// geometry is where the parts are, and the scales of the plot.
type geometry struct {
	size     scene.Size
	plot     scene.Rect
	strips   []scene.Rect // one for each level with sets
	levels   []int        // whose they are
	head     float64      // baseline of the words above the strips, 0 for none
	low, top float64      // log2 of the sizes at the plot's ends
	floor    float64      // the ratios at the plot's lower and upper end
	most     float64
	log      bool
}

// Room around the plot and the strips.
const (
	gutter     = 50.0
	rightRoom  = 14.0
	topRoom    = 30.0
	axisRoom   = 22.0
	stripHead  = 24.0
	stripGap   = 5.0
	stripRight = 118.0
	leastPlot  = 90.0
	widest     = 26.0 // a set's bar
)

// place lays the pane out: the strips share at most half of the height and go first where there is too little.
func place(s *State, size scene.Size) geometry {
	g := geometry{size: size, log: s.Log}
	right := max(gutter+1, size.W-rightRoom)
	bottom := size.H - axisRoom
	for i, l := range s.Levels {
		if len(l.Sets) > 0 {
			g.levels = append(g.levels, i)
		}
	}
	if n := float64(len(g.levels)); n > 0 {
		tall := min(46, (size.H*0.5-stripHead)/n-stripGap)
		if need := stripHead + n*(tall+stripGap); tall >= 9 && size.H-need-axisRoom-topRoom >= leastPlot {
			y := size.H - need + stripHead
			g.head = y - 9
			wide := right - gutter
			if size.W >= 380 {
				wide -= stripRight
			}
			for _, i := range g.levels {
				g.strips = append(g.strips, scene.R(gutter, y, max(1, min(wide, widest*float64(len(s.Levels[i].Sets)))), tall))
				y += tall + stripGap
			}
			bottom -= need
		}
	}
	g.plot = scene.Rect{Min: scene.Point{X: gutter, Y: topRoom}, Max: scene.Point{X: right, Y: max(topRoom+1, bottom)}}
	g.scales(s)
	return g
}

// scales fits the axes to what is drawn: sizes from the smallest cache to one step beyond the largest thing there is.
func (g *geometry) scales(s *State) {
	g.low, g.top = math.Inf(1), math.Inf(-1)
	least := math.Inf(1)
	see := func(bytes uint64, ratio float64) {
		x := math.Log2(float64(max(1, bytes)))
		g.low, g.top, g.most = min(g.low, x), max(g.top, x), max(g.most, ratio)
		if ratio > 0 {
			least = min(least, ratio)
		}
	}
	for _, l := range s.Lines {
		for _, p := range l.Points {
			see(p.Bytes, p.Ratio)
		}
	}
	for _, l := range s.Levels {
		see(l.Bytes, l.Ratio)
	}
	g.low, g.top = math.Floor(g.low), math.Ceil(g.top+0.01)
	if g.most = nice(g.most); g.log {
		g.most, g.floor = 1, math.Pow(10, math.Floor(math.Log10(max(1e-8, min(0.1, least)))))
	}
}

// nice is the smallest of 1, 2, 2.5 or 5 times a power of ten, or 1, that is not less than v.
func nice(v float64) float64 {
	if !(v > 1e-9) {
		return 1e-9
	}
	step := math.Pow(10, math.Floor(math.Log10(v)))
	for _, k := range []float64{1, 2, 2.5, 4, 5, 8} {
		if k*step >= v*0.9999 {
			return min(1, k*step)
		}
	}
	return min(1, 10*step)
}

func (g *geometry) x(bytes uint64) float64 {
	return g.plot.Min.X + (math.Log2(float64(max(1, bytes)))-g.low)/(g.top-g.low)*g.plot.W()
}

// bytes is the size at a position.
func (g *geometry) bytes(x float64) float64 {
	return math.Exp2(g.low + (x-g.plot.Min.X)/g.plot.W()*(g.top-g.low))
}

func (g *geometry) y(ratio float64) float64 {
	share := ratio / g.most
	if g.log {
		share = math.Log(max(ratio, g.floor)/g.floor) / math.Log(g.most/g.floor)
	}
	return g.plot.Max.Y - share*g.plot.H()
}

func drawAxes(d *scene.Drawing, s *State, g geometry) {
	for _, v := range g.ratios() {
		y := math.Round(g.y(v)) + 0.5
		d.Add(scene.Stroke{Path: scene.Segment(g.plot.Min.X, y, g.plot.Max.X, y), Width: 0.5, Color: s.Theme.Faint},
			scene.Text{At: scene.Point{X: g.plot.Min.X - 7, Y: y + scene.Middle(scene.Mono, 10)}, Face: scene.Mono, Size: 10,
				Color: s.Theme.Dim, Align: 1, S: percent(v)})
	}
	step := 1
	for room := g.plot.W() / (g.top - g.low); room*float64(step) < 58; {
		step++
	}
	for k := int(g.low); k <= int(g.top); k++ {
		x := math.Round(g.x(1<<uint(max(0, k)))) + 0.5
		if k%step != 0 {
			continue
		}
		d.Add(scene.Stroke{Path: scene.Segment(x, g.plot.Max.Y, x, g.plot.Max.Y+4), Width: 1, Color: s.Theme.Faint})
		align := 0.5
		if x+26 > g.size.W {
			align = 1
		}
		d.Add(scene.Text{At: scene.Point{X: min(x, g.size.W-3), Y: g.plot.Max.Y + 16}, Face: scene.Mono, Size: 10,
			Color: s.Theme.Dim, Align: align, S: words.Bytes(1 << uint(max(0, k)))})
	}
}

// ratios are those that get a guide.
func (g *geometry) ratios() []float64 {
	var out []float64
	if g.log {
		every := 1.0
		for g.plot.H()/(math.Log10(g.most/g.floor)/every) < 22 {
			every++
		}
		for v := g.floor; v <= g.most*1.001; v *= math.Pow(10, every) {
			out = append(out, v)
		}
		return out
	}
	n := 4.0
	if math.Abs(math.Mod(g.most*1e9/math.Pow(10, math.Floor(math.Log10(g.most*1e9))), 2.5)) < 1e-6 {
		n = 5
	}
	if g.plot.H() < 110 {
		n = 2
	}
	for i := 0.0; i <= n; i++ {
		out = append(out, g.most*i/n)
	}
	return out
}

// percent writes a ratio with as many digits as tell it apart: "12.5 %", "0.003 %".
func percent(v float64) string {
	p := 100 * v
	prec := 0
	for k := p; k > 0 && k < 99.95 && prec < 6; k *= 10 {
		prec++
	}
	text := strconv.FormatFloat(p, 'f', prec, 64)
	if prec > 0 {
		for text[len(text)-1] == '0' {
			text = text[:len(text)-1]
		}
		if text[len(text)-1] == '.' {
			text = text[:len(text)-1]
		}
	}
	return text + " %"
}
