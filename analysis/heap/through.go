package heap

import (
	"slices"

	"orrery/traceio"
)

// Through tells of each call stack, by StackID, whether it goes through a function: whether the function is a Node of
// Tree on the way to its blocks. It is nil where no stack does.
func (h *Heap) Through(function string) []bool {
	var out []bool
	names := map[traceio.Addr][]traceio.Frame{}
	for id := range h.stacks {
		if h.stacks[id].Blocks == 0 {
			continue
		}
		if slices.ContainsFunc(h.frames(traceio.StackID(id), names),
			func(f traceio.Frame) bool { return f.Function == function }) {
			if out == nil {
				out = make([]bool, len(h.stacks))
			}
			out[id] = true
		}
	}
	return out
}
