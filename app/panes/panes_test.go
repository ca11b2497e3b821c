package panes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"orrery/app/jobs"
	"orrery/app/jobs/jobstest"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"

	"github.com/spf13/pflag"
)

// bench is a set of panes under test; drawn are those that were to be redrawn since clear.
type bench struct {
	*Set
	engine *jobs.Engine
	queue  chan func()
	drawn  []shell.Slot
	failed []string
}

func newBench() *bench {
	b := &bench{queue: make(chan func(), 100)}
	b.engine = jobs.New(func(f func()) { b.queue <- f })
	host := &shell.Host{Engine: b.engine, Notice: func(s string) { b.failed = append(b.failed, s) }}
	b.Set = NewSet(link.New(link.State{}), host, "file#")
	b.Watch(func(ids ...shell.Slot) { b.drawn = append(b.drawn, ids...) })
	return b
}

func (b *bench) settle() { jobstest.Settle(b.engine, b.queue) }

// told are the panes that were to be redrawn, in order.
func (b *bench) told() string {
	slices.Sort(b.drawn)
	text := fmt.Sprint(b.drawn)
	b.drawn = nil
	return text
}

// reading is a pane that shows the squares of some keys.
func (b *bench) reading(id shell.Slot, l *Lazy[int, int], key *int) *Base {
	p := NewBase(b.Set, id, string(id))
	p.Paint = func(size scene.Size, _ palette.Theme) scene.Drawing {
		if l != nil {
			l.For(*key)
		}
		return scene.Drawing{Size: size}
	}
	return &p
}

func draw(p *Base) { p.Draw(scene.Size{W: 300, H: 200, Scale: 1}, palette.Dark()) }

func square(fail *bool) Work[int, int] {
	return Work[int, int]{Name: "square", Title: func(k int) string { return fmt.Sprint("squaring ", k) },
		Run: func(ctx context.Context, k int, _ func(done, total int64)) (int, error) {
			if fail != nil && *fail {
				return 0, errors.New("numbers are out")
			}
			return k * k, ctx.Err()
		}}
}

// A result is computed when a pane that reads it was drawn, and redraws those that have read it, no others.
func TestLazyRedrawsItsReaders(t *testing.T) {
	b := newBench()
	l := NewLazy(b.Set, square(nil))
	key := 3
	heap, sites, cache := b.reading("heap", l, &key), b.reading("sites", l, &key), b.reading("cache", nil, nil)
	if _, ok := l.For(3); ok || len(b.engine.Running()) > 0 {
		t.Error("it is computed though nobody is drawn")
	}
	paint := heap.Paint
	heap.Paint = func(size scene.Size, theme palette.Theme) scene.Drawing {
		d := paint(size, theme)
		if len(b.engine.Running()) > 0 {
			t.Error("a job has begun while the pane is drawn")
		}
		return d
	}
	draw(heap)
	draw(sites)
	draw(cache)
	b.settle()
	if v, ok := l.For(3); v != 9 || !ok || b.told() != "[heap sites]" {
		t.Errorf("it is %d, %v", v, ok)
	}
	draw(heap)
	key = 4
	draw(sites)
	if v, _, ok := l.Newest(); v != 9 || !ok {
		t.Errorf("while the next one comes the last is %d, %v", v, ok)
	}
	b.settle()
	if got := b.told(); l.Has(3) || !l.Has(4) || got != "[heap sites]" {
		t.Errorf("another key redraws %s", got)
	}
}

// What is stopped or has failed stays so until it is taken up, and says so.
func TestLazyStopsAndGoesOn(t *testing.T) {
	b, fail, key := newBench(), false, 3
	l := NewLazy(b.Set, square(&fail))
	p := b.reading("heap", l, &key)
	draw(p)
	b.engine.CancelAll()
	b.Stop()
	b.settle()
	if draw(p); len(b.engine.Running()) > 0 || l.Has(3) || l.Say("Squaring") != "Squaring "+GoOn {
		t.Errorf("stopped it says %q", l.Say("Squaring"))
	}
	key = 5
	if draw(p); len(b.engine.Running()) > 0 || !l.WasStopped() {
		t.Error("while all is stopped another key is computed")
	}
	fail = true
	b.told()
	if b.Again(); l.Say("Squaring") != "Squaring …" {
		t.Errorf("taken up it says %q", l.Say("Squaring"))
	}
	draw(p)
	b.settle()
	if l.Problem(5) != "Numbers are out." || len(b.failed) != 1 || l.Problem(3) != "" {
		t.Errorf("it failed with %q and %q", l.Problem(5), b.failed)
	}
	draw(p)
	if b.settle(); len(b.failed) != 1 {
		t.Error("what has failed is tried with every picture")
	}
	fail = false
	b.Again()
	draw(p)
	if b.settle(); !l.Has(5) {
		t.Error("what has failed is not tried once more")
	}
}

// What a result holds is released when another takes its place, when it comes too late, and at the end.
func TestLazyReleases(t *testing.T) {
	b, open := newBench(), map[int]bool{}
	var mu sync.Mutex
	w := square(nil)
	w.Run = func(_ context.Context, k int, _ func(done, total int64)) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		open[k] = true
		return k, nil
	}
	w.Close = func(k int) {
		mu.Lock()
		defer mu.Unlock()
		delete(open, k)
	}
	l := NewLazy(b.Set, w)
	for _, k := range []int{1, 2, 3} {
		l.Ask(k)
		b.settle()
	}
	if len(open) != 1 || !open[3] {
		t.Errorf("open are %v", open)
	}
	l.Ask(4)
	l.Forget()
	b.settle()
	if len(open) > 0 {
		t.Errorf("forgotten, open are %v", open)
	}
	l.Ask(5)
	b.settle()
	if b.Close(); len(open) > 0 {
		t.Errorf("after the end open are %v", open)
	}
}

// colour is what test panes choose.
type colour uint8

// choices are all of it.
type choices struct {
	color  colour
	grid   bool
	weight float64
}

var options = Options[choices]{
	Option[choices, colour]{ID: "color", Label: "colour", Step: "colours", Was: []string{"by"},
		Values: []Value[colour]{{ID: "site", Title: "By site", Was: "allocation site"}, {ID: "bin", Title: "By bin", Is: 1}},
		Get:    func(c *choices) colour { return c.color }, Set: func(c *choices, to colour) { c.color = to }},
	Option[choices, bool]{ID: "grid", Label: "a grid",
		Values: []Value[bool]{{ID: "grid", Title: "A grid", Is: true, Check: true}},
		Get:    func(c *choices) bool { return c.grid }, Set: func(c *choices, to bool) { c.grid = to }},
	Option[choices, float64]{ID: "weight", Label: "weight", Values: []Value[float64]{{ID: "1", Title: "Weight 1", Is: 1}},
		Get: func(c *choices) float64 { return c.weight }, Set: func(c *choices, to float64) { c.weight = to },
		Check: func(_ *choices, to float64) error {
			if to < 0 {
				return errors.New("below nothing")
			}
			return nil
		}},
}

// An option that is declared once has a chip, commands, steps, a session and a flag.
func TestOptionIsDeclaredOnce(t *testing.T) {
	b := newBench()
	p := b.reading("heap", nil, nil)
	c := NewChosen(p, choices{weight: 0.5}, nil)
	p.Chips = func() (list []toolbar.Chip) {
		for _, o := range options {
			list = append(list, o.Chip(c))
		}
		return list
	}
	list := p.Commands("Heap: ", nil)
	var ids []string
	for _, x := range list {
		ids = append(ids, x.ID+" "+x.Title)
	}
	if got := strings.Join(ids, "|"); got != "heap.color.site Heap: by site|heap.color.bin Heap: by bin|"+
		"heap.grid.grid Heap: a grid|heap.weight.1 Heap: weight 1" {
		t.Errorf("the commands are %s", got)
	}
	list[1].Run()
	list[2].Run()
	if c.Now.color != 1 || !c.Now.grid || p.Chips()[0].Word != "bin" || b.Link.Undoable() != "a grid" {
		t.Errorf("chosen is %+v, undone would be %q", c.Now, b.Link.Undoable())
	}
	list[2].Run()
	if c.Now.grid {
		t.Error("a box that is pressed once more stays checked")
	}
	b.Link.Undo()
	data, err := json.Marshal(options.Keep(&c.Now))
	if err != nil || string(data) != `{"color":"bin","grid":true,"weight":0.5}` {
		t.Errorf("a session has %s, %v", data, err)
	}
	for _, row := range []struct {
		said string
		want choices
	}{
		{string(data), choices{1, true, 0.5}},
		{`{"by":"allocation site"}`, choices{1, false, 2}.with(0)},
		{`{"color":"mood","grid":7,"weight":-1}`, choices{1, false, 2}},
	} {
		var said Said
		if err := json.Unmarshal([]byte(row.said), &said); err != nil {
			t.Fatal(err)
		}
		got := choices{1, false, 2}
		if options.Restore(&got, said); got != row.want {
			t.Errorf("%s: %+v, want %+v", row.said, got, row.want)
		}
	}
	for _, row := range []struct {
		args string
		want choices
		fail bool
	}{
		{"--color bin --grid --weight 0.25", choices{1, true, 0.25}, false},
		{"--by site", choices{}, false},
		{"--color mood", choices{}, true},
		{"--weight -1", choices{}, true},
	} {
		var got choices
		flags := pflag.NewFlagSet("render", pflag.ContinueOnError)
		options.Flags(&got, flags)
		if err := flags.Parse(strings.Fields(row.args)); (err != nil) != row.fail || err == nil && got != row.want {
			t.Errorf("%s: %+v, %v, want %+v", row.args, got, err, row.want)
		}
	}
}

func (c choices) with(by colour) choices {
	c.color = by
	return c
}

// Presses on chips are not the picture's, nor is the drag that follows.
func TestBaseKeepsChipsApart(t *testing.T) {
	b := newBench()
	p := b.reading("heap", nil, nil)
	var heard []string
	p.Chips = func() []toolbar.Chip {
		return []toolbar.Chip{{Name: "do", Word: "do", Run: func() { heard = append(heard, "chip") }}}
	}
	p.Press = func(pane.Event) { heard = append(heard, "press") }
	p.Drag = func(pane.Event, scene.Point) { heard = append(heard, "drag") }
	p.Hover = func(e pane.Event) link.Thing { return link.OfLine("a.c", int(e.At.X)) }
	p.Parts.Tip = func(pane.Event) []string { return []string{"tip"} }
	at := func(x, y float64, button pane.Button) pane.Event {
		return pane.Event{At: scene.Point{X: x, Y: y}, Size: scene.Size{W: 300, H: 200, Scale: 1}, Button: button,
			Theme: palette.Dark()}
	}
	for _, e := range []pane.Event{at(15, 10, pane.Primary), at(150, 100, pane.Middle), at(150, 100, pane.Primary)} {
		p.Pressed(e)
		p.Dragged(e, e.At)
		p.Released(e)
	}
	if got := strings.Join(heard, " "); got != "chip press drag" {
		t.Errorf("heard %s", got)
	}
	p.Moved(at(150, 100, pane.Primary))
	under, tip := b.Link.State().Hover, p.Tip(at(150, 100, pane.Primary))
	p.Moved(at(15, 10, pane.Primary))
	if under.Line != 150 || tip == nil || b.Link.State().Hover.What != link.Nothing ||
		p.Tip(at(15, 10, pane.Primary)) != nil {
		t.Errorf("beside the chip %+v is hovered, on it %+v", under, b.Link.State().Hover)
	}
}

// A pane is a line in a list.
func TestDescriptorMakesPane(t *testing.T) {
	b := newBench()
	idle := NewLazy(b.Set, square(nil))
	list := Open(b.Set, "model", []Descriptor[string]{{ID: "view", Title: "View", Keys: "6",
		Idle: func(m string) string {
			if _, _, ok := idle.Newest(); !ok {
				return "nothing of " + m
			}
			return ""
		},
		New: func(_ string, base Base) shell.View { return &base }}})
	if p := list[0]; p.Slot != "view" || p.View.Title() != "View" || p.Idle() != "nothing of model" || p.Keys != "6" {
		t.Errorf("the pane is %+v", p)
	}
	idle.Ask(2)
	if b.settle(); b.told() != "[view]" || list[0].Idle() != "" {
		t.Error("what makes a pane idle is not followed")
	}
}
