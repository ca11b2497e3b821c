package spiral

import (
	"image/color"
	"math"

	"orrery/views/scene"
)

// drawPoints adds a dot for each window where windows are at least a few pixels apart; dots come up gradually as
// zooming in takes them apart.
func (p *plot) drawPoints(d *scene.Drawing) {
	apart := math.Sqrt(math.Pi*p.l.r1*p.l.r1/float64(len(p.turn))) * 0.8 // from the windows of other turns
	show := (min(p.gap, apart) - 5) / 5
	switch p.s.Shape {
	case Circle:
		return // windows of all turns lie on each other: the arcs' tone tells more
	case Plane:
		show = 1
	}
	if p.l.thumb || show <= 0 {
		return
	}
	show = min(1, show)
	r := min(2.5, max(1.5, p.gap/9)) * max(1, p.width()/1.5)
	if p.place != nil {
		r = min(3.2, max(1.2, 0.5*apart))
	}
	var dots scene.Discs
	b := builder{p: p}
	top, most := p.onTop()
	dots.Centers, dots.Radii, dots.Colors = make([]scene.Point, 0, most), make([]float64, 0, most),
		make([]color.NRGBA, 0, most)
	for i := range p.turn {
		at := p.pos(i)
		if at.X < -r || at.Y < -r || at.X > p.l.w+r || at.Y > p.l.h+r || top != nil && !top[i] {
			continue
		}
		k := p.layer(i)
		size := r
		if k == quiet {
			size *= 0.7
		}
		dots.Centers = append(dots.Centers, at)
		dots.Radii = append(dots.Radii, size*show)
		ink := b.color(i, k)
		if p.place != nil {
			ink.A = uint8(min(255, float64(ink.A)/p.alpha))
		}
		dots.Colors = append(dots.Colors, ink)
	}
	if len(dots.Centers) > 0 {
		d.Add(dots)
	}
}

// crowd is from how many windows on dots are left out that others hide.
const crowd = 5000

// onTop is, by time index, which places no later window covers, and how many these are; nil when all are to be drawn.
func (p *plot) onTop() (out []bool, n int) {
	if p.place == nil || len(p.place) <= crowd {
		return nil, len(p.turn)
	}
	const side = 2.5 // of the squares that have room for one dot
	w, h := int(p.l.w/side)+1, int(p.l.h/side)+1
	taken := make([]bool, w*h)
	out = make([]bool, len(p.place))
	for i := len(p.place) - 1; i >= 0; i-- {
		x, y := int(math.Floor(p.place[i].X/side)), int(math.Floor(p.place[i].Y/side))
		if x < 0 || y < 0 || x >= w || y >= h {
			continue
		}
		if k := y*w + x; !taken[k] {
			taken[k], out[i] = true, true
			n++
		}
	}
	return out, n
}
