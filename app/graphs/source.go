package graphs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"orrery/analysis/depgraph"
	"orrery/app/panes"
	"orrery/traceio/irgraph"
	"orrery/views/inlining"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// sourceView is what the function was compiled from, with the methods that were inlined into it below their calls. A
// line and the nodes that came of it select each other.
type sourceView struct {
	panes.Base
	e      *Explorer
	scroll float64
	over   int
	folded map[*irgraph.Method]bool
	shown  string // the selection that was brought into view last
	size   scene.Size

	lines []sourceLine
	of    any // the picture that they were counted for
	at    *irgraph.Method
	folds int
	count int // changes of what is folded
}

// sourceLine is a line and what it means in the graph.
type sourceLine struct {
	inlining.Line
	method *irgraph.Method
	file   string
	line   int // 0 for none
	bci    int // -1 for none
	nodes  depgraph.Set
}

func newSourceView(e *Explorer, b panes.Base) *sourceView {
	v := &sourceView{Base: b, e: e, over: -1}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *sourceView) caption() string {
	if g := v.e.group(); g != nil && g.Method != nil && g.Method.Source != nil {
		return g.Method.Source.File
	}
	return ""
}

// list makes the lines of the function.
func (v *sourceView) list() []sourceLine {
	g, p := v.e.group(), v.e.picture()
	if g == nil || g.Method == nil {
		return nil
	}
	if (v.of == any(p) || p == nil && v.e.coming()) && v.at == g.Method && v.folds == v.count {
		return v.lines
	}
	v.lines, v.of, v.at, v.folds = nil, p, g.Method, v.count
	v.add(g.Method, 0)
	if p != nil {
		v.tally()
	}
	return v.lines
}

// add appends a method's lines and those of what was inlined into it.
func (v *sourceView) add(m *irgraph.Method, depth int) {
	head := sourceLine{Line: inlining.Line{Head: true, Depth: depth, Text: m.Name, Folded: v.folded[m]}, method: m,
		bci: -1}
	if depth > 0 && m.At >= 0 {
		head.Number = fmt.Sprintf("inlined at %d", m.At)
	}
	v.lines = append(v.lines, head)
	if v.folded[m] {
		return
	}
	below := func(at int) {
		for _, x := range m.Inlined {
			if x.At == at {
				v.add(x, depth+1)
			}
		}
	}
	listed := map[int]bool{}
	for _, b := range m.Bytecodes {
		v.lines = append(v.lines, sourceLine{Line: inlining.Line{Depth: depth, Number: strconv.Itoa(b.Index), Text: b.Text},
			method: m, bci: b.Index})
		listed[b.Index] = true
		below(b.Index)
	}
	if m.Source != nil {
		for i, text := range strings.Split(strings.TrimRight(m.Source.Text, "\n"), "\n") {
			n := m.Source.First + i
			v.lines = append(v.lines, sourceLine{Line: inlining.Line{Depth: depth, Number: strconv.Itoa(n),
				Text: strings.ReplaceAll(text, "\t", "    ")}, method: m, file: m.Source.File, line: n, bci: -1})
			listed[n] = true
			below(n)
		}
	}
	for _, x := range m.Inlined {
		if !listed[x.At] {
			v.add(x, depth+1)
		}
	}
}

// tally finds the nodes of every line.
func (v *sourceView) tally() {
	p := v.e.picture()
	most := 0.0
	heat := make([]float64, len(v.lines))
	ids := make([][]string, len(v.lines))
	for i := range p.Graph.Nodes {
		n := &p.Graph.Nodes[i]
		lines := n.Properties.Lines()
		bci, err := strconv.Atoi(n.Properties.Get("bci"))
		for k := range v.lines {
			l := &v.lines[k]
			file := n.Properties.Get(irgraph.KeyFile)
			of := l.line > 0 && slices.Contains(lines, l.line) && (file == "" || irgraph.SameFile(l.file, file))
			if err == nil && l.bci >= 0 && l.bci == bci && v.ofMethod(l.method, n) {
				of = true
			}
			if of {
				ids[k] = append(ids[k], n.ID)
				refs, _ := strconv.ParseFloat(n.Properties.Get("references"), 64)
				heat[k] += refs
				most = max(most, heat[k])
			}
		}
	}
	for k := range v.lines {
		v.lines[k].nodes = depgraph.NewSet(ids[k]...)
		v.lines[k].Count = len(v.lines[k].nodes)
		if most > 0 {
			v.lines[k].Heat = heat[k] / most
		}
	}
}

// ofMethod tells whether a node's bytecode is one of a method. Nodes that do not name their method are of the outermost
// one.
func (v *sourceView) ofMethod(m *irgraph.Method, n *depgraph.Node) bool {
	if name := n.Properties.Get("method"); name != "" {
		return name == m.Name
	}
	return m == v.at
}

func (v *sourceView) state(theme palette.Theme) inlining.State {
	s := inlining.State{Theme: theme, Scroll: v.scroll, Over: v.over, Empty: "These graphs tell nothing of the source."}
	if v.e.group() == nil {
		s.Empty = "What the function was compiled from is here."
	}
	hover := v.e.link.State().Hover.AsLine()
	for _, l := range v.list() {
		for _, id := range l.nodes {
			if l.Shown = l.Shown || v.e.selected.Has(id); l.Shown {
				break
			}
		}
		l.Hover = l.line > 0 && hover.What == link.Line && v.e.Line(l.file, l.line) == hover
		s.Lines = append(s.Lines, l.Line)
	}
	return s
}

func (v *sourceView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.size = size
	s := v.state(theme)
	if now := strings.Join(v.e.selected, " "); now != v.shown {
		v.shown = now
		for i := range s.Lines {
			if s.Lines[i].Shown {
				v.scroll = inlining.Reveal(s, size, i)
				break
			}
		}
	}
	v.scroll = max(0, min(v.scroll, inlining.Overflow(s, size)))
	s.Scroll = v.scroll
	return inlining.Scene(s, size)
}

func (v *sourceView) line(e pane.Event) *sourceLine {
	if i := inlining.Hit(v.state(e.Theme), e.At); i >= 0 {
		return &v.lines[i]
	}
	return nil
}

func (v *sourceView) Moved(e pane.Event) {
	over, thing := -1, link.Thing{}
	if i := inlining.Hit(v.state(e.Theme), e.At); i >= 0 {
		over = i
		if l := &v.lines[i]; l.line > 0 {
			thing = v.e.Line(l.file, l.line)
		}
	}
	v.e.link.SetHover(thing)
	if over != v.over {
		v.over = over
		v.Redraw()
	}
}

func (v *sourceView) Left() {
	v.over = -1
	v.e.link.SetHover(link.Thing{})
	v.Redraw()
}

func (v *sourceView) Tip(e pane.Event) []string {
	l := v.line(e)
	switch {
	case l == nil:
		return nil
	case l.Head:
		return []string{l.Text, l.Number, "click: fold or unfold it"}
	case l.Count == 0:
		return []string{strings.TrimSpace(l.Text), "no node of this phase came of it"}
	}
	return []string{strings.TrimSpace(l.Text), words.Plural(l.Count, "node") + " of this phase came of it",
		"click: select them; double click: open them alone"}
}

// Pressed selects the nodes of a line, or folds a method.
func (v *sourceView) Pressed(e pane.Event) {
	l := v.line(e)
	switch {
	case l == nil || e.Button != pane.Primary:
	case l.Head:
		if v.folded == nil {
			v.folded = map[*irgraph.Method]bool{}
		}
		v.folded[l.method] = !v.folded[l.method]
		v.count++
		v.Redraw()
	case len(l.nodes) > 0:
		v.shown = strings.Join(l.nodes, " ") // it is in view already
		v.e.choosing(l.nodes)
		v.e.code.reveal(l.nodes)
	}
}

// DoubleTapped opens the nodes of a line alone: its loads and stores, if it has some.
func (v *sourceView) DoubleTapped(e pane.Event) {
	l := v.line(e)
	if l == nil || len(l.nodes) == 0 {
		return
	}
	v.e.home = found
	v.e.open("open a line", l.nodes)
}

func (v *sourceView) Scrolled(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 54
	v.Redraw()
}

func (v *sourceView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Hover != now.Hover
}
