package codegraph

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"orrery/traceio/irgraph"
	"orrery/views/words"
)

// Words is the tooltip of what lies at a target; nil for nothing.
func (p *Picture) Words(t Target) []string {
	switch {
	case t.Category != "":
		return []string{t.Category, "click: this category alone, the others step back; again: all"}
	case t.Node >= 0:
		return p.aboutNode(t.Node)
	case t.Edge >= 0:
		return p.aboutEdge(t)
	}
	return nil
}

func (p *Picture) aboutNode(v int) []string {
	n := &p.Graph.Nodes[v]
	out := []string{n.ID + "  " + n.Name()}
	if label := n.Properties.Get(irgraph.KeyLabel); label != "" && label != n.Name() {
		out = append(out, label)
	}
	where := []string{}
	if file, line := n.Properties.Get(irgraph.KeyFile), n.Properties.Get(irgraph.KeyLine); line != "" {
		where = append(where, strings.TrimPrefix(filepath.Base(file)+":", ".:")+line)
	}
	if n.Block >= 0 {
		where = append(where, "block "+p.Graph.Blocks[n.Block].Name)
	}
	if c := n.Properties.Get(irgraph.KeyCategory); c != "" {
		where = append(where, c)
	}
	if len(where) > 0 {
		out = append(out, strings.Join(where, " · "))
	}
	if heat := Heat(n.Properties); heat != "" {
		out = append(out, heat)
	}
	if p.chase.Nodes[v] {
		out = append(out, "pointer chase: the loop's next address comes from this load")
	}
	in, uses := 0, 0
	for _, e := range p.edges[v] {
		if int(p.Graph.Edges[e].To) == v {
			in++
		}
		if int(p.Graph.Edges[e].From) == v {
			uses++
		}
	}
	out = append(out, words.Plural(in, "input")+", "+words.Plural(uses, "use"))
	if p.Faint != nil && p.Faint[v] {
		return append(out, "double click: open it")
	}
	return out
}

// Heat is the recorded heat of a node in words; "" when it has none.
func Heat(p irgraph.Properties) string {
	refs, ok := p.Lookup(References)
	if !ok || refs == "0" {
		return ""
	}
	parts := []string{number(refs) + " references"}
	if m, ok := p.Lookup(Misses); ok {
		parts = append(parts, number(m)+" misses")
	}
	if stride, ok := p.Lookup(Stride); ok {
		parts = append(parts, "stride "+stride+" B")
	}
	return strings.Join(parts, " · ")
}

func number(text string) string {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return words.Count(n)
	}
	return text
}

func (p *Picture) aboutEdge(t Target) []string {
	x := &p.Graph.Edges[t.Edge]
	from, to := &p.Graph.Nodes[x.From], &p.Graph.Nodes[x.To]
	out := []string{fmt.Sprintf("%s → %s", p.text[x.From], p.text[x.To])}
	what := fmt.Sprintf("output %d of %s, input %d of %s", x.FromSlot, from.ID, x.ToSlot, to.ID)
	if kind := x.Properties.Get(irgraph.KeyType); kind != "" {
		what = kind + ", " + what
	}
	out = append(out, what)
	for _, q := range x.Properties {
		if q.Key != irgraph.KeyType && len(out) < 6 {
			out = append(out, q.Key+": "+q.Value)
		}
	}
	if t.Stub > 0 {
		out = append(out, "cut, as it is long; click: go to "+p.text[p.Follow(t)])
	}
	return out
}
