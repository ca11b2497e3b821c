package spiral

import (
	"image/color"
	"math"

	"orrery/views/scene"
)

// course is the polyline in the making of a curve around the centre. It goes by angle and radius, and only what becomes
// a vertex is put on the picture: of 100 000 windows a curve keeps as many as its chords need, and the others cost a
// few comparisons each.
//
// A chord takes no more of a turn than bend allows, so that it lies within sag of the arc that it stands for. On the
// way the radius goes evenly with the angle; all windows since the vertex lie within drift of that where the slope,
// radius by angle, stays between two bounds, which close in with each window. What lies beyond, goes back farther than
// shows or has another colour begins a new chord.
type course struct {
	b       *builder
	c       *scene.Curves
	vertex  spot // the last one
	at      scene.Point
	end     spot // the newest place
	ink     color.NRGBA
	waiting bool // end is not a vertex yet
	open    bool // the vertex is in c
	up      bool // angles grow towards the end
	bend    float64
	back    float64 // what may be lost again of a turn
	far     float64 // the most that was taken of a turn
	low     float64 // bounds of the slope
	high    float64
}

// sag is how far, in units, a chord may lie from its arc, and drift how far a window may lie from where the radius goes
// evenly: together a tenth of a pixel, which does not show.
const (
	sag   = 0.08
	drift = 0.02
)

// still is how far, in units, the curve may go back along itself before that is drawn.
const still = 0.1

// bendAt is the share of a turn that one chord may take at a radius: an arc of angle a has the sagitta r a^2 / 8.
func bendAt(r float64) float64 { return math.Sqrt(8*sag/max(r, 1)) / (2 * math.Pi) }

// start begins a new polyline in c at a place.
func (h *course) start(c *scene.Curves, at spot) {
	h.flush()
	*h = course{b: h.b, c: c}
	h.begin(at, h.b.p.at(at.turn, at.r))
}

// begin makes a place on the picture the last vertex.
func (h *course) begin(s spot, at scene.Point) {
	h.vertex, h.end, h.at = s, s, at
	h.bend, h.back = bendAt(s.r), still/(2*math.Pi*max(s.r, 1))
}

// add goes on to a place, along an arc that is so short that one chord will do for it.
func (h *course) add(to spot, ink color.NRGBA) {
	if h.waiting && (ink != h.ink || !h.fits(to)) {
		h.flush()
	}
	turned, grown := to.turn-h.vertex.turn, to.r-h.vertex.r
	if !h.waiting {
		h.up, h.far, h.low, h.high = turned > 0, 0, math.Inf(-1), math.Inf(1)
	}
	if !h.up {
		turned = -turned
	}
	if turned > h.far {
		h.far = turned
	}
	if turned > 0 {
		by := 1 / turned
		if s := (grown - drift) * by; s > h.low {
			h.low = s
		}
		if s := (grown + drift) * by; s < h.high {
			h.high = s
		}
	} else if math.Abs(grown) > drift {
		h.bend = 0 // straight outward: nothing may follow on the same chord
	}
	h.end, h.ink, h.waiting = to, ink, true
}

// fits reports whether a chord from the vertex to a place passes all places between.
func (h *course) fits(to spot) bool {
	turned := to.turn - h.vertex.turn
	if !h.up {
		turned = -turned
	}
	if !(turned >= h.far-h.back) || turned > h.bend {
		return false
	}
	grown := to.r - h.vertex.r
	return turned <= 0 || grown >= h.low*turned && grown <= h.high*turned
}

// flush makes the newest place a vertex. Chords that lie wholly outside the pane are left out.
func (h *course) flush() {
	if !h.waiting {
		return
	}
	h.waiting = false
	at := h.b.p.at(h.end.turn, h.end.r)
	switch {
	case h.b.outside(h.at, at):
		h.open = false
	case !h.open:
		h.c.Starts = append(h.c.Starts, len(h.c.Points))
		h.c.Points = append(h.c.Points, h.at, at)
		h.c.Colors = append(h.c.Colors, color.NRGBA{}, h.ink)
		h.open = true
	default:
		h.c.Points = append(h.c.Points, at)
		h.c.Colors = append(h.c.Colors, h.ink)
	}
	h.begin(h.end, at)
}
