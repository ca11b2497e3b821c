package graphs

import (
	"fmt"
	"slices"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/app/panes"
	"orrery/traceio/irgraph"
	"orrery/views/codegraph"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/properties"
	"orrery/views/scene"
	"orrery/views/words"
)

// propertiesView is the property sheet of the selected nodes; of the phase and function while none is.
type propertiesView struct {
	panes.Base
	e      *Explorer
	scroll float64
	of     string // what the scroll belongs to
	size   scene.Size
	things []properties.Thing // of the last picture
	more   int
}

// mostSheets bounds how many nodes are listed.
const mostSheets = 40

// brushes is what the sheet calls that by which the other panes know a node.
const brushes = "brushes"

func newPropertiesView(e *Explorer, b panes.Base) *propertiesView {
	v := &propertiesView{Base: b, e: e}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *propertiesView) caption() string {
	switch n := len(v.e.selected); {
	case v.e.group() == nil:
		return ""
	case n == 0:
		return v.e.phaseName()
	case n == 1:
		return v.e.selected[0]
	default:
		return fmt.Sprintf("%d nodes", n)
	}
}

func (v *propertiesView) state(theme palette.Theme) properties.State {
	e := v.e
	s := properties.State{Theme: theme, Scroll: v.scroll, Empty: "Select nodes of the graph: their properties are here."}
	p := e.picture()
	switch {
	case e.snapshot() != nil && len(e.selected) == 0:
		s.Things = e.aboutPhase()
		return s
	case p == nil && e.coming():
		s.Things, s.More = v.things, v.more
		return s
	case p == nil:
		return s
	}
	whole, at := e.drawn.Whole[e.index()], 0
	for i := range p.Graph.Nodes {
		n := &p.Graph.Nodes[i]
		if !e.selected.Has(n.ID) {
			continue
		}
		if len(s.Things) == mostSheets {
			s.More++
			continue
		}
		for whole.Nodes[at].ID != n.ID { // an extract keeps the order
			at++
		}
		t := sheetOf(whole, at)
		if text := e.brushed(i); text != "" {
			costs := slices.IndexFunc(t.Properties, func(p properties.Property) bool { return !slices.Contains(leading, p.Key) })
			t.Properties = slices.Insert(t.Properties, max(0, costs), properties.Property{Key: brushes, Value: text})
		}
		s.Things = append(s.Things, t)
	}
	v.things, v.more = s.Things, s.More
	return s
}

// leading are the properties that stand first in a sheet: what the node is, and what it costs.
var leading = []string{irgraph.KeyName, irgraph.KeyLabel, codegraph.References, codegraph.Misses, codegraph.Stride}

// sheetOf is a node's properties, and behind them what it takes and who uses it: in all of the graph, also where an
// extract is shown.
func sheetOf(g *depgraph.Graph, i int) properties.Thing {
	n := &g.Nodes[i]
	t := properties.Thing{Name: codegraph.Text(n)}
	if depgraph.Colored(n.Color) {
		t.Color = n.Color
	}
	for _, first := range []bool{true, false} {
		for _, p := range n.Properties {
			if first == slices.Contains(leading, p.Key) {
				t.Properties = append(t.Properties, properties.Property{Key: p.Key, Value: p.Value})
			}
		}
	}
	if n.Block >= 0 && n.Properties.Get("block") == "" {
		t.Properties = append(t.Properties, properties.Property{Key: "block", Value: g.Blocks[n.Block].Name})
	}
	var in, uses []string
	for _, x := range g.Edges {
		if int(x.To) == i {
			in = append(in, codegraph.Text(&g.Nodes[x.From]))
		}
		if int(x.From) == i {
			uses = append(uses, codegraph.Text(&g.Nodes[x.To]))
		}
	}
	t.Note = words.Plural(len(in), "input") + ", " + words.Plural(len(uses), "use")
	if len(in) > 0 {
		t.Properties = append(t.Properties, properties.Property{Key: "inputs", Value: strings.Join(in, ", ")})
	}
	if len(uses) > 0 {
		t.Properties = append(t.Properties, properties.Property{Key: "uses", Value: strings.Join(uses, ", ")})
	}
	return t
}

// aboutPhase is what is known of the phase and its function.
func (e *Explorer) aboutPhase() []properties.Thing {
	s, g := e.snapshot(), e.group()
	phase := properties.Thing{Name: s.Name, Note: sizeOf(len(s.Nodes), len(s.Edges))}
	for _, p := range s.Properties {
		phase.Properties = append(phase.Properties, properties.Property{Key: p.Key, Value: p.Value})
	}
	blocks := fmt.Sprint(len(s.Blocks))
	if len(s.Blocks) == 0 {
		blocks = "none yet"
	}
	phase.Properties = append(phase.Properties, properties.Property{Key: "blocks", Value: blocks})
	function := properties.Thing{Name: g.Name, Note: words.Plural(len(g.Snapshots), "phase")}
	for _, p := range g.Properties {
		function.Properties = append(function.Properties, properties.Property{Key: p.Key, Value: p.Value})
	}
	if n := len(g.Listing); n > 0 {
		function.Properties = append(function.Properties, properties.Property{Key: "instructions", Value: fmt.Sprint(n)})
	}
	return []properties.Thing{phase, function}
}

func (v *propertiesView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.size = size
	if now := strings.Join(v.e.selected, " "); now != v.of {
		v.of, v.scroll = now, 0
	}
	s := v.state(theme)
	v.scroll = max(0, min(v.scroll, properties.Overflow(s, size)))
	s.Scroll = v.scroll
	return properties.Scene(s, size)
}

func (v *propertiesView) hit(e pane.Event) *properties.Property {
	return properties.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *propertiesView) Tip(e pane.Event) []string {
	if p := v.hit(e); p != nil {
		return append([]string{p.Key}, scene.Wrap(scene.Sans, 12, p.Value, 420)...)
	}
	return nil
}

// Menu offers to find and to colour what has the same property.
func (v *propertiesView) Menu(e pane.Event) []pane.MenuItem {
	p := v.hit(e)
	if p == nil || p.Key == "inputs" || p.Key == "uses" || p.Key == brushes {
		return nil
	}
	return []pane.MenuItem{{Title: "Find all nodes with this " + p.Key, Run: func() { v.e.light(p.Key, p.Value) }},
		{Title: "Select all nodes with this " + p.Key, Run: func() { v.e.choosing(v.e.having(p.Key, p.Value)) }}}
}

func (v *propertiesView) Scrolled(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 54
	v.Redraw()
}

func (v *propertiesView) Concerns(old, now link.State) bool { return old.Selected != now.Selected }
