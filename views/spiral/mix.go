package spiral

// mix sets angles and membership a share t of the way from one parameterization to the other.
func (p *plot) mix(t float64) {
	from, to := p.s.From, p.s.To
	switch {
	case t == 0:
		to = from
	case t == 1:
		from = to
	}
	if p.even(from, to, t) {
		return
	}
	clear(p.turn)
	clear(p.member)
	p.add(p.s.From, 1-t)
	p.add(p.s.To, t)
}

// even mixes two parameterizations that have an angle for each window; it reports whether they do.
func (p *plot) even(from, to Angles, t float64) bool {
	turn := p.turn
	a, b := from.Turns[:len(turn)], to.Turns[:len(turn)]
	doubt := 0.0 // not a number where one of the angles is none, or infinite
	for i, v := range a {
		v = (1-t)*v + t*b[i]
		turn[i] = v
		doubt += v - v
	}
	if doubt != 0 {
		return false
	}
	p.belong(from, to, t)
	return true
}

// belong sets how much each window is a member.
func (p *plot) belong(from, to Angles, t float64) {
	by := [4]float32{0, float32(1 - t), float32(t), 1} // of none, the one, the other, both
	f, g := from.Members, to.Members
	if len(f) != len(p.turn) || len(g) != len(p.turn) {
		for i := range p.member {
			p.member[i] = by[bit(len(f) != len(p.turn) || f[i])|bit(len(g) != len(p.turn) || g[i])<<1]
		}
		return
	}
	g = g[:len(f)]
	member := p.member[:len(f)]
	for i, is := range f {
		member[i] = by[bit(is)|bit(g[i])<<1]
	}
}

func bit(is bool) uint8 {
	if is {
		return 1
	}
	return 0
}

// add mixes a parameterization in. Where it says nothing the angle goes evenly from the one before to the one after:
// such windows are drawn, in grey, on the way that the curve takes through them.
func (p *plot) add(a Angles, weight float64) {
	if weight == 0 {
		return
	}
	known := -1 // the last index with an angle
	for i, v := range a.Turns {
		if v-v != 0 { // not a number, or infinite
			continue
		}
		for j := known + 1; j < i; j++ {
			from := v
			if known >= 0 {
				from = a.Turns[known]
			}
			p.turn[j] += weight * (from + (v-from)*float64(j-known)/float64(i-known))
		}
		p.turn[i] += weight * v
		if len(a.Members) != len(a.Turns) || a.Members[i] {
			p.member[i] += float32(weight)
		}
		known = i
	}
	if known < 0 {
		return
	}
	for j := known + 1; j < len(p.turn); j++ {
		p.turn[j] += weight * a.Turns[known]
	}
}
