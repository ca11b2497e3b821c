package shell

import (
	"context"
	"fmt"
	"math"
	"time"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// fakeDocument has a picture in every slot, simple enough to compute what must happen: the timeline moves the cursor,
// the source pane has lines of 20 units that select, the cycles picture zooms.
type fakeDocument struct {
	name   string
	n      traceio.Seq
	link   *link.Link
	views  []Placed
	watch  func(...Slot)
	closed int
	chosen string // what a session keeps
	ran    []string
}

// usual are panes as documents have them.
func usual(s Slot) Placed {
	p := map[Slot]Placed{
		Recording: {Place: Place{Area: LeftTop}},
		Gallery:   {Place: Place{Area: LeftMid, Half: HalfAbove, Rank: 4}},
		Phases:    {Place: Place{Area: LeftMid}},
		Findings:  {Place: Place{Area: LeftBelow}},
		Cycles:    {Place: Place{Area: CentreLeft, Half: HalfAbove, Rank: 2}, Keys: "1"},
		Cache:     {Place: Place{Area: CentreRight, Half: HalfAbove, Rank: 1}, Keys: "2"},
		Heap:      {Place: Place{Area: CentreBelow, Half: HalfBelow, Rank: 2}, Keys: "3"},
		Designs:   {Place: Place{Area: CentreBelow}},
		Code:      {Place: Place{Area: CentreBelow}},
		Source:    {Place: Place{Area: RightTop, Half: HalfBelow, Rank: 1}, Keys: "4"},
		Explain:   {Place: Place{Half: HalfBelow, Rank: 5}},
		Timeline:  {Place: Place{Area: Bottom, Half: HalfBottom}, Keys: "5"},
	}[s]
	p.Slot = s
	return p
}

// all are the usual panes of some names.
func all(slots []Slot) (list []Placed) {
	for _, s := range slots {
		list = append(list, usual(s))
	}
	return list
}

func newFake(name string, n traceio.Seq) *fakeDocument {
	d := &fakeDocument{name: name, n: n, link: link.New(link.State{Window: link.Range{To: n}})}
	for _, s := range []Slot{Recording, Gallery, Cycles, Cache, Heap, Source, Explain, Designs, Timeline} {
		p := usual(s)
		p.View = &fakeView{doc: d, slot: s, zoom: 1}
		d.views = append(d.views, p)
	}
	return d
}

func (d *fakeDocument) Name() string { return d.name }
func (d *fakeDocument) Facts() string {
	return fmt.Sprintf("%d references · 1 thread", d.n)
}
func (d *fakeDocument) Len() traceio.Seq      { return d.n }
func (d *fakeDocument) Link() *link.Link      { return d.link }
func (d *fakeDocument) Views() []Placed       { return d.views }
func (d *fakeDocument) Watch(f func(...Slot)) { d.watch = f }
func (d *fakeDocument) Close() error          { d.closed++; return nil }
func (d *fakeDocument) Commands() []Command {
	return []Command{{ID: "fake.mark", Title: "Mark this place", Menu: "Analyse", Keys: "M", Run: func() {
		d.ran = append(d.ran, "mark")
	}}}
}
func (d *fakeDocument) Search(text string, limit int) []Found {
	return []Found{{Label: text + " in main", Detail: "bubble.c:4", Go: func() { d.ran = append(d.ran, "found "+text) }}}
}

// fakeView is one picture of a fakeDocument; it counts what it is asked.
type fakeView struct {
	doc   *fakeDocument
	slot  Slot
	zoom  float64
	draws int
	last  scene.Size
	theme string
	open  bool // a list lies over the picture
}

func (v *fakeView) CloseList() bool {
	was := v.open
	v.open = false
	return was
}

func (v *fakeView) Left() { v.doc.link.SetHover(link.Thing{}) }

func (v *fakeView) Title() string {
	return map[Slot]string{Recording: "Recording", Gallery: "Parameterizations", Cycles: "Cycles", Cache: "Cache",
		Heap: "Heap", Source: "Source",
		Explain: "Explanation", Designs: "Cache designs", Timeline: "Timeline"}[v.slot]
}

func (v *fakeView) Caption() string {
	switch v.slot {
	case Cycles:
		return fmt.Sprintf("window 10 · address · #1 of 5, persistence 7 · zoom %.2f", v.zoom)
	case Cache:
		return "L1 2 sets x 4 · L2 4 x 8 · LRU · x4, tail 16"
	case Source:
		return "bubble.cpp"
	}
	return ""
}

func (v *fakeView) Draw(size scene.Size, t palette.Theme) scene.Drawing {
	v.draws++
	v.last, v.theme = size, t.Name
	d := scene.Drawing{Size: size, Background: t.Panel}
	st := v.doc.link.State()
	if st.Hover.What != link.Nothing {
		d.Add(scene.Text{At: scene.Point{X: 6, Y: size.H - 6}, Size: 11, Color: t.Dim, S: "under the pointer"})
	}
	share := float64(st.Cursor) / math.Max(1, float64(v.doc.n-1))
	switch v.slot {
	case Timeline:
		for i := range 3 {
			y := 14 + float64(i)*(size.H-14)/3
			d.Add(scene.Stroke{Path: scene.Segment(60, y, size.W, y), Width: 1, Color: t.Line},
				scene.Text{At: scene.Point{X: 2, Y: y}, Size: 11, Color: t.Dim, S: []string{"references", "L1 misses",
					"heap bytes"}[i]})
		}
		x := 60 + share*(size.W-60)
		d.Add(scene.Stroke{Path: scene.Segment(x, 0, x, size.H), Width: 1.5, Color: t.Accent})
	case Source:
		for i := range 12 {
			c := t.Dim
			if st.Selected.What == link.Line && st.Selected.Line == i+1 {
				c = t.Accent
			}
			d.Add(scene.Text{At: scene.Point{X: 6, Y: float64(i)*20 + 14}, Face: scene.Mono, Size: 11.5,
				Color: c, Max: size.W - 12,
				S: fmt.Sprintf("%2d  for (size_t i = 0; i + 1 < a.size(); ++i)", i+1)})
		}
	case Cycles, Cache, Heap, Gallery:
		var p scene.Path
		r := math.Min(size.W, size.H) * 0.46 * v.zoom
		for i := range 400 {
			f := float64(i) / 400
			x, y := size.W/2+r*f*math.Cos(f*38), size.H/2+r*f*math.Sin(f*38)
			if i == 0 {
				p.Move(x, y)
			} else {
				p.Line(x, y)
			}
		}
		d.Add(scene.Stroke{Path: p, Width: 1.4, Color: palette.Alpha(t.Text, 0.8)},
			scene.Fill{Path: scene.Circle(size.W/2+r*share*math.Cos(share*38), size.H/2+r*share*math.Sin(share*38),
				5), Color: t.Accent})
	default:
		d.Add(scene.Text{At: scene.Point{X: 6, Y: 16}, Size: 12, Color: t.Text, S: "What would be here: " +
			v.Title(), Max: size.W - 12})
	}
	return d
}

func (v *fakeView) scrub(e pane.Event) {
	x := math.Max(0, math.Min(1, (e.At.X-60)/(e.Size.W-60)))
	v.doc.link.SetCursor(traceio.Seq(x * float64(v.doc.n-1)))
}

func (v *fakeView) Pressed(e pane.Event) {
	switch v.slot {
	case Timeline:
		v.scrub(e)
	case Source:
		v.doc.link.Select(link.Thing{What: link.Line, File: "bubble.cpp", Line: int(e.At.Y/20) + 1}, "source")
	}
}

func (v *fakeView) Dragged(e pane.Event, _ scene.Point) {
	if v.slot == Timeline {
		v.scrub(e)
	}
}

func (v *fakeView) Tip(e pane.Event) []string {
	return []string{v.Title(), fmt.Sprintf("at %.0f, %.0f", e.At.X, e.At.Y)}
}

func (v *fakeView) Zoom(_ pane.Event, f float64) {
	v.zoom *= f
	v.doc.watch(v.slot)
}
func (v *fakeView) Pan(_, _ float64) {}
func (v *fakeView) Fit()             { v.zoom = 1; v.doc.watch(v.slot) }

// fakeOpen opens "*.slow" after a second of reported work, "*.bad" never, "*.panic" with a defect, the rest at once.
func fakeOpen(ctx context.Context, path string, host Host) (Document, error) {
	var n traceio.Seq = 840
	switch ext := path[max(0, len(path)-4):]; ext {
	case ".bad":
		return nil, &traceio.Error{File: path, Line: 12, Msg: `load size "x" is not a number`,
			Hint: "was the file cut? record again with `orrery record`"}
	case "anic":
		panic("index out of range")
	case "slow":
		for i := range int64(100) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(20 * time.Millisecond):
			}
			host.Report(i*1e6, 100e6)
		}
	case ".big":
		n = 20_000_000
	}
	return newFake(path[len(path)-min(len(path), 30):], n), nil
}
