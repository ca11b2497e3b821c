package document

import (
	"fmt"
	"slices"

	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/listing"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// regionsView lists the recording's regions, the most used first.
type regionsView struct {
	d      *Document
	scroll float64
	groups []listing.Group // for
	rec    *session.Recording
	theme  string
}

func (v *regionsView) Title() string   { return "Recording" }
func (v *regionsView) Caption() string { return v.d.rec.Program().Recorder }

func (v *regionsView) state(theme palette.Theme) listing.State {
	if v.rec != v.d.rec || v.theme != theme.Name {
		v.groups, v.rec, v.theme = v.list(theme), v.d.rec, theme.Name
	}
	l := v.d.link.State()
	return listing.State{Theme: theme, Groups: v.groups, Scroll: v.scroll, Selected: l.Selected, Hover: l.Hover,
		Empty: "No data references. Record a program that does something: orrery record -- ./program"}
}

func (v *regionsView) list(theme palette.Theme) []listing.Group {
	if v.d.rec.EventsOnly() {
		return v.listSites(theme)
	}
	g := listing.Group{Title: "REGIONS"}
	regions := v.d.rec.Regions.Regions()
	for _, id := range v.d.rec.Use.Ranked {
		r, use := regions[id], v.d.rec.Use.Regions[id]
		tip := []string{r.Name, fmt.Sprintf("%s, %d bytes", r.Kind, r.Size), fmt.Sprintf("%d loads, %d stores", use.Loads, use.Stores)}
		if r.High > r.Low {
			tip = append(tip, fmt.Sprintf("%v to %v", r.Low, r.High))
		}
		g.Rows = append(g.Rows, listing.Row{Color: v.d.rec.RegionColor(theme, id), Name: r.Name, Value: words.Count(use.References()),
			Thing: regionThing(r.Name), Tip: tip})
	}
	if g.Rows == nil {
		return []listing.Group{}
	}
	return []listing.Group{g}
}

// listSites lists where a recording without references allocates, the most bytes first.
func (v *regionsView) listSites(theme palette.Theme) []listing.Group {
	g := listing.Group{Title: "ALLOCATED AT"}
	sites := v.d.rec.Heap.Sites
	g.Rows = make([]listing.Row, len(sites))
	for id, r := range v.d.rec.Regions.Regions() {
		if r.Site < 0 || r.Site >= len(sites) {
			continue
		}
		s := &sites[r.Site]
		g.Rows[r.Site] = listing.Row{Color: v.d.rec.RegionColor(theme, id), Name: r.Name, Value: words.Bytes(s.Bytes), Thing: regionThing(r.Name),
			Tip: []string{s.Name(), fmt.Sprintf("%s in %s blocks", words.Bytes(s.Bytes), words.Count(s.Blocks)), fmt.Sprintf("%s never freed", words.Bytes(s.LiveBytes))}}
	}
	g.Rows = slices.DeleteFunc(g.Rows, func(r listing.Row) bool { return r.Name == "" })
	return []listing.Group{g}
}

func (v *regionsView) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.theme = theme
	v.scroll = max(0, min(v.scroll, listing.Height(v.state(theme))-size.H))
	return listing.Scene(v.state(theme), size)
}

func (v *regionsView) hit(e pane.Event) *listing.Row {
	return listing.Hit(v.state(v.d.theme), e.Size, e.At)
}

func (v *regionsView) Moved(e pane.Event) {
	var t link.Thing
	if row := v.hit(e); row != nil {
		t = row.Thing
	}
	v.d.link.SetHover(t)
}

func (v *regionsView) Left() { v.d.link.SetHover(link.Thing{}) }

func (v *regionsView) Pressed(e pane.Event) {
	if row := v.hit(e); row != nil && e.Button == pane.Primary {
		v.d.link.Select(row.Thing, "recording")
	}
}

func (v *regionsView) Tip(e pane.Event) []string {
	if row := v.hit(e); row != nil {
		return row.Tip
	}
	return nil
}

func (v *regionsView) Scrolled(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 44
	v.d.changed(shell.Recording)
}

func (v *regionsView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Hover != now.Hover
}
