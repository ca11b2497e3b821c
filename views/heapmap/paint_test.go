package heapmap

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// slowPixel is equation (1) for one pixel, block by block, with the library's powers. blocks are all of the heap's.
func slowPixel(s *State, l *layout, g *segment, c *coloring, blocks []heap.Block, x, y int) color.NRGBA {
	lin := func(c color.NRGBA) [3]float64 {
		var out [3]float64
		for i, v := range [3]uint8{c.R, c.G, c.B} {
			f := float64(v) / 255
			if f <= 0.04045 {
				out[i] = f / 12.92
			} else {
				out[i] = math.Pow((f+0.055)/1.055, 2.4)
			}
		}
		return out
	}
	back := lin(ground(s.Theme))
	edge := 0.42
	if !s.Theme.Dark {
		edge = 0.62
	}
	border := func(side float64) float64 { return math.Min(3, side/4) }
	relief := func(at, a, b float64, level bool) float64 {
		side := b - a
		switch {
		case s.Cushion == Flat:
			return 1
		case s.Cushion == Plateau && level:
			return (side - border(side)) / side
		case s.Cushion == Plateau:
			return math.Max(0, math.Min(1, math.Min(at-a, b-at)/border(side)))
		case level:
			return 2.0 / 3
		}
		u := (at - a) / side
		return math.Max(0, 4*u*(1-u))
	}
	w := float64(int(l.plot.W()*l.axis.scale + 0.5))
	perTime := w / float64(l.to-l.from)
	left := math.Round(float64(l.from) * perTime)
	perAddr := float64(g.rows[1]-g.rows[0]) / float64(g.Size())
	bottom := float64(g.rows[1]) + math.Round(float64(g.Low-g.base)*perAddr)
	part := chosen(s)
	var through []bool
	if s.Selected.What == link.Function {
		through = s.Heap.Through(s.Selected.Name)
	}
	alpha := s.alpha()
	F, share, colorWeight, amount, light, keep := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	var mix [3]float64
	youngest := int32(-1)
	plain := ground(s.Theme)
	for at, id := range s.Heap.Order() {
		b := &blocks[id]
		x0, x1 := float64(b.From)*perTime-left, float64(max(b.To, b.From+1))*perTime-left
		fx := min(x1, float64(x+1)) - max(x0, float64(x))
		if fx <= 0 {
			continue
		}
		y1, y0 := bottom-float64(int64(b.Low-g.base))*perAddr, bottom-float64(int64(b.High()-g.base))*perAddr
		fy := min(y1, float64(y+1)) - max(y0, float64(y))
		if fy <= 0 || s.Bin > 0 && s.Heap.Bin(int(id)) != s.Bin-1 {
			continue
		}
		if c.class != nil && int(c.class[at]) < len(s.Hidden) && s.Hidden[c.class[at]] {
			continue
		}
		f := math.Pow(fx*fy, alpha)
		side := math.Min(x1-x0, y1-y0)
		level := x1-x0 < 3 || y1-y0 < 3
		L := edge + (1-edge)*relief(float64(x)+0.5, x0, x1, level)*relief(float64(y)+0.5, y0, y1, level)
		strength := 1.0
		if through == nil && part != nil && !part[b.Site] || through != nil && !through[s.Heap.StackOf(int(id))] {
			strength = 0.22
		}
		if s.Plain {
			mx, my := float64(x)+0.5, float64(y)+0.5
			if id < youngest || mx < x0 || mx >= x1 || my < y0 || my >= y1 {
				continue
			}
			youngest = id
			var col [3]float64
			if c.class != nil {
				col = lin(c.entries[c.class[at]].Color)
			} else {
				col = lin(amountColor(s.Theme, math.Round(float64(c.amount[at])*256)/256))
			}
			for i := range col {
				col[i] = L * (strength*col[i] + (1-strength)*back[i])
			}
			plain = encoded(col)
			continue
		}
		F += f
		share += fx * fy
		if c.class != nil {
			col := lin(c.entries[c.class[at]].Color)
			m := f * math.Max(1.0/256, math.Pow(1+side*side, -2*math.Max(0, 1-alpha)))
			up := int(math.Round(float64(g.Low-g.base)*perAddr)) + g.rows[1] - 1 - y
			share := math.Max(0, math.Min(1, (3-side)/2)) * math.Max(0, math.Min(1, 4*(1-alpha)))
			m *= 1 + (float64(dither[len(c.entries)][up%ditherRows][c.class[at]])-1)*share
			colorWeight += m
			for i := range mix {
				mix[i] += m * L * (strength*col[i] + (1-strength)*back[i])
			}
			continue
		}
		amount += f * float64(c.amount[at])
		light += f * L
		keep += f * strength
	}
	if s.Plain {
		return plain
	}
	if F == 0 {
		return ground(s.Theme)
	}
	if c.class == nil {
		m := lin(amountColor(s.Theme, math.Round(amount/F*256)/256))
		for i := range mix {
			mix[i] = (m[i]*keep/F + back[i]*(1-keep/F)) * light
		}
	} else {
		for i := range mix {
			mix[i] *= F / colorWeight
		}
	}
	B := math.Pow(math.Max(0, 1-share), alpha)
	for i := range mix {
		mix[i] = (mix[i] + B*back[i]) / (F + B)
	}
	return encoded(mix)
}

// encoded is a linear colour as it is stored.
func encoded(c [3]float64) color.NRGBA {
	var out [3]uint8
	for i := range out {
		v := math.Min(1, c[i])
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		out[i] = uint8(v*255 + 0.5)
	}
	return color.NRGBA{R: out[0], G: out[1], B: out[2], A: 255}
}

func TestPaintAgainstEquation(t *testing.T) {
	t.Parallel()
	small, big, specks, bins := crowd(t, 300, 1), crowd(t, 1000, 2), crowd(t, 30000, 3), story(t)
	r := rand.New(rand.NewPCG(11, 11))
	size := scene.Size{W: 200, H: 120, Scale: 1}
	uses := make([]region.BlockUse, small.Count())
	for i := range uses {
		uses[i] = region.BlockUse{Use: region.Use{Loads: uint64(r.IntN(500))}, First: small.Alloc(small.Block(i)),
			Last: small.Alloc(small.Block(i)) + 1}
	}
	states := map[string]State{
		"plateau":        {Heap: small},
		"parabolic":      {Heap: small, Cushion: Parabolic},
		"flat, alpha 1":  {Heap: small, Cushion: Flat, Alpha: 1},
		"alpha 0.05":     {Heap: big, Alpha: 0.05},
		"alpha 2":        {Heap: big, Alpha: 2},
		"crowded":        {Heap: big},
		"zoomed in time": {Heap: big, From: 500, To: 640},
		"zoomed":         {Heap: big, From: 500, To: 700, Low: 0x10100, High: 0x10900},
		"zoomed far in":  {Heap: big, From: 1000, To: 1010, Low: 0x10100, High: 0x10200},
		"specks":         {Heap: specks}, // whole leaves of the index in a pixel or two
		"nearer specks":  {Heap: specks, Cushion: Parabolic, Color: Function, From: 2000, To: 25000, Alpha: 0.6},
		"by function":    {Heap: big, Color: Function},
		"by size":        {Heap: big, Color: Size},
		"by lifetime":    {Heap: small, Color: Lifetime, Cushion: Parabolic},
		"by waste":       {Heap: small, Color: Waste},
		"by thread":      {Heap: small, Color: Thread},
		"by free":        {Heap: small, Color: Freed},
		"by bin":         {Heap: small, Color: BinOf},
		"by freer":       {Heap: small, Color: Freer},
		"by heat":        {Heap: small, Color: Heat, Use: uses},
		"by lag":         {Heap: small, Color: Lag, Use: uses},
		"by drag":        {Heap: small, Color: Drag, Use: uses, Cushion: Parabolic},
		"one bin":        {Heap: big, Bin: 1},
		"bin, hidden":    {Heap: bins, Bin: 27, Hidden: []bool{false, true}},
		"bin of amounts": {Heap: bins, Bin: 2, Color: Lifetime, Low: 0x40c000, High: 0x411000,
			Selected: link.Thing{What: link.Region, Name: "heap@list.c:22"}},
		"through":       {Heap: big, Selected: link.Thing{What: link.Function, Name: "parse_line"}},
		"plainly":       {Heap: big, Plain: true},
		"plain amounts": {Heap: small, Plain: true, Color: Size, Cushion: Parabolic, From: 100, To: 300},
		"plain, chosen": {Heap: small, Plain: true, Selected: link.Thing{What: link.Region, Name: "heap@list.c:22"}},
		"hidden":        {Heap: small, Hidden: []bool{true, false, true}},
		"site chosen":   {Heap: small, Selected: link.Thing{What: link.Region, Name: "heap@list.c:22"}},
		"line chosen": {Heap: big, Color: Size, Selected: link.Thing{What: link.Line,
			File: "/home/u/src/list.c", Line: 22}},
	}
	for name, s := range states {
		blocks := blocksOf(s.Heap)
		for _, s.Theme = range []palette.Theme{palette.Dark(), palette.Light()} {
			for _, scale := range []float64{1, 1.5} {
				if scale > 1 && !s.Theme.Dark {
					continue // a theme is colours only
				}
				size.Scale = scale
				l := newLayout(&s, size)
				c := newColoring(&s)
				look := newLook(&s, c, nil)
				f := l.plotFrame()
				f.bin = s.Bin - 1
				got := look.paint(f, startWorkers(2), nil)
				worst, where, painted := 0, "", 0
				for i := range l.axis.segments {
					g := &l.axis.segments[i]
					for y := g.rows[0]; y < g.rows[1]; y++ {
						for x := range got.Rect.Dx() {
							if r.IntN(200) > 0 { // one pixel in 200
								continue
							}
							w := slowPixel(&s, &l, g, c, blocks, x, y)
							p := got.RGBAAt(x, y)
							if w != ground(s.Theme) {
								painted++
							}
							for _, d := range [3]int{int(p.R) - int(w.R), int(p.G) - int(w.G), int(p.B) - int(w.B)} {
								if d = max(d, -d); d > worst {
									worst, where = d, fmt.Sprintf("pixel %d,%d is %v, want %v", x, y, p, w)
								}
							}
						}
					}
				}
				if worst > 2 {
					t.Errorf("%s, %s, scale %g: off by %d levels: %s", name, s.Theme.Name, scale, worst, where)
				}
				if painted == 0 {
					t.Errorf("%s: nothing was painted", name)
				}
			}
		}
	}
}

// "With alpha = 1 no pixel under 4 % coverage shows at 8 % opacity; alpha = 0.35 shows" nearly all.
func TestSmallAlphaShowsThinBlocks(t *testing.T) {
	for _, row := range []struct {
		alpha    float64
		f        float64
		visible  bool
		equation float64
	}{{1, 0.04, false, 0.04}, {0.35, 0.04, true, 0.2474}, {0.35, 0.004, true, 0.1265}} {
		p := newPower(row.alpha, 0)
		f, b := p.at(row.f), p.at(1-row.f)
		if got := f / (f + b); math.Abs(got-row.equation) > 5e-4 || (got >= 0.08) != row.visible {
			t.Errorf("alpha %g: a block on %g of a pixel shows at %.4f, want %.4f", row.alpha, row.f, got, row.equation)
		}
	}
}

func TestPower(t *testing.T) {
	for _, alpha := range []float64{0.05, 0.35, 0.5, 1, 1.7, 2} {
		p := newPower(alpha, 0)
		for x := 1.0; x > 1e-9; x *= 0.973 {
			if got, want := p.at(x), math.Pow(x, alpha); math.Abs(got-want) > 1e-9+1e-5*want ||
				math.Abs(float64(p.of(float32(x)))-want) > 1e-9+0.002*alpha*want {
				t.Fatalf("%g to the %g is %g, want %g", x, alpha, got, want)
			}
		}
		if p.at(0) != 0 || p.at(-1) != 0 || p.at(1) != 1 || p.at(5) != 1 {
			t.Errorf("alpha %g: wrong at the ends", alpha)
		}
	}
}

// Only what changes the picture makes a new one.
func TestRendererKeepsImages(t *testing.T) {
	r := &Renderer{}
	s := State{Theme: palette.Dark(), Heap: story(t), Hidden: []bool{false, true}}
	size := scene.Size{W: 600, H: 300, Scale: 1}
	image := func() scene.Image { return r.Scene(s, size).Shapes[0].(scene.Image) }
	first := image().Pixels
	s.Cursor, s.Hover, s.Selected = 50, BlockThing(s.Heap, 3), BlockThing(s.Heap, 4)
	if image().Pixels != first {
		t.Error("cursor, hover and selected block made a new image")
	}
	for name, change := range map[string]func(){
		"alpha":    func() { s.Alpha = 0.7 },
		"plain":    func() { s.Plain = true },
		"bin":      func() { s.Bin = 1 },
		"color":    func() { s.Color = Lifetime },
		"cushion":  func() { s.Cushion = Flat },
		"window":   func() { s.To = 100 },
		"address":  func() { s.Low, s.High = 0x405000, 0x406000 },
		"theme":    func() { s.Theme = palette.Light() },
		"hidden":   func() { s.Hidden = []bool{true, true} },
		"size":     func() { size.W += 10 },
		"scale":    func() { size.Scale = 2 },
		"heap":     func() { s.Heap = crowd(t, 50, 9) },
		"selected": func() { s.Selected = link.Thing{What: link.Function, Name: "list_push"} },
	} {
		before := image().Pixels
		if image().Pixels != before {
			t.Fatalf("the same state made a new image")
		}
		change()
		if image().Pixels == before {
			t.Errorf("a change of %s kept the image", name)
		}
	}
	s = State{Theme: palette.Dark(), Heap: story(t)}
	before := image().Pixels
	if s.Spans = append([]heap.Span(nil), s.Heap.Spans...); image().Pixels != before {
		t.Error("room for just the heap's own addresses made a new image")
	}
	s.Spans = append([]heap.Span(nil), s.Heap.Spans...)
	if s.Spans[0].Blocks *= 9; image().Pixels == before {
		t.Error("other shares of the height kept the image")
	}
	s.Spans = append([]heap.Span(nil), s.Heap.Spans...)
	if s.Spans[len(s.Spans)-1].High += 0x8000; image().Pixels == before {
		t.Error("room for more addresses kept the image")
	}
}

// What a frame costs while only the cursor moves, and a question of the pointer.
func BenchmarkCursor(b *testing.B) {
	h := crowd(b, 100_000, 1)
	size := scene.Size{W: 1280, H: 500, Scale: 1}
	s := State{Theme: palette.Dark(), Heap: h}
	b.Run("frame", func(b *testing.B) {
		var r Renderer
		r.Scene(s, size)
		b.ReportAllocs()
		for b.Loop() {
			s.Cursor = (s.Cursor + 97) % h.Axis.End
			r.Scene(s, size)
		}
	})
	b.Run("hit", func(b *testing.B) {
		b.ReportAllocs()
		x := 0.0
		for b.Loop() {
			x = math.Mod(x+13.7, 1000)
			hitAt(s, size, scene.Point{X: 100 + x, Y: 100 + x/5})
		}
	})
}
