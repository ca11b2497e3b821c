package timeline

import (
	"math"
	"strconv"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/scene"
	"orrery/views/words"
)

// geometry is where the parts of the strip lie.
type geometry struct {
	size    scene.Size
	plot    scene.Rect // the lanes' common rectangle
	lanes   []scene.Rect
	view    link.Range
	gutter  float64 // room for lane names
	readout float64 // baseline of the readout
}

const (
	topRoom   = 20.0
	bareRoom  = 9.0
	rulerRoom = 17.0
	rightRoom = 16.0
	laneGap   = 5.0
)

// place lays the strip out. In a strip too low for all the ruler goes first.
func place(s *State, size scene.Size) geometry {
	g := geometry{size: size, view: View(*s), gutter: 92, readout: 13}
	if size.W < 560 {
		g.gutter = 70
	}
	ruler := rulerRoom
	if size.H < 64 {
		ruler = 0
	}
	right := max(g.gutter+1, size.W-rightRoom)
	top := topRoom
	if s.Bare {
		top = bareRoom
	}
	g.plot = scene.Rect{Min: scene.Point{X: g.gutter, Y: top}, Max: scene.Point{X: right, Y: max(top+1, size.H-ruler-3)}}
	g.lanes = share(s.Lanes, g.plot)
	return g
}

// bandRoom is the height of a lane of categories, which gains nothing from more; with less than bandNeed their names
// are not written, so that the others leave it to them as long as they keep laneNeed themselves.
const (
	bandRoom = 16.0
	bandNeed = 12.0
	laneNeed = 5.0
)

// share divides the height among the lanes: evenly, but for lanes of categories, which leave what they do not need to
// the others.
func share(lanes []Lane, plot scene.Rect) []scene.Rect {
	room := plot.H() - laneGap*float64(len(lanes)-1)
	even := room / float64(max(1, len(lanes)))
	wide := even
	bands := 0
	for i := range lanes {
		if len(lanes[i].Bands) > 0 {
			bands++
		}
	}
	narrow := even
	if others := len(lanes) - bands; bands > 0 && others > 0 {
		left := func(h float64) float64 { return (room - h*float64(bands)) / float64(others) }
		narrow = min(even, bandRoom)
		if narrow < bandNeed && left(bandNeed) >= laneNeed {
			narrow = bandNeed
		}
		wide = left(narrow)
	}
	var out []scene.Rect
	y := plot.Min.Y
	for i := range lanes {
		h := max(1, wide)
		if len(lanes[i].Bands) > 0 {
			h = max(1, narrow)
		}
		out = append(out, scene.R(plot.Min.X, y, plot.W(), h))
		y += h + laneGap
	}
	return out
}

// View is the stretch that the strip shows: State.View, cut to the recording, or all of it when that is empty.
func View(s State) link.Range {
	v := link.Range{From: min(s.View.From, s.Len), To: min(s.View.To, s.Len)}
	if v.Empty() {
		return link.Range{From: 0, To: max(1, s.Len)}
	}
	return v
}

func (g *geometry) x(s float64) float64 {
	return g.plot.Min.X + (s-float64(g.view.From))/float64(g.view.To-g.view.From)*g.plot.W()
}

func (g *geometry) seq(x float64) float64 {
	return float64(g.view.From) + (x-g.plot.Min.X)/g.plot.W()*float64(g.view.To-g.view.From)
}

// SeqAt is the reference at the horizontal position x, held inside the recording; what a pointer that drags the cursor
// asks.
func SeqAt(s State, size scene.Size, x float64) traceio.Seq {
	g := place(&s, size)
	at := math.Floor(g.seq(x))
	if at <= 0 || s.Len == 0 {
		return 0
	}
	return min(traceio.Seq(at), s.Len-1)
}

// shortest is the smallest number of references that a view may be zoomed to.
const shortest = 16

// Zoom is the view scaled about the reference under the pointer: factor 2 shows half as much, 0.5 twice as much. The
// reference keeps its place on the screen unless the recording's ends forbid it.
func Zoom(s State, about traceio.Seq, factor float64) link.Range {
	v := View(s)
	span := float64(v.To - v.From)
	want := min(float64(max(1, s.Len)), max(min(shortest, float64(max(1, s.Len))), span/factor))
	share := (float64(about) - float64(v.From)) / span
	return clamp(s.Len, float64(about)-share*want, want)
}

// Pan is the view moved by a number of references, positive to later times.
func Pan(s State, by float64) link.Range {
	v := View(s)
	return clamp(s.Len, float64(v.From)+by, float64(v.To-v.From))
}

// Drag is the range that a pointer selects by going from one x to another, in order and at least one reference long.
func Drag(s State, size scene.Size, from, to float64) link.Range {
	a, b := SeqAt(s, size, min(from, to)), SeqAt(s, size, max(from, to))
	return link.Range{From: a, To: b + 1}
}

func clamp(length traceio.Seq, from, span float64) link.Range {
	span = math.Round(max(1, span))
	from = math.Round(max(0, min(from, float64(length)-span)))
	return link.Range{From: traceio.Seq(from), To: traceio.Seq(from + span)}
}

// ticks gives the round step, 1, 2 or 5 times a power of ten, at which ticks lie at least room apart.
func ticks(g *geometry, room float64) traceio.Seq {
	least := room / g.plot.W() * float64(g.view.To-g.view.From)
	step := traceio.Seq(1)
	for {
		for _, k := range []traceio.Seq{1, 2, 5} {
			if float64(step*k) >= least {
				return step * k
			}
		}
		step *= 10
	}
}

// tick writes a position on a ruler of the given step as short as it can be without losing digits: "1 000", "20 K",
// "1.2 M".
func tick(n, step traceio.Seq) string {
	unit := func(size traceio.Seq, name string) (string, bool) {
		if n < size || (size == 1000 && n < 10000) || n >= 1000*size || step%(size/100) != 0 {
			return "", false
		}
		return strconv.FormatFloat(float64(n)/float64(size), 'f', -1, 64) + name, true
	}
	for _, u := range []struct {
		size traceio.Seq
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " K"}} {
		if t, ok := unit(u.size, u.name); ok {
			return t
		}
	}
	return words.Count(n)
}
