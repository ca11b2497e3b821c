package shell

import (
	"math"
	"strconv"
	"time"

	"orrery/traceio"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// playback moves the cursors of the documents that are seen, frame by frame.
type playback struct {
	w     *window
	clock *fyne.Animation // nil while nothing plays
}

// baseRate is the speed x1 in references a second: slow enough to follow each one with the eye. Every faster speed is
// four times the one before; the last one plays a hundred million references in less than a minute.
const (
	baseRate = 10
	speeds   = 10
)

// newPlayer plays a document at the slowest speed at which all of it takes about half a minute.
func newPlayer(doc Document) *player {
	p := &player{doc: doc, unit: "references", base: baseRate}
	if t, ok := doc.(Ticker); ok {
		p.unit, p.base = t.TimeUnit()
	}
	for p.speed < speeds-1 && float64(doc.Len())/p.rate() > 35 {
		p.speed++
	}
	return p
}

// rateAt is the speed with this index in units of time a second.
func (p *player) rateAt(speed int) float64 { return p.base * math.Pow(4, float64(speed)) }

// rate is the present speed.
func (p *player) rate() float64 { return p.rateAt(p.speed) }

// pace is a speed in words: "40 references a second".
func (p *player) pace(speed int) string {
	return grouped(uint64(p.rateAt(speed))) + " " + p.unit + " a second"
}

// player moves the cursor of one document. It owns the fraction of a reference between frames, so that slow speeds are
// even and fast ones exact.
type player struct {
	doc     Document
	unit    string  // of time: "references"
	base    float64 // units a second at x1
	playing bool
	speed   int
	exact   float64 // where the cursor would be between references
	last    time.Time
}

// advance moves the cursor by the time that has passed and reports whether it plays on.
func (p *player) advance(now time.Time) bool {
	if !p.playing {
		return false
	}
	at := p.doc.Link().State().Cursor
	if traceio.Seq(p.exact) != at { // somebody else moved it: go on from there
		p.exact = float64(at) + 1
	}
	dt := min(now.Sub(p.last), 250*time.Millisecond) // after a stall it goes on, it does not leap
	if p.still() {
		if dt = min(now.Sub(p.last), 2*leap); dt < leap {
			return true
		}
	}
	p.last = now
	p.exact += dt.Seconds() * p.rate()
	end := p.end()
	if p.exact >= float64(end)+1 {
		p.exact, p.playing = float64(end), false
		p.doc.Link().SetCursor(end)
		return false
	}
	p.show()
	return true
}

// show puts the present where the player is. Slow playback shows references in progress; fast playback takes several of
// them in a frame, and shows the last one done.
func (p *player) show() {
	if p.still() {
		p.doc.Link().SetCursor(traceio.Seq(p.exact))
		return
	}
	if p.rate() <= partRate {
		p.doc.Link().SetMoment(traceio.Seq(p.exact), p.exact-math.Floor(p.exact))
		return
	}
	p.doc.Link().SetLapse(traceio.Seq(p.exact), p.stride())
}

// leap is how long playing stays at a reference where the user wants no motion.
const leap = 500 * time.Millisecond

// still reports whether playing jumps instead of gliding.
func (p *player) still() bool { return !fyne.CurrentApp().Settings().ShowAnimations() }

// stride is how many references a frame takes. It is nominal, at 60 frames a second, so that the picture does
// not depend on how busy the machine is.
func (p *player) stride() int { return int(min(maxStride, max(1, math.Round(p.rate()/60)))) }

// maxStride bounds the references whose traces one frame shows; more would be a blot.
const maxStride = 1024

// partRate is the speed, in references a second, up to which the steps between references are shown: each lasts longer
// than a frame.
const partRate = 40

// end is the last position of the cursor.
func (p *player) end() traceio.Seq {
	if n := p.doc.Len(); n > 0 {
		return n - 1
	}
	return 0
}

// toggle starts or stops; at the end it starts over.
func (p *player) toggle(now time.Time) {
	p.playing = !p.playing && p.doc.Len() > 1
	if !p.playing { // the reference in progress is done where it is
		p.doc.Link().SetCursor(p.doc.Link().State().Cursor)
		return
	}
	at := p.doc.Link().State().Cursor
	p.exact, p.last = float64(at)+1, now
	if at >= p.end() {
		p.exact = 0
		p.show()
	}
}

// step moves by some references and stays within the recording.
func (p *player) step(by int64) {
	at := int64(p.doc.Link().State().Cursor) + by
	p.doc.Link().SetCursor(traceio.Seq(max(0, min(at, int64(p.end())))))
}

// name is the speed in words for the button.
func (p *player) name() string { return speedName(p.speed) }

func speedName(speed int) string { return "x" + strconv.Itoa(1<<(2*speed)) }

// transport is the row of buttons in the timeline's header.
type transport struct {
	widget.BaseWidget
	ui                          *window
	p                           *player
	previous, play, next, speed *press
}

func newTransport(ui *window, p *player) *transport {
	t := &transport{ui: ui, p: p}
	button := func(icon fyne.Resource, id, tip string) *press {
		b := newPress(ui, "", icon, func() { ui.reg.Run(id) })
		b.pad = 5
		b.tips = func() []string { return []string{tip} }
		return b
	}
	t.previous = button(iconPrevious, "play.previous", "One back   ,")
	t.play = button(iconPlay, "play.toggle", "Play or pause   Space")
	t.next = button(iconNext, "play.next", "One on   .")
	t.speed = newPress(ui, p.name(), nil, func() { ui.speedMenu() })
	t.speed.wide = 58
	t.speed.tips = func() []string {
		return []string{p.pace(p.speed), "click to choose, - and + change it"}
	}
	t.ExtendBaseWidget(t)
	return t
}

// sync shows what the player does.
func (t *transport) sync() {
	icon := iconPlay
	if t.p.playing {
		icon = iconPause
	}
	if t.play.res != icon {
		t.play.res = icon
		t.play.Refresh()
	}
	if t.speed.word.full != t.p.name() {
		t.speed.word.set(t.p.name())
		t.Refresh()
	}
}

func (t *transport) MinSize() fyne.Size {
	return fyne.NewSize(3*27+t.speed.MinSize().Width+6, 22)
}

func (t *transport) CreateRenderer() fyne.WidgetRenderer { return renderer{t} }

func (t *transport) layOut(s fyne.Size) {
	x := float32(0)
	for _, b := range []*press{t.previous, t.play, t.next} {
		b.Resize(fyne.NewSize(25, 22))
		b.Move(fyne.NewPos(x, 0))
		x += 27
	}
	t.speed.Resize(fyne.NewSize(t.speed.MinSize().Width, 22))
	t.speed.Move(fyne.NewPos(x+6, 0))
}

func (t *transport) update() {
	t.layOut(t.Size())
	for _, o := range t.parts() {
		o.Refresh()
	}
	canvas.Refresh(t)
}
func (t *transport) parts() []fyne.CanvasObject {
	return []fyne.CanvasObject{t.previous, t.play, t.next, t.speed}
}

// grouped writes a number with thin groups of three digits: 3 480 112.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// toggle starts or stops the frame clock with the playing: nothing ticks while nothing moves.
func (p *playback) toggle() {
	d := p.w.front()
	d.player.toggle(time.Now())
	if d.player.playing {
		p.startClock()
	}
	p.w.log.write("playing", "on", d.player.playing, "rate", d.player.rate())
	d.transport.sync()
}

// startClock runs one animation of Fyne for as long as the front document plays.
func (p *playback) startClock() {
	if p.clock != nil {
		return
	}
	const forever = time.Hour // Fyne wants an end; it repeats
	p.clock = &fyne.Animation{Duration: forever, RepeatCount: fyne.AnimationRepeatForever, Curve: fyne.AnimationLinear}
	p.clock.Tick = func(float32) {
		on, now := false, time.Now()
		for _, d := range p.w.shown() {
			was := d.player.playing
			if d.player.advance(now) {
				on = true
			} else if was {
				d.transport.sync()
				p.w.log.write("playing", "on", false, "cursor", d.doc.Link().State().Cursor)
			}
		}
		if !on && p.clock != nil {
			p.clock.Stop()
			p.clock = nil
		}
	}
	p.clock.Start()
}

func (p *playback) step(n int64) { p.w.front().player.step(n) }

func (p *playback) changeSpeed(speed int) {
	d := p.w.front()
	d.player.speed = max(0, min(speed, speeds-1))
	d.transport.sync()
	p.w.log.write("speed", "rate", d.player.rate())
}
