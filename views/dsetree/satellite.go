package dsetree

import (
	"orrery/views/palette"
	"orrery/views/scene"
)

// The satellite view is the whole tree in a corner, with a frame around what the picture shows.
const (
	satelliteWide = 190.0
	satelliteTall = 92.0
)

func (f *frame) satellite() scene.Rect {
	wide := min(satelliteWide, f.area.W()/3)
	return scene.R(f.area.Max.X-wide-8, f.area.Max.Y-satelliteTall-6, wide, satelliteTall)
}

// whole is the frame of the tree inside the satellite view.
func (f *frame) whole() *frame {
	r := f.satellite()
	w := *f
	s := *f.s
	s.Bird = false
	w.s = &s
	w.area = scene.Rect{Min: scene.Point{X: r.Min.X + 5, Y: r.Min.Y + 4}, Max: scene.Point{X: r.Max.X - 5, Y: r.Max.Y - 4}}
	w.scale = w.area.W() / max(1, f.l.Width)
	w.left = w.area.Min.X
	if w.scale > 12 {
		w.scale = 12
		w.left = w.area.Center().X - f.l.Width*6
	}
	w.tall = w.area.H() / float64(len(f.rows))
	w.rows = nil
	for level := range f.rows {
		w.rows = append(w.rows, w.area.Min.Y+(float64(level)+0.5)*w.tall)
	}
	return &w
}

func (f *frame) drawSatellite(d *scene.Drawing) {
	s := f.s
	r := f.satellite()
	d.Add(scene.Fill{Path: scene.RoundBox(r, 5), Color: palette.Alpha(s.Theme.Background, 0.94)},
		scene.Stroke{Path: scene.RoundBox(r, 5), Width: 1, Color: s.Theme.Line})
	w := f.whole()
	p := newPainter(w)
	p.begin()
	for level := range w.rows {
		y := w.rows[level]
		w.row(level, func(it item) {
			c := w.mean(level, w.shade.of(it.low, it.high))
			half := max(0.75, min(it.size/2, 3))
			p.box(it.x-half, y-2, it.x+half, y+2, c)
		})
	}
	d.Add(p.image())
	left, right := f.place(f.area.Min.X), f.place(f.area.Max.X)
	x0, x1 := max(r.Min.X+1, w.x(left)), min(r.Max.X-1, w.x(right))
	d.Add(scene.Stroke{Path: scene.RoundBox(scene.R(x0, r.Min.Y+1.5, max(3, x1-x0), r.H()-3), 3), Width: 1.5,
		Color: s.Theme.Accent})
}
