package heapmap

import (
	"context"
	"fmt"
	"image"
	"math"

	"orrery/analysis/heap"
	"orrery/views/scene"
	"orrery/views/words"
)

// Page is what the view shows.
type Page uint8

// The pages: one map, and three that compare the bins (figures 8, 9 and 6 of the paper).
const (
	MapPage     Page = iota
	AddressPage      // a map for each bin, all as high as one another: where in its addresses each bin is full
	TimePage         // the same one below the other: what happens at the same time
	BarsPage         // an occupancy bar for each bin
	pages
)

// String names the page for people.
func (p Page) String() string {
	return [...]string{"one map", "bins by address", "bins by time", "occupancy of bins"}[min(p, pages-1)]
}

// binCell is one bin in a page: its map, beside it how full it is, below it the occupancy bar.
type binCell struct {
	layout
	title scene.Point // its end where align is 1
	align float64
	room  float64
	full  scene.Rect
}

const (
	cellTitle = 15.0
	cellBar   = 6.0
	cellFull  = 5.0
	leastCell = 64.0
	leastRow  = 20.0
	leastLine = 11.0
)

// grid is the cells of a page, the layout that the labels of time belong to, and where in all rows the cells stand.
func grid(s *State, size scene.Size) (cells []binCell, l layout, at scroll) {
	l = newLayout(s, size)
	scale := max(size.Scale, 0.1)
	snap := func(v float64) float64 { return math.Round(v*scale) / scale }
	area := scene.Rect{Min: scene.Point{X: pad, Y: snap(legendH + 4)}, Max: scene.Point{X: size.W - pad, Y: size.H - 8}}
	if s.Page != AddressPage {
		area.Min.X, area.Max.X = gutterWide, size.W-pad-cellFull-4
		area.Max.Y -= timesRoom
	}
	n := len(s.Heap.Bins)
	if gridKeys(size) {
		area.Max.Y -= keyRoom
	}
	columns, rows := fit(s.Page, n, area)
	if n == 0 || area.W() < 60 {
		return nil, l, at
	}
	all := (n + columns - 1) / columns
	rows = min(rows, all)
	at = newScroll(s.Row, rows, all, area, size)
	first := at.first * columns
	bins := min(n, first+rows*columns) - first
	w, h := area.W()/float64(columns), area.H()/float64(rows)
	for i := range bins {
		bin := first + i
		x, y := area.Min.X+w*float64(i%columns), area.Min.Y+h*float64(i/columns)
		c := binCell{layout: l, room: w - 12}
		c.bin, c.context, c.legend = bin, scene.Rect{}, scene.Rect{}
		x0, x1, y0, y1 := snap(x), snap(x+w-14-cellFull), snap(y+cellTitle), snap(y+h-cellBar-10)
		c.title = scene.Point{X: x0, Y: y0 - 4}
		switch s.Page {
		case TimePage:
			x0, x1, y0, y1 = snap(area.Min.X), snap(area.Max.X), snap(y), snap(y+h-4)
			c.title, c.align, c.room = scene.Point{X: x0 - 6, Y: (y0+y1)/2 + 3.5}, 1, gutterWide-pad-4
		case BarsPage:
			x0, x1, y0, y1 = snap(area.Min.X), snap(area.Max.X), snap(y), snap(y)
			c.title, c.align, c.room = scene.Point{X: x0 - 6, Y: y + h/2 + 2}, 1, gutterWide-pad-4
		}
		c.plot = scene.Rect{Min: scene.Point{X: x0, Y: y0}, Max: scene.Point{X: x1, Y: y1}}
		c.bar = scene.Rect{}
		switch s.Page {
		case AddressPage:
			c.bar = scene.Rect{Min: scene.Point{X: x0, Y: snap(y1 + 2)}, Max: scene.Point{X: x1, Y: snap(y1 + 2 + cellBar)}}
		case BarsPage:
			c.bar = scene.Rect{Min: scene.Point{X: x0, Y: y0}, Max: scene.Point{X: x1, Y: snap(y + h - min(3, h/5))}}
		}
		c.full = scene.R(x1+2, y0, cellFull, y1-y0)
		if s.Page == BarsPage {
			c.full = scene.R(x1+2, y0, cellFull, c.bar.H())
		}
		c.axis = newAxis(within(s.Heap, bin), c.plot.H(), scale)
		c.axis.rebase(s.Heap.Spans)
		c.perTime = c.pixels() / float64(l.to-l.from)
		c.left = math.Round(float64(l.from) * c.perTime)
		cells = append(cells, c)
	}
	head, last := cells[0], cells[len(cells)-1]
	l.plot, l.perTime, l.left = scene.Rect{Min: head.plot.Min, Max: scene.Point{X: head.plot.Max.X,
		Y: max(last.plot.Max.Y, last.bar.Max.Y)}}, head.perTime, head.left
	l.bar = scene.Rect{Min: scene.Point{X: l.plot.Min.X, Y: l.plot.Max.Y}, Max: l.plot.Max}
	l.context, l.footer, l.times = scene.Rect{}, 0, 0
	if s.Page != AddressPage {
		l.times = l.plot.Max.Y + 14
	}
	return cells, l, at
}

// fit is how many cells there is room for, n if possible.
func fit(p Page, n int, area scene.Rect) (columns, rows int) {
	least := leastRow
	switch p {
	case AddressPage:
		best := 0.0
		columns, rows = max(1, int(area.W()/(1.5*leastCell))), max(1, int(area.H()/leastCell))
		if columns*rows < n {
			return columns, rows
		}
		for c := 1; c <= n; c++ {
			r := (n + c - 1) / c
			if side := min(area.W()/float64(c)/1.7, area.H()/float64(r)); side > best {
				best, columns, rows = side, c, r
			}
		}
		return columns, rows
	case BarsPage:
		least = leastLine
	}
	return 1, max(1, min(n, int(area.H()/least)))
}

// within is the spans of addresses between the first and the last block of a bin.
func within(h *heap.Heap, bin int) []heap.Span {
	b := &h.Bins[bin]
	var out []heap.Span
	for _, x := range h.Spans {
		if x.Low, x.High = max(x.Low, b.Low), min(x.High, b.High); x.Low < x.High {
			out = append(out, x)
		}
	}
	return out
}

// drawGrid draws a page of bins.
func (r *Renderer) drawGrid(d *scene.Drawing, s *State, size scene.Size, c *look) {
	cells, l, at := grid(s, size)
	if len(cells) == 0 {
		return
	}
	orders := r.orders(s)
	k, bars := r.gridBars(s, &l, cells)
	var now []uint64
	if bars != nil {
		now = fullness(s, &cells[0].layout, bars)
	}
	for i := range cells {
		x := &cells[i]
		b := &s.Heap.Bins[x.bin]
		d.Add(scene.Text{At: x.title, Size: 10, Color: s.Theme.Dim, Align: x.align, Max: x.room, S: x.name(s, b, orders)})
		if x.plot.H() > 2 {
			if pix := r.blocks("bin "+fmt.Sprint(x.bin), c, x.plotFrame()); pix != nil {
				d.Add(scene.Image{At: x.plot, Pixels: pix, Name: "bin " + b.Name})
			}
		}
		if now == nil {
			continue
		}
		ribbon := bars[x.bin]
		if x.bar.H() > 0 {
			own := k
			own.look.peak = max(b.PeakBytes, 1)
			pix := r.image("bar "+fmt.Sprint(x.bin), own, func(context.Context) *image.RGBA { return own.look.paint(ribbon) })
			if pix != nil {
				d.Add(scene.Image{At: x.bar, Pixels: pix, Name: "occupancy of bin " + b.Name})
			}
		}
		drawFull(d, s, x, float64(now[x.bin])/float64(max(b.PeakBytes, 1)))
		drawMarks(d, s, &x.layout)
		if s.Page == AddressPage {
			drawBands(d, s, &x.layout, scene.Rect{Min: x.plot.Min, Max: x.bar.Max})
		}
	}
	if s.Page != AddressPage {
		drawTimes(d, s, &l)
		drawBands(d, s, &l, l.plot)
	}
	drawGridKeys(d, s, &l, size)
	at.draw(d, s)
}

// gridBars is the ribbons of all bins on a page, nil while they are being made, and what they depend on.
func (r *Renderer) gridBars(s *State, l *layout, cells []binCell) (barKey, []*ribbon) {
	k := barKey{heap: s.Heap, look: s.barLook(l, max(cells[0].bar.H(), 1)), left: cells[0].left, perTime: cells[0].perTime,
		w: int(cells[0].pixels())}
	bars, _ := r.get("ribbons", k,
		func(ctx context.Context) any { return ribbons(ctx, k.heap, k.look, k.left, k.perTime, k.w, false) }).([]*ribbon)
	if len(bars) != len(s.Heap.Bins) {
		return k, nil
	}
	return k, bars
}

// name is a cell's title: as much as there is room for of what tells how many blocks the bin has, and in which order
// its addresses are handed out.
func (x *binCell) name(s *State, b *heap.Bin, orders []heap.Order) string {
	if s.Page != AddressPage {
		return b.Name
	}
	parts := []string{""}
	if x.bin < len(orders) && orders[x.bin].Steps > 0 {
		parts = append(parts, fmt.Sprintf("%d %% up", upward(&orders[x.bin])))
	}
	parts = append(parts, "peak "+words.Bytes(b.PeakBytes))
	best, had := b.Name, 0
	for _, blocks := range []string{words.Plural(b.Blocks, "block"), shortCount(b.Blocks) + " blocks"} {
		parts[0] = blocks
		name, n := b.Name, 0
		for ; n < len(parts) && scene.Measure(scene.Sans, 10, name+"   "+parts[n]) <= x.room; n++ {
			name += "   " + parts[n]
		}
		if n > had {
			best, had = name, n
		}
		if b.Blocks < 1000 {
			break
		}
	}
	return best
}

// orders is the order in which each bin hands out its addresses; nil while that is not known.
func (r *Renderer) orders(s *State) []heap.Order {
	type byBin struct {
		of     *heap.Heap
		orders []heap.Order
	}
	h := s.Heap
	if t, ok := r.get("orders", h, func(context.Context) any { return byBin{h, h.Orders(h.Bursts())} }).(byBin); ok &&
		t.of == h {
		return t.orders
	}
	return nil
}

// upward is how many steps of 100 within bursts go to a higher address.
func upward(o *heap.Order) uint64 { return percent(uint64(o.Up), uint64(o.Steps)) }

// describeOrder says in which order a bin's addresses are handed out.
func describeOrder(o *heap.Order) string {
	if o.Steps == 0 {
		return fmt.Sprintf("never %d blocks in a row", heap.MinBurst)
	}
	return fmt.Sprintf("bursts of %d or more: %d up, %d down, %d mixed; %d %% of steps go up", heap.MinBurst,
		o.Bursts[heap.Upward], o.Bursts[heap.Downward], o.Bursts[heap.Mixed], upward(o))
}

// fullness is the bytes that are live in each bin at the cursor; at the heap's peak where the cursor is out of sight.
// Bars know what was live at the left edge of the cursor's column, to the byte, and what has changed since then is
// little.
func fullness(s *State, l *layout, bars []*ribbon) []uint64 {
	at, _ := fullAt(s, l)
	edge := func(t heap.Time) float64 { return float64(t)*l.perTime - l.left } // as a weaver has it
	x := max(0, int(edge(at)))
	out := make([]uint64, len(bars))
	for bin := range bars {
		x = min(x, len(bars[bin].first)-1)
		out[bin] = bars[bin].first[x]
	}
	after := heap.Time((l.left + float64(x)) / l.perTime)
	for ; edge(after+1) <= float64(x); after++ {
	}
	for ; edge(after) > float64(x); after-- {
	}
	s.Heap.Changes(after, at, func(id int, born bool) {
		if bin := s.Heap.Bin(id); born {
			out[bin] += s.Heap.Size(id)
		} else {
			out[bin] -= s.Heap.Size(id)
		}
	})
	return out
}

// fullAt is the time of which a page tells how full bins are; false where that is not the cursor's.
func fullAt(s *State, l *layout) (at heap.Time, cursor bool) {
	if s.NoCursor || s.Cursor < l.from || s.Cursor >= l.to {
		return min(max(s.Heap.PeakAt, l.from), l.to-1), false
	}
	return s.Cursor, true
}

// when says which time that is.
func when(s *State, l *layout) string {
	at, cursor := fullAt(s, l)
	switch {
	case cursor:
		return "at the cursor"
	case at == s.Heap.PeakAt:
		return "at the heap's peak"
	}
	return "at " + words.Count(uint64(at))
}

// drawFull draws how full a bin is: from below what is in use, above it what is free.
func drawFull(d *scene.Drawing, s *State, x *binCell, share float64) {
	free := x.full
	free.Max.Y = free.Max.Y - free.H()*min(1, share)
	used := x.full
	used.Min.Y = free.Max.Y
	d.Add(scene.Fill{Path: scene.Box(free), Color: freeColor(s.Theme)},
		scene.Fill{Path: scene.Box(used), Color: usedColor(s.Theme)})
}

// hitGrid answers on a page of bins.
func (r *Renderer) hitGrid(s *State, size scene.Size, colors *coloring, p scene.Point) Target {
	t := Target{Entry: -1}
	cells, l, at := grid(s, size)
	if at.bar.Contains(p) {
		t.Part, t.Lines = Rows, []string{at.words(), "drag it, or turn the wheel with Shift"}
		return t
	}
	for i := range cells {
		x := &cells[i]
		b := &s.Heap.Bins[x.bin]
		title := scene.R(x.title.X-x.align*x.room, x.title.Y-11, x.room, 14)
		switch {
		case x.plot.Contains(p):
			t.Part, t.Bin = Cell, x.bin+1
			t.setTime(s, x.time(p.X))
			t.Addr = x.axis.addr(p.Y - x.plot.Min.Y)
			if id := x.blockAt(s, colors, p); id >= 0 {
				t.Thing, t.Lines = BlockThing(s.Heap, id), Describe(*s, id)
			}
		case x.bar.Contains(p), x.full.Contains(p), title.Contains(p):
			t.Part, t.Bin = Cell, x.bin+1
			if x.bar.Contains(p) {
				t.setTime(s, x.time(p.X))
			} else {
				t.Part = BinTitle
			}
			if t.Lines = describeBin(b, x.bin, r.orders(s)); x.full.Contains(p) {
				t.Lines = append(r.describeFull(s, &l, cells, x), t.Lines[1:]...)
			}
		}
	}
	return t
}

// describeFull says how full a bin is, first in the tooltip of the bar that shows it.
func (r *Renderer) describeFull(s *State, l *layout, cells []binCell, x *binCell) []string {
	b := &s.Heap.Bins[x.bin]
	_, bars := r.gridBars(s, l, cells)
	if bars == nil {
		return []string{"bin " + b.Name}
	}
	used := fullness(s, &cells[0].layout, bars)[x.bin]
	return []string{fmt.Sprintf("bin %s: %s in use %s, %d %% of its peak", b.Name, words.Bytes(used), when(s, l),
		percent(used, b.PeakBytes)), words.Bytes(b.PeakBytes-min(used, b.PeakBytes)) + " of the peak are free"}
}

// describeBin is the lines of a bin's tooltip.
func describeBin(b *heap.Bin, bin int, orders []heap.Order) []string {
	lines := []string{"bin " + b.Name, words.Plural(b.Blocks, "block") + ", " + words.Bytes(b.Bytes) + " in all",
		"peak " + words.Bytes(b.PeakBytes) + " at " + words.Count(uint64(b.PeakAt)) +
			fmt.Sprintf(", waste %.1f %%, fragmentation %.2f", 100*float64(b.WasteBytes)/float64(max(b.PeakBytes+b.WasteBytes,
				1)), b.Fragmentation)}
	if bin < len(orders) {
		lines = append(lines, describeOrder(&orders[bin]))
	}
	return append(lines, "click: this bin alone")
}
