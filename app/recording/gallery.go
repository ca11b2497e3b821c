package recording

import (
	"fmt"

	"orrery/app/panes"
	"orrery/views/gallery"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// galleryView is the small multiples of all parameterizations with the morph slider.
type galleryView struct {
	panes.Base
	d      *Document
	scroll float64
	hover  int
	slide  bool // the drag in progress moves the morph

	cards []gallery.Card // for
	found any
	theme string
}

func (v *galleryView) caption() string {
	if n := v.d.cycles.count(); n > 0 {
		return fmt.Sprintf("%d of %d classes", n, len(v.d.cycles.found.Barcode))
	}
	return ""
}

func (v *galleryView) state(theme palette.Theme) gallery.State {
	c := &v.d.cycles
	c.at.Read()
	s := gallery.State{Theme: theme, From: c.from, To: c.to, Morph: c.morph, Hover: v.hover, Scroll: v.scroll,
		Empty: "The recurrences found in the selected stretch of time will be here, ranked."}
	if none := v.d.lacking(); none != "" {
		s.Empty = none
	}
	if c.found == nil {
		return s
	}
	if v.found != any(c.found) || v.theme != theme.Name {
		v.cards, v.found, v.theme = v.deal(theme), c.found, theme.Name
	}
	s.Cards = v.cards
	return s
}

func (v *galleryView) deal(theme palette.Theme) []gallery.Card {
	c := &v.d.cycles
	cards := make([]gallery.Card, c.count())
	for i := range cards {
		p := &c.found.Parameterizations[i]
		cards[i] = gallery.Card{Name: fmt.Sprintf("#%d", p.Rank), Turns: p.Turns, Score: p.Score,
			State: v.d.rec.Spiral(c.found, theme, i, i, 1),
			Tip: []string{fmt.Sprintf("#%d  %.1f turns", p.Rank, p.Turns), fmt.Sprintf("born at %g, persistence %s",
				p.Birth, persistence(p)),
				fmt.Sprintf("%d of %d windows on the cycle", p.Count, c.found.Times),
				"click to morph to it, again to play the morph"}}
	}
	return cards
}

func (v *galleryView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.cycles.read(v.d)
	s := v.state(theme)
	v.scroll = max(0, min(v.scroll, gallery.Overflow(s, size)))
	s.Scroll = v.scroll
	return gallery.Scene(s, size)
}

func (v *galleryView) hit(e pane.Event) gallery.Target {
	return gallery.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *galleryView) Moved(e pane.Event) {
	if t := v.hit(e); t.Card != v.hover {
		v.hover = t.Card
		v.Redraw()
	}
}

func (v *galleryView) Left() {
	v.hover = -1
	v.Redraw()
}

func (v *galleryView) Pressed(e pane.Event) {
	t := v.hit(e)
	v.slide = t.Slider
	c := &v.d.cycles
	switch {
	case e.Button != pane.Primary:
	case t.Slider:
		v.drag(t.Morph)
	case t.Card == c.to:
		c.play(v.d)
	case t.Card >= 0:
		c.choose(v.d, t.Card)
	}
}

func (v *galleryView) Dragged(e pane.Event, _ scene.Point) {
	if v.slide {
		e.At.Y = e.Size.H // the knob follows the pointer's x wherever it is
		v.drag(v.hit(e).Morph)
	}
}

// drag moves the knob; before anything was chosen it morphs from the first parameterization to the second.
func (v *galleryView) drag(morph float64) {
	c := &v.d.cycles
	c.stop()
	if c.from == c.to && c.count() > 1 {
		c.from, c.to = c.to, (c.to+1)%c.count()
	}
	c.slide(v.d, morph)
}

func (v *galleryView) Tip(e pane.Event) []string {
	t := v.hit(e)
	switch {
	case t.Card >= 0:
		return v.state(e.Theme).Cards[t.Card].Tip
	case t.Slider:
		return []string{fmt.Sprintf("morph %.0f %%", 100*v.d.cycles.morph)}
	}
	return nil
}

func (v *galleryView) Scrolled(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 60
	v.Redraw()
}

func (v *galleryView) Concerns(_, _ link.State) bool { return false }

func newGalleryView(d *Document, b panes.Base) *galleryView {
	v := &galleryView{Base: b, d: d, hover: -1}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}
