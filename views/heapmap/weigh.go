package heapmap

import "math/bits"

// cell is the sums of one pixel: weights f^alpha, shares f, and four weighted components: of classes the weight in the
// mixture and linear colour; of amounts the weight again, the amount, the relief and what dimming leaves. Until a row is resolved a
// cell holds by what the sums change from one column to the next.
type cell [6]float32

func (c *cell) add(w, f, m float32, u *[3]float32) {
	c[0] += w
	c[1] += f
	c[2] += m
	c[3] += m * u[0]
	c[4] += m * u[1]
	c[5] += m * u[2]
}

// weigh adds strokes to the cells of the band that begins with row r0.
func (p *painter) weigh(g *segment, r0 int, strokes []stroke) {
	row0 := int64(g.under) + int64(g.rows[1]) - 1 - int64(r0) // the number of the band's first row, counted upward from the pool's beginning
	var turns [bandRows]*[maxClasses + 1]float32
	for i := range turns {
		turns[i] = &p.turns[(row0-int64(i))&(turnRows-1)]
	}
	classes := p.colors.class != nil
	for i := range strokes {
		s := &strokes[i]
		wy := p.pow.of(s.fy)
		m := wy
		var u [3]float32
		if classes {
			m *= 1 - turns[s.row&(bandRows-1)][s.class&^dimStroke]*float32(s.turn)
			if s.value < 1 {
				m *= p.say.of(s.value)
			}
			col := &p.shades[s.class>>7][s.class&^dimStroke]
			u = [3]float32{s.light * col[0], s.light * col[1], s.light * col[2]}
		} else {
			u = [3]float32{s.value, s.light, 1}
			if s.class != 0 {
				u[2] = dimmed
			}
		}
		at, word := int(s.row)*(p.w+2), int(s.row)*p.words
		a, b := int(s.a), int(s.b)
		w0, f0 := p.pow.of(s.f0), s.f0
		p.cells[at+a].add(w0*wy, f0*s.fy, w0*m, &u)
		p.marks[word+a>>6] |= 1 << (a & 63)
		if b > a {
			w1, f1 := p.pow.of(s.f1), s.f1
			if b > a+1 && f0 < 1 {
				p.cells[at+a+1].add((1-w0)*wy, (1-f0)*s.fy, (1-w0)*m, &u)
				p.marks[word+(a+1)>>6] |= 1 << ((a + 1) & 63)
				w0, f0 = 1, 1
			}
			if w1 != w0 {
				p.cells[at+b].add((w1-w0)*wy, (f1-f0)*s.fy, (w1-w0)*m, &u)
				p.marks[word+b>>6] |= 1 << (b & 63)
			}
			w0, f0 = w1, f1
		}
		p.cells[at+b+1].add(-w0*wy, -f0*s.fy, -w0*m, &u)
		p.marks[word+(b+1)>>6] |= 1 << ((b + 1) & 63)
	}
}

// resolve turns the sums of one row into pixels and leaves its cells and marks zero. Between marks nothing changes, and
// the pixels repeat.
func (p *painter) resolve(y int, row []cell, marks []uint64) {
	var sum cell
	pix := p.out.Pix[y*p.out.Stride : y*p.out.Stride+4*p.w]
	now := [4]uint8{p.back.R, p.back.G, p.back.B, 255}
	done := 0
	for i, m := range marks {
		for ; m != 0; m &= m - 1 {
			x := 64*i + bits.TrailingZeros64(m)
			if x == done+1 {
				copy(pix[4*done:4*done+4], now[:])
			} else {
				repeat(pix[4*done:4*x], now)
			}
			done = x
			c := &row[x]
			for k := range sum {
				sum[k] += c[k]
			}
			*c = cell{}
			now = p.pixel(&sum)
		}
		marks[i] = 0
	}
	repeat(pix[4*done:], now)
}

// repeat fills pixels with one colour.
func repeat(pix []uint8, c [4]uint8) {
	if len(pix) == 0 {
		return
	}
	copy(pix, c[:])
	for n := 4; n < len(pix); n *= 2 {
		copy(pix[n:], pix[:n])
	}
}

// pixel is the colour of a pixel with the given sums.
func (p *painter) pixel(sum *cell) [4]uint8 {
	// Below the smallest weight a block can have, the sums hold rounding only.
	if sum[0] < 1e-5 || sum[1] < 1e-6 && sum[0] < 1e-3 || sum[2] <= 0 {
		return [4]uint8{p.back.R, p.back.G, p.back.B, 255}
	}
	rest := float32(0)
	if sum[1] <= 1-1e-5 && sum[1] >= 0 {
		rest = p.pow.of(1 - sum[1])
	} else if sum[1] < 0 {
		rest = 1
	}
	if p.colors.class == nil {
		mean := 1 / sum[2]
		m := p.amount(sum[3]*mean, sum[4]*mean, min(1, sum[5]*mean))
		sum = &cell{sum[0], sum[1], 1, m[0], m[1], m[2]}
	}
	// (F c + B c_B) / (F + B) with c the quotient of the mixture and its weight, in one division.
	all := 1 / ((sum[0] + rest) * sum[2])
	k := sum[0] * all
	rest *= sum[2] * all
	return [4]uint8{toSRGB(sum[3]*k + rest*p.ground[0]), toSRGB(sum[4]*k + rest*p.ground[1]), toSRGB(sum[5]*k + rest*p.ground[2]), 255}
}

// amount is the linear colour of an amount under the given light, less strong where blocks are dimmed.
func (p *painter) amount(v, light, strong float32) (out [3]float32) {
	m := &p.amounts[max(0, min(amountSteps, int(v*amountSteps+0.5)))]
	for k := range out {
		out[k] = (m[k]*strong + p.ground[k]*(1-strong)) * light
	}
	return out
}
