package designs

import (
	"context"
	"strings"

	"orrery/analysis/dse"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/timeline"
)

// generationsView is the strip along the bottom, over the generations of the search: what each found, what all until
// then have reached. Dragging goes through them (D12).
type generationsView struct {
	panes.Base
	e     *Explorer
	hover *traceio.Seq
	grip  timeline.Grip
	of    *dse.Space
	told  progress
}

// progress is what a search had reached, by generation.
type progress struct{ found, reached, volume []float64 }

func (v *generationsView) caption() string {
	if v.e.space == nil {
		return ""
	}
	return strings.TrimPrefix(v.e.when(), " · ")
}

// count counts designs and combinations by the generation that met them first.
func count(s *dse.Space) progress {
	n := s.Generations.Count
	p := progress{found: make([]float64, n), reached: make([]float64, n)}
	first := make([]int32, len(s.Combos))
	for k := range first {
		first[k] = int32(n)
	}
	for i := range s.N {
		g := s.Generations.First(i)
		p.found[g]++
		first[s.Subspace[i]] = min(first[s.Subspace[i]], g)
	}
	for _, g := range first {
		if int(g) < n {
			p.reached[g]++
		}
	}
	for g := 1; g < n; g++ {
		p.reached[g] += p.reached[g-1]
	}
	return p
}

// follow counts for the space that is explored now.
func (v *generationsView) follow() {
	s := v.e.space
	if s == v.of || s == nil || !s.Generations.Known() {
		return
	}
	v.of, v.told = s, count(s)
	jobs.Start(v.e.host.Engine, v.e.key("volume"), "measuring hypervolume by generation",
		func(ctx context.Context, _ func(done, total int64)) ([]float64, error) {
			return s.VolumeByGeneration(), ctx.Err()
		}, func(volume []float64, err error) {
			if err == nil && v.of == s {
				v.told.volume = volume
				v.Redraw()
			}
		})
}

func (v *generationsView) state(theme palette.Theme) timeline.State {
	v.follow()
	l := v.e.link.State()
	s := timeline.State{Theme: theme, Unit: "generations", Cursor: l.Cursor, Hover: v.hover, Bare: true}
	if v.e.space == nil || !v.e.space.Generations.Known() {
		return s
	}
	s.Len = traceio.Seq(v.e.space.Generations.Count)
	for i, lane := range []struct {
		name   string
		values []float64
	}{{"new designs", v.told.found}, {"combinations", v.told.reached}, {"hypervolume", v.told.volume}} {
		if lane.values != nil {
			s.Lanes = append(s.Lanes, timeline.Lane{Name: lane.name, Step: 1, Values: lane.values,
				Color: palette.Qualitative(theme, []int{2, 0, 3}[i])})
		}
	}
	return s
}

func (v *generationsView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	s := v.state(theme)
	if s.Len == 0 {
		d := scene.Drawing{Size: size, Background: theme.Panel}
		if v.e.space == nil {
			d.Say(v.e.empty, theme.Dim)
			return d
		}
		d.Say("This table tells no generations: mark their column in \"What the columns mean\", or tell how many rows a "+
			"generation has.", theme.Dim)
		return d
	}
	return timeline.Scene(s, size)
}

func (v *generationsView) hit(e pane.Event) timeline.Target {
	return timeline.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *generationsView) scrub(e pane.Event) {
	if s := v.state(e.Theme); s.Len > 0 {
		v.e.link.SetCursor(timeline.SeqAt(s, e.Size, e.At.X))
	}
}

func (v *generationsView) Pressed(e pane.Event) {
	if e.Button == pane.Primary {
		v.grip = v.hit(e).Grip
		v.Dragged(e, e.At)
	}
}

func (v *generationsView) Dragged(e pane.Event, _ scene.Point) {
	if v.grip == timeline.Plot || v.grip == timeline.Cursor {
		v.scrub(e)
	}
}

func (v *generationsView) Moved(e pane.Event) {
	v.hover = nil
	if t := v.hit(e); t.Grip != timeline.None {
		v.hover = &t.Seq
	}
	v.Redraw()
}

func (v *generationsView) Left() {
	v.hover = nil
	v.Redraw()
}

func (v *generationsView) Tip(e pane.Event) []string { return v.hit(e).Lines }
