package v8

import (
	"strings"

	"orrery/traceio/irgraph"
)

// schedule makes a snapshot of a schedule's text:
//
//	--- BLOCK B1 id15 (deferred) <- B0 ---
//	  86: Load[kRepWord64](85, 77, 0, 0) : Type
//	  88: Branch[Unspecified, True](87, 0) -> B2, B1
//	  Goto -> B3
//
// The rest of the nodes' and edges' properties come from the graph before it.
func (x *reader) schedule(name, text string, at irgraph.Position) {
	d := irgraph.NewDraft(x.doc, x.budget, x.pool.Text(name))
	before := x.newest()
	block := -1
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "--- BLOCK "); ok {
			block = d.AddBlock(x.pool.Text(strings.Fields(rest + " ?")[0]))
			continue
		}
		if block < 0 {
			x.doc.Problem(at, "the line is left out", "%s%.60q stands in front of the first block", x.where(), line)
			continue
		}
		for _, to := range successors(line) {
			d.AddSuccessor(block, x.pool.Text(to), at)
		}
		id, rest, ok := strings.Cut(line, ": ")
		if !ok || id == "" || strings.Trim(id, "0123456789") != "" {
			continue // how control goes on
		}
		id = x.pool.Text(id)
		op, args, ok := scheduled(rest)
		if !ok {
			x.doc.Problem(at, "its inputs are left out", "%snode %s has brackets that do not close", x.where(), id)
		}
		p, known := before.nodes[id]
		if !known {
			category, access := classify(op, false)
			p = irgraph.Properties{{Key: irgraph.KeyName, Value: x.pool.Text(op)},
				{Key: irgraph.KeyLabel, Value: x.pool.Text(rest)}, {Key: irgraph.KeyCategory, Value: category}}
			if access != "" {
				p = append(p, irgraph.Property{Key: irgraph.KeyAccess, Value: access})
			}
		}
		if !d.AddNode(id, p, at) {
			continue
		}
		d.AddToBlock(block, id, at)
		for slot, arg := range args {
			arg = x.pool.Text(arg)
			e, known := before.edges[edgeAt{arg, id, int32(slot)}]
			if !known {
				e = edgeType("")
			}
			d.AddEdge(arg, id, 0, int32(slot), e, at)
		}
	}
	if !x.budget.Exhausted() {
		x.group.Snapshots = append(x.group.Snapshots, d.Snapshot())
	}
}

type edgeAt struct {
	from, to string
	slot     int32
}

// newest is the last snapshot, by ID.
type newest struct {
	nodes map[string]irgraph.Properties
	edges map[edgeAt]irgraph.Properties
}

func (x *reader) newest() newest {
	out := newest{map[string]irgraph.Properties{}, map[edgeAt]irgraph.Properties{}}
	if n := len(x.group.Snapshots); n > 0 {
		s := x.group.Snapshots[n-1]
		for i := range s.Nodes {
			out.nodes[s.Nodes[i].ID] = s.Nodes[i].Properties
		}
		for _, e := range s.Edges {
			out.edges[edgeAt{s.Nodes[e.From].ID, s.Nodes[e.To].ID, e.ToSlot}] = e.Properties
		}
	}
	return out
}

// successors reads what stands behind the arrow: "B2, B1".
func successors(line string) []string {
	i := strings.LastIndex(line, " -> B")
	if i < 0 {
		return nil
	}
	return strings.Split(line[i+4:], ", ")
}

// scheduled takes apart "Load[kRepWord64](85, 77, 0, 0) : Type"; ok is false when a bracket does not close.
func scheduled(s string) (op string, args []string, ok bool) {
	i := strings.IndexAny(s, "[( ")
	if i < 0 {
		return s, nil, true
	}
	op, s = s[:i], s[i:]
	if s[0] == '[' {
		if i = closing(s); i == 0 {
			return op, nil, false
		}
		s = s[i:]
	}
	if s == "" || s[0] != '(' {
		return op, nil, true
	}
	end := strings.IndexByte(s, ')')
	if end < 0 {
		return op, nil, false
	}
	for _, a := range strings.Split(s[1:end], ",") {
		if a = strings.TrimSpace(a); a != "" && strings.Trim(a, "0123456789") == "" {
			args = append(args, a)
		}
	}
	return op, args, true
}

// closing is the end of the text in brackets that s begins with, 0 when they do not close.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
