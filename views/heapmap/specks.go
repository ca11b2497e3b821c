package heapmap

import "orrery/analysis/heap"

// Where millions of blocks are in view, most leaves of the index are a few pixels large, and what leaf (stroke.go) asks of each block
// can be asked of the leaf: nothing is cut, hidden, dimmed or in relief.

// within tells whether all of a leaf, whose corner is given in pixels, lies in the band's rows and the image's columns, and is so low
// that none of its blocks has a relief.
func (p *painter) within(box *heap.Rect, cornerX, cornerY, perAddr float64) bool {
	const slack = 1.0 / 1024 // for rounding
	width, height := float64(box.To-box.From)*p.perTime, float64(box.High-box.Low)*perAddr
	return height < thin && cornerX > slack && cornerX+width < p.wide-slack && cornerY < float64(p.r1)-slack && cornerY-height > float64(p.r0)+slack &&
		box.To-box.From < heap.Far/2 && box.High-box.Low < heap.Far/2
}

// specks leaves the strokes of a leaf that lies within the band: no block is cut, and most are in one row.
func (p *painter) specks(l *heap.Leaf, cornerX, cornerY, perAddr float64) {
	perTime, edge, r0, n, strokes := p.perTime, p.edge, p.r0, p.n, p.strokes
	even := edge + (1-edge)*p.mean(0)*p.mean(0) // the light of blocks that have no room for a border
	class := p.class[l.First:][:len(l.Offsets)]
	for i := range l.Offsets {
		o := &l.Offsets[i]
		left, bottom := cornerX+float64(int32(o.From))*perTime, cornerY-float64(int32(o.Low))*perAddr
		width, height := float64(int32(o.Span))*perTime, float64(int32(o.Size))*perAddr
		right, top := left+width, bottom-height
		side := width
		if height < side {
			side = height
		}
		value, turn := float32(1), uint8(255)
		if side > narrow {
			value, turn = share(side)
		}
		a, b, f0, f1 := ends(left, right)
		light := even
		if width > 4*widestBorder {
			light = edge + (1-edge)*p.mean(width)*p.mean(0)
		}
		for r := int(top); ; r++ {
			end := float64(r + 1)
			if end > bottom {
				end = bottom
			}
			s := &strokes[n]
			n++
			s.a, s.b, s.f0, s.f1 = a, b, f0, f1
			s.fy, s.light, s.value, s.row, s.class, s.turn = float32(end-top), light, value, uint8(r-r0), class[i], turn
			if top = end; top >= bottom {
				break
			}
		}
	}
	p.n = n
}
