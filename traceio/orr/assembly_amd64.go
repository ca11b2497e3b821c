package orr

import (
	"unsafe"

	processor "golang.org/x/sys/cpu"

	"orrery/traceio"
)

// What the assembly assumes beside the offsets that go_asm.h gives it: sizes that it multiplies by, and words from
// which it reads two fields at once. A change of one does not compile.
var (
	_ [40]struct{} = [unsafe.Sizeof(addressState{})]struct{}{}
	_ [16]struct{} = [unsafe.Sizeof(residualLengths[0])]struct{}{}
	_ [8]struct{}  = [unsafe.Offsetof(residualLengths[0].width)]struct{}{}
	_ [8]struct{}  = [unsafe.Sizeof(successors{})]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(successors{}.next)]struct{}{}
	_ [8]struct{}  = [unsafe.Sizeof(misprediction{})]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(misprediction{}.site)]struct{}{}
	_ [4]struct{}  = [unsafe.Offsetof(misprediction{}.run)]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(coefficients.stride)]struct{}{}
	_ [40]struct{} = [unsafe.Offsetof(coefficients.first)]struct{}{}
	_ [80]struct{} = [unsafe.Offsetof(coefficients.second)]struct{}{}
	_ [8]struct{}  = [unsafe.Sizeof(traceio.Addr(0))]struct{}{}
	_ [1]struct{}  = [unsafe.Sizeof(traceio.Kind(0))]struct{}{}
)

// vectors tells whether the processor has AVX2.
var vectors = processor.X86.HasAVX2

// replaySites finds the sites of x, and copies what they give to their references.
func replaySites(x *siteReplay) {
	if vectors {
		replaySitesAVX2(x)
	} else {
		replaySitesGeneric(x)
	}
}

//go:noescape
func replaySitesAVX2(x *siteReplay)

// decodeBatch finds the addresses of x, whose first is not below 2.
//
//go:noescape
func decodeBatch(x *addressBatch)
