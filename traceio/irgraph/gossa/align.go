package gossa

import (
	"regexp"
	"strings"
)

// reach is how far align looks for the next instruction on which both listings agree. The assembler puts in a prologue
// of a dozen instructions, no-operations one at a time, and copies of up to some tens of instructions for one that
// fills memory.
const reach = 64

// align gives the assembled instructions the nodes that they come from. Both listings have the same order; the
// assembler puts instructions in, and writes some as others: MOVSD $(0.0), X0 becomes XORPS X0, X0. Two instructions
// agree when line, operation and operands are equal. Where they do not, the nearest pair that agrees again is looked
// for, and what is in the gap is paired as far as it goes.
func align(generated, assembled []instruction) {
	for i := range generated {
		generated[i].shape = shape(generated[i].args)
	}
	for i := range assembled {
		assembled[i].shape = shape(assembled[i].args)
	}
	for len(generated) > 0 && len(assembled) > 0 {
		dg, da := resume(generated, assembled)
		bridge(generated[:dg], assembled[:da])
		generated, assembled = generated[dg:], assembled[da:]
		if len(generated) > 0 && len(assembled) > 0 && generated[0].agrees(&assembled[0]) {
			assembled[0].node = generated[0].node
			generated, assembled = generated[1:], assembled[1:]
		}
	}
}

func (i *instruction) agrees(j *instruction) bool {
	return i.line == j.line && i.op == j.op && i.shape == j.shape
}

// resume finds the nearest pair that agrees: how many instructions are skipped on each side, in all as few as can be.
// Without one in reach, that many are skipped.
func resume(generated, assembled []instruction) (dg, da int) {
	for skip := 0; skip <= reach; skip++ {
		for dg := 0; dg <= skip; dg++ {
			if da := skip - dg; dg < len(generated) && da < len(assembled) && generated[dg].agrees(&assembled[da]) {
				return dg, da
			}
		}
	}
	return min(reach, len(generated)), min(reach, len(assembled))
}

// bridge pairs what stands between two pairs that agree: equal numbers by their order, otherwise what has the same line
// and operation.
func bridge(generated, assembled []instruction) {
	if len(generated) == len(assembled) {
		for k := range generated {
			if generated[k].line == assembled[k].line && (assembled[k].op == generated[k].op || assembled[k].op != "NOP") {
				assembled[k].node = generated[k].node
			}
		}
		return
	}
	from := 0
	for k := range generated {
		for a := from; a < len(assembled); a++ {
			if generated[k].line == assembled[a].line && generated[k].op == assembled[a].op {
				assembled[a].node = generated[k].node
				from = a + 1
				break
			}
		}
	}
}

// distance is what the assembler changes in operands: the place of variables in the frame, which the generated code
// writes relative to the arguments and the assembled code relative to the stack pointer.
var distance = regexp.MustCompile(`[+-]?[0-9]*\(SP\)`)

// shape is an instruction's operands without what the assembler changes: distances in the frame and targets of jumps.
func shape(args string) string {
	if strings.Trim(args, "0123456789") == "" {
		return ""
	}
	if strings.Contains(args, "(SP)") {
		args = distance.ReplaceAllString(args, "(SP)")
	}
	return args
}
