package spiral

import "math"

// density sets the opacity from how much of the disc the curve would cover: beyond a third, tone must show density.
func (p *plot) density() {
	n := len(p.turn)
	length := p.length()
	p.gap = length / float64(max(1, n-1))
	p.alpha = 1
	switch p.s.Shape {
	case Circle:
		p.overlay(length)
		return
	case Plane:
		p.alpha = max(0.1, min(0.5, 12/math.Sqrt(float64(n))))
		p.pick(length)
		return
	}
	cover := length * p.width() / (math.Pi * p.l.r1 * p.l.r1)
	if cover > 0.35 {
		p.alpha = max(0.12, math.Pow(0.35/cover, 0.7))
	}
	if cover > 1 && len(p.loops) == 0 {
		p.thin()
		if p.tonal() {
			p.dense, p.every = p.every, nil
		}
	}
}

// length is that of the curve, with its loops.
func (p *plot) length() float64 {
	sum := 0.0
	if p.place != nil {
		for i := 1; i < len(p.place); i++ {
			sum += math.Hypot(p.place[i].X-p.place[i-1].X, p.place[i].Y-p.place[i-1].Y)
		}
		return sum
	}
	at := spot{p.turn[0], p.r[0]}
	for i, r := range p.r {
		turn := p.turn[i]
		around, out := 2*math.Pi*r*(turn-at.turn), r-at.r
		sum += math.Sqrt(around*around + out*out)
		at = spot{turn, r}
	}
	for k := range p.loops {
		l := &p.loops[k]
		for i := 1; i < len(l.turn); i++ {
			sum += 2 * math.Pi * l.rho * math.Abs(l.turn[i]-l.turn[i-1])
		}
	}
	return sum
}

// overlay sets the opacity of a circle on which turns lie on each other: the colours of about the last ten shine
// through. Of very many turns some are left out, evenly.
func (p *plot) overlay(length float64) {
	turns := length / (2 * math.Pi * max(1, p.l.r1*ring))
	if turns > 1 {
		p.alpha = max(0.16, math.Pow(turns, -0.6))
	}
	first, last := p.ends()
	p.led = math.Abs(p.turn[first]-p.turn[0])+math.Abs(p.turn[len(p.turn)-1]-p.turn[last]) < 4
	const most = 24
	if turns <= most {
		return
	}
	m := int32(1) << int(math.Ceil(math.Log2(turns/most)))
	p.every = make([]int32, len(p.turn))
	for i := range p.every {
		if p.every[i] = m; p.lead(i) {
			p.every[i] = 1
		}
	}
}

// lead reports whether the step to time index i leads to a circle or from it, where few others lie.
func (p *plot) lead(i int) bool { return p.led && (i <= p.first || i > p.last) }

// pick decides which steps between places are drawn: of many long ones, one of two, of four, ... in no regular order,
// so that what is drawn is a fair sample of them.
func (p *plot) pick(length float64) {
	most := 60_000.0 // units of line, about what a frame has time for
	if len(p.turn) <= crowd {
		most = 250_000 // a way that is taken once must not have gaps where there is time for it
	}
	if length <= most {
		return
	}
	m := int32(1) << min(20, int(math.Ceil(math.Log2(length/most))))
	p.every = make([]int32, len(p.turn))
	for i := range p.every {
		p.every[i] = m
	}
}

// picked reports whether the step to time index i is drawn, one of m. What is drawn of more is a part of what is drawn
// of fewer.
func picked(i int, m float64) bool {
	h := uint32(i) * 0x9e3779b1 // the golden ratio times 2^32: neighbours are strewn
	return uint32(float64(h)*m/(1<<32)) == 0
}
