package heapmap

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

func TestHitFindsTheBlockUnderThePointer(t *testing.T) {
	for name, h := range map[string]*heap.Heap{"story": story(t), "crowd": crowd(t, 2000, 4)} {
		s := State{Theme: palette.Dark(), Heap: h}
		size := scene.Size{W: 900, H: 400, Scale: 1}
		l := newLayout(&s, size)
		r := rand.New(rand.NewPCG(7, 7))
		var draw Renderer
		inside, blocks := 0, blocksOf(h)
		for range 800 {
			p := scene.Point{X: l.plot.Min.X + r.Float64()*l.plot.W(), Y: l.plot.Min.Y + r.Float64()*l.plot.H()}
			got := draw.Hit(s, size, p)
			if got.Part != Map {
				t.Fatalf("%s: %v is on part %d", name, p, got.Part)
			}
			// Twin: distance to every block's rectangle.
			least := math.Inf(1)
			for i := range blocks {
				b := &blocks[i]
				x0, x1 := l.x(float64(b.From)), l.x(float64(max(b.To, b.From+1)))
				y0, y1 := l.plot.Min.Y+l.axis.y(b.High()), l.plot.Min.Y+l.axis.y(b.Low)
				least = min(least, math.Hypot(max(x0-p.X, p.X-x1, 0), max(y0-p.Y, p.Y-y1, 0)))
			}
			if (least <= reach) != (got.Thing.What == link.Block) {
				t.Fatalf("%s: the nearest block is %g away, Hit gives %+v", name, least, got.Thing)
			}
			if got.Thing.What != link.Block {
				continue
			}
			inside++
			b := h.Block(got.Thing.ID)
			rect, ok := l.blockRect(&s, got.Thing)
			if grown := (scene.Rect{Min: scene.Point{X: rect.Min.X - least - 1e-6, Y: rect.Min.Y - least - 1e-6},
				Max: scene.Point{X: rect.Max.X + least + 1e-6, Y: rect.Max.Y + least + 1e-6}}); !ok || !grown.Contains(p) {
				t.Fatalf("%s: block %+v at %v is not under %v", name, b, rect, p)
			}
			if len(got.Lines) < 3 {
				t.Fatalf("%s: tooltip %q", name, got.Lines)
			}
		}
		if inside < 100 {
			t.Errorf("%s: only %d points were on a block", name, inside)
		}
	}
}

func TestTooltip(t *testing.T) {
	log := []traceio.Alloc{
		{Seq: 529, Addr: 0x4052a0, Size: 56, Usable: 64, Stack: 1},
		{Seq: 600, Addr: 0x405300, Size: 24, Usable: 24, Stack: 0},
		{Seq: 2642, Addr: 0x4052a0, Op: traceio.Free, Stack: 2, Thread: 1},
	}
	s := State{Heap: build(t, log, 5000), Use: []region.BlockUse{{Use: region.Use{Loads: 30, Stores: 1}, First: 530,
		Last: 801}, {}}, Usage: &heap.Usage{Blocks: []heap.Use{{Touched: 40}, {}}}}
	for id, want := range []string{
		"block #0   64 B, asked for 56|list_push  list.c:22 to buffer_grow  buf.c:29|lived 2 113 references|touched 31×, " +
			"first use after 1, last use 1 840 before free, no recorded reference to 16 B|0x4052a0, from 529 to 2 642, thread " +
			"0, freed by thread 1",
		"block #1   24 B|unknown code, never freed|live for 4 400 references, to the end|touched by no recorded " +
			"reference|0x405300, from 600, thread 0",
	} {
		if got := strings.Join(Describe(s, id), "|"); got != want {
			t.Errorf("block %d:\n got  %s\n want %s", id, got, want)
		}
	}
	if Describe(s, 2) != nil || Describe(s, -1) != nil || Describe(State{}, 0) != nil {
		t.Error("a block that is not there has a tooltip")
	}
}

func TestAxisGoesBothWays(t *testing.T) {
	spans := []heap.Span{{Low: 0x1000, High: 0x9000, Blocks: 100}, {Low: 0x800000, High: 0x40000000, Blocks: 3},
		{Low: 0x7f0000000000, High: 0x7f0000001000, Blocks: 9}}
	for _, scale := range []float64{1, 1.25, 2} {
		a := newAxis(spans, 300, scale)
		last := math.Inf(1)
		for i := range a.segments {
			g := &a.segments[i]
			if g.bottom-g.top < 300*leastShare*0.7 || g.bottom > last {
				t.Errorf("scale %g: span %d lies at %g to %g", scale, i, g.top, g.bottom)
			}
			last = g.top
			for k := range 20 {
				p := g.Low + traceio.Addr(g.Size()*uint64(k)/20)
				y := a.y(p)
				if back := a.addr(y); math.Abs(float64(int64(back-p))) > 1+float64(g.Size())/1e9 {
					t.Errorf("scale %g: %v is at %g, and back is %v", scale, p, y, back)
				}
			}
		}
		if a.addr(1e9) > 0x1000 || a.addr(-1e9) < 0x7f0000001000 {
			t.Errorf("outside: %v and %v", a.addr(1e9), a.addr(-1e9))
		}
	}
}

// Two heaps of different sizes are drawn on one scale when their maps have room for the same: a block of so many bytes
// is as high in both, and the smaller heap leaves the rest empty.
func TestRoomForMoreAddresses(t *testing.T) {
	size := scene.Size{W: 900, H: 400, Scale: 1}
	small := build(t, []traceio.Alloc{{Addr: 0x1000, Size: 0x400, Stack: 1}}, 100)
	large := build(t, []traceio.Alloc{{Addr: 0x9000, Size: 0x400, Stack: 1}, {Addr: 0xa000, Size: 0x1000, Stack: 1}}, 100)
	a, b := State{Heap: small, Spans: []heap.Span{{Low: 0x1000, High: 0x3000, Blocks: 2}}}, State{Heap: large}
	high := func(s State, id int) float64 {
		l := newLayout(&s, size)
		r, _ := l.blockRect(&s, BlockThing(s.Heap, id))
		return r.H()
	}
	if x, y := high(a, 0), high(b, 0); math.Abs(x-y) > 0.01 || Height(a) != Height(b) ||
		math.Abs(high(State{Heap: small}, 0)-8*x) > 0.1 {
		t.Errorf("a block is %g high in one map and %g in the other, of %d and %d bytes", x, y, Height(a), Height(b))
	}
	s := Zoom(a, size, scene.Point{X: 300, Y: 60}, 4, false, true)
	if s.Low <= small.Extent().High || s.High > 0x3000 {
		t.Errorf("zoomed into the empty room it shows %v to %v", s.Low, s.High)
	}
	if s = Pan(s, size, 0, 9); s.High != 0x3000 {
		t.Errorf("panned to its end it shows up to %v", s.High)
	}
}

func TestZoomKeepsWhatIsUnderThePointer(t *testing.T) {
	h := story(t)
	size := scene.Size{W: 1000, H: 400, Scale: 1}
	r := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		s := State{Theme: palette.Dark(), Heap: h, Low: 0x4052a0, High: 0x4052a0 + 40000}
		for range 3 {
			l := newLayout(&s, size)
			p := scene.Point{X: l.plot.Min.X + r.Float64()*l.plot.W(), Y: l.plot.Min.Y + r.Float64()*l.plot.H()}
			at, addr := l.time(p.X), l.axis.addr(p.Y-l.plot.Min.Y)
			s = Zoom(s, size, p, 1+r.Float64(), true, true)
			l = newLayout(&s, size)
			if dx := math.Abs(l.x(at) - p.X); dx > 1.5*l.plot.W()/float64(l.to-l.from)+1 {
				t.Fatalf("time under the pointer moved by %g to window %d..%d", dx, s.From, s.To)
			}
			if dy := math.Abs(l.plot.Min.Y + l.axis.y(addr) - p.Y); dy > 2 && s.High-s.Low > leastBytes {
				t.Fatalf("address under the pointer moved by %g", dy)
			}
		}
		s = Zoom(s, size, scene.Point{X: 500, Y: 200}, 1e-13, true, true)
		if Fit(s).To != s.To || s.From != 0 || s.To != 0 || s.Low != 0 || s.High != 0 {
			t.Fatalf("zooming out does not end with everything: %+v", s)
		}
	}
	s := Zoom(State{Heap: h}, size, scene.Point{X: 500, Y: 200}, 1e12, true, true)
	if s.To-s.From < leastTime || s.High-s.Low < leastBytes {
		t.Errorf("zoomed in to %d..%d, %v..%v", s.From, s.To, s.Low, s.High)
	}
	moved := Pan(s, size, 0.5, 0.5)
	if moved.To-moved.From != s.To-s.From || moved.High-moved.Low != s.High-s.Low ||
		moved.From <= s.From || moved.Low <= s.Low {
		t.Errorf("panned from %+v to %+v", s, moved)
	}
	far := Pan(Pan(s, size, 1e6, 1e9), size, 1, 1)
	if far.To != h.Axis.End || far.High != h.Extent().High {
		t.Errorf("panned beyond the end: %d, %v", far.To, far.High)
	}
}

// Whatever the size and the state, texts stay inside and apart, and nothing panics.
func TestTextsStayInsideAndApart(t *testing.T) {
	t.Parallel()
	heaps := map[string]*heap.Heap{"story": story(t), "crowd": crowd(t, 500, 1), "none": build(t, nil, 100),
		"one": build(t, []traceio.Alloc{{Addr: 16}}, 0), "nil": nil}
	for name, h := range heaps {
		for _, size := range []scene.Size{{}, {W: 1, H: 1}, {W: 60, H: 30}, {W: 200, H: 120}, {W: 320, H: 160},
			{W: 459, H: 191}, {W: 640, H: 300}, {W: 1000, H: 340}, {W: 1280, H: 800}} {
			for c := range attributes {
				if size.W > 600 && c != Size && name != "story" {
					continue
				}
				size.Scale = 1
				s := State{Theme: palette.Dark(), Heap: h, Color: c, Cursor: 40}
				draw := Renderer{Later: size.W > 600} // large images have no other texts than small ones
				d := draw.Scene(s, size)
				if draw.Later && draw.Lacks() { // the blocks' colours, which texts need
					if err := draw.Work(context.Background(), time.Minute); err != nil {
						t.Fatal(err)
					}
					d = draw.Scene(s, size)
				}
				var boxes []scene.Rect
				var texts []string
				for _, shape := range d.Shapes {
					x, ok := shape.(scene.Text)
					if !ok {
						continue
					}
					w := scene.Measure(x.Face, x.Size, x.S)
					if x.Max > 0 {
						w = min(w, x.Max)
					}
					r := scene.R(x.At.X-w*x.Align, x.At.Y-x.Size*0.75, w, x.Size)
					if size.W >= 320 && (r.Min.X < 0 || r.Max.X > size.W || r.Min.Y < 0 || r.Max.Y > size.H) {
						t.Errorf("%s, %v by %s: %q at %v leaves the picture", name, size, c, x.S, r)
					}
					for i, b := range boxes {
						if size.W >= 320 && r.Min.X < b.Max.X && r.Max.X > b.Min.X && r.Min.Y < b.Max.Y && r.Max.Y > b.Min.Y {
							t.Errorf("%s, %v by %s: %q lies on %q", name, size, c, x.S, texts[i])
						}
					}
					boxes, texts = append(boxes, r), append(texts, x.S)
				}
				for _, p := range []scene.Point{{}, {X: size.W / 2, Y: size.H / 2}, {X: size.W - 30, Y: size.H / 2}, {X: 20, Y: 10},
					{X: size.W / 2, Y: size.H - 40}} {
					draw.Hit(s, size, p)
				}
			}
		}
	}
}

func TestBandsFadeByTheLogarithm(t *testing.T) {
	last := 1.0
	for x := 0.0; x <= 1; x += 0.05 {
		if now := bandOpacity(x); now > last || now < 0 {
			t.Errorf("at %g the band has %g after %g", x, now, last)
		} else {
			last = now
		}
	}
	if bandOpacity(0) != bandStrength || bandOpacity(1) > 1e-9 {
		t.Errorf("a band goes from %g to %g", bandOpacity(0), last)
	}
}

func TestEmptySaysWhatToDo(t *testing.T) {
	d := Scene(State{Theme: palette.Dark(), Heap: build(t, nil, 10)}, scene.Size{W: 700, H: 300, Scale: 1})
	var all string
	for _, s := range d.Shapes {
		all += s.(scene.Text).S + "\n"
	}
	if !strings.HasPrefix(all, "No allocations in this recording.") || !strings.Contains(all, "orrery record") {
		t.Errorf("the empty state says %q", all)
	}
}

func TestLegendAndContextAnswer(t *testing.T) {
	s := State{Theme: palette.Dark(), Heap: story(t)}
	size := scene.Size{W: 1000, H: 340, Scale: 1}
	entries := legendOf(s)
	if len(entries) != maxClasses+1 || entries[0].Name != "list.c:50" ||
		!strings.HasSuffix(entries[maxClasses].Name, " others") {
		t.Errorf("legend %+v", entries)
	}
	got := hitAt(s, size, scene.Point{X: pad + 3, Y: 12})
	if got.Part != LegendPart || got.Entry != 0 || got.Thing != (link.Thing{What: link.Region, Name: "heap@list.c:50"}) {
		t.Errorf("the first entry answers %+v", got)
	}
	s.Hidden = []bool{true}
	l := newLayout(&s, size)
	mapped := l.plot.Min.Y + l.axis.y(0x7f2a00000010+100)
	if got := hitAt(s, size, scene.Point{X: l.plot.Max.X - 10, Y: mapped}); got.Thing.What != link.Nothing {
		t.Errorf("a hidden block answers: %+v", got)
	}
	s.Low, s.High, s.From, s.To = 0x4052a0, 0x4052a0+1000, 0, 500
	strip := scene.Point{X: l.context.Min.X + l.context.W()/2, Y: mapped}
	if got := hitAt(s, size, strip); got.Part != Context {
		t.Errorf("the context answers %+v", got)
	}
	moved := CenterContext(s, size, strip)
	if moved.To-moved.From != 500 || moved.High-moved.Low != 1000 || moved.Low < 0x7f0000000000 {
		t.Errorf("dragged the frame to %d..%d, %v..%v", moved.From, moved.To, moved.Low, moved.High)
	}
}

func TestErrorsAnswer(t *testing.T) {
	s := State{Theme: palette.Dark(), Heap: build(t, []traceio.Alloc{
		{Seq: 10, Addr: 0x1000, Size: 900, Stack: 1}, {Seq: 30, Addr: 0x1200, Size: 300, Stack: 2},
		{Seq: 60, Addr: 0x1000, Op: traceio.Free, Stack: 3},
		{Seq: 70, Addr: 0x1000, Op: traceio.Free}, {Seq: 80, Addr: 0x1008, Op: traceio.Free},
		{Seq: 90, Addr: 0x999000, Op: traceio.Free},
	}, 100)}
	size := scene.Size{W: 640, H: 260, Scale: 1}
	l := newLayout(&s, size)
	for i, want := range []string{
		"0x1200 300 bytes allocated on top of a live block|at 30 references, thread 0, by buffer_grow  buf.c:29|block #0, " +
			"list_push  list.c:22 to parse_line  parse.c:36",
		"0x1000 freed a second time|at 70 references, thread 0|block #0, list_push  list.c:22 to parse_line  parse.c:36",
		"0x1008 freed, but never allocated|at 80 references, thread 0",
		"0x999000 freed, but never allocated|at 90 references, thread 0|nothing was ever allocated there",
	} {
		at, ok := l.errorPoint(&s, &s.Heap.Errors[i])
		if got := strings.Join(hitAt(s, size, scene.Point{X: at.X + 1, Y: at.Y}).Lines, "|"); !ok || got != want {
			t.Errorf("error %d:\n got  %s\n want %s", i, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1300: "1.3 KiB", 1<<20 - 1: "1 MiB",
		160 << 10: "160 KiB", 5 << 30: "5 GiB"} {
		if got := words.Bytes(n); got != want {
			t.Errorf("words.Bytes(%d) = %q, want %q", n, got, want)
		}
	}
	if got := Caption(State{}); got != "colour: allocation site · alpha 0.35 · plateau cushions" {
		t.Errorf("caption %q", got)
	}
}

// Logs that claim anything: every state draws and answers.
func TestAnyLogDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	size := scene.Size{W: 300, H: 200, Scale: 1}
	for range 50 {
		var log []traceio.Alloc
		for i := range r.IntN(40) {
			e := traceio.Alloc{Seq: traceio.Seq(i * r.IntN(3)), Addr: traceio.Addr(r.Uint64() >> r.IntN(64)),
				Size: r.Uint64() >> r.IntN(64), Op: traceio.AllocOp(r.IntN(3) / 2), Thread: traceio.Thread(r.IntN(3))}
			if i > 0 {
				e.Seq = max(e.Seq, log[i-1].Seq)
			}
			if r.IntN(2) == 0 && i > 0 {
				e.Addr = log[r.IntN(i)].Addr
			}
			log = append(log, e)
		}
		h := build(t, log, traceio.Seq(r.IntN(100)))
		s := State{Theme: palette.Light(), Heap: h, Color: ColorBy(r.IntN(int(attributes))), Cushion: Cushion(r.IntN(3)),
			Alpha: r.Float64() * 3, Cursor: heap.Time(r.IntN(60) - 5)}
		if h.Count() > 0 {
			s.Selected = BlockThing(h, r.IntN(h.Count()))
		}
		for range 4 {
			Scene(s, size)
			p := scene.Point{X: r.Float64() * size.W, Y: r.Float64() * size.H}
			hitAt(s, size, p)
			s = CenterContext(Pan(Zoom(s, size, p, r.Float64()*5, true, true), size, r.Float64()-0.5, r.Float64()-0.5), size, p)
		}
	}
}

// Entries of the legend count all blocks of their classes.
func TestLegendCounts(t *testing.T) {
	h := crowd(t, 3000, 5)
	for by := range Size {
		blocks, bytes := uint64(0), uint64(0)
		for _, e := range legendOf(State{Theme: palette.Dark(), Heap: h, Color: by}) {
			blocks, bytes = blocks+e.Blocks, bytes+e.Bytes
		}
		if blocks != uint64(h.Count()) || bytes != h.TotalBytes {
			t.Errorf("by %s: %d blocks, %d bytes, want %d, %d", by, blocks, bytes, h.Count(), h.TotalBytes)
		}
	}
	first := legendOf(State{Theme: palette.Dark(), Heap: h})[0]
	n := uint64(0)
	for i := range h.Count() {
		if h.Block(i).Site == 0 {
			n++
		}
	}
	if first.Blocks != n || n == 0 {
		t.Errorf("the first site has %d blocks, want %d", first.Blocks, n)
	}
}

// A window without blocks says where they are: not to the right where nothing is to the right.
func TestAbsentBlocksAreSpokenOf(t *testing.T) {
	late := func(at, end traceio.Seq) *heap.Heap {
		return build(t, []traceio.Alloc{{Seq: at, Addr: 0x4062a0, Size: 4096, Usable: 4104, Stack: 1}}, end)
	}
	gap := build(t, []traceio.Alloc{{Seq: 10, Addr: 0x4000, Size: 64, Usable: 72, Stack: 1},
		{Seq: 20, Addr: 0x4000, Op: traceio.Free, Stack: 2},
		{Seq: 900, Addr: 0x4000, Size: 64, Usable: 72, Stack: 1}, {Seq: 910, Addr: 0x4000, Op: traceio.Free, Stack: 2}}, 1000)
	for _, row := range []struct {
		name  string
		s     State
		text  string
		arrow bool
	}{
		{"from the beginning", State{Heap: late(10, 1000)}, "", false},
		{"late", State{Heap: late(700, 1000)}, "1 block, the first at 700 references", true},
		{"at the end", State{Heap: late(1000, 1000)},
			"Nothing is allocated while the program makes references: 1 block of 4 KiB at its very end", true},
		{"at the end, of which a part is shown", State{Heap: late(1000, 1000), From: 100, To: 200},
			"No block is allocated here yet: the first comes at 1 000 references, to the right.", false},
		{"before", State{Heap: late(700, 1000), From: 100, To: 200},
			"No block is allocated here yet: the first comes at 700 references, to the right.", false},
		{"between", State{Heap: gap, From: 100, To: 200},
			"No block is live here: the next one comes at 900 references, to the right.", false},
		{"behind", State{Heap: gap, From: 920, To: 990},
			"No block is live any more: the last one was allocated at 900 references, to the left.", false},
	} {
		l := newLayout(&row.s, scene.Size{W: 700, H: 300, Scale: 1})
		text, begin := absence(&row.s, &l, row.s.Heap)
		if text != row.text || (begin > 0) != row.arrow || begin > l.plot.Max.X {
			t.Errorf("%s: %q, arrow at %g; want %q, arrow %t", row.name, text, begin, row.text, row.arrow)
		}
	}
}

// The axis tells distances exactly, and in the largest unit in which they have two decimals at most.
func TestDistance(t *testing.T) {
	for _, row := range []struct {
		off, step uint64
		want      string
	}{{64, 64, "64 B"}, {1280, 256, "1.25 KiB"}, {1040, 16, "1040 B"}, {1 << 20, 1 << 18, "1 MiB"}, {5 << 18, 1 << 18,
		"1.25 MiB"}, {9 << 17, 1 << 17, "1152 KiB"}, {3 << 30, 1 << 30, "3 GiB"}, {1 << 62, 1 << 60, "4096 PiB"}} {
		if got := distance(row.off, row.step); got != row.want {
			t.Errorf("%d in steps of %d: %q, want %q", row.off, row.step, got, row.want)
		}
	}
}

// What no reference ever touched is a colour, evenly from nothing to the most.
func TestUntouchedIsAColor(t *testing.T) {
	h := build(t, []traceio.Alloc{{Addr: 0x1000, Size: 100}, {Seq: 1, Addr: 0x2000, Size: 100},
		{Seq: 2, Addr: 0x3000, Size: 100}, {Seq: 3, Addr: 0x4000}}, 9)
	s := State{Theme: palette.Dark(), Heap: h, Color: Untouched, Use: make([]region.BlockUse, 4),
		Usage: &heap.Usage{Blocks: []heap.Use{{Touched: 100}, {Touched: 60}, {Touched: 20}, {}}}}
	var r Renderer
	c := r.colors(&s)
	for i, id := range h.Order() {
		want := []float32{0, 0.5, 1, 0}[id]
		if d := c.amount[i] - want; d < -1e-6 || d > 1e-6 {
			t.Errorf("block %d has the amount %g, want %g", id, c.amount[i], want)
		}
	}
	if c.low != 0 || c.high != 0.8 {
		t.Errorf("the map goes from %g to %g", c.low, c.high)
	}
}

// Where there is little room for the references inside a block, cells are put together and none is lost.
func TestInsideIsMadeCoarse(t *testing.T) {
	n := &Inside{Counts: make([][]uint32, 64)}
	for y := range n.Counts {
		n.Counts[y] = make([]uint32, 160)
	}
	n.Counts[0][159], n.Counts[63][0], n.Counts[1][159] = 1, 5, 2
	got := n.coarse(10, 20)
	if len(got) != 10 || len(got[0]) != 20 || got[0][19] != 3 || got[9][0] != 5 {
		t.Errorf("made coarse: %v", got)
	}
	if same := n.coarse(100, 1000); len(same) != 64 || len(same[0]) != 160 || same[63][0] != 5 {
		t.Errorf("with room for all it is %d by %d", len(same), len(same[0]))
	}
	if one := n.coarse(0, 0); len(one) != 1 || one[0][0] != 8 {
		t.Errorf("without room it is %v", one)
	}
	light := palette.Light()
	counts, most := n.fit(60, 30)
	img := paintInside(light, counts, most)
	if img.Rect.Dx() != 20 || img.Rect.Dy() != 10 || img.RGBAAt(19, 9) == img.RGBAAt(5, 5) ||
		img.RGBAAt(0, 0) == img.RGBAAt(5, 5) {
		t.Errorf("an image of %v that does not show what was touched", img.Rect)
	}
}

// A block beside the footer shows the relief of the others, and says what it is.
func TestSample(t *testing.T) {
	size := scene.Size{W: 700, H: 400, Scale: 1}
	for _, c := range []Cushion{Plateau, Parabolic, Flat} {
		s := State{Theme: palette.Dark(), Heap: story(t), Cushion: c}
		l := newLayout(&s, size)
		at := l.sampleBox()
		if got := hitAt(s, size, at.Center()).Lines; len(got) != 2 || got[0] != c.String() {
			t.Errorf("%s: it answers %q", c, got)
		}
		for _, x := range Scene(s, size).Shapes {
			i, ok := x.(scene.Image)
			if !ok || i.At != at {
				continue
			}
			border, between, middle := i.Pixels.RGBAAt(0, 5).R, i.Pixels.RGBAAt(11, 5).R, i.Pixels.RGBAAt(22, 5).R
			if (border < between) != (c != Flat) || (between < middle) != (c == Parabolic) {
				t.Errorf("%s: from the border to the middle %d, %d, %d", c, border, between, middle)
			}
			at = scene.Rect{}
		}
		if at.W() > 0 {
			t.Errorf("%s: it is not drawn", c)
		}
	}
}
