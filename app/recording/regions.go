package recording

import (
	"fmt"
	"slices"
	"strings"

	"orrery/app/panes"
	"orrery/app/session"
	"orrery/views/link"
	"orrery/views/listing"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// regionsView lists the recording's regions, the most used first.
type regionsView struct {
	panes.Base
	d      *Document
	scroll float64
	groups []listing.Group[link.Thing] // for
	rec    *session.Recording
	theme  string
	open   bool // the variables of the stack are listed
}

func (v *regionsView) caption() string {
	return v.d.rec.Remarked(v.d.rec.Program().Recorder)
}

func (v *regionsView) state(theme palette.Theme) listing.State[link.Thing] {
	if v.rec != v.d.rec || v.theme != theme.Name {
		v.groups, v.rec, v.theme = v.list(theme), v.d.rec, theme.Name
	}
	l := v.d.link.State()
	return listing.State[link.Thing]{Theme: theme, Groups: v.groups, Scroll: v.scroll,
		Selected: l.Selected, Hover: l.Hover,
		Empty: v.d.lacking()}
}

func (v *regionsView) list(theme palette.Theme) []listing.Group[link.Thing] {
	if v.d.rec.EventsOnly() {
		return v.listSites(theme)
	}
	rows := []listing.Row[link.Thing]{}
	stack, sum := v.stackRows(theme)
	own := map[string]bool{}
	for _, r := range stack {
		own[r.Name] = true
	}
	at := -1 // where the sum of the stack ranks it
	for _, id := range v.d.rec.Use.Ranked {
		if !own[v.d.rec.Regions.Regions()[id].Name] {
			if at < 0 && v.d.rec.Use.Regions[id].References() < sum {
				at = len(rows)
			}
			rows = append(rows, v.row(theme, id))
		}
	}
	if at < 0 {
		at = len(rows)
	}
	if len(stack) > 0 && !v.open {
		stack = stack[:1]
	}
	if rows = slices.Insert(rows, at, stack...); len(rows) == 0 {
		return []listing.Group[link.Thing]{}
	}
	return []listing.Group[link.Thing]{{Title: "REGIONS", Rows: rows}}
}

// stackRows are the row of the whole stack and those that it stands for, what is used beside variables and the
// variables, and the references of all of them; none where there is nothing to fold.
func (v *regionsView) stackRows(theme palette.Theme) (rows []listing.Row[link.Thing], sum uint64) {
	stack, variables := v.d.rec.StackVariables()
	if stack < 0 || len(variables) < 2 {
		return nil, 0
	}
	sum = v.d.rec.WholeStackReferences()
	own := v.row(theme, stack)
	head := own
	head.Fold, head.Name, head.Value, head.Note = listing.Folded, session.WholeStack, v.d.rec.Figure(sum),
		fmt.Sprintf("%d variables", len(variables))
	head.Tip = []string{session.WholeStack, fmt.Sprintf("%s references, of them %s to its %d variables", head.Value,
		v.d.rec.Figure(sum-v.d.rec.Use.Regions[stack].References()), len(variables)), "click to list them"}
	own.Part = true
	if v.open {
		head.Fold, head.Thing = listing.Unfolded, link.Thing{} // its own row is there
	}
	rows = append(rows, head, own)
	for _, id := range variables {
		r := v.row(theme, id)
		r.Part = true
		rows = append(rows, r)
	}
	return rows, sum
}

// row tells of one region.
func (v *regionsView) row(theme palette.Theme, id int) listing.Row[link.Thing] {
	r, use := v.d.rec.Regions.Regions()[id], v.d.rec.Use.Regions[id]
	tip := []string{r.Name, fmt.Sprintf("%s, %d bytes", r.Kind, r.Size), fmt.Sprintf("%d loads, %d stores",
		use.Loads, use.Stores)}
	if r.High > r.Low {
		tip = append(tip, fmt.Sprintf("%v to %v", r.Low, r.High))
	}
	return listing.Row[link.Thing]{Color: v.d.rec.RegionColor(theme, id), Name: r.Name,
		Value: v.d.rec.Figure(use.References()), Thing: regionThing(r.Name), Tip: tip}
}

// listSites lists where a recording without references allocates, the most bytes first.
func (v *regionsView) listSites(theme palette.Theme) []listing.Group[link.Thing] {
	g := listing.Group[link.Thing]{Title: "ALLOCATED AT"}
	sites := v.d.rec.Heap.Sites
	g.Rows = make([]listing.Row[link.Thing], len(sites))
	for id, r := range v.d.rec.Regions.Regions() {
		if r.Site < 0 || r.Site >= len(sites) {
			continue
		}
		s := &sites[r.Site]
		g.Rows[r.Site] = listing.Row[link.Thing]{Color: v.d.rec.RegionColor(theme, id), Name: strings.TrimPrefix(r.Name,
			"heap@"), Value: words.Bytes(s.Bytes), Thing: regionThing(r.Name),
			Tip: []string{s.Name(), fmt.Sprintf("%s in %s blocks", words.Bytes(s.Bytes), words.Count(s.Blocks)),
				fmt.Sprintf("%s never freed", words.Bytes(s.LiveBytes))}}
	}
	g.Rows = slices.DeleteFunc(g.Rows, func(r listing.Row[link.Thing]) bool { return r.Name == "" })
	return []listing.Group[link.Thing]{g}
}

func (v *regionsView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.scroll = max(0, min(v.scroll, listing.Height(v.state(theme))-size.H))
	return listing.Scene(v.state(theme), size)
}

func (v *regionsView) hit(e pane.Event) *listing.Row[link.Thing] {
	return listing.Hit(v.state(e.Theme), e.Size, e.At)
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
		if row.Fold != listing.Single {
			v.open, v.rec = !v.open, nil
			v.Redraw()
		}
		if row.Thing.What != link.Nothing {
			v.d.link.Select(row.Thing, "recording")
		}
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
	v.Redraw()
}

func (v *regionsView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Hover != now.Hover
}

func newRegionsView(d *Document, b panes.Base) *regionsView {
	v := &regionsView{Base: b, d: d}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}
