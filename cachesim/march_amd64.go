package cachesim

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"orrery/traceio"
)

// marches tells whether this processor has what the loops in assembly use: shifts by any register, and vectors.
func marches() bool { return cpu.X86.HasBMI2 && cpu.X86.HasAVX2 }

// What the assembly takes for granted: the words and the stamps of cells; that a gate is where kinds of rows, times its
// size, say; the orders of sweeps; and which fields follow each other.
var (
	_ [cellBytes]struct{} = [unsafe.Sizeof(cell{})]struct{}{}
	_ [8]struct{}         = [unsafe.Offsetof(cell{}.stamp)]struct{}{}
	_ [256]struct{}       = [unsafe.Sizeof(gate{})]struct{}{}
	_ [24]struct{}        = [unsafe.Sizeof(swept{})]struct{}{}
	_ [0]struct{}         = [unsafe.Offsetof(swept{}.since)]struct{}{}
	_ [8]struct{}         = [unsafe.Offsetof(swept{}.left)]struct{}{}
	_ [12]struct{}        = [unsafe.Offsetof(swept{}.found)]struct{}{}
	_ [2]struct{}         = [unsafe.Sizeof(sweeps{}.order[0])]struct{}{}
	_ [4]struct{}         = [unsafe.Sizeof(Hierarchy{}.hints[0])]struct{}{}
	_ [8]struct{}         = [unsafe.Sizeof(traceio.Addr(0))]struct{}{}
	_ [1]struct{}         = [unsafe.Sizeof(traceio.Kind(0))]struct{}{}
)

// countKinds is how many of n kinds, 32 at least, are odd, and how many have the next bit.
//
//go:noescape
func countKinds(kinds unsafe.Pointer, n int) (odd, high uint64)

// marchRows and its like run until all is done, or to something for Go to do.
//
//go:noescape
func marchRows(m *march) (more bool)

//go:noescape
func marchRowsNoted(m *march) (more bool)

//go:noescape
func marchQuestions(m *march) (more bool)

//go:noescape
func marchQuestionsNoted(m *march) (more bool)

//go:noescape
func marchFinal(m *march) (more bool)

//go:noescape
func marchFinalNoted(m *march) (more bool)
