package link

import (
	"slices"
	"strconv"
	"strings"

	"orrery/traceio"
)

// OfInstructions is the thing that some instructions of the recorded program are, in any order and once each; file and
// line are what a view shows that has no instructions. Its name has their addresses in hexadecimal, in order, with a
// blank between two.
func OfInstructions(file string, line int, pcs []traceio.Addr) Thing {
	pcs = slices.Clone(pcs)
	slices.Sort(pcs)
	var name strings.Builder
	for i, pc := range slices.Compact(pcs) {
		if i > 0 {
			name.WriteByte(' ')
		}
		name.WriteString(pc.String())
	}
	return Thing{What: Instructions, File: file, Line: line, Name: name.String()}
}

// PCs are the addresses of instructions, in order; nil for another thing. What is no address is left out: a name can
// come from a file.
func (t Thing) PCs() (out []traceio.Addr) {
	if t.What != Instructions {
		return nil
	}
	for word := range strings.FieldsSeq(t.Name) {
		if pc, err := strconv.ParseUint(word, 0, 64); err == nil {
			out = append(out, traceio.Addr(pc))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// AsLine is the source line of instructions, for views that tell no instructions apart; other things are themselves.
func (t Thing) AsLine() Thing {
	if t.What != Instructions {
		return t
	}
	return OfLine(t.File, t.Line)
}
