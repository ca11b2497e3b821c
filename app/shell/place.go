package shell

import (
	"cmp"
	"slices"
)

// Area is a part of the standard arrangement:
//
//	+-----------+---------------------------+------------+
//	| LeftTop   | CentreLeft | CentreRight  | RightTop   |
//	| LeftMid   +---------------------------+------------+
//	| LeftBelow | CentreBelow               | RightBelow |
//	+-----------+---------------------------+------------+
//	| Bottom                                             |
//	+----------------------------------------------------+
//
// Panes of one area are tabs; an area without panes leaves its room to its neighbours.
type Area uint8

// The areas. A pane that does not say where it belongs is at the right, below.
const (
	RightBelow Area = iota
	RightTop
	LeftTop
	LeftMid
	LeftBelow
	CentreLeft
	CentreRight
	CentreBelow
	Bottom // beside the transport
	areas
)

// Half is a part of the arrangement of one of two documents side by side, which has room for few titles.
type Half uint8

// The parts. A pane of none of them comes when it is asked for.
const (
	NoHalf Half = iota
	HalfAbove
	HalfBelow
	HalfBottom
	halves
)

// Place is where a pane stands at first.
type Place struct {
	Area Area
	Tall bool // what is above in the middle gets more of the height: it is read closely, and what is below is an overview
	Half Half
	Rank int // among the panes of the half: those with a lower one stand before
}

// standard is the arrangement of the mock-up.
func standard(list []Placed) *node {
	var tabs [areas][]Slot
	upper := float32(0.56)
	for _, p := range list {
		tabs[p.Place.Area] = append(tabs[p.Place.Area], p.Slot)
		if p.Place.Tall {
			upper = 0.7
		}
	}
	leaf := func(weight float32, a Area) *node { return &node{Weight: weight, Tabs: tabs[a]} }
	left := &node{Column: true, Weight: 0.135, Low: 190, High: 270, Side: "left", Kids: []*node{
		leaf(0.3, LeftTop), leaf(0.45, LeftMid), leaf(0.25, LeftBelow)}}
	middle := &node{Column: true, Weight: 0.66, Kids: []*node{
		{Weight: upper, Kids: []*node{leaf(0.5, CentreLeft), leaf(0.5, CentreRight)}}, leaf(1-upper, CentreBelow)}}
	right := &node{Column: true, Weight: 0.22, Low: 300, High: 460, Side: "right", Kids: []*node{
		leaf(0.56, RightTop), leaf(0.44, RightBelow)}}
	bottom := leaf(0.15, Bottom)
	bottom.Low, bottom.High = 136, 200
	root := &node{Column: true, Kids: []*node{{Weight: 0.85, Kids: []*node{left, middle, right}}, bottom}}
	return root.prune()
}

// beside is the arrangement of one of two documents side by side: what caches and time do above, the code below, its
// timeline at the bottom. There is no room for the titles of more; what is missing comes when it is asked for (see
// bring).
func beside(list []Placed) *node {
	var tabs [halves][]Slot
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Placed) int { return cmp.Compare(a.Place.Rank, b.Place.Rank) })
	for _, p := range list {
		tabs[p.Place.Half] = append(tabs[p.Place.Half], p.Slot)
	}
	last := &node{Weight: 0.15, Low: 120, High: 200, Tabs: tabs[HalfBottom]}
	root := &node{Column: true, Kids: []*node{
		{Weight: 0.5, Tabs: tabs[HalfAbove]}, {Weight: 0.35, Tabs: tabs[HalfBelow]}, last}}
	return root.prune()
}
