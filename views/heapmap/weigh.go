package heapmap

// cell is the sums of one pixel: weights f^alpha, shares f, and four weighted components: of classes the weight in the
// mixture and linear colour; of amounts the weight again, the amount, the relief and what dimming leaves. The last two
// are nothing but room, so that a cell is as large as a vector of the processor. Until a row is resolved a cell holds
// by what the sums change from one column to the next.
type cell [8]float32

// sums are how many numbers of a cell are in use.
const sums = 6

// brush is what strokes of one band are added to its cells with. scatter does it, where the processor has vectors with
// those (weigh_amd64.s, which knows the fields by name).
type brush struct {
	strokes          []stroke
	pow, colorWeight *power
	dither           [bandRows]*[maxClasses + 1]float32
	shades           *shades // nil for amounts
	cells            []cell
	marks            []uint8
	across           int              // cells in a row
	marked           int              // marks in a row
	rows             [bandRows]*cell  // where rows of cells begin,
	lines            [bandRows]*uint8 // and of marks
}

// fit makes the brush one for bands of w pixels.
func (b *brush) fit(w int) {
	b.across, b.marked = w+2, (w+1)/markSide+2
	if n := bandRows * b.across; cap(b.cells) < n {
		b.cells, b.marks = make([]cell, n), make([]uint8, bandRows*b.marked)
	}
	b.cells, b.marks = b.cells[:bandRows*b.across], b.marks[:bandRows*b.marked]
	for i := range bandRows {
		b.rows[i], b.lines[i] = &b.cells[i*b.across], &b.marks[i*b.marked]
	}
}

// row is the cells and the marks of row i.
func (b *brush) row(i int) ([]cell, []uint8) {
	return b.cells[i*b.across : (i+1)*b.across], b.marks[i*b.marked : (i+1)*b.marked]
}

// shades is, for each class of a stroke, dimmed ones included, 1 and the linear colour where a cell has them.
type shades [256]cell

// scatter adds the strokes to the cells.
func (b *brush) scatter() {
	switch {
	case !vectors:
		b.scatterAny()
	case b.shades != nil:
		scatterClasses(b)
	default:
		scatterAmounts(b)
	}
}

// weigh adds strokes to the cells of the band that begins with row r0.
func (p *painter) weigh(g *segment, r0 int, strokes []stroke) {
	if len(strokes) == 0 {
		return
	}
	row0 := g.number(r0)
	b := &p.brush
	b.strokes = strokes
	for i := range b.dither {
		b.dither[i] = &p.dither[(row0-int64(i))&(ditherRows-1)]
	}
	b.scatter()
}

// scatterAny is scatter on any processor. A stroke changes its row's sums in four places. With w0 and w1 the weights of
// its first and last column, and 1 that of each between them:
//
//	column   a     a+1      b       b+1
//	change   w0   1 - w0   w1 - 1   -w1
//
// A stroke in two columns adds two of these to one cell; one in a single column has a w1 of 1, so that it ends there.
func (b *brush) scatterAny() {
	for i := range b.strokes {
		s := &b.strokes[i]
		wy := b.pow.of(s.fy)
		u := [...]float32{1, s.value, s.light, 1}
		m := wy
		if b.shades == nil {
			if s.class != 0 {
				u[3] = dimmed
			}
			u[1], u[2], u[3] = m*u[1], m*u[2], m*u[3]
		} else {
			colorWeight := 1 - b.dither[s.row&(bandRows-1)][s.class&^dimStroke]*float32(s.dither)
			colorWeight *= b.colorWeight.of(s.value)
			m = wy * colorWeight
			light := wy * s.light
			c := &b.shades[s.class]
			u[1], u[2], u[3] = light*(colorWeight*c[3]), light*(colorWeight*c[4]), light*(colorWeight*c[5])
		}
		change := cell{wy, s.fy, m, u[1], u[2], u[3]}
		w0, w1 := b.pow.of(s.f0), b.pow.of(s.f1)
		first, last := change, change
		for k := range sums {
			x0, x1 := w0, w1
			if k == 1 {
				x0, x1 = s.f0, s.f1
			}
			first[k] *= x0
			last[k] *= x1
		}
		cells, marks := b.row(int(s.row))
		head, tail := cells[s.a:][:2], cells[s.b:][:2]
		for k := range sums {
			head[0][k] += first[k]
			head[1][k] += change[k] - first[k]
		}
		for k := range sums {
			tail[0][k] += last[k] - change[k]
			tail[1][k] -= last[k]
		}
		near, far := marks[s.a/markSide:][:2], marks[s.b/markSide:][:2]
		near[0], near[1], far[0], far[1] = 1, 1, 1, 1
	}
}

// markSide is how many cells share a mark. Whoever changes a cell makes its mark and the next one, as the next cell
// changes too.
const markSide = 8

// resolve turns the sums of one row into pixels and leaves its cells and marks zero. Where nothing changes the pixels
// repeat.
func (p *painter) resolve(y int, row []cell, marks []uint8) {
	if !vectors || p.class == nil {
		p.resolveAny(y, row, marks)
		return
	}
	n := &p.line
	n.sum, n.now = cell{}, n.back
	pix := p.out.Pix[y*p.out.Stride : y*p.out.Stride+4*p.w]
	done := 0
	for i := 0; i < len(marks); i++ {
		first := i
		for ; i < len(marks) && marks[i] != 0; i++ {
			marks[i] = 0
		}
		if i == first {
			continue
		}
		from, to := first*markSide, min(i*markSide, p.w)
		if from < to {
			repeat(pix[4*done:4*from], n.now)
			n.cells, n.pix, n.count = &row[from], &pix[4*from], to-from
			resolveClasses(n)
			done = to
		}
		if to < i*markSide { // beyond the image
			clear(row[max(from, p.w):])
		}
	}
	repeat(pix[4*done:], n.now)
}

// line is a stretch of a row that resolveClasses makes pixels of. resolve_amd64.s knows the fields by name.
type line struct {
	cells  *cell
	pix    *uint8
	count  int // of both
	pow    *power
	srgb   *uint8
	sum    cell       // up to the stretch
	now    [4]uint8   // the last pixel
	back   [4]uint8   // one without blocks
	ground [4]float32 // its light
}

// resolveAny is resolve on any processor.
func (p *painter) resolveAny(y int, row []cell, marks []uint8) {
	var sum cell
	pix := p.out.Pix[y*p.out.Stride : y*p.out.Stride+4*p.w]
	now := [4]uint8{p.back.R, p.back.G, p.back.B, 255}
	done := 0
	for i, m := range marks {
		if m == 0 {
			continue
		}
		marks[i] = 0
		for x := i * markSide; x < min((i+1)*markSide, len(row)); x++ {
			c := &row[x]
			if c.none() {
				continue
			}
			if x == done+1 {
				copy(pix[4*done:4*done+4], now[:])
			} else {
				repeat(pix[4*done:4*x], now)
			}
			done = x
			for k := range sums {
				sum[k] += c[k]
			}
			*c = cell{}
			if x < p.w {
				now = p.pixel(&sum)
			}
		}
	}
	repeat(pix[4*min(done, p.w):], now)
}

// none reports whether all sums are 0; comparing with an empty cell is a call.
func (c *cell) none() bool {
	return c[0] == 0 && c[1] == 0 && c[2] == 0 && c[3] == 0 && c[4] == 0 && c[5] == 0
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
	return [4]uint8{toSRGB(sum[3]*k + rest*p.ground[0]), toSRGB(sum[4]*k + rest*p.ground[1]),
		toSRGB(sum[5]*k + rest*p.ground[2]), 255}
}

// amount is the linear colour of an amount under the given light, less strong where blocks are dimmed.
func (p *painter) amount(v, light, strong float32) (out [3]float32) {
	m := &p.amounts[max(0, min(amountSteps, int(v*amountSteps+0.5)))]
	for k := range out {
		out[k] = (m[k]*strong + p.ground[k]*(1-strong)) * light
	}
	return out
}
