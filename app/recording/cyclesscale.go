package recording

import (
	"context"
	"fmt"
	"math"
	"slices"

	"orrery/analysis/topology"
	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/views/controls"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// target is the parameterization that is shown, or morphed to; nil without one.
func (c *cycles) target() *topology.Parameterization {
	if c.to >= c.count() {
		return nil
	}
	return &c.found.Parameterizations[c.to]
}

// scales are those at which the shown class has angles.
func (c *cycles) scales() []float64 {
	if p := c.target(); p != nil {
		return c.found.Scales(p.Rank)
	}
	return nil
}

// effective is the scale of some at which a class is shown: the largest that is not above the chosen one, else the
// smallest.
func effective(scales []float64, chosen float64) float64 {
	at := scales[0]
	for _, s := range scales {
		if s <= chosen {
			at = s
		}
	}
	return at
}

// rescale computes the angles of the shown class at the scale that was chosen, unless they are.
func (c *cycles) rescale(d *Document) {
	scales := c.scales()
	if len(scales) == 0 || c.found.Stage != topology.Full || effective(scales, c.scale) == c.target().Scale {
		return
	}
	found, i, scale := c.found, c.to, c.scale
	what := fmt.Sprintf("angles of #%d at scale %g", c.target().Rank, effective(scales, scale))
	jobs.Start(d.host.Engine, d.key("scale"), what,
		func(ctx context.Context, _ func(done, total int64)) (*session.Cycles, error) {
			return found.At(ctx, i, scale)
		}, func(next *session.Cycles, err error) {
			switch {
			case c.found != found:
				c.rescale(d)
				return
			case err != nil:
				d.host.Failed(err.Error())
				return
			}
			c.found = next
			c.rescale(d)
			c.result.Changed()
		})
}

// Room of the slider of scales, with its words.
const (
	sliderLeast = 120.0
	sliderMost  = 320.0
)

// knob is the slider of scales, where it lies and what stands before it; ok is false when there is nothing to slide.
func (v *cyclesView) knob(theme palette.Theme,
	size scene.Size) (s controls.Slider, room scene.Rect, words string, ok bool) {
	scales := v.d.cycles.scales()
	if len(scales) < 2 || !roomy(size) || v.shown.picture == asRun {
		return s, room, "", false
	}
	left := 10.0
	for _, c := range v.controls(theme, size) {
		if c.At.Y > foot {
			left = c.At.X + c.Row.Width() + 2*beside
		}
	}
	words = fmt.Sprintf("scale %.4g", v.d.cycles.target().Scale)
	left = max(left, size.W-sliderMost)
	left += scene.Measure(scene.Sans, 10.5, "scale 0.0000"[:max(len(words), 7)]) + beside
	s = controls.Slider{Theme: theme, Low: scales[0], High: scales[len(scales)-1],
		Value: v.d.cycles.target().Scale, Marks: scales}
	return s, scene.R(left, size.H-foot+5, size.W-10-left, controls.RowHeight), words, true
}

func (v *cyclesView) drawScale(d *scene.Drawing, theme palette.Theme) {
	s, room, words, ok := v.knob(theme, d.Size)
	if !ok {
		return
	}
	d.Add(scene.Text{At: scene.Point{X: room.Min.X - beside, Y: room.Center().Y + scene.Middle(scene.Sans, 10.5)},
		Size: 10.5, Color: theme.Dim, Align: 1, S: words})
	d.Add(s.Shapes(room)...)
}

// pressScale begins a drag of the knob when the press is on the slider.
func (v *cyclesView) pressScale(e pane.Event) bool {
	s, room, _, ok := v.knob(e.Theme, e.Size)
	if !ok || !room.Contains(e.At) {
		return false
	}
	v.sliding, v.slid = true, false
	v.slideTo(s.ValueAt(room, e.At.X))
	return true
}

// slideTo chooses the scale nearest to the one given; all changes of one drag are one undoable step.
func (v *cyclesView) slideTo(scale float64) {
	c := &v.d.cycles
	scales := c.scales()
	if len(scales) == 0 || math.IsNaN(scale) {
		return
	}
	to := slices.MinFunc(scales, func(a, b float64) int {
		if math.Abs(a-scale) < math.Abs(b-scale) {
			return -1
		}
		return 1
	})
	if to == effective(scales, c.scale) {
		return
	}
	if to == scales[0] {
		to = 0 // at birth, of other classes too
	}
	after := func() {
		c.rescale(v.d)
		v.Redraw()
	}
	if v.slid {
		c.scale = to
		after()
		return
	}
	v.slid = true
	link.Choose(v.d.link, "scale of the angles", &c.scale, to, after)
}

// stepScale chooses the next larger (1) or smaller (-1) scale of the shown class.
func (v *cyclesView) stepScale(by int) {
	scales := v.d.cycles.scales()
	if len(scales) == 0 {
		return
	}
	at := slices.Index(scales, effective(scales, v.d.cycles.scale)) + by
	v.slid = false
	v.slideTo(scales[max(0, min(at, len(scales)-1))])
}

// tipScale says what the slider does.
func (v *cyclesView) tipScale(e pane.Event) []string {
	_, room, _, ok := v.knob(e.Theme, e.Size)
	if !ok || e.At.Y < room.Min.Y || e.At.X < room.Min.X-60 {
		return nil
	}
	p := v.d.cycles.target()
	lines := []string{fmt.Sprintf("angles at scale %g", p.Scale), fmt.Sprintf("#%d is born at %g and dies at %g", p.Rank,
		p.Birth, p.Death), "drag, or press [ and ]"}
	if p.Infinite {
		lines[1] = fmt.Sprintf("#%d is born at %g and outlives the largest scale", p.Rank, p.Birth)
	}
	return lines
}
