package cachesim

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// marches tells whether this processor has what the loops in assembly use: shifts by any register, and vectors.
func marches() bool { return cpu.X86.HasBMI2 && cpu.X86.HasAVX2 }

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
