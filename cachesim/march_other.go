//go:build !amd64

package cachesim

import "unsafe"

// marches tells that there are no loops in assembly here.
func marches() bool { return false }

func marchRows(m *march) (more bool)           { panic("cachesim: no loop in assembly") }
func marchRowsNoted(m *march) (more bool)      { panic("cachesim: no loop in assembly") }
func marchQuestions(m *march) (more bool)      { panic("cachesim: no loop in assembly") }
func marchQuestionsNoted(m *march) (more bool) { panic("cachesim: no loop in assembly") }
func marchFinal(m *march) (more bool)          { panic("cachesim: no loop in assembly") }
func marchFinalNoted(m *march) (more bool)     { panic("cachesim: no loop in assembly") }

func countKinds(kinds unsafe.Pointer, n int) (odd, high uint64) {
	panic("cachesim: no loop in assembly")
}
