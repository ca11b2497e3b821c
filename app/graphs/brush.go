package graphs

import (
	"fmt"
	"path/filepath"
	"slices"

	"orrery/analysis/depgraph"
	"orrery/analysis/heat"
	"orrery/traceio"
	"orrery/views/codegraph"
	"orrery/views/link"
)

// brush is what some nodes are to the other panes: the recorded instructions that came of them, so that two loads of
// one line are told apart; else the source line of the first that has one, where the recording does not know the
// instructions or these make no references.
func (e *Explorer) brush(ids depgraph.Set) link.Thing {
	p := e.picture()
	if p == nil || len(ids) == 0 {
		return link.Thing{}
	}
	var of []int32
	for v := range p.Graph.Nodes {
		if ids.Has(p.Graph.Nodes[v].ID) {
			of = append(of, int32(v))
		}
	}
	return e.brushOf(of)
}

// brushOf is brush for nodes of the picture.
func (e *Explorer) brushOf(of []int32) link.Thing {
	p := e.picture()
	if own := e.instructions(of); len(own) > 0 {
		var pcs []traceio.Addr
		busiest := own[0]
		for _, in := range own {
			if pcs = append(pcs, in.PC); in.References() > busiest.References() {
				busiest = in
			}
		}
		line := e.Place(busiest.PC)
		return link.OfInstructions(line.File, line.Line, pcs)
	}
	for _, v := range of {
		if t := e.lineOf(p.Graph.Nodes[v].Properties); t.What != link.Nothing {
			return t
		}
	}
	return link.Thing{}
}

// joined is what the recording says of the snapshot that is shown; nil without a recording.
func (e *Explorer) joined() *heat.Joined {
	if i := e.index(); e.drawn != nil && e.Place != nil && i >= 0 && i < len(e.drawn.Joined) {
		return e.drawn.Joined[i]
	}
	return nil
}

// instructions are those with references that came of some nodes of the picture.
func (e *Explorer) instructions(nodes []int32) (out []heat.Instruction) {
	j, p := e.joined(), e.picture()
	if j == nil || p == nil {
		return nil
	}
	of := map[int32]bool{}
	for _, v := range nodes {
		for _, n := range p.Graph.Nodes[v].Of {
			of[n] = true
		}
	}
	for _, in := range j.Instructions {
		if slices.ContainsFunc(in.Nodes, func(n int32) bool { return of[n] }) {
			out = append(out, in)
		}
	}
	return out
}

// madeBy are the nodes that some instructions came of.
func (e *Explorer) madeBy(pcs []traceio.Addr) depgraph.Set {
	j, p := e.joined(), e.picture()
	if j == nil || p == nil || len(pcs) == 0 {
		return nil
	}
	of := map[int32]bool{}
	for _, in := range j.Instructions {
		if _, is := slices.BinarySearch(pcs, in.PC); is {
			for _, n := range in.Nodes {
				of[n] = true
			}
		}
	}
	var ids []string
	for v := range p.Graph.Nodes {
		if n := &p.Graph.Nodes[v]; slices.ContainsFunc(n.Of, func(n int32) bool { return of[n] }) {
			ids = append(ids, n.ID)
		}
	}
	return depgraph.NewSet(ids...)
}

// brushed tells how a selected node of the picture is known to the other panes, "" where there is no recording or
// nothing of the node in it.
func (e *Explorer) brushed(v int) string {
	j, p := e.joined(), e.picture()
	if j == nil || p == nil {
		return ""
	}
	own := e.instructions([]int32{int32(v)})
	if len(own) > 0 {
		text := "its own instruction, at " + own[0].PC.String()
		for i, in := range own[1:] {
			if i == 0 {
				text = "its own instructions, at " + own[0].PC.String()
			}
			text += ", " + in.PC.String()
		}
		return text
	}
	line := e.lineOf(p.Graph.Nodes[v].Properties)
	if line.What == link.Nothing {
		return ""
	}
	where := fmt.Sprintf("all of %s:%d", filepath.Base(line.File), line.Line)
	_, refers := p.Graph.Nodes[v].Properties.Lookup(codegraph.References)
	switch {
	case e.link.State().Selected.What == link.Instructions && e.link.State().Origin == origin:
		return "nothing: the recording knows no instruction that is its own"
	case !j.Exact:
		return where + ": the recorded code is not the one listed here, so its instructions are not told apart"
	case refers:
		return where + ": in this phase the node is not yet one instruction"
	}
	return where + ": the node itself makes no references"
}
