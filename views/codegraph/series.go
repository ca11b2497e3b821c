package codegraph

import (
	"fmt"
	"image/color"

	"orrery/analysis/depgraph"
	"orrery/traceio/irgraph"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// Step is one phase of a function as the timeline shows it.
type Step struct {
	Name         string
	Nodes, Edges int
	New, Deleted int // nodes, compared with the phase before
}

// Steps counts the phases of a function.
func Steps(g *irgraph.Group) []Step {
	out := make([]Step, len(g.Snapshots))
	for i, s := range g.Snapshots {
		out[i] = Step{Name: s.Name, Nodes: len(s.Nodes), Edges: len(s.Edges)}
		if i == 0 {
			continue
		}
		before := g.Snapshots[i-1]
		kept := 0
		for _, v := range depgraph.ByID(before, s) {
			if v >= 0 {
				kept++
			}
		}
		out[i].New, out[i].Deleted = len(s.Nodes)-kept, len(before.Nodes)-kept
	}
	return out
}

// Timeline is the state of the picture of a function's phases: a column for each, as tall as its number of nodes, new
// ones on top, deleted ones below the line.
type Timeline struct {
	Theme palette.Theme
	Steps []Step
	Now   int
	Base  int // of a difference, -1 for none
	Over  int // under the pointer, -1 for none
	Empty string
}

const (
	timelineSide = 14.0
	timelineFoot = 20.0
)

func (t *Timeline) column(i int, size scene.Size) scene.Rect {
	w := (size.W - 2*timelineSide) / float64(max(1, len(t.Steps)))
	return scene.R(timelineSide+w*float64(i), 0, w, size.H)
}

// Hit is the phase at a point, -1 for none.
func (t *Timeline) Hit(size scene.Size, p scene.Point) int {
	for i := range t.Steps {
		if t.column(i, size).Contains(p) {
			return i
		}
	}
	return -1
}

// Words is the tooltip of a phase.
func (t *Timeline) Words(i int) []string {
	if i < 0 || i >= len(t.Steps) {
		return nil
	}
	s := &t.Steps[i]
	out := []string{s.Name, fmt.Sprintf("phase %d of %d · %s, %s", i+1, len(t.Steps), words.Plural(s.Nodes, "node"),
		words.Plural(s.Edges, "edge"))}
	if i > 0 {
		out = append(out, fmt.Sprintf("%d new, %d gone", s.New, s.Deleted))
	}
	return append(out, "click: show it; Shift+click: the difference from it")
}

// Scene draws the phases into the room given.
func (t *Timeline) Scene(size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: t.Theme.Panel}
	if len(t.Steps) == 0 {
		d.Say(t.Empty, t.Theme.Dim)
		return d
	}
	most, gone := 1, 0
	for _, s := range t.Steps {
		most, gone = max(most, s.Nodes), max(gone, s.Deleted)
	}
	room := max(8, size.H-timelineFoot-10)
	unit := room / float64(most+gone)
	base := 6 + unit*float64(most)
	th := &t.Theme
	fresh, went := palette.Qualitative(*th, 2), palette.Mix(th.Panel, palette.Qualitative(*th, 1), 0.8)
	for i, s := range t.Steps {
		c := t.column(i, size)
		gap := min(2, c.W()*0.15)
		x, w := c.Min.X+gap, max(0.8, c.W()-2*gap)
		if i == t.Now || i == t.Over {
			ink := palette.Alpha(th.Accent, 0.16)
			if i != t.Now {
				ink = palette.Alpha(th.Faint, 0.2)
			}
			d.Add(scene.Fill{Path: scene.RoundBox(scene.R(c.Min.X, 2, c.W(), size.H-timelineFoot+2), 3), Color: ink})
		}
		h := unit * float64(s.Nodes)
		d.Add(scene.Fill{Path: scene.Box(scene.R(x, base-h, w, h)), Color: palette.Mix(th.Panel, th.Dim, 0.5)})
		if s.New > 0 {
			d.Add(scene.Fill{Path: scene.Box(scene.R(x, base-h, w, max(1, unit*float64(s.New)))), Color: fresh})
		}
		if s.Deleted > 0 {
			d.Add(scene.Fill{Path: scene.Box(scene.R(x, base+1, w, max(1, unit*float64(s.Deleted)))), Color: went})
		}
		if i == t.Base {
			d.Add(scene.Stroke{Path: scene.RoundBox(scene.R(c.Min.X+0.5, 2.5, c.W()-1, size.H-timelineFoot+1), 3), Width: 1,
				Color: th.Dim, Dash: []float64{3, 2}})
		}
	}
	at := t.column(t.Now, size).Center().X
	d.Add(scene.Stroke{Path: scene.Segment(at, 2, at, size.H-timelineFoot+4), Width: 1.5, Color: th.Accent})
	t.foot(&d, size, fresh, went)
	return d
}

// foot names the phase and explains the colours.
func (t *Timeline) foot(d *scene.Drawing, size scene.Size, fresh, went color.NRGBA) {
	th := &t.Theme
	y := size.H - 7
	x := size.W - timelineSide
	for _, k := range []struct {
		word string
		ink  color.NRGBA
	}{{"nodes gone", went}, {"new nodes", fresh}} {
		x -= scene.Measure(scene.Sans, 10, k.word)
		d.Add(scene.Text{At: scene.Point{X: x, Y: y}, Size: 10, Color: th.Dim, S: k.word},
			scene.Fill{Path: scene.RoundBox(scene.R(x-12, y-7.5, 8, 8), 2), Color: k.ink})
		x -= 24
	}
	name := fmt.Sprintf("%d  %s", t.Now+1, t.Steps[t.Now].Name)
	at := t.column(t.Now, size).Center().X
	wide := scene.Measure(scene.Sans, 10.5, name)
	at = max(timelineSide+wide/2, min(at, x-wide/2-8))
	d.Add(scene.Text{At: scene.Point{X: at, Y: y}, Size: 10.5, Color: th.Accent, Align: 0.5,
		Max: max(1, x-timelineSide), S: name})
}
