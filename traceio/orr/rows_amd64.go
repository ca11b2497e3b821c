package orr

import (
	"unsafe"

	processor "golang.org/x/sys/cpu"

	"orrery/traceio"
)

// What the assembly takes for granted, beside the offsets that go_asm.h gives it: sizes that it multiplies by, and
// words that it reads two fields from at once.
var (
	_ [40]struct{} = [unsafe.Sizeof(rec{})]struct{}{}
	_ [16]struct{} = [unsafe.Sizeof(origin{})]struct{}{}
	_ [16]struct{} = [unsafe.Sizeof(ahead{})]struct{}{}
	_ [8]struct{}  = [unsafe.Sizeof(hop{})]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(hop{}.next)]struct{}{}
	_ [8]struct{}  = [unsafe.Sizeof(turn{})]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(turn{}.site)]struct{}{}
	_ [4]struct{}  = [unsafe.Offsetof(turn{}.run)]struct{}{}
	_ [16]struct{} = [unsafe.Sizeof(Row{})]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(Row{}.Where)]struct{}{}
	_ [8]struct{}  = [unsafe.Offsetof(Row{}.Key)]struct{}{}
	_ [8]struct{}  = [unsafe.Sizeof(traceio.Addr(0))]struct{}{}
	_ [1]struct{}  = [unsafe.Sizeof(traceio.Kind(0))]struct{}{}
)

// vectors tells whether the processor has AVX2.
var vectors = processor.X86.HasAVX2

// followRows is followAny.
func followRows(x *following) {
	if vectors {
		followVectors(x)
	} else {
		followAny(x)
	}
}

//go:noescape
func followVectors(x *following)

// residentRows is residentAny.
//
//go:noescape
func residentRows(x *residing)

// goOn is goOnAny.
func goOn(rows []Row, round int) int {
	if vectors {
		return goOnVectors(rows, round)
	}
	return goOnAny(rows, round)
}

//go:noescape
func goOnVectors(rows []Row, round int) (n int)

// compareRows is compareAny.
//
//go:noescape
func compareRows(x *comparing)

// succeedRows is succeedAny.
//
//go:noescape
func succeedRows(x *succession)
