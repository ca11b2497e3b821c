package record

import (
	"unsafe"

	processor "golang.org/x/sys/cpu"
)

// The assembly reads two slots at once, each as its two words.
var (
	_ [16]struct{} = [unsafe.Sizeof(slot{})]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(slot{}.w0)]struct{}{}
	_ [8]struct{}  = [unsafe.Offsetof(slot{}.w1)]struct{}{}
)

// vectors tells whether the processor has AVX2.
var vectors = processor.X86.HasAVX2

// even is how many of the first slots are not odd beside like, as far as many can be told at a time.
func even(slots []slot, like slot) int {
	if vectors {
		return evenVectors(slots, like)
	}
	return 0
}

//go:noescape
func evenVectors(slots []slot, like slot) (n int)
