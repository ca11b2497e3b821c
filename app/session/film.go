package session

import (
	"fmt"
	"math"

	"orrery/traceio"
	"orrery/views/film"
	"orrery/views/heapmap"
	"orrery/views/rings"
	"orrery/views/scene"
	"orrery/views/spiral"
)

// Reel is a span of logical time and how fast a film goes through it.
type Reel struct {
	From, To traceio.Seq // [From, To)
	Speed    float64     // references a frame; less than 1 shows the steps between references
	Rate     int         // frames a second
}

// Moment is what one frame shows: reference At, of which Part has passed. Share is how much of the film has, from 0 at
// its first frame to 1 at its last.
type Moment struct {
	At    traceio.Seq
	Part  float64
	Share float64
}

// Shot draws the frame of a moment. It may not depend on anything else: a film is made in the background, and twice the
// same.
type Shot func(m Moment) (scene.Drawing, error)

// filmSeconds is about how long a film is whose speed nobody chose.
const filmSeconds = 15

// Suggested is a speed at which the span lasts about a quarter of a minute: 1, 2 or 5 times a power of ten references a
// frame, or as a part of a reference for short spans, but not less than a fifth.
func (r Reel) Suggested() float64 {
	want := float64(r.To-min(r.From, r.To)) / float64(max(1, r.Rate)*filmSeconds)
	speed := 0.2
	for _, next := range []float64{0.5, 1} {
		if speed < want {
			speed = next
		}
	}
	for step := 1.0; speed < want; step *= 10 {
		for _, k := range []float64{2, 5, 10} {
			if speed < want {
				speed = k * step
			}
		}
	}
	return speed
}

// Frames is how many frames the film has; 0 for an empty span.
func (r Reel) Frames() int {
	if r.To <= r.From || !(r.Speed > 0) {
		return 0
	}
	return int(min(math.Ceil(float64(r.To-r.From)/r.Speed-1e-9), math.MaxInt32))
}

// Check refuses a reel that goes through nothing, or never.
func (r Reel) Check(end traceio.Seq) error {
	switch {
	case r.To <= r.From:
		return fmt.Errorf("the film's span from %d to %d is empty; it goes from a reference to a later one", r.From, r.To)
	case r.To > end:
		return fmt.Errorf("the film's span ends at %d, beyond the recording's end at %d", r.To, end)
	case !(r.Speed >= 0.001 && r.Speed <= 1e9):
		return fmt.Errorf(
			"a speed of %g references a frame cannot be; 1 shows each one in a frame, 0.1 in ten, 100 a hundred in one", r.Speed)
	case r.Frames() > film.MaxFrames:
		return fmt.Errorf("the film would have %d frames; at a speed of %g references a frame it lasts %.0f seconds",
			r.Frames(), r.Suggested(), float64(r.To-r.From)/r.Suggested()/float64(max(1, r.Rate)))
	}
	return nil
}

// Moment is that of frame i. Every frame ends a step of Speed references after the one before; the last one is the end
// of the span.
func (r Reel) Moment(i int) Moment {
	x := min(float64(i+1)*r.Speed, float64(r.To-r.From))
	past := math.Ceil(x - 1e-9)
	m := Moment{At: r.From + traceio.Seq(max(1, past)) - 1, Part: 1}
	if r.Speed < 1 {
		m.Part = min(1, x-past+1)
	}
	if n := r.Frames(); n > 1 {
		m.Share = float64(i) / float64(n-1)
	}
	return m
}

// stride is how many references one frame shows at a time.
func (r Reel) stride() int { return int(max(1, math.Round(min(r.Speed, 1024)))) }

// Film is the reel with what a shot shows of each moment.
func (r Reel) Film(size scene.Size, shot Shot) film.Film {
	return film.Film{Size: size, Rate: r.Rate, Frames: r.Frames(), Draw: func(i int) (scene.Drawing, error) {
		return shot(r.Moment(i))
	}}
}

// RingsShot is the caches at work, looked at as in look: its theme, tail, regions and what else is the user's choice.
func (r *Recording) RingsShot(c *Caches, look rings.State, reel Reel, size scene.Size) Shot {
	look.Items, look.Speed, look.Caption = c.Items, reel.stride(), ""
	return func(m Moment) (scene.Drawing, error) {
		s := look
		s.At, s.Frac, s.Names = m.At, m.Part, r.NamesAt(m.At)
		if err := s.Load(c, r); err != nil {
			return scene.Drawing{}, err
		}
		return rings.Scene(s, size), nil
	}
}

// SpiralShot is a spiral with the time cursor; one that stands between two parameterizations goes from the first to the
// second.
func SpiralShot(look spiral.State, size scene.Size) Shot {
	return func(m Moment) (scene.Drawing, error) {
		s := look
		s.Cursor = m.At
		if len(s.To.Turns) > 0 {
			s.Morph = ease(m.Share)
		}
		return spiral.Scene(s, size), nil
	}
}

// ease begins and ends a movement gently.
func ease(t float64) float64 { return t * t * (3 - 2*t) }

// HeapShot is the map of the heap with the time cursor.
func HeapShot(look heapmap.State, size scene.Size) Shot {
	var draw heapmap.Renderer // keeps the blocks from frame to frame
	return func(m Moment) (scene.Drawing, error) {
		s := look
		s.Cursor = s.Heap.Axis.At(m.At)
		return draw.Scene(s, size), nil
	}
}
