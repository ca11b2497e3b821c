package graphs

import (
	"reflect"
	"slices"

	"orrery/analysis/depgraph/filter"
	"orrery/app/session"
)

// recent is the latest drawings. A drawing keeps nodes near where they were in the one before it, so that the same
// nodes drawn again stand elsewhere: who goes back, takes a step back or closes what was just opened is shown the
// drawing that was there.
type recent []drawing

// drawing is what came of a request.
type drawing struct {
	of request
	p  *session.GraphPictures
}

// Of recent drawings so many are kept, with so many nodes in all of them.
const (
	mostRecent  = 24
	recentNodes = 30_000
)

// find is the drawing of a request, nil where it is not kept.
func (r recent) find(want request) *session.GraphPictures {
	for _, k := range r {
		if k.of.group == want.group && reflect.DeepEqual(k.of, want) {
			return k.p
		}
	}
	return nil
}

// keep notes a drawing, and lets go of the oldest. One for which a filter was stopped is no good: another time it may
// run to its end.
func (r *recent) keep(of request, p *session.GraphPictures) {
	for _, results := range p.Results {
		if slices.ContainsFunc(results, func(x filter.Result) bool { return x.Err != nil }) {
			return
		}
	}
	list := slices.DeleteFunc(*r, func(k drawing) bool {
		return k.p == p || k.of.group == of.group && reflect.DeepEqual(k.of, of)
	})
	list = slices.Insert(list, 0, drawing{of, p})
	nodes := 0
	for i, k := range list {
		for _, picture := range k.p.Pictures {
			nodes += len(picture.Graph.Nodes)
		}
		if i == mostRecent || i > 0 && nodes > recentNodes {
			clear(list[i:])
			list = list[:i]
			break
		}
	}
	*r = list
}
