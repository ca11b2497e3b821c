package designs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"orrery/analysis/dse"
	"orrery/traceio/designs"
	"orrery/views/design"
	"orrery/views/dsetree"
	"orrery/views/spread"
	"orrery/views/subspaces"
)

// kept is what a session file says of a design space: everything that was chosen in its panes. Parameters, objectives
// and values are told by name, so that it means the same of a table that has got further columns or rows.
type kept struct {
	Columns   json.RawMessage `json:"columns,omitempty"` // what they mean
	Search    *Wanted         `json:"search,omitempty"`
	Tree      *keptTree       `json:"tree,omitempty"`
	Filter    *keptFilter     `json:"filter,omitempty"`
	Spread    *keptSpread     `json:"spread,omitempty"`
	Subspaces *keptSubspaces  `json:"subspaces,omitempty"`
	Design    *keptDesign     `json:"design,omitempty"`
	Points    *keptPoints     `json:"points,omitempty"`
}

type keptTree struct {
	Channels  [dsetree.Channels]string `json:"channels"` // objectives, "" for none
	Tone      string                   `json:"tone"`
	Edges     string                   `json:"edges"`
	Hexagons  bool                     `json:"hexagons"`
	Order     []string                 `json:"order"` // of the parameters; null for that of the table
	Threshold float64                  `json:"threshold"`
	HideEmpty bool                     `json:"hide-empty"`
	AsOf      bool                     `json:"as-of"`  // fronts are those of the generation that is shown
	Folded    []string                 `json:"folded"` // ways from the root
	Satellite bool                     `json:"satellite"`
	Bird      bool                     `json:"bird"`
	Zoom      float64                  `json:"zoom"`
	Origin    float64                  `json:"origin"`
}

type keptFilter struct {
	Ranges   []keptRange   `json:"ranges"`   // of objectives, normalised
	Distance [2]float64    `json:"distance"` // share of the farthest
	Hidden   []keptHidden  `json:"hidden"`
	Mapping  []keptMapping `json:"mapping"`
	Show     string        `json:"show"`
}

type keptRange struct {
	Objective string  `json:"objective"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
}

type keptHidden struct {
	Parameter string   `json:"parameter"`
	Values    []string `json:"values"`
}

type keptMapping struct {
	Kind      string   `json:"kind"`
	Processes []string `json:"processes"`
	Type      string   `json:"type,omitempty"`
}

type keptSpread struct {
	Picture string   `json:"picture"`
	Color   string   `json:"color"`
	Axes    []string `json:"axes"` // null for all
}

type keptSubspaces struct {
	Picture string     `json:"picture"`
	Chosen  [][]string `json:"chosen"` // values of their parameters; null for those that are suggested
	Pair    [2]int     `json:"pair"`
	Exact   bool       `json:"exact"`
}

type keptDesign struct {
	Picture string `json:"picture"` // "" for as many as there is room for
	Exact   bool   `json:"exact"`
}

type keptPoints struct {
	Sort   int    `json:"sort"`
	Upward bool   `json:"upward"`
	Filter string `json:"filter"`
}

// edgeNames and constraintKept are what sessions call importance and constraints.
var (
	edgeNames      = []string{"distance", "generation"}
	constraintKept = []string{"together", "apart", "split", "on"}
)

// stands is where a name stands among others, or what is there already when it does not.
func stands[T ~int | ~uint8](names []string, name string, now T) T {
	if i := slices.Index(names, name); i >= 0 {
		return T(i)
	}
	return now
}

func parameterNames(s *dse.Space) (out []string) {
	for _, p := range s.Parameters {
		out = append(out, p.Name)
	}
	return out
}

func objectiveNames(s *dse.Space) (out []string) {
	for _, o := range s.Objectives {
		out = append(out, o.Name)
	}
	return out
}

// axisNames are the columns of the spread, parameters first.
func axisNames(s *dse.Space) []string { return append(parameterNames(s), objectiveNames(s)...) }

// keeps is what there is to keep: while there is no space what a session said of it.
func (e *Explorer) keeps() (k kept) {
	if e.space == nil {
		if e.wanted == nil || json.Unmarshal(e.wanted, &k) != nil {
			return kept{}
		}
		return k
	}
	return kept{Tree: e.keepTree(), Filter: e.keepFilter(), Spread: e.side.spread.keep(),
		Subspaces: e.side.subspaces.keep(), Design: e.side.design.keep(), Points: e.side.points.keep()}
}

// message is what is kept as JSON, nil for nothing.
func (k kept) message(e *Explorer) json.RawMessage {
	data, err := json.Marshal(k)
	if err != nil { // a number that JSON has no word for
		e.host.Log("keep-failed", "error", err.Error())
		return nil
	}
	return data
}

// restore takes up what a session says, when there is a space to choose in.
func (e *Explorer) restore(data json.RawMessage) (k kept, err error) {
	if len(data) == 0 {
		return k, nil
	}
	if err := json.Unmarshal(data, &k); err != nil {
		return kept{},
			fmt.Errorf("what the session says of the designs makes no sense (%w); they show as they do without a session", err)
	}
	e.wanted = slices.Clone(data)
	if e.space != nil {
		e.takeUp()
		e.chosen()
		e.changed()
	}
	return k, nil
}

// takeUp makes the choices of a session those of the panes.
func (e *Explorer) takeUp() {
	k := e.keeps() // the ground on which a file that says less is read
	err := json.Unmarshal(e.wanted, &k)
	if e.wanted = nil; err != nil || k.Tree == nil || k.Filter == nil || k.Spread == nil || k.Subspaces == nil ||
		k.Design == nil || k.Points == nil {
		return
	}
	e.restoreTree(k.Tree)
	e.restoreFilter(k.Filter)
	e.side.spread.restore(k.Spread)
	e.side.subspaces.restore(k.Subspaces)
	e.side.design.restore(k.Design)
	e.side.points.restore(k.Points)
}

func (e *Explorer) keepTree() *keptTree {
	c := &e.shown
	k := &keptTree{Tone: dsetree.ToneNames[c.look.Tone], Edges: edgeNames[c.look.Edges], Hexagons: c.look.Hexagons,
		Threshold: c.threshold, HideEmpty: c.hideEmpty, AsOf: c.asOf,
		Folded: slices.Sorted(maps.Keys(c.folded)), Satellite: c.satellite, Bird: c.bird, Zoom: 1}
	for i, o := range c.look.Of {
		if o >= 0 {
			k.Channels[i] = e.space.Objectives[o].Name
		}
	}
	for _, p := range c.order {
		k.Order = append(k.Order, e.space.Parameters[p].Name)
	}
	if v := e.treeView; v != nil {
		k.Zoom, k.Origin = v.zoom, v.origin
	}
	return k
}

func (e *Explorer) restoreTree(k *keptTree) {
	s, c := e.space, &e.shown
	names := objectiveNames(s)
	for i, name := range k.Channels {
		if c.look.Of[i] = -1; name != "" {
			c.look.Of[i] = stands(names, name, -1)
		}
	}
	c.look.Tone, c.look.Edges, c.look.Hexagons = stands(dsetree.ToneNames[:], k.Tone, c.look.Tone),
		stands(edgeNames, k.Edges, c.look.Edges), k.Hexagons
	if !s.Generations.Known() { // another table
		c.look.Tone, c.look.Edges, c.look.Hexagons = min(c.look.Tone, dsetree.ByMax), dse.ByDistance, false
	}
	if order := places(parameterNames(s), k.Order); len(order) == len(s.Parameters) {
		c.order = order
	} else {
		c.order = nil
	}
	if k.Threshold >= 0 && k.Threshold <= 1e6 {
		c.threshold = k.Threshold
	}
	c.hideEmpty, c.asOf, c.satellite, c.bird, c.folded = k.HideEmpty, k.AsOf, k.Satellite, k.Bird, nil
	for _, way := range k.Folded {
		if c.folded == nil {
			c.folded = map[string]bool{}
		}
		c.folded[way] = true
	}
	if v := e.treeView; v != nil && k.Zoom >= 1 && k.Zoom <= 1e9 && k.Origin >= 0 {
		v.zoom, v.origin = k.Zoom, k.Origin
	}
}

// places are where names stand among others; nil when one is missing or twice there, or there are none.
func places(among, names []string) (out []int) {
	for _, name := range names {
		i := slices.Index(among, name)
		if i < 0 || slices.Contains(out, i) {
			return nil
		}
		out = append(out, i)
	}
	return out
}

func (e *Explorer) keepFilter() *keptFilter {
	s, c := e.space, &e.shown.criteria
	k := &keptFilter{Distance: [2]float64{c.distance.low, c.distance.high()}, Show: showNames[c.show]}
	for o, r := range c.ranges {
		if !r.all() {
			k.Ranges = append(k.Ranges, keptRange{s.Objectives[o].Name, r.low, r.high()})
		}
	}
	for p, allowed := range c.values {
		h := keptHidden{Parameter: s.Parameters[p].Name}
		for v, yes := range allowed {
			if !yes {
				h.Values = append(h.Values, s.Parameters[p].Values[v])
			}
		}
		if h.Values != nil {
			k.Hidden = append(k.Hidden, h)
		}
	}
	for _, m := range c.mapping {
		c := keptMapping{Kind: constraintKept[m.Kind], Type: m.Type}
		for _, p := range m.Processes {
			c.Processes = append(c.Processes, s.Platform.Processes[p].Name)
		}
		k.Mapping = append(k.Mapping, c)
	}
	return k
}

func (e *Explorer) restoreFilter(k *keptFilter) {
	s := e.space
	c := criteria{show: stands(showNames, k.Show, e.shown.criteria.show)}
	if d := k.Distance; d[0] >= 0 && d[0] <= d[1] && d[1] <= 1 {
		c.distance = spanOf(d[0], d[1])
	}
	for _, r := range k.Ranges {
		if o := slices.Index(objectiveNames(s), r.Objective); o >= 0 && r.Low >= 0 && r.Low <= r.High && r.High <= 1 {
			c.limit(o, r.Low, r.High)
		}
	}
	for _, h := range k.Hidden {
		if p := slices.Index(parameterNames(s), h.Parameter); p >= 0 {
			values := s.Parameters[p].Values
			c.only(p, len(values), func(v int) bool { return !slices.Contains(h.Values, values[v]) })
		}
	}
	for _, m := range k.Mapping {
		if constraint, ok := constraintOf(s, m); ok {
			c.mapping = append(c.mapping, constraint)
		}
	}
	e.shown.criteria = c
}

// constraintOf is a constraint of a session, if the table has its processes and its processor.
func constraintOf(s *dse.Space, m keptMapping) (c dse.Constraint, ok bool) {
	kind := slices.Index(constraintKept, m.Kind)
	if kind < 0 || s.Platform == nil || s.Mapping == nil {
		return c, false
	}
	var names []string
	for _, p := range s.Platform.Processes {
		names = append(names, p.Name)
	}
	c = dse.Constraint{Kind: dse.ConstraintKind(kind), Processes: places(names, m.Processes), Type: m.Type}
	known := c.Kind != dse.OnType || slices.ContainsFunc(s.Platform.Processors, func(p designs.Component) bool {
		return p.Type == m.Type
	})
	return c, known && len(c.Processes) > 0
}

func (v *spreadView) keep() *keptSpread {
	s := v.e.space
	k := &keptSpread{Picture: spread.Pictures[v.shown.picture]}
	if v.shown.color < len(s.Objectives) {
		k.Color = s.Objectives[v.shown.color].Name
	}
	for _, a := range v.shown.order {
		if names := axisNames(s); a < len(names) {
			k.Axes = append(k.Axes, names[a])
		}
	}
	return k
}

func (v *spreadView) restore(k *keptSpread) {
	s := v.e.space
	v.shown = spreadChoices{stands(spread.Pictures, k.Picture, v.shown.picture), stands(objectiveNames(s), k.Color, 0),
		places(axisNames(s), k.Axes)}
}

func (v *subspacesView) keep() *keptSubspaces {
	k := &keptSubspaces{Picture: subspaces.Pictures[v.shown.picture], Pair: v.shown.pair, Exact: v.shown.exact}
	for _, c := range v.shown.chosen {
		if int(c) < len(v.e.space.Combos) {
			k.Chosen = append(k.Chosen, valuesOf(v.e.space, c))
		}
	}
	return k
}

// valuesOf are the values of the parameters of a subspace.
func valuesOf(s *dse.Space, k int32) (out []string) {
	for j, v := range s.Combos[k] {
		out = append(out, s.Parameters[j].Values[v])
	}
	return out
}

func (v *subspacesView) restore(k *keptSubspaces) {
	s := v.e.space
	v.shown = subspacesChoices{picture: stands(subspaces.Pictures, k.Picture, v.shown.picture),
		pair: noPair, exact: k.Exact}
	for _, values := range k.Chosen {
		for c := range s.Combos {
			if c := int32(c); slices.Equal(valuesOf(s, c), values) && !slices.Contains(v.shown.chosen, c) &&
				len(v.shown.chosen) < subspaces.Most {
				v.shown.chosen = append(v.shown.chosen, c)
				break
			}
		}
	}
	if n := len(v.chosen()); min(k.Pair[0], k.Pair[1]) >= 0 && max(k.Pair[0], k.Pair[1]) < n {
		v.shown.pair = k.Pair
	}
}

func (v *designView) keep() *keptDesign {
	k := &keptDesign{Exact: v.shown.exact}
	if v.shown.chosen {
		k.Picture = design.Pictures[v.shown.picture]
	}
	return k
}

func (v *designView) restore(k *keptDesign) {
	v.shown = designChoices{picture: stands(design.Pictures, k.Picture, v.shown.picture),
		chosen: slices.Contains(design.Pictures, k.Picture), exact: k.Exact}
}

func (v *pointsView) keep() *keptPoints {
	return &keptPoints{v.shown.sort, v.shown.upward, v.Filter.Content}
}

func (v *pointsView) restore(k *keptPoints) {
	v.shown, v.Filter.Content = pointsChoices{max(0, k.Sort), k.Upward}, k.Filter
}
