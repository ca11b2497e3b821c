package dsetree

import (
	"fmt"
	"math"

	"orrery/analysis/dse"
	"orrery/views/scene"
	"orrery/views/words"
)

// Target is what is at a point. Node and Edge are -1 for none, Level for nodes' levels' names -1 too.
type Target struct {
	Node      int32 // a node of the tree
	Merged    int   // how many nodes are one there
	Triangle  bool  // of a collapsed node, not the node itself
	Edge      int32 // the node below an edge
	Level     int   // the name of a level
	Satellite bool  // within the satellite view
	Place     float64
	Lines     []string
}

// Nowhere is the target where nothing is.
var Nowhere = Target{Node: dse.None, Edge: dse.None, Level: -1}

// Hit returns what is at a point.
func Hit(s State, size scene.Size, at scene.Point) Target {
	t := Nowhere
	if s.Shade == nil {
		return t
	}
	f := newFrame(&s, size)
	if s.Satellite && f.satellite().Contains(at) {
		w := f.whole()
		t.Satellite, t.Place = true, w.place(at.X)
		t.Lines = []string{"The whole tree", "click or drag to move the picture"}
		return t
	}
	if level := f.atLevel(at); level >= 0 {
		t.Level, t.Lines = level, f.levelLines(level)
		return t
	}
	if !f.area.Contains(at) {
		return t
	}
	if f.atNode(&t, at) {
		t.Lines = f.nodeLines(t.Node, t.Merged)
		if t.Triangle {
			t.Lines = []string{words.Count(uint64(f.t.Size[t.Node])) + " nodes are hidden", "double click the node to show them"}
		}
		return t
	}
	if t.Edge = f.nearEdge(at); t.Edge != dse.None {
		t.Lines = []string{f.edgeWords(t.Edge), "edge to " + f.name(t.Edge)}
	}
	return t
}

// atNode finds the node at a point.
func (f *frame) atNode(t *Target, at scene.Point) bool {
	level := f.nearRow(at.Y)
	dy := at.Y - f.rows[level]
	best := math.Inf(1)
	f.row(level, func(it item) {
		dx := math.Abs(at.X - it.x)
		half := max(it.size/2, 2) + 2
		v := f.l.Nodes[it.low]
		low := half
		if f.s.Collapsed[v] {
			low += 16
		}
		if dx > half || dx >= best || dy < -max(half, 6) || dy > max(low, 6) {
			return
		}
		best = dx
		t.Node, t.Merged = v, it.high-it.low
		t.Triangle = f.s.Collapsed[v] && dy > it.size/2
	})
	return t.Node != dse.None
}

// name is the way to a node in words: "2 · ASIP+mP · S".
func (f *frame) name(v int32) string { return Name(f.t, v) }

// Name is the way to a node in words, from the root: "2 · ASIP+mP · S".
func Name(t *dse.Tree, v int32) string {
	out := ""
	for _, u := range t.Path(v) {
		if k := t.Kind[u]; k == dse.RootNode || k == dse.ObjectiveNode || k == dse.RelationNode {
			continue
		}
		if out != "" {
			out += " · "
		}
		out += t.Value(u)
	}
	if out == "" {
		return "all designs"
	}
	return out
}

// nodeLines say what a node is.
func (f *frame) nodeLines(v int32, merged int) []string {
	t := f.t
	s := t.Space
	if merged > 1 {
		return []string{fmt.Sprintf("%s nodes side by side", words.Count(uint64(merged))),
			"zoom in with the wheel to part them"}
	}
	if p := t.Point(v); p != dse.None {
		return PointLines(s, p, t.Threshold)
	}
	level := t.Levels[t.Level(v)]
	out := []string{f.name(v)}
	switch t.Kind[v] {
	case dse.ParameterNode:
		out[0] = level.Name + " " + t.Value(v)
		out = append(out, f.name(v))
	case dse.ObjectiveNode:
		if t.Points[v] > 0 {
			o := s.Objectives[level.Index]
			out = []string{o.Name + " " + words.Number(o.Values[t.Item[v]]) + unit(o.Unit), f.name(v)}
		}
	case dse.RelationNode:
		out[0] = "Points that are best in their subspace only"
	case dse.DistanceNode:
		out[0] = t.Value(v) + " distance from the point above"
	}
	if t.Points[v] == 0 {
		return append(out, "can be built, but nobody evaluated it")
	}
	count := words.Count(uint64(t.Points[v])) + " points"
	if f.s.Passing != nil && f.s.Passing[v] != t.Points[v] {
		count = words.Count(uint64(f.s.Passing[v])) + " of " + count + " pass the filter"
	}
	out = append(out, count)
	if t.First[v] != dse.None {
		out = append(out, fmt.Sprintf("generations %d to %d", t.First[v], t.Last[v]))
	}
	return append(out, "distance to the Pareto set from "+words.Number(t.Near[v]))
}

func unit(u string) string {
	if u == "" {
		return ""
	}
	return " " + u
}

// PointLines describe one design point, for tooltips.
func PointLines(s *dse.Space, p int32, threshold float64) []string {
	out := []string{"Design " + s.Label(int(p))}
	for i, o := range s.Objectives {
		out = append(out, fmt.Sprintf("%s %s%s · %.2f of its range", o.Name, words.Number(o.Values[p]),
			unit(o.Unit), s.Norm[i][p]))
	}
	for _, par := range s.Parameters {
		out = append(out, par.Name+" "+par.Values[par.At[p]])
	}
	switch s.Class(p, threshold) {
	case dse.Global:
		out = append(out, "on the global Pareto front")
	case dse.Local:
		out = append(out, "best in its subspace, "+words.Number(s.ToFront[p])+" from the Pareto set")
	default:
		out = append(out, words.Number(s.ToFront[p])+" from the Pareto set, "+words.Number(s.ToParent[p])+
			" from the point above")
	}
	if list := s.Generations.Of(int(p)); len(list) > 0 {
		out = append(out, fmt.Sprintf("generations %d to %d", list[0], list[len(list)-1]))
	}
	return out
}
